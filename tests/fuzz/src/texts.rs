//! Texts as arguments: the words that the header quotes, formats of printf, patterns of Life, prose.

use crate::dice::Dice;
use crate::header::{Enum, Function, Header, Member};

/// The quoted words of the texts of a function and of the enums and functions that they name.
pub fn dictionary(header: &Header, function: &Function, member: &Member) -> Vec<String> {
    let mut words = quoted(&member.text);
    words.extend(quoted(&function.text));
    let all = function.params.iter().map(|param| param.text.as_str()).collect::<String>() + &function.text;
    for other in &header.functions {
        if all.contains(&other.name) {
            words.extend(quoted(&other.text));
        }
    }
    if let Some(file) = header.enums.iter().find(|file: &&Enum| file.name == "gpumex_pattern_format") {
        words.extend(quoted(&file.text));
    }
    words.sort();
    words.dedup();
    words
}

/// What stands between quotation marks or backticks.
fn quoted(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for mark in ['"', '`'] {
        words.extend(text.split(mark).skip(1).step_by(2).map(str::to_owned));
    }
    words
}

/// A text for a parameter; `prose` is the contents of a text of given length.
pub fn text(dice: &mut Dice, member: &Member, words: &[String]) -> Vec<u8> {
    if member.text.contains("conversion of printf") && dice.per_mille(900) {
        return format(dice);
    }
    if dice.per_mille(30) || words.is_empty() {
        return (0..dice.below(20)).map(|_| 1 + dice.below(255) as u8).collect();
    }
    if member.text.contains("outer-totalistic") && dice.per_mille(800) {
        let digits = |dice: &mut Dice| {
            (0..9).filter(|_| dice.per_mille(300)).map(|digit: u8| digit.to_string()).collect()
        };
        let (birth, survival): (String, String) = (digits(dice), digits(dice));
        return format!("B{birth}/S{survival}").into_bytes();
    }
    let word = &words[dice.below(words.len())];
    word.clone().into_bytes()
}

fn format(dice: &mut Dice) -> Vec<u8> {
    let mut format = String::new();
    let flags = ["", "-", "+", " ", "0", "#"];
    format.push_str(dice.pick(&["", "", "[", "%%", "x = "]));
    format.push('%');
    format.push_str(dice.pick(&flags));
    if dice.per_mille(300) {
        format.push_str(&dice.below(30).to_string());
    }
    if dice.per_mille(300) {
        format.push_str(&std::format!(".{}", dice.below(20)));
    }
    format.push_str(dice.pick(&["", "", "", "l", "hh", "ll"]));
    format.push_str(dice.pick(&[
        "d", "d", "d", "i", "u", "o", "x", "X", "c", "f", "f", "f", "F", "e", "E", "g", "G", "a", "A", "s",
        "",
    ]));
    format.push_str(dice.pick(&["", "", "]", "%%", "\n"]));
    format.into_bytes()
}

/// Bytes of a text of some length: a pattern of Life, or words.
pub fn prose(dice: &mut Dice, member: &Member, words: &[String], length: usize) -> Vec<u8> {
    let mut text = Vec::with_capacity(length);
    if member.text.contains("host memory") || member.name != "text" {
        let pattern = if dice.per_mille(500) { rle(dice) } else { life106(dice) };
        text.extend_from_slice(pattern.as_bytes());
        for _ in 0..if dice.per_mille(700) { 0 } else { 1 + dice.below(4) } {
            if !text.is_empty() && !words.is_empty() {
                let at = dice.below(text.len());
                let word = &words[dice.below(words.len())];
                text.splice(at..at, word.bytes());
            }
        }
        return text;
    }
    const WORDS: [&str; 12] = [
        "the ",
        "a ",
        "don't ",
        "x\u{2019}y ",
        "THE ",
        "\u{e4}\u{c4}\u{df} ",
        "1st,",
        "\n",
        "''",
        "\u{130}I ",
        "A",
        "\u{4e2d}\u{6587} ",
    ];
    while text.len() < length {
        if dice.per_mille(40) {
            text.push(dice.bits() as u8);
        } else {
            text.extend_from_slice(dice.pick(&WORDS).as_bytes());
        }
    }
    text.truncate(length);
    text
}

fn rle(dice: &mut Dice) -> String {
    let mut text = String::new();
    if dice.per_mille(300) {
        text.push_str(dice.pick(&[
            "#N name\n",
            "#P 3 -4\n",
            "#R -1 2\n",
            "#CXRLE Pos=-5,7\n",
            "#C \t\n",
            "#r 23/3\n",
        ]));
    }
    let (cols, rows) = (1 + dice.below(8), 1 + dice.below(6));
    let rule = dice.pick(&[
        "",
        ", rule = B3/S23",
        ", rule = 23/3",
        ", rule = B36/S23:T10,8",
        ", rule = B3/S23:P9,9",
    ]);
    text.push_str(&std::format!("x = {cols}, y = {rows}{rule}\n"));
    for row in 0..rows {
        let mut left = cols;
        while left > 0 && dice.per_mille(800) {
            let run = 1 + dice.below(left);
            left -= run;
            if run > 1 || dice.per_mille(100) {
                text.push_str(&run.to_string());
            }
            text.push_str(dice.pick(&["b", "o", "o", ".", "A"]));
        }
        text.push_str(if row + 1 == rows { "!" } else { "$" });
    }
    text
}

fn life106(dice: &mut Dice) -> String {
    let mut text = "#Life 1.06\n".to_owned();
    let far = if dice.per_mille(50) { dice.bits().cast_signed() >> dice.below(64) } else { 0 };
    for _ in 0..dice.below(12) {
        let (x, y) = (dice.below(9) as i64 - 4, dice.below(9) as i64 - 4);
        text.push_str(&std::format!("{} {}\n", x.wrapping_add(far), y.wrapping_sub(far)));
    }
    text
}

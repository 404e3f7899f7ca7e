//! Readers of patterns and rules that are as plain as can be. They are asked about texts that the library has taken.

use std::collections::BTreeSet;

/// Row and column of each live cell.
pub type Cells = BTreeSet<[i64; 2]>;

fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|&byte| byte == b'\n' || byte == b'\r')
}

fn is_remark(line: &[u8]) -> bool {
    line.trim_ascii_start().starts_with(b"#")
}

/// Without the mark that some editors put in front of UTF-8.
pub fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text)
}

/// The cells of an RLE text, from the upper left one on.
pub fn rle(text: &[u8]) -> Cells {
    let mut rest =
        lines(without_mark(text)).skip_while(|line| line.trim_ascii().is_empty() || is_remark(line));
    let header = rest.next().expect("a header");
    assert!(header.trim_ascii_start()[0].eq_ignore_ascii_case(&b'x'), "{}", header.escape_ascii());
    let (mut cells, mut row, mut col, mut digits) = (Cells::new(), 0, 0, String::new());
    for line in rest {
        if digits.is_empty() && is_remark(line) {
            continue;
        }
        for &byte in line {
            let count = digits.parse().unwrap_or(1);
            match byte {
                b'0'..=b'9' => digits.push(char::from(byte)),
                b'o' | b'A' => cells.extend((0..count).map(|i| [row, col + i])),
                b'!' => return cells,
                _ => {}
            }
            match byte {
                b'$' => (row, col) = (row + count, 0),
                b'o' | b'A' | b'b' | b'.' => col += count,
                _ => continue,
            }
            digits.clear();
        }
    }
    panic!("a pattern without an end")
}

/// The cells of a Life 1.06 text where they say they are.
pub fn life106(text: &[u8]) -> Cells {
    let is_cell = |line: &&[u8]| !line.trim_ascii().is_empty() && !is_remark(line);
    let numbers = |line: &[u8]| {
        let line = String::from_utf8(line.to_vec()).expect("digits, signs and blanks");
        let [x, y] = [0, 1].map(|i| line.split_ascii_whitespace().nth(i).expect("two numbers").to_owned());
        [y, x].map(|number| number.parse().expect("a number"))
    };
    lines(without_mark(text)).skip(1).filter(is_cell).map(numbers).collect()
}

/// Birth and survival of a rule, `[b, s]` with a flag for each count of neighbours; None where the text is no rule.
pub fn rule(text: &str) -> Option<[[bool; 9]; 2]> {
    let is_letter = |c: char| "bsBS".contains(c);
    let digits = |part: &str| {
        let mut flags = [false; 9];
        for digit in part.chars() {
            let flag = flags.get_mut("012345678".find(digit)?)?;
            if std::mem::replace(flag, true) {
                return None;
            }
        }
        Some(flags)
    };
    if !text.contains(is_letter) {
        let parts: Vec<&str> = text.split('/').collect();
        let [survival, birth] = parts[..] else { return None };
        return Some([digits(birth)?, digits(survival)?]);
    }
    let at: Vec<usize> = text.match_indices(is_letter).map(|(at, _)| at).collect();
    let [0, second] = at[..] else { return None };
    let first = text[1..second].strip_suffix('/').unwrap_or(&text[1..second]);
    let [first, behind] = [digits(first)?, digits(&text[second + 1..])?];
    match [0, second].map(|at| text.as_bytes()[at].to_ascii_lowercase()) {
        [b'b', b's'] => Some([first, behind]),
        [b's', b'b'] => Some([behind, first]),
        _ => None,
    }
}

/// B3/S23, digits ascending.
pub fn rule_text(rule: [[bool; 9]; 2]) -> String {
    let [birth, survival] =
        rule.map(|flags| (0..9).filter(|&k| flags[k]).map(|k| k.to_string()).collect::<String>());
    format!("B{birth}/S{survival}")
}

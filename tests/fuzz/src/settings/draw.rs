//! Draws the environment of a process and its calls of gpumex_configure.

use super::rule::{SETTINGS, Setting, setting};
use crate::dice::Dice;

/// A key and a value for gpumex_configure; None is NULL.
pub type Pair = (Option<Vec<u8>>, Option<Vec<u8>>);

pub struct Case {
    pub environment: [Option<Vec<u8>>; SETTINGS.len()],
    pub others: Vec<(&'static str, Vec<u8>)>, // variables that mean nothing
    pub before: Vec<Pair>,                    // calls before first use
    pub after: Vec<Pair>,
}

const OTHERS: [&str; 6] =
    ["GPUMEX", "GPUMEX_", "GPUMEX_THREADS", "gpumex_backend", "GPUMEX_BACKEND2", "GPUMEX_CUDA"];

pub fn case(seed: u64, number: u64) -> Case {
    let dice = &mut Dice::new(seed, number);
    // Mostly right ones, so that what comes behind them is reached.
    let right = dice.pick(&[0, 500, 900, 1000]);
    let environment =
        std::array::from_fn(|index| dice.per_mille(600).then(|| value(dice, &SETTINGS[index], right)));
    let others = (0..dice.below(3)).map(|_| (dice.pick(&OTHERS), value(dice, &SETTINGS[0], 500))).collect();
    let before = (0..dice.below(4)).map(|_| pair(dice)).collect();
    let after = (0..1 + dice.below(3)).map(|_| pair(dice)).collect();
    Case { environment, others, before, after }
}

fn pair(dice: &mut Dice) -> Pair {
    let known = dice.below(SETTINGS.len());
    let key = match dice.below(20) {
        0 => None,
        1 => Some(spoil(dice, SETTINGS[known].key)),
        2 => Some(SETTINGS[known].variable.into()),
        3 => Some(bytes(dice)),
        _ => Some(SETTINGS[known].key.into()),
    };
    let of = key.as_deref().and_then(setting).unwrap_or(known);
    let right = dice.pick(&[500, 900]);
    let value = (!dice.per_mille(30)).then(|| value(dice, &SETTINGS[of], right));
    (key, value)
}

/// A value of a setting, which is right in `right` of 1000 cases or by chance.
fn value(dice: &mut Dice, setting: &Setting, right: usize) -> Vec<u8> {
    if dice.per_mille(right) {
        return valid(dice, setting).into();
    }
    match dice.below(8) {
        0 => Vec::new(),
        1 => bytes(dice),
        2 => huge(dice),
        3 => {
            let other = dice.below(SETTINGS.len());
            valid(dice, &SETTINGS[other]).into()
        }
        4 => dice.pick(&NUMBERS).into(),
        _ => {
            let text = valid(dice, setting);
            spoil(dice, &text)
        }
    }
}

/// A text that a setting takes. Most counts of threads are small: a process has to start them.
pub fn valid(dice: &mut Dice, setting: &Setting) -> String {
    if !setting.words.is_empty() {
        return dice.pick(setting.words).to_owned();
    }
    let zeros = if dice.per_mille(50) { "0".repeat(dice.below(40)) } else { String::new() };
    let number = if dice.per_mille(20) { 4096 } else { dice.below(6) };
    format!("{zeros}{number}")
}

/// Numbers at the ends of types, and what others read as numbers.
const NUMBERS: [&str; 18] = [
    "4096",
    "4097",
    "-0",
    "-1",
    "2147483647",
    "2147483648",
    "4294967296",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "0x10",
    "0b1",
    "1e1",
    "1.0",
    "1,0",
    "1_0",
    "\u{ff11}",
    "\u{663}",
];

/// A text with something before, behind or within it that does not belong there, or in other letters.
fn spoil(dice: &mut Dice, text: &str) -> Vec<u8> {
    let stray = dice.pick(&[
        " ", "  ", "\t", "\n", "\r\n", "+", "-", "0x", "\"", "'", "\\", ";", "=", "\u{feff}", "\u{7f}",
    ]);
    let at = dice.below(text.len() + 1);
    let spoiled = match dice.below(5) {
        0 => text.to_uppercase(),
        1 => format!("{stray}{text}"),
        2 => format!("{text}{stray}"),
        3 => format!("{}{stray}{}", &text[..at], &text[at..]),
        _ => text[..at].to_owned(),
    };
    spoiled.into_bytes()
}

/// Bytes without NUL, mostly no UTF-8.
fn bytes(dice: &mut Dice) -> Vec<u8> {
    (0..1 + dice.below(30)).map(|_| 1 + dice.below(255) as u8).collect()
}

/// A long text: a number with many zeros before it is right.
fn huge(dice: &mut Dice) -> Vec<u8> {
    let letter = dice.pick(b"0a9\x1b\xff ");
    let mut text = vec![letter; 1 << (8 + dice.below(13))];
    if letter == b'0' {
        text.push(b'1');
    }
    text
}

//! Where the words of a text begin and end.

use std::ops::Range;

use super::char_class::{APOSTROPHE, CURLY_APOSTROPHE, character, folded};
use super::{Rule, WordsEncoding};
use crate::interrupt::poll_at;

impl Rule {
    /// The character at a byte of the text, and its bytes.
    fn character(self, text: &[u8], at: usize) -> Option<(char, usize)> {
        match (self.encoding, text.get(at)) {
            (WordsEncoding::Ascii, Some(0x80..)) => None,
            _ => character(text, at),
        }
    }

    /// The bytes of the letter or digit at a byte of the text; 0 where there is none.
    #[inline]
    fn letter(self, text: &[u8], at: usize) -> usize {
        match text.get(at) {
            Some(byte @ 0..0x80) => usize::from(byte.is_ascii_alphanumeric()),
            Some(_) => match self.character(text, at) {
                Some((character, len)) if character.is_alphanumeric() => len,
                _ => 0,
            },
            None => 0,
        }
    }

    /// The bytes of the apostrophe at a byte of the text; 0 where there is none.
    fn apostrophe(self, text: &[u8], at: usize) -> usize {
        match self.character(text, at) {
            Some((APOSTROPHE | CURLY_APOSTROPHE, len)) => len,
            _ => 0,
        }
    }

    /// The characters of a word as they are compared.
    pub fn spelling(self, word: &[u8]) -> impl Iterator<Item = char> {
        let mut at = 0;
        std::iter::from_fn(move || {
            let (character, len) = self.character(word, at)?;
            at += len;
            Some(if !self.fold {
                character
            } else if character.is_ascii() {
                character.to_ascii_lowercase()
            } else {
                folded(character)
            })
        })
    }

    /// Whether two words are one.
    pub fn are_same(self, a: &[u8], b: &[u8]) -> bool {
        a == b || (self.fold && self.spelling(a).eq(self.spelling(b)))
    }
}

/// The next word from a byte on that is not inside one.
pub fn next_word(text: &[u8], from: usize, rule: Rule) -> Option<Range<usize>> {
    let (near, is_letter) = (text.len().min(from + UNPOLLED), |&at: &usize| rule.letter(text, at) > 0);
    let far = || {
        (near..text.len()).step_by(UNPOLLED).find_map(|begin| {
            poll_at(begin, text.len());
            (begin..text.len().min(begin + UNPOLLED)).find(is_letter)
        })
    };
    let start = (from..near).find(is_letter).or_else(far)?;
    Some(start..end_of_word(text, start, rule))
}

/// Bytes between two polls of whether the call is cancelled, in a text without words, or of one.
const UNPOLLED: usize = 1 << 20;

/// Where the word ends that begins at a byte.
pub fn end_of_word(text: &[u8], start: usize, rule: Rule) -> usize {
    let (mut at, mut poll_behind) = (start, start + UNPOLLED);
    loop {
        if at > poll_behind {
            poll_at(at, text.len());
            poll_behind = at + UNPOLLED;
        }
        let letter = rule.letter(text, at);
        let joint = if letter > 0 { letter } else { rule.apostrophe(text, at) };
        if joint == 0 || (letter == 0 && rule.letter(text, at + joint) == 0) {
            return at;
        }
        at += joint;
    }
}

/// Whether a byte is between words, and no part of a character's sequence.
fn separates(byte: &u8) -> bool {
    byte.is_ascii() && !byte.is_ascii_alphanumeric() && *byte != b'\''
}

/// The last place behind `from`, up to `to`, where no word and no character is divided.
pub fn last_cut(text: &[u8], from: usize, to: usize) -> Option<usize> {
    text[from..to].iter().rposition(separates).map(|at| from + at + 1)
}

/// The last such place behind `from`, up to `wanted`, else the first one behind it, else the text's end.
pub fn cut(text: &[u8], from: usize, wanted: usize) -> usize {
    let wanted = wanted.min(text.len());
    if wanted == text.len() {
        return wanted;
    }
    let behind = || text[wanted..].iter().position(separates).map(|at| wanted + at + 1);
    last_cut(text, from, wanted).or_else(behind).unwrap_or(text.len())
}

//! Where the words of a text begin and end.

use std::ops::Range;

use super::char_class::{APOSTROPHE, CURLY_APOSTROPHE, between, character, each, folded};
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

/// The words of text\[begin .. end\] in order, where neither is inside one.
///
/// Algorithm  Of 64 bytes at a time one bit tells whether each is a letter or digit of ASCII, by arithmetic on eight bytes at once; a word is
///            a run of such bits. Where other characters or apostrophes take part, `next_word` finds it.
pub struct Words<'t> {
    text: &'t [u8],
    rule: Rule,
    at: usize,
    /// Where the bytes begin that these bits are of.
    base: usize,
    letters: u64,
    others: u64,
}

const WINDOW: usize = 64;

impl<'t> Words<'t> {
    pub fn new(text: &'t [u8], begin: usize, end: usize, rule: Rule) -> Words<'t> {
        let mut words = Words { text: &text[..end], rule, at: begin, base: begin, letters: 0, others: 0 };
        words.look(begin);
        words
    }

    /// Where the search for the next word begins.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Takes the bits of 64 bytes; behind the end of the text they are those of other characters.
    fn look(&mut self, base: usize) {
        (self.base, self.letters, self.others) = (base, 0, 0);
        let Some(window) = self.text.get(base..base + WINDOW) else {
            self.others = !0;
            return;
        };
        let is_utf8 = self.rule.encoding == WordsEncoding::Utf8;
        for (i, &chunk) in window.as_chunks::<8>().0.iter().enumerate() {
            let (letters, others) = kinds_of(u64::from_le_bytes(chunk), is_utf8);
            self.letters |= letters << (8 * i);
            self.others |= others << (8 * i);
        }
    }

    /// A word that is no run of bits.
    #[cold]
    fn next_word(&mut self) -> Option<Range<usize>> {
        let word = next_word(self.text, self.at, self.rule);
        self.at = word.as_ref().map_or(self.text.len(), |word| word.end);
        word
    }
}

impl Iterator for Words<'_> {
    type Item = Range<usize>;

    #[inline]
    fn next(&mut self) -> Option<Range<usize>> {
        loop {
            let from = self.at - self.base;
            if from >= WINDOW {
                self.look(self.at);
                continue;
            }
            let letters = self.letters >> from << from;
            let start = letters.trailing_zeros();
            let end = start + (letters | 1 << (start & 63)).wrapping_shr(start).trailing_ones(); // or beyond, where there are none
            let others = self.others >> from;
            if letters == 0 && others == 0 {
                self.at = self.base + WINDOW;
            } else if letters == 0 || others.trailing_zeros() as usize + from <= end as usize {
                return self.next_word();
            } else if end as usize == WINDOW {
                if start == 0 {
                    return self.next_word();
                }
                self.at = self.base + start as usize;
                self.look(self.at);
            } else {
                self.at = self.base + end as usize;
                return Some(self.base + start as usize..self.at);
            }
        }
    }
}

/// A bit for each of eight bytes: whether it is a letter or digit of ASCII, and whether it may be part of a word in another way.
#[inline]
fn kinds_of(bytes: u64, is_utf8: bool) -> (u64, u64) {
    const HIGH: u64 = each(0x80);
    let ascii = bytes & !HIGH;
    let letters = (between(ascii | each(0x20), b'a', b'z') | between(ascii, b'0', b'9')) & !bytes & HIGH;
    let apostrophes = between(ascii, b'\'', b'\'') & HIGH;
    let others = apostrophes | if is_utf8 { bytes & HIGH } else { 0 };
    let gathered = |bits: u64| (bits >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    (gathered(letters), gathered(others))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_windows_are_those_of_the_plain_search() {
        let parts = [
            "a",
            "word",
            "Z9",
            "don't",
            "'",
            "é",
            "naïve",
            "\u{2019}",
            "rock'n'roll",
            " ",
            ".",
            "\n",
            "@[`{/:",
            "\u{212A}",
            "x\u{2019}y",
        ];
        let long = "q".repeat(70);
        let mut state = 1u64;
        for round in 0..400 {
            let mut text = Vec::new();
            for _ in 0..60 {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let n = (state >> 33) as usize % (parts.len() + 2);
                match parts.get(n) {
                    Some(part) => text.extend(part.as_bytes()),
                    None if n == parts.len() => text.extend(long.as_bytes()),
                    None => text.push((state >> 40) as u8), // perhaps no character
                }
            }
            let rule = Rule {
                encoding: if round % 2 == 0 { WordsEncoding::Utf8 } else { WordsEncoding::Ascii },
                fold: round % 3 == 0,
            };
            let mut at = 0;
            for word in Words::new(&text, 0, text.len(), rule) {
                let want = next_word(&text, at, rule);
                assert_eq!(Some(word.clone()), want, "round {round}: {:?}", String::from_utf8_lossy(&text));
                at = word.end;
            }
            assert_eq!(next_word(&text, at, rule), None, "round {round}");
        }
    }
}

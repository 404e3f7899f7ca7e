//! What both backends know of the histogram of words: what a word is, and a table of words in memory of the host.
//!
//! A word is a maximal run of letters and digits, with apostrophes (U+0027, and U+2019 in UTF-8) inside it, between two of them.
//! Letters and digits are the characters of which `char::is_alphanumeric` is true, or ASCII's alone. A byte that is in no well-formed
//! sequence separates words, as every other character does.
#![forbid(unsafe_code)]

pub(crate) mod char_class;
mod counter;
mod scan;

pub(crate) use counter::Counter;
pub(crate) use scan::{Words, cut, end_of_word, last_cut, next_word};

use crate::model::numbered::numbered_enum;
use crate::model::quicksort;

/// Character encoding of a text.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WordsEncoding {
    /// UTF-8: words consist of letters and digits of Unicode.
    #[default]
    Utf8 = 0,
    /// ASCII: bytes from 0x80 on separate words.
    Ascii = 1,
}

numbered_enum!(WordsEncoding = "gpumex_words_encoding": Utf8, Ascii);

/// What makes a word, and which words are one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rule {
    pub encoding: WordsEncoding,
    /// Words that differ in case alone are one.
    pub fold: bool,
}

/// A word of a text, and how often it occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tally {
    /// The byte where it first begins.
    pub position: u64,
    /// Bytes of its spelling there; 0 while it is not known.
    pub len: u64,
    pub count: u64,
}

/// How many words a text has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    pub words: u64,
    pub distinct: u64,
}

/// The k most frequent words, in order: the larger count first, and of equal ones the word that begins first.
pub(crate) fn most_frequent(mut tallies: Vec<Tally>, k: usize) -> Vec<Tally> {
    let place = |tally: &Tally| (std::cmp::Reverse(tally.count), tally.position);
    quicksort::select(&mut tallies, k, &place);
    tallies.truncate(k);
    quicksort::sort_unstable_by_key(&mut tallies, &place);
    tallies
}

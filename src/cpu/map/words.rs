//! Where results go: the bits of elements of 1, 2, 4 or 8 bytes.
#![forbid(unsafe_code)]

use crate::error::Result;
use crate::vector::collected;

/// An array, by its bits.
pub enum Words<'a> {
    U8(&'a mut [u8]),
    U16(&'a mut [u16]),
    U32(&'a mut [u32]),
    U64(&'a mut [u64]),
}

macro_rules! each {
    ($words:expr, $array:ident => $result:expr) => {
        match $words {
            Words::U8($array) => $result,
            Words::U16($array) => $result,
            Words::U32($array) => $result,
            Words::U64($array) => $result,
        }
    };
}

impl<'a> Words<'a> {
    pub fn len(&self) -> usize {
        each!(self, array => array.len())
    }

    /// The first `len`, or what there are, and the others.
    pub fn split(self, len: usize) -> (Self, Self) {
        macro_rules! halves {
            ($variant:ident, $array:ident) => {{
                let (first, rest) = $array.split_at_mut(len.min($array.len()));
                (Words::$variant(first), Words::$variant(rest))
            }};
        }
        match self {
            Words::U8(array) => halves!(U8, array),
            Words::U16(array) => halves!(U16, array),
            Words::U32(array) => halves!(U32, array),
            Words::U64(array) => halves!(U64, array),
        }
    }

    /// Parts of `len` words, the last one perhaps of fewer.
    pub fn chunks(self, len: usize) -> Result<Vec<Words<'a>>> {
        match self {
            Words::U8(array) => collected(array.chunks_mut(len).map(Words::U8)),
            Words::U16(array) => collected(array.chunks_mut(len).map(Words::U16)),
            Words::U32(array) => collected(array.chunks_mut(len).map(Words::U32)),
            Words::U64(array) => collected(array.chunks_mut(len).map(Words::U64)),
        }
    }

    /// The lower bits of the words, from the one at `first` on.
    pub fn write(&mut self, first: usize, words: impl Iterator<Item = u64>) {
        each!(self, array => array[first..].iter_mut().zip(words).for_each(|(to, word)| *to = word as _));
    }
}

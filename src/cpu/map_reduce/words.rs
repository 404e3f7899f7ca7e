//! Where results go: the bits of elements of 1, 2, 4 or 8 bytes.
#![forbid(unsafe_code)]

use crate::cpu::fold::Found;
use crate::cpu::reduce_dim::Target;
use crate::model::dtype::Bits;

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

impl Words<'_> {
    fn split(self, len: usize) -> (Self, Self) {
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

    /// The lower bits of the words.
    fn write(self, words: impl Iterator<Item = u64>) {
        each!(self, array => array.iter_mut().zip(words).for_each(|(to, word)| *to = word as _));
    }
}

/// Results as words that `finish` makes of accumulators.
pub struct Finished<'a, G> {
    pub result: Words<'a>,
    pub finish: G,
}

impl<Acc: Copy, G: Fn(Acc) -> u64 + Copy + Send> Target<Acc> for Finished<'_, G> {
    fn split(self, len: usize) -> (Self, Self) {
        let (first, rest) = self.result.split(len);
        (Finished { result: first, ..self }, Finished { result: rest, ..self })
    }
    fn write(self, results: &[Acc]) {
        self.result.write(results.iter().map(|&acc| (self.finish)(acc)));
    }
}

/// Elements and their places.
pub struct Places<'a> {
    pub result: Words<'a>,
    pub positions: Words<'a>,
}

impl<In: Bits> Target<Found<In>> for Places<'_> {
    fn split(self, len: usize) -> (Self, Self) {
        let ((first, rest), (places, others)) = (self.result.split(len), self.positions.split(len));
        (Places { result: first, positions: places }, Places { result: rest, positions: others })
    }
    fn write(self, results: &[Found<In>]) {
        self.result.write(results.iter().map(|found| found.element.word()));
        self.positions.write(results.iter().map(|found| found.place as u64));
    }
}

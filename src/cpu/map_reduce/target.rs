//! Where the results of a reduction of an expression go.
#![forbid(unsafe_code)]

use crate::cpu::fold::Found;
use crate::cpu::map::words::Words;
use crate::cpu::reduce_dim::Target;
use crate::model::dtype::Bits;

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
    fn write(mut self, results: &[Acc]) {
        self.result.write(0, results.iter().map(|&acc| (self.finish)(acc)));
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
    fn write(mut self, results: &[Found<In>]) {
        self.result.write(0, results.iter().map(|found| found.element.word()));
        self.positions.write(0, results.iter().map(|found| found.place as u64));
    }
}

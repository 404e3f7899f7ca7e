//! Prefixes of an expression on the CPU.
//!
//!   result[i, j, k] = e[i, 0, k] ∘ … ∘ e[i, j - 1, k]  or  … ∘ e[i, j, k]        e[i, j, k] = expression (a[i, j, k], b[i, j, k], …)
//!
//! Algorithm  That of scan_dim, on blocks of at most 1024 elements that the program of map makes: they are scanned while they are in the
//!            first-level cache.
//! Cost       Reads each input and writes the result once; blocks of rows are computed twice, for what stands before them and for their
//!            prefixes. Ordered folds of few columns have one thread.
#![forbid(unsafe_code)]

use std::ops::Range;

use super::Execution;
use super::fold::Fold;
use super::map::folds::{Folding, WithFold};
use super::map::pool::Pooled;
use super::map::words::Words;
use super::map::{Elements, Map, Thread};
use super::scan_dim::{Part, Scan};
use crate::error::Result;
use crate::model::dtype::Dtype;
use crate::model::expression::Layout;
use crate::model::expression::program::Program;
use crate::model::reduction::ScanTask;
use crate::model::variant::Variant;
use crate::vector::collected;

/// result, of the dtype `to`, ← the prefixes of the elements that the program makes of the inputs. No extent is 0.
pub fn map_scan(
    how: Execution,
    program: &Program,
    layout: &Layout,
    inputs: &[Elements],
    task: &ScanTask,
    to: Dtype,
    result: Words,
) -> Result<()> {
    let &ScanTask { op, omits, saturates, .. } = task;
    let folding = Folding { ty: program.ty, dtype: program.dtype, to, op, omits, saturates };
    folding.dispatch(Prefixes { how, map: &Map::new(program, layout, inputs), task, result })
}

/// A call.
struct Prefixes<'a> {
    how: Execution<'a>,
    map: &'a Map<'a>,
    task: &'a ScanTask,
    result: Words<'a>,
}

impl WithFold for Prefixes<'_> {
    fn with<F: Fold<In: Pooled>>(self, fold: F, word: impl Fn(F::Acc) -> u64 + Copy + Send) -> Result<()> {
        let Prefixes { how, map, task, result } = self;
        let &ScanTask { is_inclusive, is_reversed, shape, .. } = task;
        let is_alone = how.1 == Variant::Sequential || map.is_small();
        Scan { fold, is_inclusive, is_reversed }.scan(
            how,
            is_alone,
            shape,
            Made { map, first: 0, result, word },
        )
    }
}

/// Elements that the program makes, from the first one on, and the places of their prefixes.
struct Made<'a, G> {
    map: &'a Map<'a>,
    first: usize,
    result: Words<'a>,
    word: G,
}

impl<'a, F: Fold<In: Pooled>, G: Fn(F::Acc) -> u64 + Copy + Send> Part<F> for Made<'a, G> {
    type Reader = Thread<'a>;

    fn reader(&self) -> Result<Thread<'a>> {
        self.map.thread(0)
    }

    fn len(&self) -> usize {
        self.result.len()
    }

    fn chunks(self, len: usize) -> Result<Vec<Self>> {
        let Made { map, first, result, word } = self;
        let parts = result.chunks(len)?.into_iter().enumerate();
        collected(parts.map(|(index, result)| Made { map, first: first + index * len, result, word }))
    }

    fn elements<'r>(&'r self, at: Range<usize>, thread: &'r mut Thread<'a>) -> Result<&'r [F::In]> {
        thread.block(self.first + at.start, at.len())
    }

    fn write(&mut self, at: Range<usize>, prefixes: &[F::Acc]) {
        self.result.write(at.start, prefixes.iter().map(|&acc| (self.word)(acc)));
    }
}

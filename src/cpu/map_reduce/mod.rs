//! Reductions of an expression on the CPU.
//!
//!   result[i, k] = e[i, 0, k] ∘ … ∘ e[i, count - 1, k]        e[i, j, k] = expression (a[i, j, k], b[i, j, k], …)
//!
//! Algorithm  The program of map runs on blocks of at most 1024 neighbouring elements, each a small array of whole rows, or a part of one
//!            row, that is folded as in reduce_dim while it is in the first-level cache. A strip of at most 1024 results keeps its
//!            accumulators there, too. Threads share the strips; where results are few, parts of the dimension, whose results are joined
//!            in pairs.
//! Accuracy   An element of a sum passes at most 32 + 5 roundings in a block, 256 of blocks, and those of blocks of 256 blocks and of
//!            pairs of parts. Shape and expression alone say which: the bits are the same whatever the number of threads.
//! Cost       Reads each input once. Ordered folds have one thread a result.
#![forbid(unsafe_code)]

mod dispatch;
mod target;

use std::ops::Range;

use super::fold::{Fold, Shifted};
use super::map::pool::{BLOCK, Pooled};
use super::map::{Map, Thread};
use super::parallel::parallel_for::try_parallel_for;
use super::reduce_dim::{Target, filled, fold_block};
use super::{Execution, run};
use crate::error::Result;
use crate::interrupt;
use crate::model::reduction::DimShape;
use crate::model::variant::Variant;

pub use dispatch::{Results, map_reduce};

/// Elements of a task.
const TASK: usize = 1 << 16;
/// Blocks that are reduced one after the other, before their result joins those of others.
const BLOCKS: usize = 256;
/// Fewer results are reduced in parts of the dimension.
const FEW: usize = 16 * BLOCK;
const FEW_OF_ROWS: usize = 128;

/// The elements of a block: (width, rows, matrices).
struct Tiling {
    width: usize,
    rows: usize,
    matrices: usize,
}

impl Tiling {
    fn new(shape: DimShape) -> Tiling {
        let DimShape { inner, count, outer } = shape;
        let matrices = if inner < BLOCK { BLOCK / inner / count } else { 0 };
        match matrices.min(outer) {
            0 | 1 => Tiling { width: inner.min(BLOCK), rows: (BLOCK / inner).clamp(1, count), matrices: 1 },
            matrices => Tiling { width: inner, rows: count, matrices },
        }
    }
}

/// Neighbouring results: from (i, k) on `width` of each matrix.
struct Strip {
    i: usize,
    k: usize,
    width: usize,
    matrices: usize,
}

impl Strip {
    fn results(&self) -> usize {
        self.width * self.matrices
    }
}

/// Reduces what the program makes of the inputs on all cores, or on one. No extent is 0.
fn reduce<F: Fold<In: Pooled>>(
    (workers, variant): Execution,
    map: &Map,
    fold: F,
    shape: DimShape,
    target: impl Target<F::Acc>,
) -> Result<()> {
    let task = if map.program.is_elementary { TASK / 8 } else { TASK };
    let work = Work { map, fold, shape, tiling: Tiling::new(shape), task };
    let is_alone = variant == Variant::Sequential || map.is_small();
    run(workers, is_alone, || match work.rows_of_a_part() {
        Some(rows) => work.in_parts(is_alone, rows, target),
        None => work.in_pieces(is_alone, target),
    })?
}

struct Work<'a, F> {
    map: &'a Map<'a>,
    fold: F,
    shape: DimShape,
    tiling: Tiling,
    /// Elements of a task.
    task: usize,
}

/// What a thread needs.
struct Worker<'a, Acc> {
    thread: Thread<'a>,
    sums: Vec<Acc>,
}

impl<F: Fold<In: Pooled>> Work<'_, F> {
    fn strips(&self) -> usize {
        let Tiling { width, matrices, .. } = self.tiling;
        self.shape.inner.div_ceil(width) * self.shape.outer.div_ceil(matrices)
    }

    fn strip(&self, index: usize) -> Strip {
        let (DimShape { inner, outer, .. }, Tiling { width, matrices, .. }) = (self.shape, &self.tiling);
        let tiles = inner.div_ceil(*width);
        let (i, k) = (index % tiles * width, index / tiles * matrices);
        Strip { i, k, width: (inner - i).min(*width), matrices: (outer - k).min(*matrices) }
    }

    fn worker(&self) -> Result<Worker<'_, F::Acc>> {
        let most = self.tiling.width * self.tiling.matrices;
        Ok(Worker { thread: self.map.thread(0)?, sums: filled(most, self.fold.identity())? })
    }

    /// Rows of a part, where there are too few results to share out.
    fn rows_of_a_part(&self) -> Option<usize> {
        let DimShape { inner, count, .. } = self.shape;
        let (results, few) = (self.shape.results(), if inner == 1 { FEW_OF_ROWS } else { FEW });
        let rows = (self.task / results).max(4 * BLOCK / inner).max(64).next_multiple_of(self.tiling.rows);
        (!F::ORDERED && results < few && count > rows).then_some(rows)
    }

    fn in_parts(&self, is_alone: bool, rows: usize, target: impl Target<F::Acc>) -> Result<()> {
        let (count, results) = (self.shape.count, self.shape.results());
        let parts = count.div_ceil(rows);
        let mut accs = filled(parts * results, self.fold.identity())?;
        try_parallel_for(is_alone, accs.chunks_mut(results), |part, accs| {
            let (mut worker, mut rest) = (self.worker()?, accs);
            for index in 0..self.strips() {
                let strip = self.strip(index);
                let (accs, others) = rest.split_at_mut(strip.results());
                self.reduce_strip(&mut worker, &strip, part * rows..count.min((part + 1) * rows), accs)?;
                rest = others;
            }
            Ok(())
        })?;
        let mut step = 1;
        while step < parts {
            for part in (0..parts - step).step_by(2 * step) {
                let (left, right) = accs[part * results..].split_at_mut(step * results);
                self.merge(&mut left[..results], &right[..results]);
            }
            step *= 2;
        }
        target.write(&accs[..results]);
        Ok(())
    }

    fn in_pieces(&self, is_alone: bool, target: impl Target<F::Acc>) -> Result<()> {
        let (count, strips) = (self.shape.count, self.strips());
        let each = (self.task / count / (self.tiling.width * self.tiling.matrices)).max(1);
        let mut rest = Some(target);
        let pieces = (0..strips.div_ceil(each)).map(|piece| {
            let all = piece * each..strips.min((piece + 1) * each);
            let results = all.map(|index| self.strip(index).results()).sum();
            let (this, others) = rest.take().expect("a piece for each").split(results);
            rest = Some(others);
            this
        });
        try_parallel_for(is_alone, pieces, |piece, mut target| {
            let mut worker = self.worker()?;
            let mut accs = filled(worker.sums.len(), self.fold.identity())?;
            for index in piece * each..strips.min((piece + 1) * each) {
                let strip = self.strip(index);
                let accs = &mut accs[..strip.results()];
                accs.fill(self.fold.identity());
                self.reduce_strip(&mut worker, &strip, 0..count, accs)?;
                let (this, others) = target.split(accs.len());
                this.write(accs);
                target = others;
            }
            Ok(())
        })
    }

    fn merge(&self, left: &mut [F::Acc], right: &[F::Acc]) {
        left.iter_mut().zip(right).for_each(|(left, &right)| *left = self.fold.merge(*left, right));
    }

    /// accs ← the reductions of these rows of a strip; they hold the identity before.
    fn reduce_strip(
        &self,
        worker: &mut Worker<F::Acc>,
        strip: &Strip,
        rows: Range<usize>,
        accs: &mut [F::Acc],
    ) -> Result<()> {
        let Worker { thread, sums } = worker;
        let each = BLOCKS * self.tiling.rows;
        if F::ORDERED || rows.len() <= each {
            return self.reduce_blocks(thread, strip, rows, accs);
        }
        let sums = &mut sums[..accs.len()];
        for from in rows.clone().step_by(each) {
            sums.fill(self.fold.identity());
            self.reduce_blocks(thread, strip, from..rows.end.min(from + each), sums)?;
            self.merge(accs, sums);
        }
        Ok(())
    }

    fn reduce_blocks(
        &self,
        thread: &mut Thread,
        strip: &Strip,
        rows: Range<usize>,
        accs: &mut [F::Acc],
    ) -> Result<()> {
        let DimShape { inner, count, .. } = self.shape;
        for from in rows.clone().step_by(self.tiling.rows) {
            interrupt::poll();
            let shape = DimShape {
                inner: strip.width,
                count: self.tiling.rows.min(rows.end - from),
                outer: strip.matrices,
            };
            let first = strip.i + inner * (from + count * strip.k);
            let elements = thread.block(first, shape.elements())?;
            fold_block(Shifted { fold: self.fold, from }, elements, shape, accs);
        }
        Ok(())
    }
}

//! Reduction along a dimension on the CPU.
//!
//!   result[i, k] = data[i, 0, k] ∘ … ∘ data[i, count - 1, k]        data (inner, count, outer), the first index fastest
//!
//! Algorithm  inner = 1: a run of 4096 elements in 32 partial results side by side (SIMD), runs one after the other. inner < 64: the
//!            same for whole rows of inner elements, in partial results of several rows. Else tiles of 256 results, one row after the
//!            other, 256 rows at a time. Results are shared out among threads; where they are few, blocks of rows, whose results are
//!            joined in pairs.
//! Accuracy   An element of a sum passes at most 128 + 5 + ⌈count/4096⌉ roundings, 256 + ⌈count/256⌉ where inner > 1, and ⌈log2⌉ of the
//!            number of blocks. The shape alone says which: the bits are the same whatever the number of threads.
//! Cost       Reads data once. Ordered folds have one thread a result, but for one result that is a saturating sum: threads add up pieces, and what
//!            they add to each other saturates seldom; those pieces are read again, element by element.
#![forbid(unsafe_code)]

use std::ops::Range;

use pulp::Arch;

use super::fold::{Cast, Fold, Place};
use super::parallel::parallel_for::{parallel_for, parallel_for_beside};
use super::{Execution, Workers, is_small, run};
use crate::error::Result;
use crate::interrupt::{self, in_pieces, poll_at};
use crate::model::index::Index;
use crate::model::reduction::DimShape;
use crate::model::variant::Variant;
use crate::vector::{fill_up, reserved};

/// Results of a tile, and rows that are reduced at a time.
const TILE: usize = 256;
const ROWS: usize = 256;
/// Elements of a run, and its partial results.
const RUN: usize = 4096;
const LANES: usize = 32;
/// Rows narrower than this are reduced several at once.
const NARROW: usize = 64;
/// Elements of a task.
const TASK: usize = 1 << 16;

/// Where results go: an array, or two.
pub trait Target<Acc>: Send + Sized {
    /// The first `len` results, or what there are, and the others.
    fn split(self, len: usize) -> (Self, Self);
    fn write(self, results: &[Acc]);
}

/// An array of results, and what makes them of accumulators.
pub struct Finished<'a, O, G> {
    pub result: &'a mut [O],
    pub finish: G,
}

impl<Acc: Copy, O: Send, G: Fn(Acc) -> O + Copy + Send> Target<Acc> for Finished<'_, O, G> {
    fn split(self, len: usize) -> (Self, Self) {
        let Finished { result, finish } = self;
        let (first, rest) = result.split_at_mut(len.min(result.len()));
        (Finished { result: first, finish }, Finished { result: rest, finish })
    }
    fn write(self, results: &[Acc]) {
        self.result.iter_mut().zip(results).for_each(|(to, &from)| *to = (self.finish)(from));
    }
}

/// Elements of data and their places.
pub struct Places<'a, T, I> {
    pub data: &'a [T],
    pub shape: DimShape,
    pub first: usize, // result
    pub result: &'a mut [T],
    pub positions: &'a mut [I],
}

impl<T: Copy + Send + Sync, I: Index, R: Copy> Target<Place<R>> for Places<'_, T, I> {
    fn split(self, len: usize) -> (Self, Self) {
        let Places { data, shape, first, result, positions } = self;
        let len = len.min(result.len());
        let (result, results) = result.split_at_mut(len);
        let (positions, others) = positions.split_at_mut(len);
        let rest = Places { data, shape, first: first + len, result: results, positions: others };
        (Places { data, shape, first, result, positions }, rest)
    }
    fn write(self, results: &[Place<R>]) {
        let DimShape { inner, count, .. } = self.shape;
        let targets = self.result.iter_mut().zip(self.positions);
        for ((index, found), (result, position)) in (self.first..).zip(results).zip(targets) {
            *position = I::from_usize(found.place);
            *result = self.data[index % inner + inner * (found.place + count * (index / inner))];
        }
    }
}

/// Reduces on all cores; with SEQUENTIAL by the plain loop. No extent is 0.
pub fn reduce<F: Fold>(
    (workers, variant): Execution,
    fold: F,
    data: &[F::In],
    shape: DimShape,
    target: impl Target<F::Acc>,
) -> Result<()> {
    if variant == Variant::Sequential {
        workers.run_sequential(|| sequential(fold, data, shape, target));
        return Ok(());
    }
    let work = Work { fold, data, shape };
    if F::SUMMARISED && shape.results() == 1 && workers.threads() > 1 && !is_small(data) {
        return work.by_summaries(workers, target);
    }
    run(workers, is_small(data), || match work.rows_of_a_block() {
        Some(rows) => work.in_blocks(rows, target),
        None => work.in_pieces(is_small(data), target),
    })?
}

/// The plain loop.
fn sequential<F: Fold>(fold: F, data: &[F::In], shape: DimShape, target: impl Target<F::Acc>) {
    let DimShape { inner, count, .. } = shape;
    let mut target = target;
    for index in 0..shape.results() {
        let (first, mut acc) = (index % inner + inner * count * (index / inner), fold.identity());
        in_pieces(count, |places| {
            for place in places {
                acc = fold.step(acc, data[first + inner * place], place);
            }
        });
        let (this, rest) = target.split(1);
        this.write(&[acc]);
        target = rest;
    }
}

/// `len` times a value.
pub(super) fn filled<T: Copy>(len: usize, value: T) -> Result<Vec<T>> {
    let mut vec = reserved(len)?;
    fill_up(&mut vec, len, value);
    Ok(vec)
}

struct Work<'a, F: Fold> {
    fold: F,
    data: &'a [F::In],
    shape: DimShape,
}

impl<F: Fold> Work<'_, F> {
    /// Rows of a block, where there are too few results to share out.
    fn rows_of_a_block(&self) -> Option<usize> {
        let DimShape { inner, count, .. } = self.shape;
        let results = self.shape.results();
        let few = if inner == 1 { 128 } else { 4096 };
        let rows = (TASK / results).max(RUN / inner).max(64);
        (!F::ORDERED && results < few && count > rows).then_some(rows)
    }

    /// Of one result.
    fn by_summaries(&self, workers: &Workers, target: impl Target<F::Acc>) -> Result<()> {
        let (fold, arch) = (self.fold, Arch::new());
        let mut summaries = filled(self.data.len().div_ceil(TASK), None)?;
        let pieces = self.data.chunks(TASK);
        parallel_for_beside(
            workers,
            false,
            summaries.iter_mut().zip(pieces.clone()),
            |_, (summary, piece)| {
                *summary = arch.dispatch(
                    #[inline(always)]
                    || fold.summary(piece),
                );
            },
        )?;
        workers.run_sequential(|| {
            let mut acc = fold.identity();
            for (index, (summary, piece)) in summaries.iter().zip(pieces).enumerate() {
                poll_at(index, summaries.len());
                acc = summary.and_then(|summary| fold.join(acc, summary)).unwrap_or_else(|| {
                    arch.dispatch(
                        #[inline(always)]
                        || fold.run(acc, piece, index * TASK),
                    )
                });
            }
            target.write(&[acc]);
        });
        Ok(())
    }

    fn in_blocks(&self, rows: usize, target: impl Target<F::Acc>) -> Result<()> {
        let (count, results) = (self.shape.count, self.shape.results());
        let blocks = count.div_ceil(rows);
        let mut parts = filled(blocks * results, self.fold.identity())?;
        parallel_for(is_small(self.data), parts.chunks_mut(results), |block, part| {
            self.reduce_part(0..results, block * rows..count.min((block + 1) * rows), part);
        })?;
        let mut step = 1;
        while step < blocks {
            for block in (0..blocks - step).step_by(2 * step) {
                let (left, right) = parts[block * results..].split_at_mut(step * results);
                for (left, &right) in left[..results].iter_mut().zip(&right[..results]) {
                    *left = self.fold.merge(*left, right);
                }
            }
            step *= 2;
        }
        target.write(&parts[..results]);
        Ok(())
    }

    fn in_pieces(&self, is_alone: bool, target: impl Target<F::Acc>) -> Result<()> {
        let (count, results) = (self.shape.count, self.shape.results());
        let piece = (TASK / count).clamp(self.shape.inner.clamp(1, TILE), 4 * TILE);
        let mut rest = Some(target);
        let pieces = (0..results.div_ceil(piece)).map(|_| {
            let (this, others) = rest.take().expect("a piece for each").split(piece);
            rest = Some(others);
            this
        });
        parallel_for(is_alone, pieces, |index, target| {
            let (first, mut accs) = (index * piece, [self.fold.identity(); 4 * TILE]);
            let last = results.min(first + piece);
            let accs = &mut accs[..last - first];
            self.reduce_part(first..last, 0..count, accs);
            target.write(accs);
        })
    }

    /// accs ← the reductions of these rows; they hold the identity before.
    fn reduce_part(&self, results: Range<usize>, rows: Range<usize>, accs: &mut [F::Acc]) {
        let inner = self.shape.inner;
        let (arch, mut index) = (Arch::new(), results.start);
        while index < results.end {
            let (i, k) = (index % inner, index / inner);
            let len = if inner == 1 { results.end - index } else { (inner - i).min(results.end - index) };
            let accs = &mut accs[index - results.start..][..len];
            interrupt::poll();
            for from in rows.clone().step_by(TASK) {
                let rows = from..rows.end.min(from + TASK);
                if inner == 1 {
                    arch.dispatch(
                        #[inline(always)]
                        || self.runs(k, rows, accs),
                    );
                } else if len == inner && inner < NARROW && !F::ORDERED && rows.len() * inner >= 4 * NARROW {
                    let base = inner * self.shape.count * k;
                    let part = &self.data[base + inner * rows.start..base + inner * rows.end];
                    arch.dispatch(
                        #[inline(always)]
                        || narrow(self.fold, part, rows.start, accs),
                    );
                } else {
                    for (tile, accs) in accs.chunks_mut(TILE).enumerate() {
                        arch.dispatch(
                            #[inline(always)]
                            || self.tile(i + tile * TILE, k, rows.clone(), accs),
                        );
                    }
                }
            }
            index += len;
        }
    }

    /// inner = 1: neighbouring results.
    #[inline(always)] // so that it is compiled for the instruction set of `dispatch`, as all below
    fn runs(&self, k: usize, rows: Range<usize>, accs: &mut [F::Acc]) {
        for (index, acc) in accs.iter_mut().enumerate() {
            let part = &self.data[self.shape.count * (k + index)..][rows.clone()];
            let from = rows.start;
            *acc = match part.len() {
                _ if F::ORDERED => self.fold.run(*acc, part, from),
                0..16 => self.fold.run(*acc, part, from),
                16..256 => self.fold.merge(*acc, lanes::<F, 8>(self.fold, part, from)),
                _ => part.chunks(RUN).enumerate().fold(*acc, |acc, (run, part)| {
                    self.fold.merge(acc, lanes::<F, LANES>(self.fold, part, from + run * RUN))
                }),
            };
        }
    }

    /// Results from (i, k) on, all in one row.
    #[inline(always)]
    fn tile(&self, i: usize, k: usize, rows: Range<usize>, accs: &mut [F::Acc]) {
        let DimShape { inner, count, .. } = self.shape;
        let (fold, len) = (self.fold, accs.len());
        let row = |row: usize| &self.data[i + inner * (row + count * k)..][..len];
        if F::ORDERED {
            for place in rows {
                accs.iter_mut().zip(row(place)).for_each(|(acc, &x)| *acc = fold.step(*acc, x, place));
            }
            return;
        }
        let mut sums = [fold.identity(); TILE];
        let sums = &mut sums[..len];
        for from in rows.clone().step_by(ROWS) {
            let end = rows.end.min(from + ROWS);
            let fours = from + (end - from) / 4 * 4;
            sums.fill(fold.identity());
            for place in (from..fours).step_by(4) {
                let [a, b, c, d] = [row(place), row(place + 1), row(place + 2), row(place + 3)];
                for (at, sum) in sums.iter_mut().enumerate() {
                    let two = fold.step(fold.step(*sum, a[at], place), b[at], place + 1);
                    *sum = fold.step(fold.step(two, c[at], place + 2), d[at], place + 3);
                }
            }
            for place in fours..end {
                sums.iter_mut().zip(row(place)).for_each(|(sum, &x)| *sum = fold.step(*sum, x, place));
            }
            accs.iter_mut().zip(sums.iter()).for_each(|(acc, &sum)| *acc = fold.merge(*acc, sum));
        }
    }
}

#[inline(always)]
fn lanes<F: Fold, const LANES: usize>(fold: F, data: &[F::In], from: usize) -> F::Acc {
    let mut results = [fold.identity(); LANES];
    let (groups, rest) = data.as_chunks::<LANES>();
    let mut place = from;
    for group in groups {
        results = std::array::from_fn(|lane| fold.step(results[lane], group[lane], place + lane));
        place += LANES;
    }
    for (lane, (result, &element)) in results.iter_mut().zip(rest).enumerate() {
        *result = fold.step(*result, element, place + lane);
    }
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half {
            results[lane] = fold.merge(results[lane], results[lane + half]);
        }
        half /= 2;
    }
    results[0]
}

/// accs ← joined with the reductions of rows of as many elements; of folds that are not ordered.
pub(super) fn fold_rows<F: Fold>(fold: F, data: &[F::In], accs: &mut [F::Acc]) {
    let shape = DimShape { inner: accs.len(), count: data.len() / accs.len(), outer: 1 };
    fold_block(fold, data, shape, accs);
}

/// accs ← joined with the reductions of a small array.
pub(super) fn fold_block<F: Fold>(fold: F, data: &[F::In], shape: DimShape, accs: &mut [F::Acc]) {
    if shape.count == 1 {
        return Arch::new().dispatch(
            #[inline(always)]
            || accs.iter_mut().zip(data).for_each(|(acc, &element)| *acc = fold.step(*acc, element, 0)),
        );
    }
    Work { fold, data, shape }.reduce_part(0..accs.len(), 0..shape.count, accs);
}

/// Whole rows of as many elements as there are accumulators, several rows side by side.
#[inline(always)]
fn narrow<F: Fold>(fold: F, data: &[F::In], from: usize, accs: &mut [F::Acc]) {
    let inner = accs.len();
    let rows = NARROW.div_ceil(inner);
    let lanes = rows * inner;
    let (mut sums, mut offsets) = ([fold.identity(); 2 * NARROW], [0; 2 * NARROW]);
    let (sums, offsets) = (&mut sums[..lanes], &mut offsets[..lanes]);
    offsets.iter_mut().enumerate().for_each(|(lane, offset)| *offset = lane / inner);
    for (block, part) in data.chunks(lanes * ROWS).enumerate() {
        sums.fill(fold.identity());
        for (group, group_of) in part.chunks(lanes).enumerate() {
            let place = from + (block * ROWS + group) * rows;
            for ((sum, &element), offset) in sums.iter_mut().zip(group_of).zip(&*offsets) {
                *sum = fold.step(*sum, element, place + offset);
            }
        }
        for row in sums.chunks_exact(inner) {
            accs.iter_mut().zip(row).for_each(|(acc, &sum)| *acc = fold.merge(*acc, sum));
        }
    }
}

/// A result that is the accumulator, perhaps of another type.
pub fn cast<A: Cast<O>, O>(acc: A) -> O {
    acc.cast()
}

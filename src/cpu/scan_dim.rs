//! Prefixes along a dimension on the CPU.
//!
//!   result[i, j, k] = data[i, 0, k] ∘ … ∘ data[i, j - 1, k]  or  … ∘ data[i, j, k]        data, result (inner, count, outer)
//!
//! Algorithm  A row of inner elements after the other, with an accumulator for each of its elements; 1024 elements at a time pass
//!            through a buffer, so that loops are compiled for a fold and not for a type of result. Threads share out the outer
//!            dimension; where it is short tiles of inner; where that is short as well blocks of rows: each block is reduced, then
//!            scanned from what stands before it, for a few blocks a thread after the other, so that the second reading is from the
//!            cache.
//! Cost       Reads data and writes result once; blocks of rows are read twice, once from memory.
//! Source     G. Blelloch, "Prefix Sums and Their Applications", CMU-CS-90-190, 1990.
#![forbid(unsafe_code)]

use pulp::Arch;

use super::fold::Fold;
use super::parallel::parallel_for::{parallel_for, try_parallel_for};
use super::reduce_dim::{filled, fold_rows};
use super::{Execution, collected, reserved, run};
use crate::error::Result;
use crate::interrupt;
use crate::model::reduction::DimShape;
use crate::model::variant::Variant;

/// Elements that pass through a buffer at once.
const BUFFER: usize = 1024;
/// Elements of a task, and tasks a thread that are reduced and then scanned, while they are in the cache.
const TASK: usize = 1 << 16;
const BATCH: usize = 4;
/// Extents of outer and inner from which they are shared out.
const OUTER: usize = 64;
const INNER: usize = 512;

/// What is read and what is written.
pub enum Array<'a, T, O> {
    Same(&'a mut [O]),
    Apart(&'a [T], &'a mut [O]),
}

impl<'a, T, O> Array<'a, T, O> {
    fn len(&self) -> usize {
        match self {
            Array::Same(array) => array.len(),
            Array::Apart(_, target) => target.len(),
        }
    }

    fn reborrow(&mut self) -> Array<'_, T, O> {
        match self {
            Array::Same(array) => Array::Same(array),
            Array::Apart(source, target) => Array::Apart(source, target),
        }
    }

    fn part(&mut self, from: usize, len: usize) -> Array<'_, T, O> {
        match self {
            Array::Same(array) => Array::Same(&mut array[from..from + len]),
            Array::Apart(source, target) => {
                Array::Apart(&source[from..from + len], &mut target[from..from + len])
            }
        }
    }

    /// Parts of `len` elements, the last one perhaps of fewer.
    fn chunks(self, len: usize) -> Result<Vec<Array<'a, T, O>>> {
        match self {
            Array::Same(array) => collected(array.chunks_mut(len).map(Array::Same)),
            Array::Apart(source, target) => {
                let pairs = source.chunks(len).zip(target.chunks_mut(len));
                collected(pairs.map(|(source, target)| Array::Apart(source, target)))
            }
        }
    }
}

/// How prefixes are computed: `finish` makes results of accumulators, `read` elements of what lies in the place of results.
pub struct Scan<F, G, R> {
    pub fold: F,
    pub is_inclusive: bool,
    pub is_reversed: bool,
    pub finish: G,
    pub read: R,
}

impl<F: Fold, O: Copy + Send + Sync, G: Fn(F::Acc) -> O + Sync, R: Fn(O) -> F::In + Sync> Scan<F, G, R> {
    /// Scans on all cores; with SEQUENTIAL on one. No extent is 0.
    pub fn scan(&self, (workers, variant): Execution, shape: DimShape, array: Array<F::In, O>) -> Result<()> {
        let DimShape { inner, count, outer } = shape;
        let matrix = inner * count;
        if variant == Variant::Sequential {
            return workers.run_sequential(|| self.matrices(true, inner, matrix, array.chunks(matrix)?));
        }
        let is_alone = shape.elements() * size_of::<F::In>() < 1 << 15;
        let rows = (TASK / inner).max(1);
        run(workers, is_alone, || {
            if outer >= OUTER || matrix <= TASK {
                let several = (TASK / matrix).max(1) * matrix;
                return self.matrices(is_alone, inner, matrix, array.chunks(several)?);
            }
            for matrix in array.chunks(matrix)? {
                match () {
                    () if inner >= INNER => self.tiles(inner, matrix)?,
                    () if F::ORDERED => self.rows(matrix, &mut filled(inner, self.fold.identity())?),
                    () => self.blocks(inner, rows, matrix)?,
                }
            }
            Ok(())
        })?
    }

    /// Parts of whole matrices (inner, count).
    fn matrices(
        &self,
        is_alone: bool,
        inner: usize,
        matrix: usize,
        parts: Vec<Array<F::In, O>>,
    ) -> Result<()> {
        try_parallel_for(is_alone, parts.into_iter(), |_, mut part| {
            let mut accs = filled(inner, self.fold.identity())?;
            for from in (0..part.len()).step_by(matrix) {
                accs.fill(self.fold.identity());
                self.rows(part.part(from, matrix), &mut accs);
            }
            Ok(())
        })
    }

    /// One matrix, its rows in tiles.
    fn tiles(&self, inner: usize, matrix: Array<F::In, O>) -> Result<()> {
        let width = inner.div_ceil(OUTER).next_multiple_of(64).clamp(256, BUFFER);
        let tiles = inner.div_ceil(width);
        let rows = matrix.chunks(inner)?;
        let mut parts = collected((0..tiles).map(|_| Vec::new()))?;
        for part in &mut parts {
            *part = reserved(rows.len())?;
        }
        for row in rows {
            for (part, tile) in parts.iter_mut().zip(row.chunks(width)?) {
                part.push(tile);
            }
        }
        try_parallel_for(false, parts.into_iter(), |_, mut part| {
            let mut accs = filled(part[0].len(), self.fold.identity())?;
            if self.is_reversed {
                part.reverse();
            }
            for row in part {
                interrupt::poll();
                self.buffered(row, &mut accs);
            }
            Ok(())
        })
    }

    /// One matrix, in blocks of rows.
    fn blocks(&self, inner: usize, rows: usize, matrix: Array<F::In, O>) -> Result<()> {
        let mut carry = filled(inner, self.fold.identity())?;
        let mut parts = matrix.chunks(rows * inner)?;
        if self.is_reversed {
            parts.reverse();
        }
        let batch = BATCH * rayon::current_num_threads();
        let mut before = filled(batch.min(parts.len()) * inner, self.fold.identity())?;
        for batch in parts.chunks_mut(batch) {
            before.fill(self.fold.identity());
            parallel_for(false, batch.iter_mut().zip(before.chunks_mut(inner)), |_, (part, accs)| {
                self.reduce(part.reborrow(), accs);
            })?;
            for before in before.chunks_mut(inner).take(batch.len()) {
                for (before, carry) in before.iter_mut().zip(&mut carry) {
                    (*before, *carry) = (*carry, self.fold.merge(*carry, *before));
                }
            }
            parallel_for(false, batch.iter_mut().zip(before.chunks_mut(inner)), |_, (part, accs)| {
                self.rows(part.reborrow(), accs);
            })?;
        }
        Ok(())
    }

    fn reduce(&self, part: Array<F::In, O>, accs: &mut [F::Acc]) {
        match part {
            Array::Apart(source, _) => fold_rows(self.fold, source, accs),
            Array::Same(array) => {
                let mut buffer = [F::In::default(); BUFFER];
                for part in array.chunks(BUFFER / accs.len() * accs.len()) {
                    let buffer = &mut buffer[..part.len()];
                    buffer.iter_mut().zip(part).for_each(|(to, &from)| *to = (self.read)(from));
                    fold_rows(self.fold, buffer, accs);
                }
            }
        }
    }

    /// Rows of as many elements as there are accumulators, which are what stands before them.
    fn rows(&self, mut part: Array<F::In, O>, accs: &mut [F::Acc]) {
        let (inner, len) = (accs.len(), part.len());
        if inner <= BUFFER {
            let several = BUFFER / inner * inner;
            return self.in_order(len.div_ceil(several), |index| {
                let from = index * several;
                self.buffered(part.part(from, several.min(len - from)), accs);
            });
        }
        for (tile, accs) in accs.chunks_mut(BUFFER).enumerate() {
            self.in_order(len / inner, |row| {
                self.buffered(part.part(row * inner + tile * BUFFER, accs.len()), accs);
            });
        }
    }

    fn in_order(&self, count: usize, mut body: impl FnMut(usize)) {
        for index in 0..count {
            interrupt::poll_at(index, count);
            body(if self.is_reversed { count - 1 - index } else { index });
        }
    }

    /// Rows of at most as many elements as the buffer.
    fn buffered(&self, part: Array<F::In, O>, accs: &mut [F::Acc]) {
        let (mut elements, mut prefixes) = ([F::In::default(); BUFFER], [self.fold.identity(); BUFFER]);
        let how = (self.is_inclusive, self.is_reversed);
        let target = match part {
            Array::Apart(source, target) => {
                scan_rows(self.fold, how, source, accs, &mut prefixes);
                target
            }
            Array::Same(array) => {
                let elements = &mut elements[..array.len()];
                elements.iter_mut().zip(&*array).for_each(|(to, &from)| *to = (self.read)(from));
                scan_rows(self.fold, how, elements, accs, &mut prefixes);
                array
            }
        };
        target.iter_mut().zip(&prefixes).for_each(|(to, &prefix)| *to = (self.finish)(prefix));
    }
}

/// prefixes ← those of rows of as many elements as there are accumulators, which go on.
#[inline(never)] // once for each fold
fn scan_rows<F: Fold>(
    fold: F,
    (is_inclusive, is_reversed): (bool, bool),
    data: &[F::In],
    accs: &mut [F::Acc],
    prefixes: &mut [F::Acc],
) {
    let arch = Arch::new();
    arch.dispatch(
        #[inline(always)]
        || match (is_inclusive, is_reversed) {
            (true, false) => rows_in_order::<F, true, false>(fold, data, accs, prefixes),
            (true, true) => rows_in_order::<F, true, true>(fold, data, accs, prefixes),
            (false, false) => rows_in_order::<F, false, false>(fold, data, accs, prefixes),
            (false, true) => rows_in_order::<F, false, true>(fold, data, accs, prefixes),
        },
    );
}

#[inline(always)] // so that it is compiled for the instruction set of `dispatch`
fn rows_in_order<F: Fold, const INCLUSIVE: bool, const REVERSED: bool>(
    fold: F,
    data: &[F::In],
    accs: &mut [F::Acc],
    prefixes: &mut [F::Acc],
) {
    let inner = accs.len();
    let row = |accs: &mut [F::Acc], data: &[F::In], prefixes: &mut [F::Acc]| {
        for ((acc, &element), prefix) in accs.iter_mut().zip(data).zip(prefixes) {
            let next = fold.step(*acc, element, 0);
            *prefix = if INCLUSIVE { next } else { *acc };
            *acc = next;
        }
    };
    if inner == 1 {
        let mut acc = accs[0];
        let mut one = |prefix: &mut F::Acc, element: F::In| {
            let next = fold.step(acc, element, 0);
            *prefix = if INCLUSIVE { next } else { acc };
            acc = next;
        };
        let prefixes = &mut prefixes[..data.len()];
        match REVERSED {
            false => prefixes.iter_mut().zip(data).for_each(|(prefix, &element)| one(prefix, element)),
            true => prefixes.iter_mut().zip(data).rev().for_each(|(prefix, &element)| one(prefix, element)),
        }
        accs[0] = acc;
        return;
    }
    let prefixes = &mut prefixes[..data.len()];
    let rows = data.chunks_exact(inner).zip(prefixes.chunks_exact_mut(inner));
    match REVERSED {
        false => rows.for_each(|(data, prefixes)| row(accs, data, prefixes)),
        true => rows.rev().for_each(|(data, prefixes)| row(accs, data, prefixes)),
    }
}

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

use std::ops::Range;

use pulp::Arch;

use super::fold::Fold;
use super::parallel::parallel_for::try_parallel_for;
use super::reduce_dim::{filled, fold_rows};
use super::{Execution, collected, reserved, run};
use crate::error::Result;
use crate::interrupt;
use crate::model::reduction::DimShape;
use crate::model::variant::Variant;

/// Elements that pass through a buffer at once.
pub const BUFFER: usize = 1024;
/// Elements of a task, and tasks a thread that are reduced and then scanned, while they are in the cache.
const TASK: usize = 1 << 16;
const BATCH: usize = 4;
/// Extents of outer and inner from which they are shared out.
const OUTER: usize = 64;
const INNER: usize = 512;

/// Elements side by side, and the places of their prefixes.
pub trait Part<F: Fold>: Send + Sized {
    /// What a thread needs to read elements.
    type Reader;

    fn reader(&self) -> Result<Self::Reader>;
    fn len(&self) -> usize;
    /// Parts of `len` elements, the last one perhaps of fewer.
    fn chunks(self, len: usize) -> Result<Vec<Self>>;
    /// At most [`BUFFER`] elements, before their prefixes are written.
    fn elements<'r>(&'r self, at: Range<usize>, reader: &'r mut Self::Reader) -> Result<&'r [F::In]>;
    fn write(&mut self, at: Range<usize>, prefixes: &[F::Acc]);
}

/// What is read and what is written.
pub enum Places<'a, T, O> {
    Same(&'a mut [O]),
    Apart(&'a [T], &'a mut [O]),
}

/// Arrays: `finish` makes results of accumulators, `read` elements of what lies in the place of results.
pub struct Array<'a, T, O, G, R> {
    pub places: Places<'a, T, O>,
    pub finish: G,
    pub read: R,
}

impl<'a, F, O, G, R> Part<F> for Array<'a, F::In, O, G, R>
where
    F: Fold,
    O: Copy + Send + Sync,
    G: Fn(F::Acc) -> O + Copy + Send,
    R: Fn(O) -> F::In + Copy + Send,
{
    type Reader = Vec<F::In>;

    fn reader(&self) -> Result<Self::Reader> {
        match &self.places {
            Places::Apart(..) => Ok(Vec::new()), // it is read where it is
            Places::Same(array) => filled(array.len().min(BUFFER), F::In::default()),
        }
    }

    fn len(&self) -> usize {
        match &self.places {
            Places::Same(array) => array.len(),
            Places::Apart(_, target) => target.len(),
        }
    }

    fn chunks(self, len: usize) -> Result<Vec<Self>> {
        let Array { places, finish, read } = self;
        let part = move |places| Array { places, finish, read };
        match places {
            Places::Same(array) => collected(array.chunks_mut(len).map(|array| part(Places::Same(array)))),
            Places::Apart(source, target) => {
                let pairs = source.chunks(len).zip(target.chunks_mut(len));
                collected(pairs.map(|(source, target)| part(Places::Apart(source, target))))
            }
        }
    }

    fn elements<'r>(&'r self, at: Range<usize>, buffer: &'r mut Self::Reader) -> Result<&'r [F::In]> {
        Ok(match &self.places {
            Places::Apart(source, _) => &source[at],
            Places::Same(array) => {
                let buffer = &mut buffer[..at.len()];
                buffer.iter_mut().zip(&array[at]).for_each(|(to, &from)| *to = (self.read)(from));
                buffer
            }
        })
    }

    fn write(&mut self, at: Range<usize>, prefixes: &[F::Acc]) {
        let (Places::Same(target) | Places::Apart(_, target)) = &mut self.places;
        target[at].iter_mut().zip(prefixes).for_each(|(to, &prefix)| *to = (self.finish)(prefix));
    }
}

/// How prefixes are computed.
#[derive(Clone, Copy)]
pub struct Scan<F> {
    pub fold: F,
    pub is_inclusive: bool,
    pub is_reversed: bool,
}

/// What a thread works with: elements, prefixes, and where it goes on from. On the heap: accumulators may have 48 bytes, a stack 64 KiB.
struct Worker<'f, Reader, Acc> {
    reader: Reader,
    prefixes: Vec<Acc>,
    accs: &'f mut [Acc],
}

impl<F: Fold> Scan<F> {
    /// Scans on all cores; with SEQUENTIAL, or where it `is_alone`, on one. No extent is 0.
    pub fn scan(
        &self,
        (workers, variant): Execution,
        is_alone: bool,
        shape: DimShape,
        array: impl Part<F>,
    ) -> Result<()> {
        let DimShape { inner, count, outer } = shape;
        let matrix = inner * count;
        if variant == Variant::Sequential {
            return workers.run_sequential(|| self.matrices(true, inner, matrix, array.chunks(matrix)?));
        }
        let rows = (TASK / inner).max(1);
        run(workers, is_alone, || {
            if outer >= OUTER || matrix <= TASK {
                let several = (TASK / matrix).max(1) * matrix;
                return self.matrices(is_alone, inner, matrix, array.chunks(several)?);
            }
            for mut matrix in array.chunks(matrix)? {
                match () {
                    () if inner >= INNER => self.tiles(inner, matrix)?,
                    () if F::ORDERED => {
                        let all = 0..matrix.len();
                        self.rows(&mut matrix, all, &mut filled(inner, self.fold.identity())?)?;
                    }
                    () => self.blocks(inner, rows, matrix)?,
                }
            }
            Ok(())
        })?
    }

    fn worker<'f, P: Part<F>>(
        &self,
        part: &P,
        accs: &'f mut [F::Acc],
    ) -> Result<Worker<'f, P::Reader, F::Acc>> {
        let prefixes = filled(part.len().min(BUFFER), self.fold.identity())?;
        Ok(Worker { reader: part.reader()?, prefixes, accs })
    }

    /// Parts of whole matrices (inner, count).
    fn matrices<P: Part<F>>(&self, is_alone: bool, inner: usize, matrix: usize, parts: Vec<P>) -> Result<()> {
        try_parallel_for(is_alone, parts.into_iter(), |_, mut part| {
            let mut accs = filled(inner, self.fold.identity())?;
            let mut worker = self.worker(&part, &mut accs)?;
            for from in (0..part.len()).step_by(matrix) {
                worker.accs.fill(self.fold.identity());
                self.rows_with(&mut part, from..from + matrix, &mut worker)?;
            }
            Ok(())
        })
    }

    /// One matrix, its rows in tiles.
    fn tiles<P: Part<F>>(&self, inner: usize, matrix: P) -> Result<()> {
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
        try_parallel_for(false, parts.into_iter(), |_, mut part: Vec<P>| {
            let mut accs = filled(part[0].len(), self.fold.identity())?;
            let mut worker = self.worker(&part[0], &mut accs)?;
            if self.is_reversed {
                part.reverse();
            }
            for mut row in part {
                interrupt::poll();
                let all = 0..row.len();
                self.buffered(&mut row, all, &mut worker, 0)?;
            }
            Ok(())
        })
    }

    /// One matrix, in blocks of rows.
    fn blocks<P: Part<F>>(&self, inner: usize, rows: usize, matrix: P) -> Result<()> {
        let mut carry = filled(inner, self.fold.identity())?;
        let mut parts = matrix.chunks(rows * inner)?;
        if self.is_reversed {
            parts.reverse();
        }
        let batch = BATCH * rayon::current_num_threads();
        let mut before = filled(batch.min(parts.len()) * inner, self.fold.identity())?;
        for batch in parts.chunks_mut(batch) {
            before.fill(self.fold.identity());
            try_parallel_for(false, batch.iter_mut().zip(before.chunks_mut(inner)), |_, (part, accs)| {
                self.reduce(part, accs)
            })?;
            for before in before.chunks_mut(inner).take(batch.len()) {
                for (before, carry) in before.iter_mut().zip(&mut carry) {
                    (*before, *carry) = (*carry, self.fold.merge(*carry, *before));
                }
            }
            try_parallel_for(false, batch.iter_mut().zip(before.chunks_mut(inner)), |_, (part, accs)| {
                let all = 0..part.len();
                self.rows(part, all, accs)
            })?;
        }
        Ok(())
    }

    fn reduce<P: Part<F>>(&self, part: &P, accs: &mut [F::Acc]) -> Result<()> {
        let (len, several) = (part.len(), BUFFER / accs.len() * accs.len());
        let mut reader = part.reader()?;
        for from in (0..len).step_by(several) {
            let elements = part.elements(from..len.min(from + several), &mut reader)?;
            fold_rows(self.fold, elements, accs);
        }
        Ok(())
    }

    fn rows<P: Part<F>>(&self, part: &mut P, at: Range<usize>, accs: &mut [F::Acc]) -> Result<()> {
        let mut worker = self.worker(part, accs)?;
        self.rows_with(part, at, &mut worker)
    }

    /// Rows of as many elements as there are accumulators, which are what stands before them.
    fn rows_with<P: Part<F>>(
        &self,
        part: &mut P,
        at: Range<usize>,
        worker: &mut Worker<P::Reader, F::Acc>,
    ) -> Result<()> {
        let (inner, first, len) = (worker.accs.len(), at.start, at.len());
        if inner <= BUFFER {
            let several = BUFFER / inner * inner;
            return self.in_order(len.div_ceil(several), |index| {
                let from = first + index * several;
                self.buffered(part, from..at.end.min(from + several), worker, 0)
            });
        }
        for tile in (0..inner).step_by(BUFFER) {
            let width = BUFFER.min(inner - tile);
            self.in_order(len / inner, |row| {
                let from = first + row * inner + tile;
                self.buffered(part, from..from + width, worker, tile)
            })?;
        }
        Ok(())
    }

    fn in_order(&self, count: usize, mut body: impl FnMut(usize) -> Result<()>) -> Result<()> {
        for index in 0..count {
            interrupt::poll_at(index, count);
            body(if self.is_reversed { count - 1 - index } else { index })?;
        }
        Ok(())
    }

    /// Rows of at most as many elements as the buffer, or a part of one, whose accumulators begin at `tile`.
    fn buffered<P: Part<F>>(
        &self,
        part: &mut P,
        at: Range<usize>,
        worker: &mut Worker<P::Reader, F::Acc>,
        tile: usize,
    ) -> Result<()> {
        let Worker { reader, prefixes, accs } = worker;
        let accs = if accs.len() > BUFFER { &mut accs[tile..tile + at.len()] } else { &mut **accs };
        let prefixes = &mut prefixes[..at.len()];
        let elements = part.elements(at.clone(), reader)?;
        scan_rows(self.fold, (self.is_inclusive, self.is_reversed), elements, accs, prefixes);
        part.write(at, prefixes);
        Ok(())
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

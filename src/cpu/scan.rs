//! Prefixes of an array on the CPU.
//!
//!   result[i] = data[0] ∘ … ∘ data[i - 1]  or  … ∘ data[i]        result may be data
//!
//! Algorithm  Chunks of 65536 elements, which threads take in their order. A thread reduces its chunk by the tree of reduce.rs, waits for
//!            what stands behind the chunk before, says what stands behind its own, and scans it by the plain loop, sums of 32 bits
//!            in vectors (sums.rs): a chained scan, whose second reading is from the cache. A thread that had the chunk before as
//!            well, since no other one has come by, reduces and scans block by block: nobody waits for it, and one thread reads
//!            data once. The chunks depend on the count alone, so the bits are the same whatever the number of threads.
//! Cost       Reads data once from memory and writes result once; the chunks in parallel. An array of one chunk: the plain loop alone.
//! Source     G. Blelloch, "Prefix Sums and Their Applications", CMU-CS-90-190, 1990; S. Yan, G. Long, Y. Zhang,
//!            "StreamScan", PPoPP 2013 (the chain).
#![forbid(unsafe_code)]

mod sums;

pub use sums::Sums;

use std::hint::spin_loop;
use std::sync::OnceLock;
use std::thread::yield_now;

use super::parallel::parallel_for::parallel_for_beside;
use super::reduce::{BLOCK, dispatch_operator, fold, join_nodes, operator};
use super::{Workers, reserved};
use crate::error::Result;
use crate::interrupt::{in_pieces, poll};
use crate::model::operator::{Operand, Reduction};

const CHUNK: usize = 1 << 16;
/// Looks at what another thread has not written yet before the processor is left to others.
const SPINS: usize = 1 << 10;

/// What is read and what is written.
pub enum Array<'a, T> {
    Same(&'a mut [T]),
    Apart(&'a [T], &'a mut [T]),
}

impl<T> Array<'_, T> {
    fn source(&self) -> &[T] {
        match self {
            Array::Same(array) => array,
            Array::Apart(source, _) => source,
        }
    }
}

/// The prefixes, on all cores; returns the total.
pub fn scan<T: Sums>(workers: &Workers, op: Reduction, is_inclusive: bool, array: Array<T>) -> Result<T> {
    let chunks = array.source().len().div_ceil(CHUNK);
    if chunks <= 1 {
        return sequential(workers, op, is_inclusive, array);
    }
    let mut links = reserved(chunks)?;
    links.resize_with(chunks, OnceLock::new);
    let chain = Chain { op, is_inclusive, links };
    match array {
        Array::Same(array) => parallel_for_beside(workers, false, array.chunks_mut(CHUNK), |index, chunk| {
            chain.scan(index, Array::Same(chunk));
        }),
        Array::Apart(source, target) => {
            let chunks = source.chunks(CHUNK).zip(target.chunks_mut(CHUNK));
            parallel_for_beside(workers, false, chunks, |index, (source, target)| {
                chain.scan(index, Array::Apart(source, target));
            })
        }
    }?;
    Ok(chain.behind(chunks - 1).total)
}

/// A call, and what stands behind each chunk that has been reduced.
struct Chain<T> {
    op: Reduction,
    is_inclusive: bool,
    links: Vec<OnceLock<Link<T>>>,
}

/// What stands behind a chunk, and which thread found it: one of the pool, or the caller's.
#[derive(Clone, Copy)]
struct Link<T> {
    total: T,
    thread: Option<usize>,
}

impl<T: Sums> Chain<T> {
    /// Scans a chunk. Each one before it has been taken by a thread that is at it, and waits for none but those before.
    fn scan(&self, index: usize, chunk: Array<T>) {
        let thread = rayon::current_thread_index();
        let first = Link { total: T::identity(self.op), thread };
        let known = index.checked_sub(1).map_or(Some(first), |before| self.links[before].get().copied());
        let link = |before, value| {
            let total = T::apply(self.op, before, value);
            let _ = self.links[index].set(Link { total, thread }); // the first one to do so
        };
        match known {
            Some(before) if before.thread == thread => {
                let value = self.fold_and_scan_blocks(before.total, chunk);
                link(before.total, value);
            }
            known => {
                let value = fold(self.op, chunk.source());
                let before = known.unwrap_or_else(|| self.behind(index - 1)).total;
                link(before, value);
                self.scan_from(before, chunk);
            }
        }
    }

    /// What stands behind a chunk, once the thread that has it knows.
    fn behind(&self, index: usize) -> Link<T> {
        let mut spins = 0;
        loop {
            if let Some(&link) = self.links[index].get() {
                return link;
            }
            poll(); // that thread may have ended so
            match spins {
                SPINS => yield_now(),
                _ => spins += 1,
            }
            spin_loop();
        }
    }

    /// Scans a chunk from `before` on, block by block; returns the chunk reduced.
    fn fold_and_scan_blocks(&self, mut before: T, chunk: Array<T>) -> T {
        let mut values = [T::identity(self.op); CHUNK / BLOCK];
        let len = chunk.source().len();
        let mut step = |value: &mut T, block: Array<T>| {
            *value = fold(self.op, block.source());
            before = self.scan_from(before, block);
        };
        match chunk {
            Array::Same(array) => {
                for (value, block) in values.iter_mut().zip(array.chunks_mut(BLOCK)) {
                    step(value, Array::Same(block));
                }
            }
            Array::Apart(source, target) => {
                let blocks = source.chunks(BLOCK).zip(target.chunks_mut(BLOCK));
                for (value, (source, target)) in values.iter_mut().zip(blocks) {
                    step(value, Array::Apart(source, target));
                }
            }
        }
        join_nodes(self.op, &values[..len.div_ceil(BLOCK)])
    }

    /// Scans from `before` on; returns what the plain loop has behind the array.
    fn scan_from(&self, before: T, array: Array<T>) -> T {
        match self.op {
            Reduction::Sum => T::sums(self.is_inclusive, before, array),
            op => dispatch_operator!(op, T, plain(self.is_inclusive, before, array)),
        }
    }
}

/// The plain loop, a whole array on this thread; returns the total.
pub fn sequential<T: Operand>(
    workers: &Workers,
    op: Reduction,
    is_inclusive: bool,
    array: Array<T>,
) -> Result<T> {
    Ok(workers.run_sequential(|| dispatch_operator!(op, T, plain(is_inclusive, T::identity(op), array))))
}

/// Scans from `before` on; returns what stands behind the array.
fn plain<T: Operand, const OP: usize>(is_inclusive: bool, before: T, array: Array<T>) -> T {
    let mut prefix = before;
    let mut next = |value: T| {
        let old = prefix;
        prefix = T::apply(operator(OP), prefix, value);
        if is_inclusive { prefix } else { old }
    };
    match array {
        Array::Same(array) => in_pieces(array.len(), |range| {
            for place in &mut array[range] {
                *place = next(*place);
            }
        }),
        Array::Apart(source, target) => in_pieces(source.len(), |range| {
            for (place, &value) in target[range.clone()].iter_mut().zip(&source[range]) {
                *place = next(value);
            }
        }),
    }
    prefix
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::parallel::workers::workers_of;

    #[test]
    fn the_bits_do_not_depend_on_the_number_of_threads() {
        let data: Vec<f32> = (0..3 * CHUNK + 77).map(|i| (i as f32 * 0.7).sin()).collect();
        let on = |threads| {
            let mut result = data.clone();
            scan(&workers_of(threads), Reduction::Sum, true, Array::Same(&mut result)).unwrap();
            result.iter().map(|value| value.to_bits()).collect::<Vec<u32>>()
        };
        assert!([2, 3].into_iter().all(|threads| on(threads) == on(1)));
    }
}

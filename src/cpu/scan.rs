//! Prefixes of an array on the CPU.
//!
//!   result[i] = data[0] ∘ … ∘ data[i - 1]  or  … ∘ data[i]        result may be data
//!
//! Algorithm  Chunks of 65536 elements: each is reduced, by the tree of reduce.rs; what stands before each chunk follows from that by
//!            the plain loop; each is scanned from there by the plain loop, or sums of 32 bits in vectors (sums.rs). This for a few chunks a thread after the other, so
//!            that the second reading is from the cache. The chunks depend on the count alone, so the bits are the same
//!            whatever the number of threads.
//! Cost       Reads data once from memory and writes result once; the chunks in parallel. An array of one chunk: the plain loop alone.
//! Source     G. Blelloch, "Prefix Sums and Their Applications", CMU-CS-90-190, 1990.
#![forbid(unsafe_code)]

mod sums;

pub use sums::Sums;

use super::Workers;
use super::parallel::parallel_for::parallel_for;
use super::reduce::{dispatch_operator, fold, operator};
use super::run;
use super::zeros;
use crate::error::Result;
use crate::interrupt::in_pieces;
use crate::model::operator::{Operand, Reduction};

const CHUNK: usize = 1 << 16;
/// Chunks a thread that are reduced and then scanned, while they are in the cache.
const BATCH: usize = 4;

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
    let mut before = zeros(chunks)?;
    run(workers, false, || {
        let batch = BATCH * rayon::current_num_threads() * CHUNK;
        let mut scan = |total, array| scan_batch(op, is_inclusive, total, array, &mut before);
        let none = T::identity(op);
        match array {
            Array::Same(array) => {
                array.chunks_mut(batch).try_fold(none, |total, array| scan(total, Array::Same(array)))
            }
            Array::Apart(source, target) => source
                .chunks(batch)
                .zip(target.chunks_mut(batch))
                .try_fold(none, |total, (source, target)| scan(total, Array::Apart(source, target))),
        }
    })?
}

/// Scans chunks from `total` on, in parallel; returns what stands behind them. `before` has an element for each.
fn scan_batch<T: Sums>(
    op: Reduction,
    is_inclusive: bool,
    mut total: T,
    array: Array<T>,
    before: &mut [T],
) -> Result<T> {
    let chunks = array.source().chunks(CHUNK);
    let before = &mut before[..chunks.len()];
    parallel_for(false, chunks.zip(&mut *before), |_, (chunk, value)| *value = fold(op, chunk))?;
    for value in before.iter_mut() {
        (*value, total) = (total, T::apply(op, total, *value));
    }
    let scan = |array, before| match op {
        Reduction::Sum => T::sums(is_inclusive, before, array),
        _ => dispatch_operator!(op, T, plain(is_inclusive, before, array)),
    };
    match array {
        Array::Same(array) => {
            parallel_for(false, array.chunks_mut(CHUNK).zip(before), |_, (chunk, before)| {
                scan(Array::Same(chunk), *before);
            })?;
        }
        Array::Apart(source, target) => {
            let chunks = source.chunks(CHUNK).zip(target.chunks_mut(CHUNK)).zip(before);
            parallel_for(false, chunks, |_, ((source, target), before)| {
                scan(Array::Apart(source, target), *before);
            })?;
        }
    }
    Ok(total)
}

/// The plain loop; returns the total.
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

    #[test]
    fn the_bits_do_not_depend_on_the_number_of_threads() {
        let data: Vec<f32> = (0..3 * CHUNK + 77).map(|i| (i as f32 * 0.7).sin()).collect();
        let on = |threads| {
            let workers = Workers::new(threads, |threads, body| {
                let built = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                body(&built.expect("a machine that tests has threads"));
                Ok(())
            });
            let mut result = data.clone();
            scan(&workers, Reduction::Sum, true, Array::Same(&mut result)).unwrap();
            result.iter().map(|value| value.to_bits()).collect::<Vec<u32>>()
        };
        assert!([2, 3].into_iter().all(|threads| on(threads) == on(1)));
    }
}

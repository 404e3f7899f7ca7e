//! An array written piece by piece, on all cores.
#![forbid(unsafe_code)]

use super::parallel_for::{parallel_for, parallel_for_beside};
use crate::cpu::{Execution, Workers, is_small, reserved};
use crate::error::Result;
use crate::model::variant::Variant;

/// Elements of a chunk at most.
pub const CHUNK: usize = 1 << 16;
/// Elements of a chunk at least, and what it has a multiple of; even, so that a chunk of random numbers begins with a block of the generator.
const LEAST: usize = 1 << 12;

/// Elements of a chunk of so many: two chunks a thread, where they are not too short or too long.
fn chunk_of(len: usize, threads: usize) -> usize {
    (len / (2 * threads)).next_multiple_of(LEAST).clamp(LEAST, CHUNK)
}

/// Runs `body (first, chunk)` on every chunk of the array on the threads of the current pool, or on this thread where it `is_alone`;
/// `first` is the index of the chunk's first element.
pub fn for_each<T: Send>(
    is_alone: bool,
    array: &mut [T],
    body: &(dyn Fn(usize, &mut [T]) + Sync),
) -> Result<()> {
    let chunk = if is_alone { CHUNK } else { chunk_of(array.len(), rayon::current_num_threads()) };
    parallel_for(is_alone, array.chunks_mut(chunk), |index, part| body(index * chunk, part))
}

/// The same as an operation, on the caller's thread and beside it on those of the pool.
pub fn beside<T: Send>(
    workers: &Workers,
    is_alone: bool,
    array: &mut [T],
    body: &(dyn Fn(usize, &mut [T]) + Sync),
) -> Result<()> {
    let chunk = if is_alone { CHUNK } else { chunk_of(array.len(), workers.threads()) };
    parallel_for_beside(workers, is_alone, array.chunks_mut(chunk), |index, part| body(index * chunk, part))
}

/// The same of few operations an element; of a small array on the caller's thread.
pub fn on_pool<T: Send>(
    workers: &Workers,
    array: &mut [T],
    body: &(dyn Fn(usize, &mut [T]) + Sync),
) -> Result<()> {
    beside(workers, is_small(array), array, body)
}

/// The same; with SEQUENTIAL on the caller's thread.
pub fn compute<T: Send>(
    (workers, variant): Execution,
    array: &mut [T],
    body: &(dyn Fn(usize, &mut [T]) + Sync),
) -> Result<()> {
    match variant {
        Variant::Auto => on_pool(workers, array, body),
        Variant::Sequential => workers.run_sequential(|| for_each(true, array, body)),
    }
}

/// The first `len` elements of what is left of an array, or what there is.
pub fn take<'a, T>(rest: &mut &'a mut [T], len: usize) -> &'a mut [T] {
    let whole = std::mem::take(rest);
    let (first, behind) = whole.split_at_mut(len.min(whole.len()));
    *rest = behind;
    first
}

/// Parts of an array in a row, of these lengths; what the array is too short for is missing at the end.
pub fn parts<T>(mut array: &mut [T], lens: impl ExactSizeIterator<Item = usize>) -> Result<Vec<&mut [T]>> {
    let mut parts = reserved(lens.len())?;
    parts.extend(lens.map(|len| take(&mut array, len)));
    Ok(parts)
}

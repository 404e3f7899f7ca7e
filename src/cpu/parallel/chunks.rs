//! An array written piece by piece, on all cores.
#![forbid(unsafe_code)]

use super::parallel_for::parallel_for;
use crate::cpu::{Execution, is_small, reserved, run};
use crate::error::Result;
use crate::model::variant::Variant;

/// Elements of a chunk; even, so that a chunk of random numbers begins with a block of the generator.
pub const CHUNK: usize = 1 << 16;

/// Runs `body (first, chunk)` on every chunk of the array on the threads of the current pool, and on a small array
/// at once; `first` is the index of the chunk's first element.
pub fn for_each<T: Send>(array: &mut [T], body: &(dyn Fn(usize, &mut [T]) + Sync)) -> Result<()> {
    parallel_for(is_small(array), array.chunks_mut(CHUNK), |index, chunk| body(index * CHUNK, chunk))
}

/// The same on the pool of an operation; with SEQUENTIAL on the caller's thread.
pub fn compute<T: Send>(
    (workers, variant): Execution,
    array: &mut [T],
    body: &(dyn Fn(usize, &mut [T]) + Sync),
) -> Result<()> {
    match variant {
        Variant::Auto => run(workers, is_small(array), || for_each(array, body))?,
        Variant::Sequential => workers.run_sequential(|| {
            parallel_for(true, array.chunks_mut(CHUNK), |index, chunk| body(index * CHUNK, chunk))
        }),
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

//! An array written piece by piece, on all cores.
#![forbid(unsafe_code)]

use rayon::prelude::*;

use super::is_small;

/// Elements of a chunk; even, so that a chunk of random numbers begins with a block of the generator.
pub const CHUNK: usize = 1 << 16;

/// Runs `body (first, chunk)` on every chunk of the array on the threads of the current pool, and on a small array
/// at once; `first` is the index of the chunk's first element.
pub fn for_each<T: Send>(array: &mut [T], body: impl Fn(usize, &mut [T]) + Send + Sync) {
    if is_small(array) {
        return body(0, array);
    }
    array.par_chunks_mut(CHUNK).enumerate().for_each(|(index, chunk)| body(index * CHUNK, chunk));
}

//! Elements to given positions, on the CPU.
//!
//!   target\[indices\[i\]\] = source\[i\], where the index is below the length of target
//!
//! Algorithm  Chunks of the indices in parallel, whose stores are relaxed atomics: plain stores of the machine, of which equal
//!            indices may have any order.
//! Cost       Reads source and indices once; a cache line of target an index that is far from the one before.
#![forbid(unsafe_code)]

use super::Workers;
use super::is_small;
use super::parallel::chunks::CHUNK;
use super::parallel::parallel_for::parallel_for_beside;
use crate::error::Result;
use crate::interrupt::in_pieces;
use crate::model::dtype::Bits;
use crate::model::index::Index;

pub fn scatter<T: Bits, I: Index>(
    workers: &Workers,
    source: &[T],
    indices: &[I],
    target: &[T::Atomic],
) -> Result<()> {
    let chunks = source.chunks(CHUNK).zip(indices.chunks(CHUNK));
    parallel_for_beside(workers, is_small(source), chunks, |_, (source, indices)| {
        for (element, index) in source.iter().zip(indices) {
            if let Some(place) = target.get(index.to_usize()) {
                element.store(place);
            }
        }
    })
}

/// The plain loop: of equal indices the last one wins.
pub fn sequential<T: Bits, I: Index>(
    workers: &Workers,
    source: &[T],
    indices: &[I],
    target: &mut [T],
) -> Result<()> {
    workers.run_sequential(|| {
        in_pieces(source.len(), |range| {
            for i in range {
                if let Some(place) = target.get_mut(indices[i].to_usize()) {
                    *place = source[i];
                }
            }
        });
    });
    Ok(())
}

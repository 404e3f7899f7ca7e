//! Elements at given positions, on the CPU.
//!
//!   result\[i\] = source\[indices\[i\]\], zero where the index is not below the length of source
//!
//! Cost       Reads indices and writes result once; a cache line of source an index that is far from the one before.
#![forbid(unsafe_code)]

use super::Workers;
use super::parallel::chunks;
use crate::error::Result;
use crate::model::dtype::Bits;
use crate::model::primitives::Index;
use crate::model::variant::Variant;

pub fn gather<T: Bits, I: Index>(
    (workers, variant): (&Workers, Variant),
    source: &[T],
    indices: &[I],
    result: &mut [T],
) -> Result<()> {
    chunks::compute(workers, variant, result, &|first, chunk| {
        for (element, index) in chunk.iter_mut().zip(&indices[first..]) {
            *element = source.get(index.to_usize()).copied().unwrap_or_default();
        }
    })
}

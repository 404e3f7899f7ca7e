//! Elements at given positions, on the CPU.
//!
//!   result\[i\] = source\[at\[i\]\], zero where the index is not below the length of source
//!
//! Cost       Reads the indices and writes result once; a cache line of source an index that is far from the one before.
#![forbid(unsafe_code)]

use super::Execution;
use super::parallel::chunks;
use crate::error::Result;
use crate::model::dtype::Bits;
use crate::model::index::Index;

pub fn gather<T: Bits, I: Index>(how: Execution, source: &[T], at: &[I], result: &mut [T]) -> Result<()> {
    chunks::compute(how, result, &|first, chunk| {
        for (element, index) in chunk.iter_mut().zip(&at[first..]) {
            *element = source.get(index.to_usize()).copied().unwrap_or_default();
        }
    })
}

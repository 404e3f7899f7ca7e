//! Copy on the CPU.
#![forbid(unsafe_code)]

use super::Workers;
use super::parallel::parallel_for::parallel_for_beside;
use crate::error::Result;

const SMALL: usize = 1 << 20; // copied before the pool has woken up
const CHUNK: usize = 1 << 18;

/// to ← from.
pub fn copy(workers: &Workers, to: &mut [u8], from: &[u8]) -> Result<()> {
    if to.len() <= SMALL {
        workers.run_sequential(|| to.copy_from_slice(from));
        return Ok(());
    }
    let chunks = to.chunks_mut(CHUNK).zip(from.chunks(CHUNK));
    parallel_for_beside(workers, false, chunks, |_, (to, from)| to.copy_from_slice(from))
}

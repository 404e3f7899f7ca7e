//! Copy on the CPU.
#![forbid(unsafe_code)]

use rayon::prelude::*;

use super::Workers;
use crate::error::Result;

const SMALL: usize = 1 << 20; // copied before the pool has woken up
const CHUNK: usize = 1 << 18;

/// to ← from.
pub fn copy(workers: &Workers, to: &mut [u8], from: &[u8]) -> Result<()> {
    if to.len() <= SMALL {
        workers.run_sequential(|| to.copy_from_slice(from));
        return Ok(());
    }
    let chunks = to.par_chunks_mut(CHUNK).zip(from.par_chunks(CHUNK));
    workers.run(|| chunks.for_each(|(to, from)| to.copy_from_slice(from)))
}

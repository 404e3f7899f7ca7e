//! Integers of one width as integers of another one, on the CPU: for keys and accumulators that ops/widen.rs converts.
//!
//!   target[i] = source[i]
//!
//! Cost       Reads the source and writes the target once, in chunks on all cores.
#![forbid(unsafe_code)]

use super::Workers;
use super::parallel::chunks;
use crate::error::Result;

/// target\[i\] ← `convert` (source\[i\]).
pub fn convert<S: Copy + Sync, T: Copy + Send>(
    workers: &Workers,
    source: &[S],
    target: &mut [T],
    convert: impl Fn(S) -> T + Sync,
) -> Result<()> {
    let body = |first: usize, chunk: &mut [T]| {
        for (to, &from) in chunk.iter_mut().zip(source.get(first..).unwrap_or_default()) {
            *to = convert(from);
        }
    };
    chunks::on_pool(workers, target, &body)
}

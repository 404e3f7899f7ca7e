//! Each interval's value, as often as the interval is long, on the CPU.
//!
//!   output[k] = values[j],  j = upper_bound (scan, k) - 1        scan, values (intervals), output (count)
//!
//! Algorithm  Chunks in parallel: one search for the interval of the first element, then a run of equal values an interval.
//! Cost       Writes output once, reads scan and values.
#![forbid(unsafe_code)]

use super::Workers;
use super::intervals;
use super::parallel::chunks;
use crate::error::Result;
use crate::interrupt::in_pieces;
use crate::model::index::Index;

pub fn interval_expand<T: Copy + Send + Sync, I: Index>(
    workers: &Workers,
    scan: &[I],
    values: &[T],
    output: &mut [T],
) -> Result<()> {
    let body = |first: usize, chunk: &mut [T]| {
        intervals::fill_each(scan, first, chunk, |interval| values[interval]);
    };
    chunks::on_pool(workers, output, &body)
}

/// The plain loop.
pub fn sequential<T: Copy + Send + Sync, I: Index>(
    workers: &Workers,
    scan: &[I],
    values: &[T],
    output: &mut [T],
) -> Result<()> {
    workers.run_sequential(|| {
        let mut intervals = intervals::Cursor::new(scan);
        in_pieces(output.len(), |range| range.for_each(|k| output[k] = values[intervals.of(k)]));
    });
    Ok(())
}

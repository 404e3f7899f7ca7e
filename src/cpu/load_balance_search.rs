//! The object of each work item on the CPU.
//!
//!   indices[k] = upper_bound (scan, k) - 1        scan (objects) ascending, indices (count)
//!
//! Algorithm  Chunks in parallel: one search for the object of the first item, then a run of equal numbers an object; empty objects
//!            are passed in leaps.
//! Cost       Writes indices once, reads what of scan has items.
#![forbid(unsafe_code)]

use super::Workers;
use super::intervals;
use super::parallel::chunks;
use crate::error::Result;
use crate::interrupt::in_pieces;
use crate::model::index::Index;

pub fn load_balance_search<I: Index>(workers: &Workers, scan: &[I], indices: &mut [I]) -> Result<()> {
    let body = |first: usize, chunk: &mut [I]| {
        intervals::fill_each(scan, first, chunk, I::from_usize);
    };
    chunks::on_pool(workers, indices, &body)
}

/// The plain loop.
pub fn sequential<I: Index>(workers: &Workers, scan: &[I], indices: &mut [I]) -> Result<()> {
    workers.run_sequential(|| {
        let mut objects = intervals::Cursor::new(scan);
        in_pieces(indices.len(), |range| range.for_each(|k| indices[k] = I::from_usize(objects.of(k))));
    });
    Ok(())
}

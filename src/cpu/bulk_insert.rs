//! Elements put between those of an array, on the CPU.
//!
//!   result[indices[i] + i] = a[i]; the elements of b fill the other places in their order
//!
//!   a, indices (a_count), indices ascending and perhaps equal; b (b_count); result (a_count + b_count)
//!
//! Algorithm  Chunks of the result in parallel: a search says how many of a lie before a chunk. What of b lies between two of a is
//!            copied at once.
//! Cost       Reads a, indices and b, writes result.
#![forbid(unsafe_code)]

use super::Workers;
use super::gallop::partition_point;
use super::parallel::chunks;
use super::parallel::chunks::take;
use crate::error::Result;
use crate::interrupt::in_pieces;
use crate::model::index::Index;

pub fn bulk_insert<T: Copy + Send + Sync, I: Index>(
    workers: &Workers,
    a: &[T],
    indices: &[I],
    b: &[T],
    result: &mut [T],
) -> Result<()> {
    let before = |i: usize| indices[i].to_usize().min(b.len()); // so many of b come before a[i]
    let body = |first: usize, mut chunk: &mut [T]| {
        let mut from_a = partition_point(0, a.len(), |i| before(i) + i < first);
        let mut from_b = (first - from_a).min(b.len());
        while !chunk.is_empty() {
            let next = if from_a < a.len() { before(from_a).max(from_b) } else { b.len() };
            let target = take(&mut chunk, next - from_b);
            target.copy_from_slice(&b[from_b..][..target.len()]);
            from_b = next;
            if chunk.is_empty() || from_a == a.len() {
                break;
            }
            take(&mut chunk, 1)[0] = a[from_a];
            from_a += 1;
        }
    };
    chunks::on_pool(workers, result, &body)
}

/// The plain loop.
pub fn sequential<T: Copy + Send + Sync, I: Index>(
    workers: &Workers,
    a: &[T],
    indices: &[I],
    b: &[T],
    result: &mut [T],
) -> Result<()> {
    workers.run_sequential(|| {
        let (mut from_a, mut from_b) = (0, 0);
        in_pieces(result.len(), |range| {
            for place in &mut result[range] {
                let is_a = from_a < a.len() && (from_b == b.len() || indices[from_a].to_usize() <= from_b);
                *place = if is_a { a[from_a] } else { b[from_b] };
                if is_a { from_a += 1 } else { from_b += 1 }
            }
        });
    });
    Ok(())
}

//! An array without the elements at given positions, on the CPU.
//!
//!   result[i - #{j : indices[j] < i}] = source[i] for every i that is not among indices
//!
//!   source (count), indices (index_count) ascending and different, result (count - index_count)
//!
//! Algorithm  Pieces of the source in parallel: a search says which indices lie in a piece, and so where its result begins. What
//!            lies between two indices is copied at once.
//! Cost       Reads source and indices, writes result.
#![forbid(unsafe_code)]

use super::Workers;
use super::gallop::partition_point;
use super::is_small;
use super::parallel::chunks::take;
use super::parallel::parallel_for::parallel_for_beside;
use crate::error::Result;
use crate::interrupt::in_pieces;
use crate::model::index::Index;

const PIECE: usize = 1 << 16;

pub fn bulk_remove<T: Copy + Send + Sync, I: Index>(
    workers: &Workers,
    source: &[T],
    indices: &[I],
    mut result: &mut [T],
) -> Result<()> {
    let mut removed = 0;
    let pieces = (0..source.len()).step_by(PIECE).map(|first| {
        let source = &source[first..source.len().min(first + PIECE)];
        let end = partition_point(removed, indices.len(), |i| indices[i].to_usize() < first + source.len());
        let indices = &indices[removed..end.min(removed + source.len())]; // fewer where the rule is broken
        removed += indices.len();
        (source, first, indices, take(&mut result, source.len() - indices.len()))
    });
    parallel_for_beside(workers, is_small(source), pieces, |_, (source, first, indices, result)| {
        remove(source, first, indices, result);
    })
}

/// One piece of the source, whose first element is number `first` of the whole.
fn remove<T: Copy + Send + Sync, I: Index>(source: &[T], first: usize, indices: &[I], mut result: &mut [T]) {
    let mut from = 0;
    let ends = indices.iter().map(|index| index.to_usize().saturating_sub(first)).chain([source.len()]);
    for end in ends {
        let kept = &source[from..end.clamp(from, source.len())];
        let target = take(&mut result, kept.len());
        target.copy_from_slice(&kept[..target.len()]);
        from = (from + kept.len() + 1).min(source.len());
    }
}

/// The plain loop.
pub fn sequential<T: Copy + Send + Sync, I: Index>(
    workers: &Workers,
    source: &[T],
    indices: &[I],
    result: &mut [T],
) -> Result<()> {
    workers.run_sequential(|| {
        let mut removed = 0;
        in_pieces(source.len(), |range| {
            for i in range {
                if removed < indices.len() && indices[removed].to_usize() == i {
                    removed += 1;
                } else if i - removed < result.len() {
                    result[i - removed] = source[i];
                }
            }
        });
    });
    Ok(())
}

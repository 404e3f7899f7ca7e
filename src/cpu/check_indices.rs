//! The first index that is out of range, on the CPU: parallel find-first over chunks.
#![forbid(unsafe_code)]

use super::Workers;
use super::is_small;
use super::parallel::parallel_for::find_first;
use super::run;
use crate::error::Result;
use crate::model::index::Index;

const PIECE: usize = 1 << 15;

/// The first i for which indices\[i\] is not below `limit`.
pub fn first_out_of_range<I: Index>(workers: &Workers, indices: &[I], limit: usize) -> Result<Option<usize>> {
    let in_piece = |piece: usize| {
        let begin = piece * PIECE;
        let part = &indices[begin..indices.len().min(begin + PIECE)];
        part.iter().position(|index| index.to_usize() >= limit).map(|found| begin + found)
    };
    run(workers, is_small(indices), || match indices.len().div_ceil(PIECE) {
        pieces @ 0..=1 => (0..pieces).find_map(in_piece),
        pieces => find_first(pieces, &in_piece),
    })
}

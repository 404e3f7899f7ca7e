//! Where an array leaves its order, on the CPU: pieces on all cores, of which the first with a finding counts.
#![forbid(unsafe_code)]

use super::Workers;
use super::is_small;
use super::parallel::parallel_for::find_first;
use super::run;
use crate::error::Result;
use crate::model::order::{Key, KeyOrder};

const PIECE: usize = 1 << 15;

/// The first i for which keys\[i\] comes before keys\[i − 1\], or when it is strict equals it.
pub fn first_unsorted<K: Key>(
    workers: &Workers,
    keys: &[K],
    order: KeyOrder,
    strict: bool,
) -> Result<Option<usize>> {
    let in_piece = |piece: usize| {
        let begin = piece * PIECE;
        let part = &keys[begin..keys.len().min(begin + PIECE + 1)];
        let is_bad = |pair: &[K]| {
            let (before, behind) = (pair[0].rank(order), pair[1].rank(order));
            if strict { behind <= before } else { behind < before }
        };
        part.windows(2).position(is_bad).map(|found| begin + found + 1)
    };
    run(workers, is_small(keys), || {
        let pieces = keys.len().div_ceil(PIECE);
        if pieces <= 1 {
            return (0..pieces).find_map(in_piece);
        }
        find_first(pieces, &in_piece)
    })
}

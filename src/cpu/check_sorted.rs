//! Where an array leaves its order, on the CPU: pieces on all cores, of which the first with a finding counts.
#![forbid(unsafe_code)]

use super::Workers;
use super::is_small;
use super::parallel::parallel_for::find_first;
use super::run;
use crate::error::Result;
use crate::model::order::{Key, KeyOrder};

const PIECE: usize = 1 << 15;
/// Neighbours that are compared side by side before one of them is looked for.
const BLOCK: usize = 512;

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
        let is_bad = |before: K, behind: K| match strict {
            true => behind.is_at_most(before, order),
            false => !before.is_at_most(behind, order),
        };
        let pairs = |from: usize| {
            let end = part.len().min(from + BLOCK + 1);
            part[from..end].iter().zip(&part[from + 1..end])
        };
        let blocks = (0..part.len() - 1).step_by(BLOCK);
        let mut bad = blocks.filter(|&from| pairs(from).fold(false, |bad, (&a, &b)| bad | is_bad(a, b)));
        let from = bad.next()?;
        pairs(from).position(|(&a, &b)| is_bad(a, b)).map(|found| begin + from + found + 1)
    };
    run(workers, is_small(keys), || {
        let pieces = keys.len().div_ceil(PIECE);
        if pieces <= 1 {
            return (0..pieces).find_map(in_piece);
        }
        find_first(pieces, &in_piece)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::parallel::workers::workers;

    #[test]
    fn the_first_misplaced_key_is_found_wherever_it_is() {
        let keys: Vec<f32> = (0..3 * PIECE + 5).map(|i| i as f32).collect();
        for at in
            [1, 2, BLOCK - 1, BLOCK, BLOCK + 1, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE + BLOCK, 3 * PIECE + 4]
        {
            for (strict, value) in [(false, -1.0), (true, keys[at - 1])] {
                let mut bad = keys.clone();
                bad[at] = value;
                let found = |strict| first_unsorted(&workers(), &bad, KeyOrder::ASCENDING, strict).unwrap();
                assert_eq!(found(strict), Some(at));
                assert_eq!(found(false).is_none(), strict, "an equal key is bad where it is strict alone");
            }
        }
        let last = [1.0, f64::NAN, f64::NAN, 2.0];
        let found = |strict| first_unsorted(&workers(), &last, KeyOrder::ASCENDING, strict).unwrap();
        assert_eq!((found(false), found(true)), (Some(3), Some(2)));
    }
}

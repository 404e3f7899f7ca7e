//! Index vectors that are looked at before they are used.
#![forbid(unsafe_code)]

use crate::cpu::Workers;
use crate::cpu::parallel::parallel_for::find_first;
use crate::cpu::run;
use crate::error::Result;
use crate::interrupt::in_pieces;
use crate::model::indexing::{Selection, Vector};
use crate::vector::{fill_up, reserved, zeros};

const PIECE: usize = 1 << 15;

/// The first element of a vector of `count` whose position is not in a dimension; without workers on this thread.
pub fn first_out_of_range(
    workers: Option<&Workers>,
    vector: Vector,
    count: usize,
    start: i64,
    extent: usize,
) -> Result<Option<usize>> {
    let in_piece = |piece: usize| {
        let mut part = piece * PIECE..count.min((piece + 1) * PIECE);
        part.find(|&i| vector.position(i, start, extent).is_none())
    };
    let pieces = count.div_ceil(PIECE);
    match workers {
        Some(workers) if pieces > 1 => run(workers, false, || find_first(pieces, &in_piece)),
        _ => Ok((0..pieces).find_map(in_piece)),
    }
}

/// The positions of the first `count` set elements of a mask, then u64::MAX; and how many are set.
pub fn positions_of_mask(mask: &[u8], count: usize) -> Result<(Vec<u64>, usize)> {
    let mut positions = reserved(count)?;
    let mut set = 0;
    in_pieces(mask.len(), |range| {
        for i in range {
            if mask[i] != 0 {
                if set < count {
                    positions.push(i as u64);
                }
                set += 1;
            }
        }
    });
    fill_up(&mut positions, count, u64::MAX);
    Ok((positions, set))
}

/// The positions of a selection on the host; u64::MAX: nowhere.
pub fn positions_of(selection: &Selection, vector: Option<Vector>) -> Result<Vec<u64>> {
    let Selection { extent, count, start, step, .. } = *selection;
    let mut positions = reserved(count)?;
    in_pieces(count, |range| {
        positions.extend(range.map(|i| match vector {
            Some(vector) => vector.position(i, start, extent).map_or(u64::MAX, |position| position as u64),
            None => (i128::from(start) + i128::from(step) * i as i128).rem_euclid(extent as i128) as u64,
        }));
    });
    Ok(positions)
}

/// Of equal positions only the last one stays; the others are u64::MAX.
pub fn keep_last(positions: &mut [u64], extent: usize) -> Result<()> {
    let mut seen = zeros::<u64>(extent.div_ceil(64))?;
    for position in positions.iter_mut().rev().filter(|position| **position != u64::MAX) {
        let (word, bit) = ((*position / 64) as usize, 1 << (*position % 64));
        if seen[word] & bit != 0 {
            *position = u64::MAX;
        }
        seen[word] |= bit;
    }
    Ok(())
}

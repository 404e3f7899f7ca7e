//! Which rows of which rank are the halo of which other one.
#![forbid(unsafe_code)]

use std::ops::Range;

use crate::error::Result;
use crate::vector;

/// The rows that one rank has, and those that it sends and receives before so many generations.
pub struct Halo {
    /// Rows on either side; generations between two exchanges.
    pub depth: usize,
    /// Rows of the slab, halos included.
    pub rows: usize,
    /// The rank's own rows in the slab.
    pub own: Range<usize>,
    /// Rows for each rank, and from each rank; for itself as well, on a torus.
    pub sends: Vec<Vec<Piece>>,
    pub receives: Vec<Vec<Piece>>,
}

/// Rows that lie behind one another in a slab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    pub slab_row: usize,
    pub rows: usize,
}

pub fn rows_of(pieces: &[Piece]) -> usize {
    pieces.iter().map(|piece| piece.rows).sum()
}

impl Halo {
    /// `starts`: the first row of each rank, and behind them the number of all rows, which is `depth` at least.
    pub fn new(starts: &[u64], rank: usize, depth: usize, is_torus: bool) -> Result<Halo> {
        let ranks = starts.len() - 1;
        let top = Halo::above(starts, rank, depth, is_torus);
        let own_rows = (starts[rank + 1] - starts[rank]) as usize;
        let mut receives: Vec<Vec<Piece>> = vector::collected((0..ranks).map(|_| Vec::new()))?;
        let mut sends = vector::reserved(ranks)?;
        for other in 0..ranks {
            let mut sent = Vec::new();
            for Needed { owner, row, slab_row, rows } in Halo::needed(starts, other, depth, is_torus)? {
                if owner == rank {
                    vector::push(&mut sent, Piece { slab_row: top + (row - starts[rank]) as usize, rows })?;
                }
                if other == rank {
                    vector::push(&mut receives[owner], Piece { slab_row, rows })?;
                }
            }
            sends.push(sent);
        }
        Ok(match own_rows {
            0 => Halo { depth, rows: 0, own: 0..0, sends, receives },
            _ => {
                let own = top..top + own_rows;
                let rows = own.end + Halo::below(starts, rank, depth, is_torus);
                Halo { depth, rows, own, sends, receives }
            }
        })
    }

    /// Rows of the halo above.
    fn above(starts: &[u64], rank: usize, depth: usize, is_torus: bool) -> usize {
        if is_torus { depth } else { (starts[rank]).min(depth as u64) as usize }
    }

    fn below(starts: &[u64], rank: usize, depth: usize, is_torus: bool) -> usize {
        let rest = starts[starts.len() - 1] - starts[rank + 1];
        if is_torus { depth } else { rest.min(depth as u64) as usize }
    }

    /// The halo of a rank, from top to bottom.
    fn needed(starts: &[u64], rank: usize, depth: usize, is_torus: bool) -> Result<Vec<Needed>> {
        let own_rows = starts[rank + 1] - starts[rank];
        if own_rows == 0 {
            return Ok(Vec::new());
        }
        let total = starts[starts.len() - 1];
        let above = Halo::above(starts, rank, depth, is_torus);
        let below = Halo::below(starts, rank, depth, is_torus);
        let mut found = Vec::new();
        let first_above = (starts[rank] + total - above as u64) % total; // depth is at most the total
        split(starts, first_above, above, 0, &mut found)?;
        split(starts, starts[rank + 1] % total, below, above + own_rows as usize, &mut found)?;
        Ok(found)
    }
}

/// Rows of the board that one rank owns and another one needs.
struct Needed {
    owner: usize,
    row: u64,        // of the board
    slab_row: usize, // where it needs them
    rows: usize,
}

/// Cuts `rows` rows of the board from `row` on, round the torus, where their owner changes.
fn split(
    starts: &[u64],
    mut row: u64,
    mut rows: usize,
    mut slab_row: usize,
    found: &mut Vec<Needed>,
) -> Result<()> {
    let total = starts[starts.len() - 1];
    while rows > 0 {
        let owner = starts.partition_point(|&start| start <= row) - 1; // of ranks without rows the last one, which has some
        let part = rows.min((starts[owner + 1] - row) as usize);
        vector::push(found, Needed { owner, row, slab_row, rows: part })?;
        (row, rows, slab_row) = ((row + part as u64) % total, rows - part, slab_row + part);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halos_of_thin_slabs_come_from_several_ranks() {
        let starts = [0, 3, 3, 4, 9]; // 3, 0, 1 and 5 rows
        let piece = |slab_row, rows| Piece { slab_row, rows };
        let first = Halo::new(&starts, 0, 4, false).unwrap();
        assert_eq!((first.rows, first.own.clone()), (7, 0..3));
        assert_eq!(first.receives, [vec![], vec![], vec![piece(3, 1)], vec![piece(4, 3)]]);
        assert_eq!(first.sends, [vec![], vec![], vec![piece(0, 3)], vec![piece(0, 3)]]);
        let empty = Halo::new(&starts, 1, 4, false).unwrap();
        assert!(empty.rows == 0 && empty.sends.iter().chain(&empty.receives).all(Vec::is_empty));
        let torus = Halo::new(&starts, 2, 4, true).unwrap();
        assert_eq!((torus.rows, torus.own.clone()), (9, 4..5));
        assert_eq!(torus.receives, [vec![piece(1, 3)], vec![], vec![], vec![piece(0, 1), piece(5, 4)]]);
    }

    #[test]
    fn what_one_rank_sends_another_one_receives() {
        for (starts, depth) in [(vec![0, 1, 2, 3], 3), (vec![0, 5, 5, 7, 20], 8), (vec![0, 0, 10, 11], 11)] {
            for is_torus in [false, true] {
                let ranks = starts.len() - 1;
                let halos: Vec<Halo> =
                    (0..ranks).map(|rank| Halo::new(&starts, rank, depth, is_torus).unwrap()).collect();
                for (a, b) in (0..ranks * ranks).map(|pair| (pair / ranks, pair % ranks)) {
                    let rows = |pieces: &[Piece]| pieces.iter().map(|piece| piece.rows).collect::<Vec<_>>();
                    assert_eq!(rows(&halos[a].sends[b]), rows(&halos[b].receives[a]), "{starts:?} {a} {b}");
                }
            }
        }
    }
}

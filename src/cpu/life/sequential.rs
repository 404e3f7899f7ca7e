//! The plain loop over cells and neighbours, one byte a cell.
#![forbid(unsafe_code)]

use crate::cpu::{Workers, zeros};
use crate::error::Result;
use crate::life::{Game, LifeBoundary};

/// cells (rows, cols) ← after `generations` steps, 0 or 1.
pub fn sequential(workers: &Workers, cells: &mut [u8], game: &Game, generations: u64) -> Result<()> {
    let mut next = zeros::<u8>(cells.len())?;
    workers.run_sequential(|| {
        for cell in cells.iter_mut() {
            *cell = u8::from(*cell != 0);
        }
        for _ in 0..generations {
            for (i, row) in next.chunks_mut(game.cols).enumerate() {
                for (j, next) in row.iter_mut().enumerate() {
                    let set =
                        if cells[i * game.cols + j] == 0 { game.rule.birth } else { game.rule.survival };
                    *next = (set >> neighbours(cells, game, i as isize, j as isize) & 1) as u8;
                }
            }
            cells.copy_from_slice(&next);
        }
    });
    Ok(())
}

/// How many of the eight cells round (i, j) live.
fn neighbours(cells: &[u8], game: &Game, i: isize, j: isize) -> u8 {
    let mut live = 0;
    for row in i - 1..=i + 1 {
        for col in j - 1..=j + 1 {
            if (row, col) != (i, j) {
                live += cell(cells, game, row, col);
            }
        }
    }
    live
}

/// A cell of the board, or of what lies outside it.
fn cell(cells: &[u8], game: &Game, row: isize, col: isize) -> u8 {
    let (rows, cols) = (game.rows as isize, game.cols as isize);
    let (row, col) = match game.boundary {
        LifeBoundary::Clamp => (row.clamp(0, rows - 1), col.clamp(0, cols - 1)),
        LifeBoundary::Torus => (row.rem_euclid(rows), col.rem_euclid(cols)),
        LifeBoundary::Dead if (0..rows).contains(&row) && (0..cols).contains(&col) => (row, col),
        LifeBoundary::Dead => return 0,
    };
    cells[(row * cols + col) as usize]
}

//! The plain loop over cells and neighbours, one byte a cell, on a board with a frame of the cells outside it.
#![forbid(unsafe_code)]

use crate::cpu::{Workers, zeros};
use crate::error::Result;
use crate::interrupt::{at, in_pieces, poll};
use crate::model::life::{Game, LifeBoundary};

/// cells (rows, cols) ← after `generations` steps, 0 or 1.
pub fn sequential(workers: &Workers, cells: &mut [u8], game: &Game, generations: u64) -> Result<()> {
    let mut framed = zeros::<u8>((game.rows + 2).saturating_mul(game.cols + 2))?;
    workers.run_sequential(|| {
        in_pieces(cells.len(), |range| {
            for cell in &mut cells[range] {
                *cell = u8::from(*cell != 0);
            }
        });
        for generation in 0..generations {
            at(generation, generations, || next(cells, &mut framed, game));
        }
    });
    Ok(())
}

/// cells ← the next generation.
fn next(cells: &mut [u8], framed: &mut [u8], game: &Game) {
    let (rows, cols, width) = (game.rows, game.cols, game.cols + 2);
    for (i, row) in cells.chunks(cols).enumerate() {
        poll();
        framed[(i + 1) * width + 1..][..cols].copy_from_slice(row);
    }
    frame(framed, game);
    for i in 0..rows {
        in_pieces(cols, |range| {
            for j in range {
                let row = |k: usize| &framed[(i + k) * width + j..][..3];
                let (above, here, below) = (row(0), row(1), row(2));
                let neighbours =
                    above[0] + above[1] + above[2] + here[0] + here[2] + below[0] + below[1] + below[2];
                let set = if here[1] == 0 { game.rule.birth } else { game.rule.survival };
                cells[i * cols + j] = (set >> neighbours & 1) as u8;
            }
        });
    }
}

/// Gives the cells round the board their values: first beside its rows, then in whole rows above and below.
fn frame(framed: &mut [u8], game: &Game) {
    let (rows, cols, width) = (game.rows, game.cols, game.cols + 2);
    // The rows or columns that stand before the first and behind the last of n, which are 1 to n.
    let sources = |n: usize| match game.boundary {
        LifeBoundary::Clamp => Some((1, n)),
        LifeBoundary::Torus => Some((n, 1)),
        LifeBoundary::Dead => None,
    };
    let (Some((west, east)), Some((north, south))) = (sources(cols), sources(rows)) else {
        return; // they are 0 from the start
    };
    for row in framed.chunks_mut(width) {
        poll();
        (row[0], row[cols + 1]) = (row[west], row[east]);
    }
    framed.copy_within(north * width..(north + 1) * width, 0);
    framed.copy_within(south * width..(south + 1) * width, (rows + 1) * width);
}

//! A byte a cell to a bit a cell, and back.
//!
//! Cost  One pass over the bytes, 64 of them in one or a few instructions: bound by memory.
#![forbid(unsafe_code)]

use rayon::prelude::*;

use super::lanes::Lanes;
use super::level::{Level, Task};
use crate::cpu::{Workers, run};
use crate::error::Result;
use crate::interrupt::{Interrupt, poll};
use crate::model::life::Game;

/// bits (rows, words) ← cells (rows, cols); any cell ≠ 0 is alive, and the bits past the last column are 0.
pub fn pack(workers: &Workers, cells: &[u8], game: &Game, bits: &mut [u64]) -> Result<()> {
    pack_at(Level::best(), workers, cells, game, bits)
}

/// cells (rows, cols) ← bits (rows, words), 0 or 1.
pub fn unpack(workers: &Workers, bits: &[u64], game: &Game, cells: &mut [u8]) -> Result<()> {
    unpack_at(Level::best(), workers, bits, game, cells)
}

pub fn pack_at(level: Level, workers: &Workers, cells: &[u8], game: &Game, bits: &mut [u64]) -> Result<()> {
    let cols = game.cols;
    let piece = Piece::of(game);
    let pieces = cells.chunks(piece.rows * cols).zip(bits.chunks_mut(piece.rows * game.words()));
    let pieces = pieces
        .flat_map(move |(cells, bits)| cells.chunks(piece.cells).zip(bits.chunks_mut(piece.words)))
        .map(|(cells, bits)| Pack { cells, cols, bits });
    run_all(level, workers, cells.len(), pieces)
}

pub fn unpack_at(level: Level, workers: &Workers, bits: &[u64], game: &Game, cells: &mut [u8]) -> Result<()> {
    let (cols, len) = (game.cols, cells.len());
    let piece = Piece::of(game);
    let pieces = bits.chunks(piece.rows * game.words()).zip(cells.chunks_mut(piece.rows * cols));
    let pieces = pieces
        .flat_map(move |(bits, cells)| bits.chunks(piece.words).zip(cells.chunks_mut(piece.cells)))
        .map(|(bits, cells)| Unpack { bits, cols, cells });
    run_all(level, workers, len, pieces)
}

/// On all threads, or on this one where it is through before others wake up.
fn run_all<T: Task<Output = ()> + Send>(
    level: Level,
    workers: &Workers,
    cells: usize,
    pieces: impl Iterator<Item = T> + Send,
) -> Result<()> {
    let is_small = cells < 1 << 20;
    let call = Interrupt::current();
    let run_piece = |piece: T| {
        call.run(|| {
            poll();
            level.run(piece);
        });
    };
    run(workers, is_small, || match is_small {
        true => pieces.for_each(run_piece),
        false => pieces.par_bridge().for_each(run_piece),
    })
}

/// What a thread takes at a time: some whole rows, or a part of one.
#[derive(Clone, Copy)]
struct Piece {
    rows: usize,
    cells: usize,
    words: usize,
}

impl Piece {
    fn of(game: &Game) -> Piece {
        const CELLS: usize = 1 << 17;
        match CELLS / game.words().saturating_mul(64) {
            0 => Piece { rows: 1, cells: CELLS, words: CELLS / 64 },
            rows => Piece { rows, cells: rows * game.cols, words: rows * game.words() },
        }
    }
}

struct Pack<'a> {
    cells: &'a [u8],
    cols: usize,
    bits: &'a mut [u64],
}

impl Task for Pack<'_> {
    type Output = ();

    fn run<L: Lanes>(self, lanes: L) {
        lanes.vectorize(
            #[inline(always)]
            || {
                let words = self.cols.div_ceil(64);
                for (cells, bits) in self.cells.chunks(self.cols).zip(self.bits.chunks_mut(words)) {
                    pack_row(lanes, cells, bits);
                }
            },
        );
    }
}

#[inline(always)]
fn pack_row<L: Lanes>(lanes: L, cells: &[u8], bits: &mut [u64]) {
    let (whole, rest) = cells.as_chunks::<64>();
    for (bits, cells) in bits.iter_mut().zip(whole) {
        *bits = lanes.pack(cells);
    }
    if rest.is_empty() {
        return;
    }
    // The last 64 cells of the row, without those that were packed already.
    bits[whole.len()] = match cells.last_chunk::<64>() {
        Some(last) => lanes.pack(last) >> (64 - rest.len()),
        None => {
            let mut last = [0; 64];
            last[..rest.len()].copy_from_slice(rest);
            lanes.pack(&last)
        }
    };
}

struct Unpack<'a> {
    bits: &'a [u64],
    cols: usize,
    cells: &'a mut [u8],
}

impl Task for Unpack<'_> {
    type Output = ();

    fn run<L: Lanes>(self, lanes: L) {
        lanes.vectorize(
            #[inline(always)]
            || {
                let words = self.cols.div_ceil(64);
                for (bits, cells) in self.bits.chunks(words).zip(self.cells.chunks_mut(self.cols)) {
                    unpack_row(lanes, bits, cells);
                }
            },
        );
    }
}

/// Stores aligned to 64 bytes; the first and the last one of a row overlap them.
#[inline(always)]
fn unpack_row<L: Lanes>(lanes: L, bits: &[u64], cells: &mut [u8]) {
    let len = cells.len();
    let Some(first) = cells.first_chunk_mut::<64>() else {
        return cells.copy_from_slice(&lanes.unpack(bits[0])[..len]);
    };
    *first = lanes.unpack(bits[0]);
    let from = |cell: usize| {
        let (word, bit) = (cell / 64, cell % 64);
        let behind = if bit == 0 { 0 } else { bits[word + 1] << (64 - bit) };
        lanes.unpack(bits[word] >> bit | behind)
    };
    let aligned = cells.as_ptr().align_offset(64).min(64);
    for (i, line) in cells[aligned..].as_chunks_mut::<64>().0.iter_mut().enumerate() {
        *line = from(aligned + 64 * i);
    }
    if let Some(last) = cells.last_chunk_mut::<64>() {
        *last = from(len - 64);
    }
}

//! A board through its generations, pass by pass: tiles of a board are read, and their next cells written to
//! another.
#![forbid(unsafe_code)]

use std::sync::{Mutex, PoisonError};

use super::frame::{Frame, MAX_GENERATIONS, MAX_HALO, Pass};
use super::lanes::Lanes;
use super::network::{AnyRule, Conway};
use super::tile::{Tile, sweep, window_words};
use crate::cpu::parallel::parallel_for::parallel_for;
use crate::cpu::{reserved, zeros};
use crate::error::Result;
use crate::interrupt::{at, poll};
use crate::model::life::{Game, LifeBoundary, Rule};
use crate::vector::copy;

/// The most words of a strip of columns: with the halo of both its sides a row of its window is eight vectors.
const STRIP: usize = 63;
/// The most words of a row that is not cut into strips.
const WHOLE: usize = 95;
/// About how many words a window has.
const WINDOW: usize = 1 << 17;
/// The most rows of a band that several threads share out, so that none waits long for the last one.
const BAND: usize = 1024;

/// bits ← after `generations` ≥ 1 steps, on so many threads; `other` is as long as `bits`.
pub fn steps<L: Lanes>(
    lanes: L,
    threads: usize,
    bits: &mut [u64],
    other: &mut [u64],
    game: &Game,
    generations: u64,
) -> Result<()> {
    let passes = passes(game, threads, generations);
    let mut left = generations;
    let mut memory = Vec::new();
    let (mut front, mut back) = (&mut *bits, other);
    for passes_left in (1..=passes).rev() {
        let now = left.div_ceil(passes_left);
        let pass = Pass { board: front, game, generations: now as usize };
        at(generations - left, generations, || step_once(lanes, threads, pass, back, &mut memory))?;
        left -= now;
        std::mem::swap(&mut front, &mut back);
    }
    if passes % 2 == 1 {
        copy(back, front);
    }
    Ok(())
}

/// How many passes: of several an even number, which ends in the caller's board.
fn passes(game: &Game, threads: usize, generations: u64) -> u64 {
    let strip = strip(game.words());
    let is_one_tile = threads == 1 && game.words() == strip && game.rows <= fitting_rows(strip);
    let has_halo = !is_one_tile || game.boundary == LifeBoundary::Torus;
    let passes = generations.div_ceil(if has_halo { MAX_HALO } else { MAX_GENERATIONS } as u64);
    passes + u64::from(passes > 1 && passes % 2 == 1)
}

/// next ← the board after one pass.
fn step_once<L: Lanes>(
    lanes: L,
    threads: usize,
    pass: Pass,
    next: &mut [u64],
    memory: &mut Vec<u64>,
) -> Result<()> {
    let tiles = tiles(&pass, next, threads)?;
    let words = |tile: &Tile| {
        let frame = Frame::new(&pass, tile.words.clone(), L::WORDS);
        window_words(tile.rows.clone().count(), pass.generations, frame.stride)
    };
    let size = tiles.iter().map(words).max().unwrap_or(1);
    if memory.len() < threads * size {
        *memory = zeros(threads * size)?;
    }
    if threads == 1 {
        tiles.into_iter().for_each(|tile| step_tile(lanes, pass, tile, memory));
        return Ok(());
    }
    let queue = Mutex::new(tiles);
    let take = || queue.lock().unwrap_or_else(PoisonError::into_inner).pop();
    parallel_for(false, memory.chunks_exact_mut(size), |_, memory| {
        while let Some(tile) = take() {
            step_tile(lanes, pass, tile, memory);
        }
    })
}

fn step_tile<L: Lanes>(lanes: L, pass: Pass, tile: Tile, memory: &mut [u64]) {
    poll();
    lanes.vectorize(
        #[inline(always)]
        || match pass.game.rule {
            Rule::LIFE => sweep(lanes, Conway, pass, tile, memory),
            rule => sweep(lanes, AnyRule::new(lanes, rule), pass, tile, memory),
        },
    );
}

/// The board cut into bands of rows and strips of words.
fn tiles<'a>(pass: &Pass, next: &'a mut [u64], threads: usize) -> Result<Vec<Tile<'a>>> {
    let (rows, words) = (pass.game.rows, pass.game.words());
    let strip = strip(words);
    let strips = words.div_ceil(strip);
    let band = rows_of_band(pass, strips, strip, threads);
    let mut tiles = reserved::<Tile>(rows.div_ceil(band) * strips)?;
    for (i, next) in next.chunks_mut(band * words).enumerate() {
        let (begin, end) = (i * band, (i * band + band).min(rows));
        let first = tiles.len();
        // Whole rows are one slice, parts of them a slice a row.
        let (slice, part) = if strips == 1 { (next.len(), next.len()) } else { (words, strip) };
        let slices = next.len() / slice;
        for begin_word in (0..words).step_by(strip) {
            let words = begin_word..(begin_word + strip).min(words);
            tiles.push(Tile { rows: begin as isize..end as isize, words, next: reserved(slices)? });
        }
        for row in next.chunks_mut(slice) {
            for (tile, part) in tiles[first..].iter_mut().zip(row.chunks_mut(part)) {
                tile.next.push(part);
            }
        }
    }
    Ok(tiles)
}

/// The words of a strip of columns.
fn strip(words: usize) -> usize {
    if words <= WHOLE { words } else { STRIP }
}

/// The rows that fit a window.
fn fitting_rows(strip: usize) -> usize {
    WINDOW / (strip + 1).next_multiple_of(8) - 2 * MAX_HALO
}

/// As many rows as fit a window; for several threads an even part of the share of one, but for the halo's sake
/// not very few rows.
fn rows_of_band(pass: &Pass, strips: usize, strip: usize, threads: usize) -> usize {
    let (rows, fitting) = (pass.game.rows, fitting_rows(strip));
    if threads == 1 {
        return rows.min(fitting);
    }
    let share = (rows * strips).div_ceil(threads);
    share.div_ceil(share.div_ceil(BAND)).max(4 * pass.generations).min(fitting).min(rows)
}

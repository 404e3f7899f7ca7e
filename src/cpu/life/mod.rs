//! Conway's Life on the CPU, a bit a cell; `sequential` is the plain loop, a byte a cell.
//!
//!   next[i][j] = birth[n] or, of a live cell, survival[n];   n = the live ones of the eight cells round (i, j)
//!
//! Algorithm  pass     a board goes through its generations 32 at a time, in tiles that the threads share out
//!                     (128 at a time where one tile is the whole board);
//!            tile     a tile goes through the generations of a pass chunk by chunk, in the first cache;
//!            window   where the rows of a tile lie meanwhile, and one generation of some of them; frame, its
//!                     columns;
//!            network  the logic on vectors of cells; lanes and x86 are the vectors, level chooses among them;
//!            pack     bytes to bits and back.
//! Cost       B3/S23: 8 ternary functions and 2 funnel shifts for 512 cells with AVX-512, 24 operations and 6
//!            of shifting for 256 with AVX2. Memory is read and written once a pass. One more board, and a
//!            window for each thread.
//! Edges      Cells outside are the nearest cell, dead, or those of the opposite edge, in boards of any size
//!            from 1 × 1 on.
#![forbid(unsafe_code)]

mod frame;
mod lanes;
mod level;
mod network;
mod pack;
mod pass;
mod sequential;
#[cfg(test)]
mod tests;
mod tile;
mod window;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use pack::{pack, unpack};
pub use sequential::sequential;

use self::lanes::Lanes;
use self::level::{Level, Task};
use super::Workers;
use crate::error::Result;
use crate::interrupt::Polls;
use crate::model::life::Game;

/// bits ← after `generations` steps; the bits past the last column are ignored, and 0 afterwards. other: as many words of
/// scratch.
pub fn life(
    workers: &Workers,
    bits: &mut [u64],
    other: &mut [u64],
    game: &Game,
    generations: u64,
) -> Result<()> {
    life_at(Level::best(), workers, bits, other, game, generations)
}

/// `life` with an instruction set of the caller's choice.
pub fn life_at(
    level: Level,
    workers: &Workers,
    bits: &mut [u64],
    other: &mut [u64],
    game: &Game,
    generations: u64,
) -> Result<()> {
    if generations == 0 {
        workers.run_sequential(|| clear_padding(bits, game));
        return Ok(());
    }
    let steps = Steps { bits, other, game, generations };
    super::run(workers, is_small(game, generations), || level.run(steps))?
}

/// Whether one thread is through before others wake up.
fn is_small(game: &Game, generations: u64) -> bool {
    const SMALL: u64 = 1 << 17; // words and generations
    let words = (game.words() as u64).saturating_mul(game.rows as u64);
    words.saturating_mul(generations.min(frame::MAX_HALO as u64)) < SMALL
}

struct Steps<'a> {
    bits: &'a mut [u64],
    other: &'a mut [u64],
    game: &'a Game,
    generations: u64,
}

impl Task for Steps<'_> {
    type Output = Result<()>;

    fn run<L: Lanes>(self, lanes: L) -> Result<()> {
        let threads = if is_small(self.game, self.generations) { 1 } else { rayon::current_num_threads() };
        pass::steps(lanes, threads, self.bits, self.other, self.game, self.generations)
    }
}

fn clear_padding(bits: &mut [u64], game: &Game) {
    let (mask, mut polls) = (frame::last_mask(game.cols), Polls::new());
    for row in bits.chunks_mut(game.words()) {
        polls.step();
        row[game.words() - 1] &= mask;
    }
}

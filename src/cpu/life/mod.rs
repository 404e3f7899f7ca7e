//! Conway's Life on the CPU, a bit a cell.
#![forbid(unsafe_code)]

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
use super::{Workers, zeros};
use crate::error::Result;
use crate::life::Game;

/// bits ← after `generations` steps; the bits past the last column are ignored, and 0 afterwards.
pub fn life(workers: &Workers, bits: &mut [u64], game: &Game, generations: u64) -> Result<()> {
    life_at(Level::best(), workers, bits, game, generations)
}

pub fn life_at(
    level: Level,
    workers: &Workers,
    bits: &mut [u64],
    game: &Game,
    generations: u64,
) -> Result<()> {
    if generations == 0 {
        workers.run_sequential(|| clear_padding(bits, game));
        return Ok(());
    }
    let mut other = zeros(bits.len())?;
    let steps = Steps { bits, other: &mut other, game, generations };
    super::run(workers, is_small(game, generations), || level.run(steps))?
}

/// Whether one thread is through before others wake up.
fn is_small(game: &Game, generations: u64) -> bool {
    const SMALL: u64 = 1 << 19; // words and generations
    let words = (game.words() as u64).saturating_mul(game.rows as u64);
    words.saturating_mul(generations.min(tile::MAX_HALO as u64)) < SMALL
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
    let mask = tile::last_mask(game.cols);
    for row in bits.chunks_mut(game.words()) {
        row[game.words() - 1] &= mask;
    }
}

//! Conway's Life.
//!
//! Source: J. H. Conway, 1970; the clamped edges are those of MathWorks, "Stencil Operations on a GPU".
#![forbid(unsafe_code)]

use super::cost;
use crate::array::{Footprint, Input, Output, Pair, Scratch};
use crate::context::{Context, Engine, Host};
use crate::cpu;
use crate::error::{Error, Result};
use crate::gpu;
use crate::memory::Place;
pub use crate::model::life::LifeBoundary;
pub use crate::model::life::LifeVariant;
use crate::model::life::{Game, Rule};
use crate::model::numbered::{NumberedEnum, numbered_enum};
use gpu::life::Cells;

/// Storage of the cells of a board.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LifeCells {
    /// One byte for each cell.
    #[default]
    Bytes = 0,
    /// One bit for each cell, rows padded to 64-bit words.
    Bits = 1,
}

numbered_enum!(LifeCells = "gpumex_life_cells": Bytes, Bits);

/// Options of [`life`]; the default is B3/S23 on bytes with clamped edges.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    pub variant: LifeVariant,
    pub boundary: LifeBoundary,
    pub cells: LifeCells,
    /// Outer-totalistic rule in B/S notation; `None` is "B3/S23".
    pub rule: Option<&'a str>,
    /// SHMEM and TEXTURE may play small boards in a cluster: the functions without a prefix name what they use, not a kernel.
    pub small_in_cluster: bool,
}

/// next ← board after `generations` steps of Life.
///
/// board, next (rows, cols), row-major (the transpose of a column-major array, and Life is its own transpose): u8,
/// any cell ≠ 0 is alive, result cells are 0 or 1; or bits, (rows, ⌈cols/64⌉) u64, bit b of word w is column
/// 64·w + b, padding is ignored in board and 0 in next. `next` may be `board` exactly. 0 generations copy.
/// What lies outside, and the rule, are the options'. The textbook variants serve bytes, clamped edges and B3/S23.
/// Cost: 8 three-input operations for 32 cells and generation. Errors: INVALID_ARGUMENT (size, overlap, rule),
/// UNSUPPORTED, OUT_OF_MEMORY, CUDA, CANCELLED (by the context's progress callback).
pub fn life(
    ctx: &mut Context,
    options: &Options,
    board: Input,
    rows: usize,
    cols: usize,
    generations: u64,
    next: Output,
) -> Result<()> {
    ctx.begin();
    let rule = options.rule.map_or(Ok(Rule::LIFE), Rule::parse)?;
    let game = Game { rows, cols, boundary: options.boundary, rule };
    let cells = match options.cells {
        LifeCells::Bytes => Cells::Bytes(Pair::new(board, next, &[rows, cols])?),
        LifeCells::Bits => Cells::Bits(Pair::new(board, next, &[rows, game.words()])?),
    };
    let is_textbook = options.variant.is_textbook();
    if is_textbook {
        check_textbook(options, &game)?;
    }
    if rows == 0 || cols == 0 {
        return Ok(());
    }
    let units = (rows as u64).saturating_mul(cols as u64).saturating_mul(generations);
    let work = cost::LIFE.of_units(options.variant, arrays_of(&cells), units as usize);
    ctx.run_long_auto(work, |engine, host, progress| match engine.select(options.variant)? {
        Engine::Cpu(workers) => {
            on_cpu(workers, host, options.variant == LifeVariant::Sequential, cells, &game, |part| {
                progress.in_steps(generations, &mut || Ok(()), part)
            })
        }
        Engine::Cuda(device) => {
            let least = if waits(&cells) { uncancelled_generations(&game) } else { u64::MAX };
            let mut in_steps = |generations: u64, part: &mut dyn FnMut(u64) -> Result<()>| {
                progress.in_parts_from(least, generations, &mut || device.synchronize(), part)
            };
            let mut play = |cells: Cells| {
                let variant = (options.variant, options.small_in_cluster);
                gpu::life::life(device, variant, cells, &game, generations, &mut in_steps)
            };
            match cells {
                Cells::Bytes(cells) if !is_textbook && are_on_host(&cells) => {
                    through_bits(host, cells, &game, |bits| {
                        play(Cells::Bits(bits))?;
                        device.synchronize() // before the host reads them
                    })
                }
                cells => play(cells),
            }
        }
    })
}

/// The textbooks know one game; the same on the CPU, which computes these variants as AUTO.
fn check_textbook(options: &Options, game: &Game) -> Result<()> {
    let is_theirs =
        options.cells == LifeCells::Bytes && game.boundary == LifeBoundary::Clamp && game.rule == Rule::LIFE;
    if is_theirs {
        return Ok(());
    }
    let (variant, boundary, cells) =
        (options.variant.c_name(), options.boundary.c_name(), options.cells.c_name());
    Err(Error::unsupported(format!(
        "options.variant is {variant}, a textbook's, on bytes with clamped edges and B3/S23; asked for were {cells}, {boundary} and {}",
        game.rule
    )))
}

/// Whether a call with these cells waits for the device, and can be cancelled.
fn waits(cells: &Cells) -> bool {
    let [source, target] = match cells {
        Cells::Bytes(cells) => [cells.source().place(), cells.target_place()],
        Cells::Bits(cells) => [cells.source().place(), cells.target_place()],
    };
    !matches!((source, target), (Place::Device(_), Place::Device(_)))
}

fn arrays_of(cells: &Cells) -> Footprint {
    match cells {
        Cells::Bytes(cells) => Footprint::of(&[&cells.source(), cells.target()]),
        Cells::Bits(cells) => Footprint::of(&[&cells.source(), cells.target()]),
    }
}

/// So many that a device takes some milliseconds for them, and a short run stays one launch.
fn uncancelled_generations(game: &Game) -> u64 {
    const CELLS: u64 = 1 << 36;
    (CELLS / (game.rows as u64).saturating_mul(game.cols as u64)).next_multiple_of(64)
}

fn are_on_host(cells: &Pair<u8>) -> bool {
    let is_on_host = |place| matches!(place, Place::Host | Place::Pinned);
    is_on_host(cells.source().place()) && is_on_host(cells.target_place())
}

fn on_cpu(
    workers: &cpu::Workers,
    host: &Host,
    is_sequential: bool,
    cells: Cells,
    game: &Game,
    mut in_steps: impl FnMut(&mut dyn FnMut(u64) -> Result<()>) -> Result<()>,
) -> Result<()> {
    let words = game.rows * game.words();
    let mut play = |bits: &mut [u64]| {
        let mut other = Scratch::new(&host.heap, words)?;
        in_steps(&mut |part| cpu::life::life(workers, bits, other.as_mut_slice(), game, part))
    };
    match cells {
        Cells::Bytes(mut cells) if is_sequential => {
            let cells = cells.copied_on_host()?;
            cpu::life::sequential(workers, cells, game, 0)?; // makes every cell 0 or 1
            in_steps(&mut |part| cpu::life::sequential(workers, cells, game, part))
        }
        Cells::Bytes(mut cells) => {
            let mut bits = Scratch::new(&host.heap, words)?;
            let bits = bits.as_mut_slice();
            cpu::life::pack(workers, cells.source().on_host()?, game, bits)?;
            play(bits)?;
            cpu::life::unpack(workers, bits, game, cells.target_on_host()?)
        }
        Cells::Bits(_) if is_sequential => Err(Error::unsupported(
            "options.variant is GPUMEX_LIFE_VARIANT_SEQUENTIAL, the plain loop over bytes; options.cells is GPUMEX_LIFE_CELLS_BITS",
        )),
        Cells::Bits(mut cells) => {
            let bits = cells.copied_on_host()?;
            cpu::life::life(workers, bits, &mut [], game, 0)?; // clears the padding
            play(bits)
        }
    }
}

/// Bytes of the host cross to the device as bits, an eighth of them.
fn through_bits(
    host: &Host,
    mut cells: Pair<u8>,
    game: &Game,
    play: impl FnOnce(Pair<u64>) -> Result<()>,
) -> Result<()> {
    let mut bits = Scratch::<u64>::new(&host.heap, game.rows * game.words())?;
    cpu::life::pack(&host.workers, cells.source().on_host()?, game, bits.as_mut_slice())?;
    play(bits.as_pair("board"))?;
    cpu::life::unpack(&host.workers, bits.as_mut_slice(), game, cells.target_on_host()?)
}

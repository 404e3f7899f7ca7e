//! Small boards: all generations in one launch, on one cluster of multiprocessors. One of the host's is read and written
//! where it is, when it is pinned, else in the zero-copy buffer.

use std::ffi::{c_int, c_void};

use super::super::Device;
use super::super::runtime::device::check_launch;
use super::super::runtime::kernels::{LifeGame, gpumexk_life_cluster, gpumexk_life_cluster_fits};
use super::super::runtime::tuning::Kernel;
use super::super::runtime::zero_copy;
use super::{Cells, InSteps};
use crate::array::{Element, Pair};
use crate::error::{Error, Result};
use crate::memory::Place;
use crate::model::life::{Game, LifeBoundary};

/// Boards of at most so many columns stay in a cluster's registers, and of at most so many cells they are done sooner there
/// than by the whole device, which keeps in registers only tori of a multiple of 8 columns; wider ones stay in shared memory. Measured on an H200 and
/// an H100.
const COLS_IN_REGISTERS: usize = 1024;
const CELLS_IN_REGISTERS: usize = 700_000;
const CELLS_OF_ODD_TORUS: usize = 1_500_000;
const CELLS_IN_SHARED: usize = 600_000;

fn fits(game: &Game) -> Result<bool> {
    let mut fits = 0;
    // SAFETY: writes an int.
    check_launch(unsafe { gpumexk_life_cluster_fits(game.rows, game.cols, &mut fits) })?;
    Ok(fits != 0)
}

/// Whether a cluster is the best place for the board.
pub fn is_best(game: &Game) -> Result<bool> {
    let is_narrow = game.cols <= COLS_IN_REGISTERS;
    let is_odd_torus = game.boundary == LifeBoundary::Torus && !game.cols.is_multiple_of(8);
    let most = match (is_narrow, is_odd_torus) {
        (true, true) => CELLS_OF_ODD_TORUS,
        (true, false) => CELLS_IN_REGISTERS,
        (false, _) => CELLS_IN_SHARED,
    };
    Ok(game.rows.saturating_mul(game.cols) <= most && fits(game)?)
}

/// Refuses a board that is too large.
pub fn check(game: &Game) -> Result<()> {
    let Game { rows, cols, .. } = game;
    match fits(game)? {
        true => Ok(()),
        false => Err(Error::unsupported(format!(
            "a board of {rows} x {cols} cells is more than the shared memory of a cluster holds"
        ))),
    }
}

/// cells.target ← cells.source after `generations` steps, on a board that fits; one of bits is read through a texture object on request.
pub fn life(
    device: &Device,
    through_texture: bool,
    cells: Cells,
    game: &Game,
    generations: u64,
    in_steps: InSteps,
) -> Result<()> {
    match cells {
        Cells::Bytes(cells) => on(device, 0, cells, game, generations, in_steps),
        Cells::Bits(cells) => {
            on(device, 1 + c_int::from(through_texture), cells, game, generations, in_steps)
        }
    }
}

fn on<T: Element>(
    device: &Device,
    are_bits: c_int,
    cells: Pair<T>,
    game: &Game,
    generations: u64,
    in_steps: InSteps,
) -> Result<()> {
    let (board, mut next) = (cells.source(), cells.into_target());
    let (played, tuning) = (&LifeGame::of(game), &device.tuning(Kernel::LifeCluster));
    let mut play = |mut from: *const c_void, to: *mut c_void| {
        let mut step = |generations: u64| {
            // SAFETY: boards of the game's size, of bytes or bits; they may be one and the same.
            device.launch(|stream| unsafe {
                gpumexk_life_cluster(from, to, are_bits, played, generations, tuning, stream)
            })?;
            from = to;
            Ok(())
        };
        match generations {
            0 => step(0),
            _ => in_steps(generations, &mut step),
        }
    };
    let are_small_in =
        |place| board.bytes() <= zero_copy::BYTES && board.place() == place && next.place() == place;
    if are_small_in(Place::Pinned) {
        device.wait_at_end()?;
        return play(board.as_ptr().cast(), next.as_mut_ptr().cast());
    }
    if are_small_in(Place::Host)
        && let Ok(zero_copy) = device.zero_copy()
    {
        device.wait_at_end()?;
        zero_copy.put(0, board.bytes_on_host()?);
        play(zero_copy.at::<T>(0).cast_const().cast(), zero_copy.at::<T>(0).cast())?;
        device.synchronize()?;
        zero_copy.take(0, next.bytes_on_host()?);
        return Ok(());
    }
    let from = device.read(&board)?;
    let mut to = device.write(next)?;
    play(from.as_ptr().cast(), to.as_mut_ptr().cast())?;
    to.finish()
}

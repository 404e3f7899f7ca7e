//! The textbooks' kernels, a byte a cell.

use super::super::Device;
use super::super::runtime::kernels::{
    gpumexk_life_arrays, gpumexk_life_shmem_bytes, gpumexk_life_texture_bytes,
};
use super::super::runtime::memory::Buffer;
use super::InSteps;
use crate::array::Pair;
use crate::error::Result;
use crate::memory::ALIGNMENT;
use crate::model::life::Game;
use crate::model::life::LifeVariant;

/// cells.target ← cells.source after `generations` steps of B3/S23 with clamped edges.
pub fn life(
    device: &Device,
    variant: LifeVariant,
    cells: Pair<u8>,
    game: &Game,
    generations: u64,
    in_steps: InSteps,
) -> Result<()> {
    let (rows, cols, len) = (game.rows, game.cols, game.rows * game.cols);
    let board = cells.source();
    let mut target = device.write(cells.into_target())?;
    let next = target.as_mut_ptr();
    // The kernels step to and fro between two buffers: `next` is the one where the last step ends, when it starts
    // as a texture may.
    let spare = Buffer::<u8>::new(device, len)?;
    let is_aligned = (next as usize).is_multiple_of(ALIGNMENT);
    let end = Buffer::<u8>::new(device, if is_aligned { 0 } else { len })?;
    let last = if is_aligned { next } else { end.as_ptr() };
    let (mut front, mut back) =
        if generations.is_multiple_of(2) { (last, spare.as_ptr()) } else { (spare.as_ptr(), last) };
    let is_there = device.reaches(board.place(), board.name(), board.as_ptr())? && board.as_ptr() == front;
    if !is_there {
        device.upload(front, &board)?;
    }
    let scratch = Buffer::<u8>::new(device, if variant == LifeVariant::Arrays { len } else { 0 })?;
    let neighbours = scratch.as_ptr();
    let tuning = &device.tuning(variant.kernel());
    let mut step = |generations: u64| {
        // SAFETY: front and back hold rows·cols bytes, neighbours too where it is used.
        device.launch(|stream| unsafe {
            match variant {
                LifeVariant::Arrays => {
                    gpumexk_life_arrays(front, back, neighbours, rows, cols, generations, tuning, stream)
                }
                LifeVariant::ShmemBytes => {
                    gpumexk_life_shmem_bytes(front, back, rows, cols, generations, tuning, stream)
                }
                _ => gpumexk_life_texture_bytes(front, back, rows, cols, generations, tuning, stream),
            }
        })?;
        if !generations.is_multiple_of(2) {
            std::mem::swap(&mut front, &mut back);
        }
        Ok(())
    };
    match generations {
        0 => step(0)?, // makes every cell 0 or 1
        _ => in_steps(generations, &mut step)?,
    }
    if !is_aligned {
        device.copy_bytes(next.cast(), last.cast(), len)?;
    }
    target.finish()
}

//! Boards of bits: staged in shared memory as they are, or as strips in the registers of warps.
//!
//! Two buffers of the size of a packed board, a fifteenth larger for strips: the kernels step to and fro between
//! them, and before the first step and after the last one the idle one holds the plain bits.

use super::super::Device;
use super::super::runtime::device::check_launch;
use super::super::runtime::kernels::{
    LIFE_SHMEM_STEPS, LIFE_STRIP_COLS, LIFE_STRIP_STEPS, LifeGame, Tuning, gpumexk_life_from_strips,
    gpumexk_life_pack, gpumexk_life_registers, gpumexk_life_registers_scratch, gpumexk_life_shmem,
    gpumexk_life_texture, gpumexk_life_to_strips, gpumexk_life_unpack,
};
use super::super::runtime::memory::Buffer;
use super::{Cells, InSteps};
use crate::array::{View, ViewMut};
use crate::error::Result;
use crate::model::life::Game;
use crate::model::life::LifeVariant;

/// cells.target ← cells.source after `generations` steps.
pub fn life(
    device: &Device,
    variant: LifeVariant,
    cells: Cells,
    game: &Game,
    generations: u64,
    in_steps: InSteps,
) -> Result<()> {
    let variant = if generations == 0 { LifeVariant::Registers } else { variant }; // clears padding at the least
    let bits = game.rows * game.words();
    let strips = game.rows * game.cols.div_ceil(LIFE_STRIP_COLS);
    let are_strips = variant != LifeVariant::Shmem;
    let len = if are_strips { strips * 4 } else { bits }; // a row of a strip is 8 words of 32 bits
    let buffers = [Buffer::<u64>::new(device, len)?, Buffer::<u64>::new(device, len)?];
    let [mut front, mut back] = [buffers[0].as_ptr(), buffers[1].as_ptr()];
    let (played, tuning) = (&LifeGame::of(game), &device.tuning(variant.kernel()));
    let is_played = variant == LifeVariant::Registers && generations > 0;
    let scratch = Buffer::<u8>::new(device, if is_played { registers_scratch(played, tuning)? } else { 0 })?;

    let (source, target) = match cells {
        Cells::Bytes(cells) => {
            (bits_of_bytes(device, cells.source(), game, back)?, Target::Bytes(cells.into_target()))
        }
        Cells::Bits(cells) => {
            (bits_on_device(device, cells.source(), back)?, Target::Bits(cells.into_target()))
        }
    };
    if are_strips {
        // SAFETY: the source is a board of bits, front one of strips.
        device.launch(|stream| unsafe {
            gpumexk_life_to_strips(source, played, 0, game.rows, front.cast(), stream)
        })?;
    } else {
        device.copy_bytes(front.cast(), source.cast(), bits * 8)?;
    }
    let a_launch = if are_strips { LIFE_STRIP_STEPS } else { LIFE_SHMEM_STEPS } as u64;
    in_steps(generations, &mut |generations| {
        // SAFETY: both buffers are boards of the layout of the variant, the scratch has the bytes that REGISTERS asks for.
        device.launch(|stream| unsafe {
            match variant {
                LifeVariant::Shmem => gpumexk_life_shmem(front, back, played, generations, tuning, stream),
                LifeVariant::Texture => {
                    gpumexk_life_texture(front.cast(), back.cast(), played, generations, tuning, stream)
                }
                _ => {
                    let scratch = scratch.as_ptr().cast();
                    gpumexk_life_registers(
                        front.cast(),
                        back.cast(),
                        scratch,
                        played,
                        generations,
                        tuning,
                        stream,
                    )
                }
            }
        })?;
        if !generations.div_ceil(a_launch).is_multiple_of(2) {
            std::mem::swap(&mut front, &mut back);
        }
        Ok(())
    })?;
    target.take(device, game, |to| {
        if !are_strips {
            return Ok(front.cast_const());
        }
        let to = to.unwrap_or(back);
        // SAFETY: front is a board of strips, `to` one of bits.
        device.launch(|stream| unsafe {
            gpumexk_life_from_strips(front.cast(), played, 0, game.rows, to, stream)
        })?;
        Ok(to.cast_const())
    })
}

/// The bytes of scratch that a game takes in registers, on the current device.
pub(super) fn registers_scratch(game: &LifeGame, tuning: &Tuning) -> Result<usize> {
    let mut bytes = 0;
    // SAFETY: writes a size.
    check_launch(unsafe { gpumexk_life_registers_scratch(game, tuning, &mut bytes) })?;
    Ok(bytes)
}

/// The board as plain bits on the device: itself, or a copy in the idle buffer.
fn bits_on_device(device: &Device, board: View<u64>, idle: *mut u64) -> Result<*const u64> {
    if device.reaches(board.place(), board.name(), board.as_ptr().cast())? {
        return Ok(board.as_ptr());
    }
    device.upload(idle, &board)?;
    Ok(idle)
}

/// The board as plain bits in the idle buffer.
fn bits_of_bytes(device: &Device, board: View<u8>, game: &Game, idle: *mut u64) -> Result<*const u64> {
    let cells = device.read(&board)?;
    // SAFETY: rows·cols bytes, and a board of bits.
    device
        .launch(|stream| unsafe { gpumexk_life_pack(cells.as_ptr(), game.rows, game.cols, idle, stream) })?;
    Ok(idle)
}

enum Target<'a> {
    Bytes(ViewMut<'a, u8>),
    Bits(ViewMut<'a, u64>),
}

impl Target<'_> {
    /// Target ← the bits that `result` tells the address of, having written them to its argument where it can.
    fn take(
        self,
        device: &Device,
        game: &Game,
        result: impl FnOnce(Option<*mut u64>) -> Result<*const u64>,
    ) -> Result<()> {
        match self {
            Target::Bits(mut next) => {
                let address = next.as_mut_ptr();
                let is_reached = device.reaches(next.place(), next.name(), address.cast())?;
                let bits = result(is_reached.then_some(address))?;
                if is_reached && bits.addr() == address.addr() {
                    Ok(())
                } else {
                    device.download(&mut next, bits)
                }
            }
            Target::Bytes(next) => {
                let bits = result(None)?;
                let mut cells = device.write(next)?;
                let to = cells.as_mut_ptr();
                // SAFETY: a board of bits, and rows·cols bytes.
                device.launch(|stream| unsafe {
                    gpumexk_life_unpack(bits, game.rows, game.cols, to, stream)
                })?;
                cells.finish()
            }
        }
    }
}

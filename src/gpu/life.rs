//! Conway's Life on the device: all generations, to and fro between two buffers.

use super::Device;
use super::kernels::{gpumexk_life_arrays, gpumexk_life_shmem_bytes, gpumexk_life_texture};
use super::memory::Buffer;
use super::tuning::Kernel;
use crate::array::Pair;
use crate::error::Result;
use crate::memory::ALIGNMENT;

/// The memory path of the kernel.
#[derive(Clone, Copy)]
pub enum Path {
    Arrays,
    Shmem,
    Texture,
}

impl Path {
    fn kernel(self) -> Kernel {
        match self {
            Path::Arrays => Kernel::LifeArrays,
            Path::Shmem => Kernel::LifeShmem,
            Path::Texture => Kernel::LifeTexture,
        }
    }
}

/// cells.target (rows, cols) ← cells.source after `generations` steps.
pub fn life(
    device: &Device,
    path: Path,
    cells: Pair<u8>,
    rows: usize,
    cols: usize,
    generations: u64,
) -> Result<()> {
    let board = cells.source();
    let mut target = device.write(cells.into_target())?;
    let next = target.as_mut_ptr();
    // The kernels step to and fro between two buffers: `next` is the one where the last step ends, when it starts
    // as a texture may.
    let spare = Buffer::<u8>::new(device, rows * cols)?;
    let is_aligned = (next as usize).is_multiple_of(ALIGNMENT);
    let end = Buffer::<u8>::new(device, if is_aligned { 0 } else { rows * cols })?;
    let last = if is_aligned { next } else { end.as_ptr() };
    let (front, back) =
        if generations.is_multiple_of(2) { (last, spare.as_ptr()) } else { (spare.as_ptr(), last) };
    let is_there = device.reaches(board.place(), board.name(), board.as_ptr())? && board.as_ptr() == front;
    if !is_there {
        device.upload(front, &board)?;
    }
    let scratch = Buffer::<u8>::new(device, if matches!(path, Path::Arrays) { rows * cols } else { 0 })?;
    let tuning = &device.tuning(path.kernel());
    // SAFETY: front and back hold rows·cols bytes, scratch too where it is used.
    device.launch(|stream| unsafe {
        match path {
            Path::Arrays => {
                gpumexk_life_arrays(front, back, scratch.as_ptr(), rows, cols, generations, tuning, stream)
            }
            Path::Shmem => gpumexk_life_shmem_bytes(front, back, rows, cols, generations, tuning, stream),
            Path::Texture => gpumexk_life_texture(front, back, rows, cols, generations, tuning, stream),
        }
    })?;
    if !is_aligned {
        device.copy_bytes(next.cast(), last.cast(), rows * cols)?;
    }
    target.finish()
}

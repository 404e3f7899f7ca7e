//! Conway's Life on the device: upload, all generations, download.

use super::Device;
use super::kernels::{gpumexk_life_arrays, gpumexk_life_shmem, gpumexk_life_texture};
use super::memory::Buffer;
use crate::array::Pair;
use crate::error::Result;

/// The memory path of the kernel.
#[derive(Clone, Copy)]
pub enum Path {
    Arrays,
    Shmem,
    Texture,
}

/// cells.target (rows, cols) ← cells.source after `generations` steps.
pub fn life(
    device: &Device,
    path: Path,
    cells: &mut Pair<u8>,
    rows: usize,
    cols: usize,
    generations: u64,
) -> Result<()> {
    let front = Buffer::from_host(device, cells.source())?;
    let back = Buffer::<u8>::new(device, rows * cols)?;
    let scratch = Buffer::<u8>::new(device, if matches!(path, Path::Arrays) { rows * cols } else { 0 })?;
    let (f, b) = (front.as_ptr(), back.as_ptr());
    // SAFETY: front and back hold rows·cols bytes, scratch too where it is used.
    device.launch(|stream| unsafe {
        match path {
            Path::Arrays => gpumexk_life_arrays(f, b, scratch.as_ptr(), rows, cols, generations, stream),
            Path::Shmem => gpumexk_life_shmem(f, b, rows, cols, generations, stream),
            Path::Texture => gpumexk_life_texture(f, b, rows, cols, generations, stream),
        }
    })?;
    let result = if generations.is_multiple_of(2) { front } else { back };
    result.to_host(cells.target())
}

//! Conway's Life on the device: on bytes, as textbooks have it, or on bits, many generations a launch.

mod bits;
mod bytes;
mod cluster;

use std::ffi::c_int;

use super::Device;
use super::runtime::kernels::LifeGame;
use super::runtime::tuning::Kernel;
use crate::array::Pair;
use crate::error::{Error, Result};
use crate::model::life::Game;

/// The memory path of the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    /// The best of the last two.
    Auto,
    Arrays,
    ShmemBytes,
    TextureBytes,
    Shmem,
    Texture,
    Registers,
    Cluster,
}

impl Path {
    fn kernel(self) -> Kernel {
        match self {
            Path::Arrays => Kernel::LifeArrays,
            Path::ShmemBytes => Kernel::LifeShmemBytes,
            Path::TextureBytes => Kernel::LifeTextureBytes,
            Path::Shmem => Kernel::LifeShmem,
            Path::Texture => Kernel::LifeTexture,
            Path::Auto | Path::Registers => Kernel::LifeRegisters,
            Path::Cluster => Kernel::LifeCluster,
        }
    }

    /// Whether the kernel is a textbook's: a byte a cell, clamped edges, B3/S23.
    pub fn is_textbook(self) -> bool {
        matches!(self, Path::Arrays | Path::ShmemBytes | Path::TextureBytes)
    }
}

/// A board and its successor, a byte or a bit a cell.
pub enum Cells<'a> {
    Bytes(Pair<'a, u8>),
    Bits(Pair<'a, u64>),
}

/// Takes so many generations at a time, of `generations` in all, and reports in between.
pub type InSteps<'a> = &'a mut dyn FnMut(u64, &mut dyn FnMut(u64) -> Result<()>) -> Result<()>;

/// cells.target (rows, cols) ← cells.source after `generations` steps.
pub fn life(
    device: &Device,
    path: Path,
    cells: Cells,
    game: &Game,
    generations: u64,
    in_steps: InSteps,
) -> Result<()> {
    let path = match path {
        Path::Auto if cluster::is_best(game)? => Path::Cluster,
        Path::Auto => Path::Registers,
        Path::Cluster => cluster::check(game).map(|()| path)?,
        path => path,
    };
    match (path, cells) {
        (Path::Cluster, cells) => cluster::life(device, cells, game, generations, in_steps),
        (path, Cells::Bytes(cells)) if path.is_textbook() => {
            bytes::life(device, path, cells, game, generations, in_steps)
        }
        (path, _) if path.is_textbook() => {
            Err(Error::unsupported(format!("variant {path:?} works on a byte a cell")))
        }
        (path, cells) => bits::life(device, path, cells, game, generations, in_steps),
    }
}

impl LifeGame {
    fn of(game: &Game) -> LifeGame {
        let Game { rows, cols, boundary, rule } = *game;
        LifeGame {
            rows,
            cols,
            boundary: boundary as c_int,
            birth: rule.birth.into(),
            survival: rule.survival.into(),
        }
    }
}

//! Conway's Life on the device: on bytes, as textbooks have it, or on bits, many generations a launch.

mod bits;
mod bytes;
mod cluster;
pub mod joined;
pub mod slab;

use std::ffi::c_int;

use super::Device;
use super::runtime::kernels::LifeGame;
use super::runtime::tuning::Kernel;
use crate::array::Pair;
use crate::error::{Error, Result};
use crate::model::life::Game;
use crate::model::life::LifeVariant;
use crate::model::numbered::NumberedEnum;

impl LifeVariant {
    fn kernel(self) -> Kernel {
        match self {
            LifeVariant::Arrays => Kernel::LifeArrays,
            LifeVariant::ShmemBytes => Kernel::LifeShmemBytes,
            LifeVariant::TextureBytes => Kernel::LifeTextureBytes,
            LifeVariant::Shmem => Kernel::LifeShmem,
            LifeVariant::Texture => Kernel::LifeTexture,
            LifeVariant::Auto | LifeVariant::Sequential | LifeVariant::Registers => Kernel::LifeRegisters,
            LifeVariant::Cluster => Kernel::LifeCluster,
        }
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
///
/// `small_in_cluster`: SHMEM and TEXTURE may play a board that fits in the shared memory of a cluster there, TEXTURE one of bits, which it reads
/// through a texture object.
pub fn life(
    device: &Device,
    (variant, small_in_cluster): (LifeVariant, bool),
    cells: Cells,
    game: &Game,
    generations: u64,
    in_steps: InSteps,
) -> Result<()> {
    let variant = match variant {
        LifeVariant::Auto if cluster::is_best(game)? => LifeVariant::Cluster,
        LifeVariant::Auto => LifeVariant::Registers,
        LifeVariant::Cluster => cluster::check(game).map(|()| variant)?,
        variant => variant,
    };
    if matches!(variant, LifeVariant::Texture | LifeVariant::TextureBytes) {
        device.refuse_capture("its texture objects last until its kernels are done")?;
    }
    let in_cluster = match (variant, &cells) {
        (LifeVariant::Cluster, _) => true,
        (LifeVariant::Shmem, _) | (LifeVariant::Texture, Cells::Bits(_)) => {
            small_in_cluster && cluster::is_best(game)?
        }
        _ => false,
    };
    match (variant, cells) {
        (variant, cells) if in_cluster => {
            let through_texture = variant == LifeVariant::Texture && generations > 0;
            cluster::life(device, through_texture, cells, game, generations, in_steps)
        }
        (variant, Cells::Bytes(cells)) if variant.is_textbook() => {
            bytes::life(device, variant, cells, game, generations, in_steps)
        }
        (variant, _) if variant.is_textbook() => Err(Error::unsupported(format!(
            "options.variant is {}, which works on a byte a cell",
            variant.c_name()
        ))),
        (variant, cells) => bits::life(device, variant, cells, game, generations, in_steps),
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

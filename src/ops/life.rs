//! Conway's Life.
//!
//! Source: J. H. Conway, 1970; the clamped edges are those of MathWorks, "Stencil Operations on a GPU".
#![forbid(unsafe_code)]

use crate::array::{Input, Output, Pair};
use crate::choice::Choice;
use crate::context::{Context, Engine};
use crate::error::{Error, Result};
pub use crate::life::LifeBoundary;
use crate::{cpu, gpu};

/// How `gpumex_life` computes; the cells are the same.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LifeVariant {
    /// The best one.
    #[default]
    Auto = 0,
    /// The plain loop over cells, on one core; CPU backend only.
    Sequential = 1,
    /// Whole-array operations, as the MATLAB example adds eight shifted arrays.
    Arrays = 2,
    /// A tile and its halo in shared memory.
    Shmem = 3,
    /// The board fetched through texture objects.
    Texture = 4,
}

/// How a board is stored.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LifeCells {
    /// One byte a cell.
    #[default]
    Bytes = 0,
    /// One bit a cell: row-major, each row padded to whole 64-bit words, bit b of word w is column 64*w + b.
    Bits = 1,
}

impl Choice for LifeVariant {
    const NAME: &'static str = "gpumex_life_variant";
    const ALL: &'static [Self] = &[Self::Auto, Self::Sequential, Self::Arrays, Self::Shmem, Self::Texture];
}

impl Choice for LifeCells {
    const NAME: &'static str = "gpumex_life_cells";
    const ALL: &'static [Self] = &[Self::Bytes, Self::Bits];
}

/// Options of [`life`]; the default is B3/S23 on bytes with clamped edges.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    pub variant: LifeVariant,
    pub boundary: LifeBoundary,
    pub cells: LifeCells,
    /// Outer-totalistic rule in B/S notation; `None` is "B3/S23".
    pub rule: Option<&'a str>,
}

/// next ← board after `generations` steps of Life.
///
/// board, next (rows, cols), u8, row-major (the transpose of a column-major array, and Life is its own transpose);
/// any cell ≠ 0 is alive, result cells are 0 or 1. The neighbour of
/// an edge cell outside the board is the edge cell nearest to it. `next` may be `board` exactly. 0 generations
/// copy.
/// Cost: one pass over the board a generation. Errors: INVALID_ARGUMENT (size, overlap), UNSUPPORTED,
/// OUT_OF_MEMORY, CUDA.
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
    check_served(options)?;
    let mut cells = Pair::<u8>::new(board, next, &[rows, cols])?;
    if rows == 0 || cols == 0 {
        return Ok(());
    }
    ctx.run(|engine| match (engine, options.variant) {
        (Engine::Cpu(workers), LifeVariant::Sequential) => {
            cpu::life::sequential(workers, cells.copied_on_host()?, rows, cols, generations)
        }
        (Engine::Cpu(workers), _) => {
            cpu::life::life(workers, cells.copied_on_host()?, rows, cols, generations)
        }
        (Engine::Cuda(_), LifeVariant::Sequential) => super::sequential_is_for_the_cpu(),
        (Engine::Cuda(device), variant) => {
            let path = match variant {
                LifeVariant::Arrays => gpu::life::Path::Arrays,
                LifeVariant::Texture => gpu::life::Path::Texture,
                _ => gpu::life::Path::Shmem,
            };
            gpu::life::life(device, path, cells, rows, cols, generations)
        }
    })
}

fn check_served(options: &Options) -> Result<()> {
    let later = |what: String| Err(Error::unsupported(format!("{what} is not served by this version")));
    match options {
        Options { boundary: LifeBoundary::Dead | LifeBoundary::Torus, .. } => {
            later(format!("boundary {}", format!("{:?}", options.boundary).to_uppercase()))
        }
        Options { cells: LifeCells::Bits, .. } => later("a board of bits".to_string()),
        Options { rule: Some(rule), .. } if *rule != "B3/S23" => later(format!("rule \"{rule}\"")),
        _ => Ok(()),
    }
}

//! What the rooms of Conway's Life have in common: the game that is played, and the patterns that people own.
#![forbid(unsafe_code)]

pub mod pattern;
mod rule;

pub use rule::Rule;

use crate::model::numbered::numbered_enum;
use crate::model::variant::OperationVariant;

/// What lies outside the board.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LifeBoundary {
    /// The edge cell nearest to it.
    #[default]
    Clamp = 0,
    /// Dead cells.
    Dead = 1,
    /// The opposite edge.
    Torus = 2,
}

numbered_enum!(LifeBoundary = "gpumex_life_boundary": Clamp, Dead, Torus);

/// A board's size, what lies outside it, and the rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Game {
    pub rows: usize,
    pub cols: usize,
    pub boundary: LifeBoundary,
    pub rule: Rule,
}

impl Game {
    /// The words of a row of a board of bits: bit b of word w is column 64·w + b, and the bits past the last column are 0.
    pub fn words(&self) -> usize {
        self.cols.div_ceil(u64::BITS as usize)
    }
}

/// How `gpumex_life` computes; the cells are the same. The CPU backend has SEQUENTIAL and computes the others as AUTO.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LifeVariant {
    /// The best one.
    #[default]
    Auto = 0,
    /// The plain loop over cells, on one core; CPU backend only.
    Sequential = 1,
    /// The textbook's whole-array operations, as the MATLAB example adds eight shifted arrays.
    Arrays = 2,
    /// Tiles of bits in shared memory, 16 generations a launch.
    Shmem = 3,
    /// Boards of bits fetched through texture objects, 8 generations a launch.
    Texture = 4,
    /// The textbook's tile of bytes and its halo in shared memory, a generation a launch.
    ShmemBytes = 5,
    /// The textbook's board of bytes fetched through texture objects, a generation a launch.
    TextureBytes = 6,
    /// Patches of bits in registers, all generations in one launch; AUTO for all but small boards.
    Registers = 7,
    /// The whole board on one cluster of multiprocessors, all generations in one launch; AUTO for small boards, and
    /// UNSUPPORTED for a board that is larger than its shared memory.
    Cluster = 8,
}

numbered_enum!(LifeVariant = "gpumex_life_variant": Auto, Sequential, Arrays, Shmem, Texture, ShmemBytes, TextureBytes, Registers, Cluster);

impl OperationVariant for LifeVariant {}

impl LifeVariant {
    /// Whether the kernel is a textbook's: a byte a cell, clamped edges, B3/S23.
    pub fn is_textbook(self) -> bool {
        matches!(self, LifeVariant::Arrays | LifeVariant::ShmemBytes | LifeVariant::TextureBytes)
    }
}

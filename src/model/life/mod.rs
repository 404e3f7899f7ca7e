//! What both backends know of Conway's Life: the game that is played, and the patterns that people own.
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

/// Implementation of gpumex_life; the cells are the same. The CPU backend has SEQUENTIAL and
/// computes the others as AUTO.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LifeVariant {
    /// The fastest one: CLUSTER for small boards, else REGISTERS.
    #[default]
    Auto = 0,
    /// A sequential loop over cells on one core; CPU backend only.
    Sequential = 1,
    /// Textbook: whole-array operations, the sum of eight shifted arrays.
    Arrays = 2,
    /// Tiles of bits in shared memory, 16 generations a launch.
    Shmem = 3,
    /// Boards of bits through texture objects, 8 generations a launch.
    Texture = 4,
    /// Textbook: a tile of bytes and its halo in shared memory, one generation a launch.
    ShmemBytes = 5,
    /// Textbook: a board of bytes through texture objects, one generation a launch.
    TextureBytes = 6,
    /// Tiles of bits in registers, all generations in one launch.
    Registers = 7,
    /// The whole board in the shared memory of one thread block cluster, all generations in one
    /// launch; UNSUPPORTED for a board that does not fit.
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

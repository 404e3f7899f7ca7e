//! What the rooms of Conway's Life have in common: the game that is played, and the patterns that people own.
#![forbid(unsafe_code)]

pub mod pattern;
mod rule;

pub use rule::Rule;

use crate::model::numbered::Choice;

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

impl Choice for LifeBoundary {
    const NAME: &'static str = "gpumex_life_boundary";
    const ALL: &'static [Self] = &[Self::Clamp, Self::Dead, Self::Torus];
}

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

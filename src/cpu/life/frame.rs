//! How the columns of a board lie in the rows of a window.
#![forbid(unsafe_code)]

use std::ops::Range;

use super::window::Outside;
use crate::model::life::{Game, LifeBoundary};

/// The most generations of a pass whose tiles have halos: a halo and its drift fit a word.
pub const MAX_HALO: usize = 32;
/// The most generations of a pass.
pub const MAX_GENERATIONS: usize = 128;

/// What all tiles of a pass share.
#[derive(Clone, Copy)]
pub struct Pass<'a> {
    pub board: &'a [u64],
    pub game: &'a Game,
    pub generations: usize,
}

/// How a strip of columns lies in the rows of its window.
#[derive(Clone, Copy)]
pub struct Frame {
    pub first_word: usize,
    pub words: usize,
    /// The bit of the first column in the last generation.
    pub margin: usize,
    /// Words of a row of the window.
    pub stride: usize,
    pub outside: [Option<Outside>; 2],
    /// Whether the halo is read round the torus; a strip of whole rows closes itself instead.
    pub wraps: bool,
}

impl Frame {
    pub fn new(pass: &Pass, words: Range<usize>, lane_words: usize) -> Frame {
        let (game, halo) = (pass.game, pass.generations);
        let is_torus = game.boundary == LifeBoundary::Torus;
        let is_whole = words == (0..game.words());
        let end = (game.cols - words.start * 64) as isize;
        // The last strip may be narrower than the halo of the one before it.
        let reaches_east = end <= (words.len() * 64 + halo) as isize;
        let (west, east) = if is_torus { (is_whole, is_whole) } else { (words.start == 0, reaches_east) };
        let source = |nearest: isize, opposite: isize| match game.boundary {
            LifeBoundary::Clamp => Some(nearest),
            LifeBoundary::Dead => None,
            LifeBoundary::Torus => Some(opposite),
        };
        let outside = [
            west.then(|| Outside { bit: -1, source: source(0, end - 1) }),
            east.then(|| Outside { bit: end, source: source(end - 1, 0) }),
        ];
        let margin = if west { 2 } else { halo.max(2) };
        let behind = if east { end as usize + 1 } else { words.len() * 64 + halo };
        let stride = (margin + halo % 2 + behind).div_ceil(64).next_multiple_of(lane_words);
        let wraps = is_torus && !is_whole;
        Frame { first_word: words.start, words: words.len(), margin, stride, outside, wraps }
    }

    /// The bit of the first column in a generation; even ones drift west by a column, odd ones back.
    pub fn origin(&self, pass: &Pass, generation: usize) -> usize {
        self.margin + pass.generations % 2 - generation % 2
    }
}

/// The columns of the last word of a row.
pub fn last_mask(cols: usize) -> u64 {
    u64::MAX >> (cols.wrapping_neg() % 64)
}

/// The 64 columns from 64·index on, round the torus.
pub fn wrapped(row: &[u64], cols: usize, index: isize) -> u64 {
    let mut column = (index * 64).rem_euclid(cols as isize) as usize;
    let (mut word, mut have) = (0, 0);
    while have < 64 {
        let take = (64 - have).min(64 - column % 64).min(cols - column);
        word |= (row[column / 64] >> (column % 64) & (u64::MAX >> (64 - take))) << have;
        have += take;
        column = (column + take) % cols;
    }
    word
}

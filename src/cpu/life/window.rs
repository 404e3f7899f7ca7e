//! Rows of a tile while their generations pass.
//!
//! A window is rows of `stride` words. A row of generation t lies t rows above its place in generation 0, so
//! that a generation overwrites the one before it: the new row r takes the place of the old row r - 1, which
//! nobody needs any more. Columns drift too, to the west and back: an even generation puts the new column j
//! where the old column j - 1 was and needs only words to its right, which are not overwritten yet; an odd one
//! goes back and needs only words to its left.
#![forbid(unsafe_code)]

use std::ops::Range;

use super::lanes::Lanes;
use super::network::{Network, Sum, row_sum};

/// Words before and after the rows that a vector at their ends may read.
pub const PAD: usize = 8;

/// A cell outside the board that takes the value of another column, or dies, in each generation.
#[derive(Clone, Copy, Debug)]
pub struct Outside {
    pub bit: isize,
    pub source: Option<isize>,
}

/// Whereto new cells drift, by a column.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Drift {
    West,
    East,
}

/// The sums of a vector of columns, in the place where their next generation will be.
trait Sums: Copy {
    fn sum<L: Lanes>(self, lanes: L, words: &[u64], at: usize) -> Sum<L::Vector>;
}

#[derive(Clone, Copy)]
struct West;

impl Sums for West {
    #[inline(always)]
    fn sum<L: Lanes>(self, lanes: L, words: &[u64], at: usize) -> Sum<L::Vector> {
        let (here, next) = (lanes.load(&words[at..]), lanes.load(&words[at + 1..]));
        let centre = lanes.or(lanes.shift_right::<1>(here), lanes.shift_left::<63>(next));
        let east = lanes.or(lanes.shift_right::<2>(here), lanes.shift_left::<62>(next));
        row_sum(lanes, here, centre, east)
    }
}

#[derive(Clone, Copy)]
struct East;

impl Sums for East {
    #[inline(always)]
    fn sum<L: Lanes>(self, lanes: L, words: &[u64], at: usize) -> Sum<L::Vector> {
        let (here, last) = (lanes.load(&words[at..]), lanes.load(&words[at - 1..]));
        let centre = lanes.or(lanes.shift_left::<1>(here), lanes.shift_right::<63>(last));
        let west = lanes.or(lanes.shift_left::<2>(here), lanes.shift_right::<62>(last));
        row_sum(lanes, west, centre, here)
    }
}

pub struct Window<'a> {
    /// PAD words, the rows, PAD words.
    pub words: &'a mut [u64],
    pub stride: usize,
}

impl Window<'_> {
    pub fn row(&mut self, row: usize) -> &mut [u64] {
        &mut self.words[PAD + row * self.stride..][..self.stride]
    }

    /// The words from a row on.
    pub fn from(&self, row: usize) -> &[u64] {
        &self.words[PAD + row * self.stride..]
    }

    /// Row `to` ← row `from`.
    pub fn copy_row(&mut self, from: usize, to: usize) {
        let start = PAD + from * self.stride;
        self.words.copy_within(start..start + self.stride, PAD + to * self.stride);
    }

    /// The next generation of these rows, each into the row above; columns drift west, or back east.
    #[inline(always)]
    pub fn step<L: Lanes>(&mut self, lanes: L, network: impl Network<L>, rows: Range<usize>, drift: Drift) {
        match drift {
            Drift::West => {
                for column in (0..self.stride).step_by(L::WORDS) {
                    self.step_column(lanes, network, rows.clone(), column, West);
                }
            }
            Drift::East => {
                for column in (0..self.stride).step_by(L::WORDS).rev() {
                    self.step_column(lanes, network, rows.clone(), column, East);
                }
            }
        }
    }

    /// A vector of columns, down the rows: the sums of two rows stay in registers.
    #[inline(always)]
    fn step_column<L: Lanes>(
        &mut self,
        lanes: L,
        network: impl Network<L>,
        rows: Range<usize>,
        column: usize,
        drift: impl Sums,
    ) {
        let (stride, first) = (self.stride, PAD + (rows.start - 1) * self.stride + column);
        let words = &mut self.words[first - 1..];
        let mut above = drift.sum(lanes, words, 1);
        let mut same = drift.sum(lanes, words, 1 + stride);
        let mut at = 1;
        for _ in rows {
            let below = drift.sum(lanes, words, at + 2 * stride);
            lanes.store(network.next(lanes, above, same, below), &mut words[at..]);
            (above, same) = (same, below);
            at += stride;
        }
    }

    /// Gives a cell outside the board its value, in each of these rows.
    pub fn close(&mut self, rows: Range<usize>, outside: Outside, origin: isize) {
        let place = |bit: isize| {
            let bit = (bit + origin) as usize;
            (bit / 64, bit % 64)
        };
        let (to, to_bit) = place(outside.bit);
        let range = PAD + rows.start * self.stride..PAD + rows.end * self.stride;
        for row in self.words[range].chunks_exact_mut(self.stride) {
            let value = outside.source.map_or(0, |source| {
                let (from, from_bit) = place(source);
                row[from] >> from_bit & 1
            });
            row[to] = row[to] & !(1 << to_bit) | value << to_bit;
        }
    }
}

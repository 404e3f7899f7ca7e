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

impl Outside {
    /// The words of a row whose first column is bit `origin` that close it as they are made; None where its source is in another word.
    fn near(self, origin: isize) -> Option<Near> {
        let at = (self.bit + origin) as usize;
        let turn = match self.source.map(|source| source - self.bit) {
            None => None,
            Some(1) if at % 64 < 63 => Some(63),
            Some(-1) if !at.is_multiple_of(64) => Some(1),
            Some(_) => return None,
        };
        Some(Near { word: at / 64, mask: 1 << (at % 64), turn })
    }
}

/// A cell outside whose value lies beside it: by how many bits its word turns left for it; None: it is dead.
#[derive(Clone, Copy)]
struct Near {
    word: usize,
    mask: u64,
    turn: Option<u64>,
}

/// How a vector of new cells closes the cells outside.
trait Close<L: Lanes>: Copy {
    fn close(self, lanes: L, cells: L::Vector) -> L::Vector;
}

/// There are none.
#[derive(Clone, Copy)]
struct Open;

/// They are dead.
#[derive(Clone, Copy)]
struct Dead<V> {
    outside: V,
}

/// They take the values of their neighbours.
#[derive(Clone, Copy)]
struct Clamped<V> {
    outside: V,
    turn: V,
}

impl<L: Lanes> Close<L> for Open {
    #[inline(always)]
    fn close(self, _: L, cells: L::Vector) -> L::Vector {
        cells
    }
}

impl<L: Lanes> Close<L> for Dead<L::Vector> {
    #[inline(always)]
    fn close(self, lanes: L, cells: L::Vector) -> L::Vector {
        lanes.without(cells, self.outside)
    }
}

impl<L: Lanes> Close<L> for Clamped<L::Vector> {
    #[inline(always)]
    fn close(self, lanes: L, cells: L::Vector) -> L::Vector {
        lanes.select(self.outside, lanes.turn_left(cells, self.turn), cells)
    }
}

/// The cells outside of a generation: those that are closed as their rows are made, and the others.
pub struct Edges {
    near: [Option<Near>; 2],
    pub others: [Option<Outside>; 2],
}

impl Edges {
    pub fn new(outside: [Option<Outside>; 2], origin: isize) -> Edges {
        let mut edges = Edges { near: [None; 2], others: outside };
        for side in 0..2 {
            let near = outside[side].and_then(|outside| outside.near(origin));
            let is_apart = edges.near[0].zip(near).is_none_or(|(a, b)| a.word != b.word); // a word closes one
            if is_apart && near.is_some() {
                (edges.near[side], edges.others[side]) = (near, None);
            }
        }
        edges
    }

    /// Of the vector of columns from a word on: where cells outside are in it, how far their words turn, and whether any and all are dead.
    #[inline(always)]
    fn of(&self, column: usize, words: usize) -> ([u64; 8], [u64; 8], Option<bool>) {
        let (mut outside, mut turn, mut are_dead) = ([0; 8], [0; 8], None);
        for near in self.near.iter().flatten() {
            if let Some(lane) = near.word.checked_sub(column).filter(|&lane| lane < words) {
                (outside[lane], turn[lane]) = (near.mask, near.turn.unwrap_or(0));
                are_dead = Some(near.turn.is_none());
            }
        }
        (outside, turn, are_dead)
    }
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
        row_sum(lanes, here, lanes.extract(here, next, 1), lanes.extract(here, next, 2))
    }
}

#[derive(Clone, Copy)]
struct East;

impl Sums for East {
    #[inline(always)]
    fn sum<L: Lanes>(self, lanes: L, words: &[u64], at: usize) -> Sum<L::Vector> {
        let (here, last) = (lanes.load(&words[at..]), lanes.load(&words[at - 1..]));
        row_sum(lanes, lanes.extract(last, here, 62), lanes.extract(last, here, 63), here)
    }
}

/// One generation of a vector of columns, in rows of `stride` words.
#[derive(Clone, Copy)]
struct Step<L, N, D, C> {
    lanes: L,
    network: N,
    drift: D,
    closing: C,
    stride: usize,
}

impl<L: Lanes, N: Network<L>, D: Sums, C: Close<L>> Step<L, N, D, C> {
    /// The sums of a row; the vector begins at the second word.
    #[inline(always)]
    fn sum(self, words: &[u64], row: usize) -> Sum<L::Vector> {
        self.drift.sum(self.lanes, words, 1 + row * self.stride)
    }

    /// A row of new cells, from the sums of the old ones there and of the row behind; gives the sums of the row after that.
    #[inline(always)]
    fn row(
        self,
        words: &mut [u64],
        row: usize,
        above: Sum<L::Vector>,
        same: Sum<L::Vector>,
    ) -> Sum<L::Vector> {
        let below = self.sum(words, row + 2);
        let next = self.closing.close(self.lanes, self.network.next(self.lanes, above, same, below));
        self.lanes.store(next, &mut words[1 + row * self.stride..]);
        below
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

    /// The next generation of these rows, each into the row above; columns drift west, or back east. Cells outside are closed.
    #[inline(always)]
    pub fn step<L: Lanes>(
        &mut self,
        lanes: L,
        network: impl Network<L>,
        rows: Range<usize>,
        drift: Drift,
        edges: &Edges,
    ) {
        match drift {
            Drift::West => {
                for column in (0..self.stride).step_by(L::WORDS) {
                    self.step_column(lanes, network, rows.clone(), column, (West, edges));
                }
            }
            Drift::East => {
                for column in (0..self.stride).step_by(L::WORDS).rev() {
                    self.step_column(lanes, network, rows.clone(), column, (East, edges));
                }
            }
        }
    }

    #[inline(always)]
    fn step_column<L: Lanes>(
        &mut self,
        lanes: L,
        network: impl Network<L>,
        rows: Range<usize>,
        column: usize,
        (drift, edges): (impl Sums, &Edges),
    ) {
        let (outside, turn, are_dead) = edges.of(column, L::WORDS);
        let (outside, turn) = (lanes.load(&outside), lanes.load(&turn));
        let stride = self.stride;
        match are_dead {
            None => self.step_rows(Step { lanes, network, drift, closing: Open, stride }, rows, column),
            Some(true) => self.step_rows(
                Step { lanes, network, drift, closing: Dead { outside }, stride },
                rows,
                column,
            ),
            Some(false) => {
                let closing = Clamped { outside, turn };
                self.step_rows(Step { lanes, network, drift, closing, stride }, rows, column)
            }
        }
    }

    /// A vector of columns, down the rows: the sums of two rows stay in registers. After three rows each is in the one that it began in.
    #[inline(always)]
    fn step_rows<L, N, D, C>(&mut self, step: Step<L, N, D, C>, rows: Range<usize>, column: usize)
    where
        L: Lanes,
        N: Network<L>,
        D: Sums,
        C: Close<L>,
    {
        let stride = self.stride;
        let mut words = &mut self.words[PAD + (rows.start - 1) * stride + column - 1..];
        let mut above = step.sum(words, 0);
        let mut same = step.sum(words, 1);
        let mut left = rows.len();
        while left >= 3 {
            let three = &mut words[..4 * stride + 2 + L::WORDS]; // its bounds are checked once
            let below = step.row(three, 0, above, same);
            above = step.row(three, 1, same, below);
            same = step.row(three, 2, below, above);
            (words, left) = (&mut words[3 * stride..], left - 3);
        }
        for row in 0..left {
            let below = step.row(words, row, above, same);
            (above, same) = (same, below);
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

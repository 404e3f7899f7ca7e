//! The next generation of as many cells at once as a vector has bits.
//!
//!   sum of a row = west + centre + east of each cell, as two bits: ones = xor3, twos = majority
//!   next         = birth[n] where centre = 0, survival[n] where centre = 1;   n = its eight neighbours
//!
//! Algorithm  A row's sums serve the row above, the row itself and the row below, so they are made once. Conway
//!            adds three of them in carry-save form; AnyRule adds them to a number of four bits and picks its
//!            entry of the rule's table by a tree of selections.
//! Source     Carry-save counting of cells is folklore; that eight three-input functions suffice for B3/S23,
//!            two of them for the sums of a row, is Binary-Banter, "fast-game-of-life", 2023.
#![forbid(unsafe_code)]

use super::lanes::Lanes;
use crate::model::life::Rule;

/// How many of a cell, its western and its eastern neighbour live, ones + 2·twos, and without the cell:
/// one_side + 2·both.
#[derive(Clone, Copy)]
pub struct Sum<V> {
    pub ones: V,
    pub twos: V,
    pub one_side: V,
    pub both: V,
    pub centre: V,
}

#[inline(always)]
pub fn row_sum<L: Lanes>(lanes: L, west: L::Vector, centre: L::Vector, east: L::Vector) -> Sum<L::Vector> {
    Sum {
        ones: lanes.xor3(west, east, centre),
        twos: lanes.majority(west, east, centre),
        one_side: lanes.xor(west, east),
        both: lanes.and(west, east),
        centre,
    }
}

/// A rule as logic on the sums of three rows.
pub trait Network<L: Lanes>: Copy {
    fn next(self, lanes: L, above: Sum<L::Vector>, same: Sum<L::Vector>, below: Sum<L::Vector>) -> L::Vector;
}

/// B3/S23.
#[derive(Clone, Copy)]
pub struct Conway;

impl<L: Lanes> Network<L> for Conway {
    #[inline(always)]
    fn next(self, lanes: L, above: Sum<L::Vector>, same: Sum<L::Vector>, below: Sum<L::Vector>) -> L::Vector {
        lanes.conway(above, same, below)
    }
}

/// B3/S23 of two-input logic: the neighbours are ones + 2·(four words of twos), and a cell lives with three, or
/// with two and itself, so that exactly one of the four is 1.
#[inline(always)]
pub fn conway<L: Lanes>(
    lanes: L,
    above: Sum<L::Vector>,
    same: Sum<L::Vector>,
    below: Sum<L::Vector>,
) -> L::Vector {
    let ones = lanes.xor3(above.ones, below.ones, same.one_side);
    let carry = lanes.majority(above.ones, below.ones, same.one_side);
    let odd = lanes.xor(lanes.xor(above.twos, below.twos), lanes.xor(same.both, carry));
    let pair = lanes.or(lanes.and(above.twos, below.twos), lanes.and(same.both, carry));
    lanes.and(lanes.or(ones, same.centre), lanes.without(odd, pair))
}

/// Any outer-totalistic rule: for each number of live cells of the nine, what becomes of a dead and of a live
/// centre, all ones or zero.
#[derive(Clone, Copy)]
pub struct AnyRule<V> {
    dead: [V; 10],
    live: [V; 10],
}

impl<V: Copy> AnyRule<V> {
    #[inline(always)]
    pub fn new<L: Lanes<Vector = V>>(lanes: L, rule: Rule) -> AnyRule<V> {
        let no = lanes.splat(0);
        let (mut dead, mut live) = ([no; 10], [no; 10]);
        for n in 0..10 {
            // A live cell counts itself: its neighbours are n - 1.
            dead[n] = lanes.splat(0u64.wrapping_sub((rule.birth >> n & 1).into()));
            live[n] = lanes.splat(0u64.wrapping_sub((rule.survival << 1 >> n & 1).into()));
        }
        AnyRule { dead, live }
    }

    /// What becomes of cells with n or n + 1 live cells of the nine, n0 being odd.
    #[inline(always)]
    fn pair<L: Lanes<Vector = V>>(&self, lanes: L, centre: V, n0: V, n: usize) -> V {
        let even = lanes.select(centre, self.live[n], self.dead[n]);
        let odd = lanes.select(centre, self.live[n + 1], self.dead[n + 1]);
        lanes.select(n0, odd, even)
    }
}

impl<L: Lanes> Network<L> for AnyRule<L::Vector> {
    #[inline(always)]
    fn next(self, lanes: L, above: Sum<L::Vector>, same: Sum<L::Vector>, below: Sum<L::Vector>) -> L::Vector {
        // The number of live cells of the nine, n = n0 + 2·n1 + 4·n2 + 8·n3.
        let n0 = lanes.xor3(above.ones, same.ones, below.ones);
        let carry = lanes.majority(above.ones, same.ones, below.ones);
        let twos = lanes.xor3(above.twos, same.twos, below.twos);
        let fours = lanes.majority(above.twos, same.twos, below.twos);
        let n1 = lanes.xor(twos, carry);
        let over = lanes.and(twos, carry);
        let (n2, n3) = (lanes.xor(fours, over), lanes.and(fours, over));

        let centre = same.centre;
        let low = lanes.select(n1, self.pair(lanes, centre, n0, 2), self.pair(lanes, centre, n0, 0));
        let high = lanes.select(n1, self.pair(lanes, centre, n0, 6), self.pair(lanes, centre, n0, 4));
        lanes.select(n3, self.pair(lanes, centre, n0, 8), lanes.select(n2, high, low))
    }
}

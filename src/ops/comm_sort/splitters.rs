//! Where sorted parts are cut so that each rank gets as many keys as it gave.
//!
//! Algorithm  The border before rank j has B = the keys of the ranks before j in front of it. The key there is the largest v with fewer than B keys
//!            smaller than v: its bits are found from the top, DIGIT of them a round, for all borders at once, from how many keys on all
//!            ranks are smaller than each candidate. Of keys that equal v, those of the first ranks are in front. Bounds of these numbers
//!            are enough for most candidates (keys.rs); of the others the ranks add up exact ones.
//! Cost       bits/DIGIT rounds of 2·(ranks − 1)·(2^DIGIT − 1) sums; each a binary search in the part, or the sample, of every rank.
#![forbid(unsafe_code)]

use std::ops::Range;

use super::keys::Keys;
use crate::comm::Comm;
use crate::context::Context;
use crate::error::Result;
use crate::model::dtype::Dtype;
use crate::ops::ranks::{Sums, bytes_of, bytes_of_mut};
use crate::vector::{collected, reserved, zeros};

/// The memory for finding them.
pub struct Splitters<'s> {
    borders: &'s [u64], // keys in front of each rank but the first
    starts: &'s [u64],
    values: Vec<u64>,        // the key at each border, as a place
    counts: Vec<u64>,        // two bounds of each candidate
    open: Vec<(usize, u64)>, // candidates that the bounds leave open: a border and a digit; the same on all ranks
    places: Vec<u64>,        // of keys that are counted
    exact: Vec<u64>,
    sums: Sums,
    table: Vec<u64>, // of each rank, for each border: keys that are smaller, and equal ones
    bits: u32,
    digit: u32,
}

impl<'s> Splitters<'s> {
    pub fn new(comm: &Comm, starts: &'s [u64], dtype: Dtype) -> Result<Splitters<'s>> {
        const PROBES: usize = 1 << 11; // two bounds of each cross in one step
        let borders = &starts[1..comm.ranks()];
        let fits = |digit: &u32| borders.len() * ((1 << digit) - 1) <= PROBES;
        let digit = [8, 4, 2].into_iter().find(fits).unwrap_or(1);
        let probes = borders.len() * ((1 << digit) - 1);
        Ok(Splitters {
            starts,
            values: zeros(borders.len())?,
            counts: zeros(2 * probes)?,
            open: reserved(probes)?,
            places: zeros(2 * probes)?,
            exact: zeros(probes)?,
            sums: Sums::new(comm, 2 * probes)?,
            table: zeros((comm.ranks() + 1) * 2 * borders.len())?,
            bits: 8 * dtype.size() as u32,
            digit,
            borders,
        })
    }

    /// For each rank the range of this rank's keys that goes there, and how many come from there. Follows an agreement.
    pub fn pieces(
        &mut self,
        ctx: &mut Context,
        comm: &mut Comm,
        keys: &mut Keys,
    ) -> Result<Vec<(Range<usize>, usize)>> {
        let mut shift = self.bits;
        while shift > 0 {
            shift -= self.digit;
            self.refine(ctx, comm, keys, shift)?;
        }
        let width = 2 * self.borders.len();
        let (own, all) = self.table.split_at_mut(width);
        let ends = &mut self.places[..width];
        for (two, &value) in ends.chunks_exact_mut(2).zip(&self.values) {
            two.copy_from_slice(&[value, value.saturating_add(1)]);
        }
        comm.moved(|_| keys.before(ctx, ends, own))?;
        for (two, &value) in own.chunks_exact_mut(2).zip(&self.values) {
            let with_equal = if value == u64::MAX { keys.len() as u64 } else { two[1] };
            two[1] = with_equal - two[0];
        }
        let room = all.len() * 8;
        comm.allgather(bytes_of(own, width * 8)?, bytes_of_mut(all, room)?)?;
        let (rank, ranks) = (comm.rank(), comm.ranks());
        let goes = (0..ranks).map(|to| self.cut(rank, to)..self.cut(rank, to + 1));
        let comes = (0..ranks).map(|from| self.cut(from, rank + 1) - self.cut(from, rank));
        comm.moved(|_| collected(goes.zip(comes)))
    }

    /// Finds the next digit of the value at each border.
    fn refine(&mut self, ctx: &mut Context, comm: &mut Comm, keys: &mut Keys, shift: u32) -> Result<()> {
        let probes = (1 << self.digit) - 1;
        for (counts, &value) in self.counts.chunks_exact_mut(2 * probes).zip(&self.values) {
            for (two, digit) in counts.chunks_exact_mut(2).zip(1..) {
                let bounds = keys.bounds(value | digit << shift).map(|bound| bound as u64);
                two.copy_from_slice(&bounds);
            }
        }
        self.sums.add_up(comm, &mut self.counts, u64::wrapping_add)?;
        self.open.clear();
        for (border, counts) in self.counts.chunks_exact(2 * probes).enumerate() {
            let wanted = self.borders[border];
            let is_open = |two: &[u64]| two[0] < wanted && wanted <= two[1];
            let digits = counts.chunks_exact(2).zip(1u64..).filter(|(two, _)| is_open(two));
            self.open.extend(digits.map(|(_, digit)| (border, digit)));
        }
        if !self.open.is_empty() {
            for (place, &(border, digit)) in self.places.iter_mut().zip(&self.open) {
                *place = self.values[border] | digit << shift;
            }
            let (places, exact) = (&self.places[..self.open.len()], &mut self.exact[..self.open.len()]);
            comm.moved(|_| keys.before(ctx, places, exact))?;
            self.sums.add_up(comm, exact, u64::wrapping_add)?;
            for (&exact, &(border, digit)) in exact.iter().zip(&self.open) {
                self.counts[2 * (border * probes + digit as usize - 1) + 1] = exact; // the upper bound decides
            }
        }
        let counts = self.counts.chunks_exact(2 * probes);
        for ((counts, value), &border) in counts.zip(&mut self.values).zip(self.borders) {
            let digit = counts.chunks_exact(2).take_while(|two| two[1] < border).count() as u64;
            *value |= digit << shift;
        }
        Ok(())
    }

    /// How many keys of a rank are in front of another one's.
    fn cut(&self, rank: usize, to: usize) -> usize {
        let (ranks, width) = (self.starts.len() - 1, 2 * self.borders.len());
        match to {
            0 => 0,
            to if to == ranks => (self.starts[rank + 1] - self.starts[rank]) as usize,
            to => {
                let of = |rank: usize| &self.table[width * (rank + 1) + 2 * (to - 1)..][..2]; // the first row is this rank's own
                let smaller: u64 = (0..ranks).map(|rank| of(rank)[0]).sum();
                let equal_before: u64 = (0..rank).map(|rank| of(rank)[1]).sum();
                let wanted = self.borders[to - 1].saturating_sub(smaller).saturating_sub(equal_before);
                (of(rank)[0] + wanted.min(of(rank)[1])) as usize
            }
        }
    }
}

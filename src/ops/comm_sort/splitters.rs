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
use crate::vector::zeros;

/// The memory for finding them.
pub struct Splitters {
    borders: Vec<u64>, // keys in front of each rank but the first
    starts: Vec<u64>,
    values: Vec<u64>, // the key at each border, as a place
    counts: Vec<u64>, // two bounds of each candidate
    exact: Vec<u64>,
    sums: Sums,
    table: Vec<u64>, // of each rank, for each border: keys that are smaller, and equal ones
    bits: u32,
    digit: u32,
}

impl Splitters {
    pub fn new(comm: &Comm, starts: &[u64], dtype: Dtype) -> Result<Splitters> {
        const PROBES: usize = 1 << 11; // two bounds of each cross in one step
        let borders = starts[1..comm.ranks()].to_vec();
        let fits = |digit: &u32| borders.len() * ((1 << digit) - 1) <= PROBES;
        let digit = [8, 4, 2].into_iter().find(fits).unwrap_or(1);
        let probes = borders.len() * ((1 << digit) - 1);
        Ok(Splitters {
            starts: starts.to_vec(),
            values: zeros(borders.len())?,
            counts: zeros(2 * probes)?,
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
        let ends: Vec<u64> = self.values.iter().flat_map(|&value| [value, value.saturating_add(1)]).collect();
        keys.before(ctx, &ends, own)?;
        for (two, &value) in own.chunks_exact_mut(2).zip(&self.values) {
            let with_equal = if value == u64::MAX { keys.len() as u64 } else { two[1] };
            two[1] = with_equal - two[0];
        }
        let room = all.len() * 8;
        comm.allgather(bytes_of(own, width * 8)?, bytes_of_mut(all, room)?)?;
        let (rank, ranks) = (comm.rank(), comm.ranks());
        let goes = (0..ranks).map(|to| self.cut(rank, to)..self.cut(rank, to + 1));
        let comes = (0..ranks).map(|from| self.cut(from, rank + 1) - self.cut(from, rank));
        Ok(goes.zip(comes).collect())
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
        let mut open = Vec::new(); // candidates that the bounds leave open, the same on all ranks
        for (border, counts) in self.counts.chunks_exact(2 * probes).enumerate() {
            let wanted = self.borders[border];
            let is_open = |two: &[u64]| two[0] < wanted && wanted <= two[1];
            let digits = counts.chunks_exact(2).zip(1u64..).filter(|(two, _)| is_open(two));
            open.extend(digits.map(|(_, digit)| (border, digit)));
        }
        if !open.is_empty() {
            let places: Vec<u64> =
                open.iter().map(|&(border, digit)| self.values[border] | digit << shift).collect();
            keys.before(ctx, &places, &mut self.exact[..open.len()])?;
            self.sums.add_up(comm, &mut self.exact[..open.len()], u64::wrapping_add)?;
            for (&exact, &(border, digit)) in self.exact.iter().zip(&open) {
                self.counts[2 * (border * probes + digit as usize - 1) + 1] = exact; // the upper bound decides
            }
        }
        let counts = self.counts.chunks_exact(2 * probes);
        for ((counts, value), &border) in counts.zip(&mut self.values).zip(&self.borders) {
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

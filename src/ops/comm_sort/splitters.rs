//! Where sorted parts are cut so that each rank gets as many keys as it gave.
//!
//! Algorithm  The border before rank j has B = the keys of the ranks before j in front of it. The key there is the largest v with fewer than B keys
//!            smaller than v: its bits are found from the top, DIGIT of them a round, for all borders at once, from how many keys on all
//!            ranks are smaller than each candidate. Of keys that equal v, those of the first ranks are in front.
//! Cost       bits/DIGIT rounds of (ranks − 1)·(2^DIGIT − 1) sums; each a binary search in the part of every rank.
#![forbid(unsafe_code)]

use std::ops::Range;

use crate::comm::Comm;
use crate::error::Result;
use crate::model::dtype::Dtype;
use crate::model::order::{Key, KeyOrder, SortOrder};
use crate::ops::ranks::{Sums, bytes_of, bytes_of_mut};
use crate::vector::zeros;

/// The sorted part of a rank.
pub struct Keys<'k> {
    pub bytes: &'k [u8],
    pub dtype: Dtype,
    pub order: SortOrder,
}

impl Keys<'_> {
    fn len(&self) -> usize {
        self.bytes.len() / self.dtype.size()
    }

    /// A number that is smaller where the key comes first.
    fn place(&self, index: usize) -> u64 {
        let size = self.dtype.size();
        let bits = self.bytes[index * size..][..size]
            .iter()
            .rev()
            .fold(0, |bits, &byte| bits << 8 | u64::from(byte));
        place_of(bits, self.dtype, self.order)
    }

    /// How many keys are before a place.
    fn before(&self, place: u64) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.place(middle) < place { low = middle + 1 } else { high = middle }
        }
        low
    }
}

/// Bits of a key as a number in the order.
fn place_of(bits: u64, dtype: Dtype, order: SortOrder) -> u64 {
    match dtype {
        Dtype::F32 => f32::from_bits(bits as u32).rank(KeyOrder::new(order, dtype)).into(),
        Dtype::F64 => f64::from_bits(bits).rank(KeyOrder::new(order, dtype)),
        _ => {
            let last = u64::MAX >> (64 - 8 * dtype.size());
            let place = if dtype.is_signed_integer() { bits ^ (last / 2 + 1) } else { bits };
            if order == SortOrder::Descending { last - place } else { place }
        }
    }
}

/// The memory for finding them.
pub struct Splitters {
    borders: Vec<u64>, // keys in front of each rank but the first
    starts: Vec<u64>,
    values: Vec<u64>, // the key at each border, as a place
    counts: Vec<u64>,
    sums: Sums,
    table: Vec<u64>, // of each rank, for each border: keys that are smaller, and equal ones
    bits: u32,
    digit: u32,
}

impl Splitters {
    pub fn new(comm: &Comm, starts: &[u64], dtype: Dtype) -> Result<Splitters> {
        const PROBES: usize = 1 << 12;
        let borders = starts[1..comm.ranks()].to_vec();
        let fits = |digit: &u32| borders.len() * ((1 << digit) - 1) <= PROBES;
        let digit = [8, 4, 2].into_iter().find(fits).unwrap_or(1);
        let probes = borders.len() * ((1 << digit) - 1);
        Ok(Splitters {
            starts: starts.to_vec(),
            values: zeros(borders.len())?,
            counts: zeros(probes)?,
            sums: Sums::new(comm, probes)?,
            table: zeros((comm.ranks() + 1) * 2 * borders.len())?,
            bits: 8 * dtype.size() as u32,
            digit,
            borders,
        })
    }

    /// For each rank the range of this rank's keys that goes there, and how many come from there. Follows an agreement.
    pub fn pieces(&mut self, comm: &mut Comm, keys: &Keys) -> Result<Vec<(Range<usize>, usize)>> {
        let mut shift = self.bits;
        while shift > 0 {
            shift -= self.digit;
            self.refine(comm, keys, shift)?;
        }
        let width = 2 * self.borders.len();
        let (own, all) = self.table.split_at_mut(width);
        for (two, &value) in own.chunks_exact_mut(2).zip(&self.values) {
            let before = keys.before(value);
            let with_equal = value.checked_add(1).map_or(keys.len(), |next| keys.before(next));
            two.copy_from_slice(&[before as u64, (with_equal - before) as u64]);
        }
        let room = all.len() * 8;
        comm.allgather(bytes_of(own, width * 8)?, bytes_of_mut(all, room)?)?;
        let (rank, ranks) = (comm.rank(), comm.ranks());
        let goes = (0..ranks).map(|to| self.cut(rank, to)..self.cut(rank, to + 1));
        let comes = (0..ranks).map(|from| self.cut(from, rank + 1) - self.cut(from, rank));
        Ok(goes.zip(comes).collect())
    }

    /// Finds the next digit of the value at each border.
    fn refine(&mut self, comm: &mut Comm, keys: &Keys, shift: u32) -> Result<()> {
        let probes = (1 << self.digit) - 1;
        for (counts, &value) in self.counts.chunks_exact_mut(probes).zip(&self.values) {
            for (count, digit) in counts.iter_mut().zip(1..) {
                *count = keys.before(value | digit << shift) as u64;
            }
        }
        self.sums.add_up(comm, &mut self.counts, u64::wrapping_add)?;
        for ((counts, value), &border) in
            self.counts.chunks_exact(probes).zip(&mut self.values).zip(&self.borders)
        {
            let digit = counts.iter().take_while(|&&count| count < border).count() as u64;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_in_the_order_of_keys() {
        let place = |bits, dtype| place_of(bits, dtype, SortOrder::Ascending);
        assert!(place(0xff, Dtype::I8) < place(0, Dtype::I8) && place(0, Dtype::I8) < place(0x7f, Dtype::I8));
        assert_eq!(place((-0.0f32).to_bits().into(), Dtype::F32), place(0, Dtype::F32));
        assert!(place(f64::NAN.to_bits(), Dtype::F64) > place(f64::INFINITY.to_bits(), Dtype::F64));
        let down = |bits| place_of(bits, Dtype::U16, SortOrder::Descending);
        assert!(down(7) < down(6) && down(0) == 0xffff);
    }
}

//! Segments of an array, each sorted by itself, on the CPU.
//!
//! Algorithm  The array is halved at a border of segments, again and again, on all cores, until a part is small or one segment.
//!            Small parts are sorted segment by segment, a long segment on all cores (locality_sort.rs).
//! Cost       n log m comparisons, m the length of segments; memory for keys and values twice more.
#![forbid(unsafe_code)]

use super::Workers;
use super::locality_sort::{Pair, on_pairs, sort};
use super::parallel::parallel_for::join;
use crate::error::Result;
use crate::interrupt::Polls;
use crate::model::index::Index;
use crate::model::order::{Key, KeyOrder};
use crate::model::payload::{Value, Values};
use crate::model::variant::Variant;

/// Elements of a part that one core sorts.
const PART: usize = 1 << 14;

/// Where segments begin: positions that ascend, or bits. Positions out of order give some borders.
#[derive(Clone, Copy)]
pub enum Borders<'a> {
    U64(&'a [u64]),
    U32(&'a [u32]),
    Flags(&'a [u32]),
}

impl Borders<'_> {
    /// The first border in \[from, end), or `end`.
    fn next(self, from: usize, end: usize) -> usize {
        match self {
            Borders::U64(heads) => next_of(heads, from, end),
            Borders::U32(heads) => next_of(heads, from, end),
            Borders::Flags(words) => next_bit(words, from, end),
        }
    }

    /// The last border in (from, to\], or `from`.
    fn last(self, from: usize, to: usize) -> usize {
        match self {
            Borders::U64(heads) => last_of(heads, from, to),
            Borders::U32(heads) => last_of(heads, from, to),
            Borders::Flags(words) => last_bit(words, from, to),
        }
    }
}

fn last_of<I: Index>(heads: &[I], from: usize, to: usize) -> usize {
    let behind = heads.partition_point(|head| head.to_usize() <= to);
    behind.checked_sub(1).map_or(from, |last| heads[last].to_usize().clamp(from, to))
}

fn last_bit(words: &[u32], from: usize, to: usize) -> usize {
    let mut beyond = 31 - to % 32; // bits of the word of `to` that are behind it
    for index in (from / 32..=to / 32).rev() {
        let bits = words.get(index).map_or(0, |word| word << beyond >> beyond);
        if bits != 0 {
            return (index * 32 + 31 - bits.leading_zeros() as usize).max(from);
        }
        beyond = 0;
    }
    from
}

fn next_of<I: Index>(heads: &[I], from: usize, end: usize) -> usize {
    let found = heads.get(heads.partition_point(|head| head.to_usize() < from));
    found.map_or(end, |head| head.to_usize().clamp(from, end))
}

fn next_bit(words: &[u32], from: usize, end: usize) -> usize {
    let (first, mut skipped) = (from / 32, from % 32);
    for (index, &word) in words.iter().enumerate().take(end.div_ceil(32)).skip(first) {
        let bits = word >> skipped << skipped;
        if bits != 0 {
            return (index * 32 + bits.trailing_zeros() as usize).min(end);
        }
        skipped = 0;
    }
    end
}

/// How segment boundaries are given.
#[derive(Clone, Copy)]
pub struct Segments<'a> {
    pub variant: Variant,
    pub order: KeyOrder,
    pub borders: Borders<'a>,
}

/// sorted ← for each segment its keys in order.
pub fn keys<K: Key>(workers: &Workers, segments: Segments, keys: &[K], sorted: &mut [K]) -> Result<()> {
    let nothing = Values::<()>::Positions(0);
    on_pairs(workers, segments.variant, keys, nothing, sorted, None, &|pairs, scratch| {
        segments.sort(0, pairs, scratch)
    })
}

/// The same, with values beside the keys.
pub fn pairs<K: Key, V: Value>(
    workers: &Workers,
    segments: Segments,
    keys: &[K],
    values: Values<V>,
    sorted: &mut [K],
    sorted_values: &mut [V],
) -> Result<()> {
    on_pairs(workers, segments.variant, keys, values, sorted, Some(sorted_values), &|pairs, scratch| {
        segments.sort(0, pairs, scratch)
    })
}

impl Segments<'_> {
    /// Sorts the segments of a part that begins with one, at `begin` of the whole.
    fn sort<K: Key, V: Value>(
        self,
        begin: usize,
        pairs: &mut [Pair<K, V>],
        scratch: &mut [Pair<K, V>],
    ) -> Result<()> {
        let len = pairs.len();
        if self.variant == Variant::Sequential || len <= PART {
            return self.sort_in_turn(begin, pairs, scratch);
        }
        // The segment in the middle, what is before it and what is behind.
        let (middle, end) = (begin + len / 2, begin + len);
        let from = self.borders.last(begin, middle) - begin;
        let to = self.borders.next(middle + 1, end) - begin;
        let (left, rest) = pairs.split_at_mut(from);
        let (one, right) = rest.split_at_mut(to - from);
        let (left_scratch, rest) = scratch.split_at_mut(from);
        let (one_scratch, right_scratch) = rest.split_at_mut(to - from);
        let sort_one = || sort(self.variant, self.order, one, one_scratch);
        let sort_right = || self.sort(begin + to, right, right_scratch);
        let (left, (one, right)) =
            join(|| self.sort(begin, left, left_scratch), || join(sort_one, sort_right));
        left.and(one).and(right)
    }

    fn sort_in_turn<K: Key, V: Value>(
        self,
        begin: usize,
        pairs: &mut [Pair<K, V>],
        scratch: &mut [Pair<K, V>],
    ) -> Result<()> {
        let end = begin + pairs.len();
        let (mut from, mut polls) = (begin, Polls::new());
        while from < end {
            polls.step();
            let to = self.borders.next(from + 1, end);
            let segment = from - begin..to - begin;
            sort(self.variant, self.order, &mut pairs[segment.clone()], &mut scratch[segment])?;
            from = to;
        }
        Ok(())
    }
}

//! Segments of an array, each sorted by itself, on the CPU.
//!
//! Algorithm  The array is halved at a border of segments, again and again, on all cores, until a part is small or one segment.
//!            Small parts are sorted segment by segment, a long segment on all cores (locality_sort.rs).
//! Cost       n log m comparisons, m the length of segments; memory for keys and values twice more.
#![forbid(unsafe_code)]

use super::Workers;
use super::locality_sort::{How, Pair, on_pairs, sort};
use crate::error::Result;
use crate::primitives::{Index, Key, Order};

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

/// sorted ← for each segment its keys in order.
pub fn keys<K: Key>(
    workers: &Workers,
    how: How,
    order: Order,
    borders: Borders,
    keys: &[K],
    sorted: &mut [K],
) -> Result<()> {
    on_pairs(
        workers,
        how,
        keys,
        |_| (),
        sorted,
        None,
        |pairs, scratch| {
            segments(how, order, borders, 0, pairs, scratch);
        },
    )
}

/// The same, with value (i) beside key i.
#[allow(clippy::too_many_arguments)] // keys, values, and where to
pub fn pairs<K: Key, V: Copy + Send + Sync>(
    workers: &Workers,
    how: How,
    order: Order,
    borders: Borders,
    keys: &[K],
    value: impl Fn(usize) -> V + Send + Sync,
    sorted: &mut [K],
    values: &mut [V],
) -> Result<()> {
    on_pairs(workers, how, keys, value, sorted, Some(values), |pairs, scratch| {
        segments(how, order, borders, 0, pairs, scratch);
    })
}

/// Sorts the segments of a part that begins with one, at `begin` of the whole.
fn segments<K: Key, V: Copy + Send + Sync>(
    how: How,
    order: Order,
    borders: Borders,
    begin: usize,
    pairs: &mut [Pair<K, V>],
    scratch: &mut [Pair<K, V>],
) {
    let len = pairs.len();
    if how == How::Sequential || len <= PART {
        return one_by_one(order, borders, begin, pairs);
    }
    // The first border behind the middle, or else one before it.
    let next = |from: usize| borders.next(begin + from, begin + len) - begin;
    let mut cut = next(len / 2);
    if cut == len {
        cut = next(1);
    }
    if cut == len {
        return sort(how, order, pairs, scratch);
    }
    let ((left, right), (left_scratch, right_scratch)) = (pairs.split_at_mut(cut), scratch.split_at_mut(cut));
    rayon::join(
        || segments(how, order, borders, begin, left, left_scratch),
        || segments(how, order, borders, begin + cut, right, right_scratch),
    );
}

fn one_by_one<K: Key, V: Copy>(order: Order, borders: Borders, begin: usize, pairs: &mut [Pair<K, V>]) {
    let end = begin + pairs.len();
    let mut from = begin;
    while from < end {
        let to = borders.next(from + 1, end);
        pairs[from - begin..to - begin].sort_by_key(|pair| pair.0.rank(order));
        from = to;
    }
}

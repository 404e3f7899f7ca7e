//! Sorting what fits the cache, on one thread and in place.
//!
//! Algorithm  The two highest digits that tell most of the elements apart, the lower one first: out of the bucket and back into it.
//!            What is still equal in them stands together then, and is sorted by the bits below. Few elements are inserted one by one;
//!            a bucket that is too large for the cache is cut up first.
//! Cost       Three reads and two writes of the bucket, all in the cache, and one more read where bits are left.
#![forbid(unsafe_code)]

use super::buckets::Buckets;
use super::partition::{Source, partition};
use super::span::{Span, below};
use super::wide;
use crate::cpu::zeros;
use crate::error::Result;
use crate::interrupt::poll;
use crate::model::order::{Key, KeyOrder};
use crate::model::payload::{Value, Values};

/// Elements that are sorted in the cache.
pub const LARGEST: usize = 5 << 14;
/// Elements that are inserted.
const FEW: usize = 24;
const WIDEST: u32 = 11; // bits of a digit, whose counts are to stay in the first cache
const SPREAD: u32 = 4; // bits more than count the elements, so that few of them are equal in those

/// Memory for one bucket at a time.
pub struct Scratch<E, V> {
    keys: Vec<E>,
    values: Vec<V>,
    counts: Vec<u32>,
}

impl<E: Key, V: Value> Scratch<E, V> {
    /// For buckets of at most so many elements.
    pub fn new(largest: usize) -> Result<Self> {
        let len = if largest > FEW { largest } else { 0 };
        let counts = if largest > FEW { 2 << WIDEST } else { 0 };
        Ok(Scratch { keys: zeros(len)?, values: zeros(len)?, counts: zeros(counts)? })
    }
}

/// Sorts elements whose ranks are of the span, and the values beside them.
pub fn sort<E: Key, V: Value>(
    order: KeyOrder,
    span: Span,
    keys: &mut [E],
    values: &mut [V],
    scratch: &mut Scratch<E, V>,
) -> Result<()> {
    if span.bits == 0 {
        return Ok(());
    }
    if keys.len() > LARGEST {
        return by_buckets(order, keys, values, scratch);
    }
    if keys.len() > FEW {
        poll();
        return by_digits(order, span, keys, values, scratch);
    }
    insert_each(order, keys, values);
    Ok(())
}

fn insert_each<E: Key, V: Value>(order: KeyOrder, keys: &mut [E], values: &mut [V]) {
    for i in 1..keys.len() {
        let (key, value) = (keys[i], values[i]);
        let rank = wide(order, key);
        let mut to = i;
        while to > 0 && wide(order, keys[to - 1]) > rank {
            (keys[to], values[to]) = (keys[to - 1], values[to - 1]);
            to -= 1;
        }
        (keys[to], values[to]) = (key, value);
    }
}

/// Cuts the elements up into buckets that fit the cache.
fn by_buckets<E: Key, V: Value>(
    order: KeyOrder,
    keys: &mut [E],
    values: &mut [V],
    scratch: &mut Scratch<E, V>,
) -> Result<()> {
    let span = Span::of(order, keys, true)?;
    if span.bits == 0 {
        return Ok(());
    }
    let buckets = Buckets::new(order, span, keys, |key| key)?;
    let (from, from_values) = (&mut scratch.keys[..keys.len()], &mut scratch.values[..keys.len()]);
    from.copy_from_slice(keys);
    from_values.copy_from_slice(values);
    let source = Source { keys: from, load: |key| key, values: Values::Given(from_values) };
    let mut begin = 0;
    for (bucket, count) in partition(&buckets, &source, keys, values, true)?.into_iter().enumerate() {
        let part = begin..begin + count;
        sort(order, buckets.span(bucket), &mut keys[part.clone()], &mut values[part], scratch)?;
        begin += count;
    }
    Ok(())
}

/// Sorts by two digits, or by one where that is enough, and by the bits below where elements are equal in those.
fn by_digits<E: Key, V: Value>(
    order: KeyOrder,
    span: Span,
    keys: &mut [E],
    values: &mut [V],
    scratch: &mut Scratch<E, V>,
) -> Result<()> {
    let (low, high) = digits(span, keys.len());
    let (counts, high_counts) = scratch.counts.split_at_mut(1 << WIDEST);
    let (counts, high_counts) = (&mut counts[..low.values()], &mut high_counts[..high.values()]);
    let (spare, spare_values) = (&mut scratch.keys[..keys.len()], &mut scratch.values[..keys.len()]);
    counts.fill(0);
    high_counts.fill(0);
    for &key in &*keys {
        let rank = span.rank(order, key);
        counts[low.of(rank)] += 1;
        high_counts[high.of(rank)] += 1;
    }
    if low.values() > 1 {
        scatter((order, span), low, counts, (keys, values), (spare, spare_values));
    } else {
        spare.copy_from_slice(keys);
        spare_values.copy_from_slice(values);
    }
    scatter((order, span), high, high_counts, (spare, spare_values), (keys, values));

    if span.bits & below(low.shift) == 0 {
        return Ok(());
    }
    let mut at = 0;
    while let Some(begin) = next_pair((order, span), low.shift, keys, at) {
        let first = span.rank(order, keys[begin]);
        let (mut end, mut differing) = (begin + 1, 0);
        while let Some(&key) = keys.get(end) {
            let other = span.rank(order, key) ^ first;
            if other >> low.shift != 0 {
                break;
            }
            differing |= other;
            end += 1;
        }
        if differing != 0 {
            sort(order, span.differing(differing), &mut keys[begin..end], &mut values[begin..end], scratch)?;
        }
        at = end;
    }
    Ok(())
}

/// The first one of two neighbours, from `at` on, whose ranks are equal in the bits from `shift` on. Few are: many are looked at together.
fn next_pair<E: Key>(
    (order, span): (KeyOrder, Span),
    shift: u32,
    keys: &[E],
    mut at: usize,
) -> Option<usize> {
    const TOGETHER: usize = 16;
    let difference = |a: E, b: E| (span.rank(order, a) ^ span.rank(order, b)) >> shift;
    if difference(*keys.get(at)?, *keys.get(at + 1)?) == 0 {
        return Some(at); // as where every key is there twice
    }
    while let Some(some) = keys[at..].first_chunk::<{ TOGETHER + 1 }>() {
        // x - 1 has the highest bit, and x not, for 0 alone.
        let borrowed = (0..TOGETHER).fold(0, |bits, i| {
            let difference = difference(some[i], some[i + 1]);
            bits | (difference.wrapping_sub(1) & !difference)
        });
        if borrowed >> 63 != 0 {
            break;
        }
        at += TOGETHER;
    }
    (at..keys.len().saturating_sub(1)).find(|&i| difference(keys[i], keys[i + 1]) == 0)
}

/// Bits of ranks.
#[derive(Clone, Copy)]
struct Digit {
    shift: u32,
    mask: usize,
}

impl Digit {
    #[inline(always)]
    fn of(self, rank: u64) -> usize {
        (rank >> self.shift) as usize & self.mask
    }

    fn values(self) -> usize {
        self.mask + 1
    }
}

/// Two digits of the highest bits, one beside the other; the lower one may have no bits.
fn digits(span: Span, count: usize) -> (Digit, Digit) {
    let digit = |shift, width| Digit { shift, mask: below(width) as usize };
    let enough = count.ilog2() + 1 + SPREAD;
    let all = enough.min(span.top() - span.bits.trailing_zeros()).min(2 * WIDEST);
    let width = if all <= WIDEST.min(count.ilog2()) { 0 } else { all / 2 };
    let bottom = span.top() - all;
    (digit(bottom, width), digit(bottom + width, all - width))
}

/// to ← from, in the order of one digit; `counts` has how many have each value of it, and is overwritten.
fn scatter<E: Key, V: Value>(
    (order, span): (KeyOrder, Span),
    digit: Digit,
    counts: &mut [u32],
    (from, from_values): (&[E], &[V]),
    (to, to_values): (&mut [E], &mut [V]),
) {
    let mut begin = 0;
    for count in &mut *counts {
        begin += std::mem::replace(count, begin);
    }
    for (&key, &value) in from.iter().zip(from_values) {
        let end = &mut counts[digit.of(span.rank(order, key))];
        to[*end as usize] = key;
        to_values[*end as usize] = value;
        *end += 1;
    }
}

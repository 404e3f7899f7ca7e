//! Sorting by radix: a partition of all keys by the highest bits that differ, and buckets that a thread sorts alone.
#![forbid(unsafe_code)]

use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use super::bucket::{self, LARGEST, Scratch};
use super::buckets::Buckets;
use super::partition::{Source, part_of, partition};
use super::span::Span;
use super::wide;
use crate::cpu::parallel::chunks::{for_each, take};
use crate::cpu::parallel::parallel_for::{parallel_for, try_parallel_for};
use crate::cpu::zeros;
use crate::error::Result;
use crate::interrupt::{PIECE, poll};
use crate::model::order::{Key, KeyOrder};
use crate::model::payload::{Value, Values};
use crate::vector::{push, try_collected};

/// Keys that one thread sorts, the caller's, before others would be awake.
pub const ALONE: usize = 1 << 14;

/// sorted ← the keys in order, and sorted_values ← the values of the sorted keys.
pub fn sort<K: Key, V: Value>(
    order: KeyOrder,
    keys: &[K],
    values: Values<V>,
    sorted: &mut [K],
    sorted_values: &mut [V],
) -> Result<()> {
    let Known { span, are_exact } = look_at(order, keys)?;
    if K::DTYPE.is_float() && are_exact {
        let source = Source { keys, load: |key: K| key.rank_of_exact(order), values };
        let target = Bucket { span, keys: K::as_ranks(sorted), values: sorted_values };
        sort_into(KeyOrder::ASCENDING, source, target, |ranks| K::restore(ranks, order))
    } else {
        let source = Source { keys, load: |key| key, values };
        sort_into(order, source, Bucket { span, keys: sorted, values: sorted_values }, |_| ())
    }
}

/// Elements that stand where they are to be sorted, and what is known of their ranks.
struct Bucket<'a, E, V> {
    span: Span,
    keys: &'a mut [E],
    values: &'a mut [V],
}

/// target ← the source, sorted; `finish` is done with each of its elements once.
fn sort_into<K: Key, E: Key, V: Value>(
    order: KeyOrder,
    source: Source<K, V, impl Fn(K) -> E + Copy + Sync>,
    target: Bucket<E, V>,
    finish: impl Fn(&mut [E]) + Sync,
) -> Result<()> {
    let count = target.keys.len();
    let mut buckets = Vec::new();
    if count <= ALONE || target.span.bits == 0 {
        copy(&source, target.keys, target.values)?;
        push(&mut buckets, target)?;
    } else {
        split(order, &source, target, &mut buckets)?;
        split_large(order, count, &mut buckets)?;
    }
    buckets.sort_unstable_by_key(|bucket| Reverse(bucket.keys.len())); // what takes long does not begin last

    let largest = buckets.iter().filter(|bucket| bucket.span.bits != 0).map(|bucket| bucket.keys.len()).max();
    let threads = if count <= ALONE { 1 } else { buckets.len().min(rayon::current_num_threads()) };
    let scratches = Mutex::new(try_collected((0..threads).map(|_| Scratch::new(largest.unwrap_or(0))))?);
    let lock = || scratches.lock().unwrap_or_else(PoisonError::into_inner);
    try_parallel_for(count <= ALONE, buckets.into_iter(), |_, bucket| {
        let mut scratch = lock().pop().expect("there is one for each thread");
        bucket::sort(order, bucket.span, bucket.keys, bucket.values, &mut scratch)?;
        bucket.keys.chunks_mut(PIECE).for_each(&finish);
        lock().push(scratch);
        Ok(())
    })
}

/// The elements of the source as they stand there.
fn copy<K: Key, E: Key, V: Value>(
    source: &Source<K, V, impl Fn(K) -> E + Copy + Sync>,
    keys: &mut [E],
    values: &mut [V],
) -> Result<()> {
    let is_alone = keys.len() <= ALONE;
    for_each(is_alone, keys, &|first, part| {
        part.iter_mut().zip(&source.keys[first..]).for_each(|(to, &key)| *to = (source.load)(key));
    })?;
    for_each(is_alone, values, &|first, part| {
        part.iter_mut().enumerate().for_each(|(i, to)| *to = source.values.get(first + i));
    })
}

/// target ← the source, cut into buckets.
fn split<'a, K: Key, E: Key, V: Value>(
    order: KeyOrder,
    source: &Source<K, V, impl Fn(K) -> E + Copy + Sync>,
    target: Bucket<'a, E, V>,
    buckets: &mut Vec<Bucket<'a, E, V>>,
) -> Result<()> {
    let Bucket { span, mut keys, mut values } = target;
    let parts = Buckets::new(order, span, source.keys, source.load)?;
    for (part, count) in partition(&parts, source, keys, values, false)?.into_iter().enumerate() {
        let (keys, values) = (take(&mut keys, count), take(&mut values, count));
        if count > 0 {
            push(buckets, Bucket { span: parts.span(part), keys, values })?;
        }
    }
    Ok(())
}

/// Cuts the buckets that one of several threads would sort for longer than the others.
fn split_large<E: Key, V: Value>(
    order: KeyOrder,
    count: usize,
    buckets: &mut Vec<Bucket<E, V>>,
) -> Result<()> {
    let threads = rayon::current_num_threads();
    let share = if threads == 1 { count } else { LARGEST.max(count / (4 * threads)) };
    let (mut spare_keys, mut spare_values) = (Vec::new(), Vec::new());
    while let Some(index) =
        buckets.iter().position(|bucket| bucket.span.bits != 0 && bucket.keys.len() > share)
    {
        let mut bucket = buckets.swap_remove(index);
        bucket.span = Span::of(order, bucket.keys, false)?;
        if bucket.span.bits == 0 {
            push(buckets, bucket)?;
            continue;
        }
        let len = bucket.keys.len();
        if spare_keys.len() < len {
            drop((std::mem::take(&mut spare_keys), std::mem::take(&mut spare_values)));
            (spare_keys, spare_values) = (zeros(len)?, zeros(len)?);
        }
        let (keys, values) = (&mut spare_keys[..len], &mut spare_values[..len]);
        let there = Source { keys: &*bucket.keys, load: |key| key, values: Values::Given(bucket.values) };
        copy(&there, keys, values)?;
        let source = Source { keys, load: |key| key, values: Values::Given(values) };
        split(order, &source, bucket, buckets)?;
    }
    Ok(())
}

/// What is known of keys before they are sorted.
pub struct Known {
    pub span: Span,
    /// Whether the ranks tell what the keys are.
    pub are_exact: bool,
}

pub fn look_at<K: Key>(order: KeyOrder, keys: &[K]) -> Result<Known> {
    let Some(&first) = keys.first() else {
        return Ok(Known { span: Span::NOTHING, are_exact: true });
    };
    let is_alone = keys.len() <= ALONE;
    let part = part_of(keys.len(), is_alone);
    let (bits, are_exact, are_in_order) = (AtomicU64::new(0), AtomicBool::new(true), AtomicBool::new(true));
    parallel_for(is_alone, keys.chunks(part), |index, keys_of_part| {
        for piece in keys_of_part.chunks(PIECE) {
            poll();
            let (differing, exact) = piece.iter().fold((K::Rank::default(), true), |(bits, exact), &key| {
                (bits | (key.bits() ^ first.bits()), exact & key.is_exact())
            });
            bits.fetch_or(differing.into(), Relaxed);
            are_exact.fetch_and(exact, Relaxed);
        }
        // With the key before the part. Stops at the first two that are not in order.
        let begin = (index * part).saturating_sub(1);
        let mut pieces = (begin..index * part + keys_of_part.len()).step_by(PIECE);
        let is_ordered = |from: usize| {
            poll();
            keys[from..keys.len().min(from + PIECE + 1)].is_sorted_by(|&a, &b| a.is_at_most(b, order))
        };
        if are_in_order.load(Relaxed) && !pieces.all(is_ordered) {
            are_in_order.store(false, Relaxed);
        }
    })?;
    let (bits, are_exact) = (bits.into_inner(), are_exact.into_inner());
    let sign = 1 << (8 * size_of::<K>() - 1);
    let span = if are_in_order.into_inner() {
        Span::NOTHING
    } else if K::DTYPE.is_float() && (bits & sign != 0 || !are_exact) {
        Span::new(0, sign | (sign - 1))
    } else {
        Span::new(wide(order, first), bits)
    };
    Ok(Known { span, are_exact })
}

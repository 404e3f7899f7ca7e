//! A stable merge sort that costs little where keys are nearly in order, on the CPU.
//!
//! Algorithm  Chunks are sorted on all cores by the stable sort of Rust's library (driftsort), which finds runs that are there.
//!            Then pairs of runs are merged in place, all cores at each: only what lies between the first element of a run and the
//!            last one of its neighbour moves at all, to the scratch and back, in pieces (merge.rs).
//! Cost       n log n comparisons for keys in random order, and log2 (chunks) passes; little but the look at the borders where
//!            keys are in order. Memory for keys and values twice more.
//! Source     O. Peters, L. Bergdoll, "driftsort", 2024; S. Baxter, "ModernGPU", Locality Sort, NVIDIA 2013.
#![forbid(unsafe_code)]

use rayon::prelude::*;

use super::merge::path;
use super::{Workers, is_small, reserved, run};
use crate::error::Result;
use crate::primitives::{Key, Order};

/// Elements of a chunk: what fits into the cache of a core.
const CHUNK: usize = 1 << 16;

/// On one core by the plain sort, or on all.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum How {
    Sequential,
    Parallel,
}

/// A key, and what moves with it; () is nothing.
pub type Pair<K, V> = (K, V);

/// sorted ← the keys in order.
pub fn keys<K: Key>(workers: &Workers, how: How, order: Order, keys: &[K], sorted: &mut [K]) -> Result<()> {
    on_pairs(
        workers,
        how,
        keys,
        |_| (),
        sorted,
        None,
        |pairs, scratch| {
            sort(how, order, pairs, scratch);
        },
    )
}

/// The same, with value (i) beside key i.
pub fn pairs<K: Key, V: Copy + Send + Sync>(
    workers: &Workers,
    how: How,
    order: Order,
    keys: &[K],
    value: impl Fn(usize) -> V + Send + Sync,
    sorted: &mut [K],
    values: &mut [V],
) -> Result<()> {
    on_pairs(workers, how, keys, value, sorted, Some(values), |pairs, scratch| {
        sort(how, order, pairs, scratch);
    })
}

/// Runs `body (pairs, scratch)` on the keys with their values, and takes them apart again.
pub fn on_pairs<K: Key, V: Copy + Send + Sync>(
    workers: &Workers,
    how: How,
    keys: &[K],
    value: impl Fn(usize) -> V + Send + Sync,
    sorted: &mut [K],
    values: Option<&mut [V]>,
    body: impl FnOnce(&mut [Pair<K, V>], &mut [Pair<K, V>]) + Send,
) -> Result<()> {
    let Some(&first) = keys.first() else { return Ok(()) };
    let len = keys.len();
    let (mut pairs, mut scratch) = (reserved::<Pair<K, V>>(len)?, reserved::<Pair<K, V>>(len)?);
    let is_small = how == How::Sequential || is_small(keys);
    run(workers, is_small, || {
        let filling = (first, value(0));
        pairs.resize(len, filling);
        scratch.resize(len, filling);
        in_chunks(&mut pairs, is_small, |begin, chunk| {
            for (i, pair) in chunk.iter_mut().enumerate() {
                *pair = (keys[begin + i], value(begin + i));
            }
        });
        body(&mut pairs, &mut scratch);
        in_chunks(sorted, is_small, |begin, chunk| {
            chunk.iter_mut().zip(&pairs[begin..]).for_each(|(key, pair)| *key = pair.0);
        });
        if let Some(values) = values {
            in_chunks(values, is_small, |begin, chunk| {
                chunk.iter_mut().zip(&pairs[begin..]).for_each(|(value, pair)| *value = pair.1);
            });
        }
    })
}

fn in_chunks<T: Send>(array: &mut [T], is_small: bool, body: impl Fn(usize, &mut [T]) + Send + Sync) {
    match is_small {
        true => body(0, array),
        false => {
            let chunks = array.par_chunks_mut(CHUNK).enumerate();
            chunks.for_each(|(index, chunk)| body(index * CHUNK, chunk));
        }
    }
}

/// Sorts pairs by their keys; `scratch` is as long.
pub fn sort<K: Key, V: Copy + Send + Sync>(
    how: How,
    order: Order,
    pairs: &mut [Pair<K, V>],
    scratch: &mut [Pair<K, V>],
) {
    if how == How::Sequential {
        return plainly(order, pairs, scratch);
    }
    let in_cache = |pairs: &mut [Pair<K, V>]| pairs.sort_by_key(|pair| pair.0.rank(order));
    if pairs.len() <= CHUNK {
        return in_cache(pairs);
    }
    pairs.par_chunks_mut(CHUNK).for_each(in_cache);
    let (len, mut width) = (pairs.len(), CHUNK);
    while width < len {
        let twos = pairs.par_chunks_mut(2 * width).zip(scratch.par_chunks_mut(2 * width));
        twos.for_each(|(pair, scratch)| merge_in_place(order, pair, width.min(pair.len()), scratch));
        width *= 2;
    }
}

/// The textbook's merge sort, which needs no more memory than it is given.
fn plainly<K: Key, V: Copy>(order: Order, pairs: &mut [Pair<K, V>], scratch: &mut [Pair<K, V>]) {
    let mut width = 1;
    while width < pairs.len() {
        for (from, to) in pairs.chunks(2 * width).zip(scratch.chunks_mut(2 * width)) {
            let (a, b) = from.split_at(width.min(from.len()));
            merge(order, (a, 0), (b, 0), to);
        }
        pairs.copy_from_slice(scratch);
        width *= 2;
    }
}

/// to ← what a\[i..\] and b\[j..\] begin with, merged.
fn merge<K: Key, V: Copy>(
    order: Order,
    (a, mut i): (&[Pair<K, V>], usize),
    (b, mut j): (&[Pair<K, V>], usize),
    to: &mut [Pair<K, V>],
) {
    let rank = |pair: &Pair<K, V>| pair.0.rank(order);
    for pair in to {
        let is_a = i < a.len() && (j >= b.len() || rank(&a[i]) <= rank(&b[j]));
        *pair = if is_a { a[i] } else { b[j] };
        if is_a { i += 1 } else { j += 1 }
    }
}

/// Merges the runs pairs\[..middle\] and pairs\[middle..\].
fn merge_in_place<K: Key, V: Copy + Send + Sync>(
    order: Order,
    pairs: &mut [Pair<K, V>],
    middle: usize,
    scratch: &mut [Pair<K, V>],
) {
    let rank = |pair: &Pair<K, V>| pair.0.rank(order);
    let (Some(last), Some(first)) = (pairs[..middle].last().map(rank), pairs[middle..].first().map(rank))
    else {
        return;
    };
    if last <= first {
        return;
    }
    let begin = pairs[..middle].partition_point(|pair| rank(pair) <= first);
    let end = middle + pairs[middle..].partition_point(|pair| rank(pair) < last);
    let (pairs, scratch) = (&mut pairs[begin..end], &mut scratch[begin..end]);
    let both = pairs.par_chunks(CHUNK).zip(scratch.par_chunks_mut(CHUNK));
    both.for_each(|(from, to)| to.copy_from_slice(from));

    let (a, b) = scratch.split_at(middle - begin);
    pairs.par_chunks_mut(CHUNK).enumerate().for_each(|(index, piece)| {
        let diagonal = index * CHUNK;
        let i = path(a, b, diagonal, rank);
        merge(order, (a, i), (b, diagonal - i), piece);
    });
}

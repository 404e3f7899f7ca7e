//! A stable merge sort that costs little where keys are nearly in order, on the CPU.
//!
//! Algorithm  Chunks are sorted on all cores by the stable sort of Rust's library (driftsort), which finds runs that are there.
//!            Then pairs of runs are merged in place, all cores at each: only what lies between the first element of a run and the
//!            last one of its neighbour moves at all, to the scratch and back, in pieces (merge.rs).
//! Cost       n log n comparisons for keys in random order, and log2 (chunks) passes; little but the look at the borders where
//!            keys are in order. Memory for keys and values twice more.
//! Source     O. Peters, L. Bergdoll, "driftsort", 2024; S. Baxter, "ModernGPU", Locality Sort, NVIDIA 2013.
#![forbid(unsafe_code)]

use super::Workers;
use super::is_small_for_long_work;
use super::merge::merged;
use super::parallel::parallel_for::{parallel_for, try_parallel_for};
use super::reserved;
use super::run;
use crate::error::Result;
use crate::interrupt::poll;
use crate::model::order::{Key, KeyOrder};
use crate::model::payload::{Value, Values};
use crate::model::variant::Variant;
use crate::vector::{copy, fill_up, with_prepared};

/// Elements of a chunk: what fits into the cache of a core.
const CHUNK: usize = 1 << 16;

/// A key, and what moves with it; () is nothing.
pub type Pair<K, V> = (K, V);

/// sorted ← the keys in order.
pub fn keys<K: Key>(
    workers: &Workers,
    variant: Variant,
    order: KeyOrder,
    keys: &[K],
    sorted: &mut [K],
) -> Result<()> {
    let nothing = Values::<()>::Positions(0);
    on_pairs(workers, variant, keys, nothing, sorted, None, &|pairs, scratch| {
        sort(variant, order, pairs, scratch)
    })
}

/// The same, with values beside the keys.
pub fn pairs<K: Key, V: Value>(
    workers: &Workers,
    variant: Variant,
    order: KeyOrder,
    keys: &[K],
    values: Values<V>,
    sorted: &mut [K],
    sorted_values: &mut [V],
) -> Result<()> {
    on_pairs(workers, variant, keys, values, sorted, Some(sorted_values), &|pairs, scratch| {
        sort(variant, order, pairs, scratch)
    })
}

/// Sorts pairs, with scratch as long.
type SortPairs<'a, K, V> = &'a (dyn Fn(&mut [Pair<K, V>], &mut [Pair<K, V>]) -> Result<()> + Sync);

/// Runs `body (pairs, scratch)` on the keys with their values, and takes them apart again.
pub fn on_pairs<K: Key, V: Value>(
    workers: &Workers,
    variant: Variant,
    keys: &[K],
    values: Values<V>,
    sorted: &mut [K],
    sorted_values: Option<&mut [V]>,
    body: SortPairs<K, V>,
) -> Result<()> {
    let Some(&first) = keys.first() else { return Ok(()) };
    let len = keys.len();
    let (mut pairs, mut scratch) = (reserved::<Pair<K, V>>(len)?, reserved::<Pair<K, V>>(len)?);
    let is_alone = variant == Variant::Sequential || is_small_for_long_work(keys);
    run(workers, is_alone, || {
        let filling = (first, values.get(0));
        fill_up(&mut pairs, len, filling);
        fill_up(&mut scratch, len, filling);
        parallel_for(is_alone, pairs.chunks_mut(CHUNK).zip(keys.chunks(CHUNK)), |index, (pairs, keys)| {
            for (i, (pair, &key)) in (index * CHUNK..).zip(pairs.iter_mut().zip(keys)) {
                *pair = (key, values.get(i));
            }
        })?;
        body(&mut pairs, &mut scratch)?;
        parallel_for(is_alone, sorted.chunks_mut(CHUNK).zip(pairs.chunks(CHUNK)), |_, (keys, pairs)| {
            keys.iter_mut().zip(pairs).for_each(|(key, pair)| *key = pair.0);
        })?;
        let sorted_values = sorted_values.unwrap_or_default();
        parallel_for(
            is_alone,
            sorted_values.chunks_mut(CHUNK).zip(pairs.chunks(CHUNK)),
            |_, (values, pairs)| {
                values.iter_mut().zip(pairs).for_each(|(value, pair)| *value = pair.1);
            },
        )
    })?
}

/// Sorts pairs by their keys; `scratch` is as long.
pub fn sort<K: Key, V: Value>(
    variant: Variant,
    order: KeyOrder,
    pairs: &mut [Pair<K, V>],
    scratch: &mut [Pair<K, V>],
) -> Result<()> {
    if variant == Variant::Sequential {
        plainly(order, pairs, scratch);
        return Ok(());
    }
    // Rust's stable sort allocates a buffer, of as many elements as the chunk has at most.
    let sort_chunk = |chunk: &mut [Pair<K, V>]| {
        with_prepared(size_of_val(chunk), || chunk.sort_by_key(|pair| pair.0.rank(order)))
    };
    if pairs.len() <= CHUNK {
        return sort_chunk(pairs);
    }
    try_parallel_for(false, pairs.chunks_mut(CHUNK), |_, chunk| sort_chunk(chunk))?;
    let (len, mut width) = (pairs.len(), CHUNK);
    while width < len {
        let twos = pairs.chunks_mut(2 * width).zip(scratch.chunks_mut(2 * width));
        try_parallel_for(false, twos, |_, (pair, scratch)| {
            merge_in_place(order, pair, width.min(pair.len()), scratch)
        })?;
        width *= 2;
    }
    Ok(())
}

/// The textbook's merge sort, which needs no more memory than it is given.
fn plainly<K: Key, V: Value>(order: KeyOrder, pairs: &mut [Pair<K, V>], scratch: &mut [Pair<K, V>]) {
    let mut width = 1;
    while width < pairs.len() {
        for (from, to) in pairs.chunks(2 * width).zip(scratch.chunks_mut(2 * width)) {
            let (a, b) = from.split_at(width.min(from.len()));
            for (piece, to) in to.chunks_mut(CHUNK).enumerate() {
                poll();
                merge(order, a, b, piece * CHUNK, to);
            }
        }
        copy(pairs, scratch);
        width *= 2;
    }
}

/// to ← the merge of a and b from `begin` on.
fn merge<K: Key, V: Value>(
    order: KeyOrder,
    a: &[Pair<K, V>],
    b: &[Pair<K, V>],
    begin: usize,
    to: &mut [Pair<K, V>],
) {
    let pairs = merged((|i| a[i], a.len()), (|j| b[j], b.len()), begin, |pair| pair.0.rank(order));
    to.iter_mut().zip(pairs).for_each(|(to, pair)| *to = pair);
}

/// Merges the runs pairs\[..middle\] and pairs\[middle..\].
fn merge_in_place<K: Key, V: Value>(
    order: KeyOrder,
    pairs: &mut [Pair<K, V>],
    middle: usize,
    scratch: &mut [Pair<K, V>],
) -> Result<()> {
    let rank = |pair: &Pair<K, V>| pair.0.rank(order);
    let (Some(last), Some(first)) = (pairs[..middle].last().map(rank), pairs[middle..].first().map(rank))
    else {
        return Ok(());
    };
    if last <= first {
        return Ok(());
    }
    let begin = pairs[..middle].partition_point(|pair| rank(pair) <= first);
    let end = middle + pairs[middle..].partition_point(|pair| rank(pair) < last);
    let (pairs, scratch) = (&mut pairs[begin..end], &mut scratch[begin..end]);
    let both = pairs.chunks(CHUNK).zip(scratch.chunks_mut(CHUNK));
    parallel_for(false, both, |_, (from, to)| to.copy_from_slice(from))?;

    let (a, b) = scratch.split_at(middle - begin);
    parallel_for(false, pairs.chunks_mut(CHUNK), |index, piece| merge(order, a, b, index * CHUNK, piece))
}

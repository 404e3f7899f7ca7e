//! Stable sort on the CPU.
//!
//!   sorted = the keys, rank (sorted[i]) ≤ rank (sorted[i + 1]), equal ranks in the order of the input; values move along
//!
//! Algorithm  Radix sort of the ranks from the most significant digit on. All threads write the keys to up to 256 buckets by the
//!            highest bits that differ (partition.rs); then each bucket is sorted by one thread, in the cache (bucket.rs): by the two
//!            highest digits that are left, and what is still equal then by the bits below. Floats become their ranks when they are
//!            read and floats again in their bucket, unless one is -0 or NaN: a digit of an integer takes no comparisons. `sequential`
//!            sorts by comparisons.
//! Cost       Up to some fifteen million keys of any width that are spread evenly are read three times and written once in memory, and
//!            written twice in the cache; more of them take one more pass. Temporaries: a bucket for each thread, and a copy of a bucket
//!            that is larger than a thread's share of all.
//! Limits     Keys that lie close together have many bits in common: each digit of them may take a pass over the memory. Keys in order
//!            are copied.
//! Source     D. Knuth, "The Art of Computer Programming", vol. 3, §5.2.5; P. McIlroy, K. Bostic, M. McIlroy, "Engineering Radix Sort",
//!            1993 (from the most significant digit on); O. Polychroniou, K. Ross, "A Comprehensive Study of Main-Memory Partitioning and
//!            its Application to Large-Scale Comparison- and Radix-Sort", 2014 (lines of a bucket gathered before they are written).
#![forbid(unsafe_code)]

mod bucket;
mod buckets;
mod partition;
mod radix;
mod span;

use super::Workers;
use super::parallel::sort::sort_unstable_by_key;
use super::reserved;
use super::run;
use super::zeros;
use crate::error::Result;
use crate::interrupt::in_pieces;
use crate::model::order::{Key, KeyOrder};
use crate::model::payload::{Value, Values};

/// sorted ← the keys in order.
pub fn sort<K: Key>(workers: &Workers, order: KeyOrder, keys: &[K], sorted: &mut [K]) -> Result<()> {
    sort_with_values::<K, ()>(
        workers,
        order,
        keys,
        Values::Positions(0),
        Some(sorted),
        &mut zeros(keys.len())?,
    )
}

/// sorted, unless it is None, ← the keys in order, and sorted_values ← the values of the sorted keys.
pub fn sort_with_values<K: Key, V: Value>(
    workers: &Workers,
    order: KeyOrder,
    keys: &[K],
    values: Values<V>,
    sorted: Option<&mut [K]>,
    sorted_values: &mut [V],
) -> Result<()> {
    run(workers, keys.len() <= radix::ALONE, || match sorted {
        Some(sorted) => radix::sort(order, keys, values, sorted, sorted_values),
        None => radix::sort(order, keys, values, &mut zeros(keys.len())?, sorted_values),
    })?
}

/// `sort` by comparisons, on one core.
pub fn sequential<K: Key>(workers: &Workers, order: KeyOrder, keys: &[K], sorted: &mut [K]) -> Result<()> {
    sequential_with_values::<K, ()>(workers, order, keys, Values::Positions(0), Some(sorted), &mut [])
}

/// `sort_with_values` by comparisons, on one core.
pub fn sequential_with_values<K: Key, V: Value>(
    workers: &Workers,
    order: KeyOrder,
    keys: &[K],
    values: Values<V>,
    sorted: Option<&mut [K]>,
    sorted_values: &mut [V],
) -> Result<()> {
    workers.run_sequential(|| compare(order, keys, values, sorted, sorted_values))
}

// --------------------------------------------------------------------------------------------------------- by comparisons

fn compare<K: Key, V: Value>(
    order: KeyOrder,
    keys: &[K],
    values: Values<V>,
    sorted: Option<&mut [K]>,
    sorted_values: &mut [V],
) -> Result<()> {
    let positions = positions(order, keys)?;
    let sorted = sorted.unwrap_or_default();
    in_pieces(sorted.len(), |range| {
        for (to, &(_, position)) in sorted[range.clone()].iter_mut().zip(&positions[range]) {
            *to = keys[position];
        }
    });
    in_pieces(sorted_values.len(), |range| {
        for (to, &(_, position)) in sorted_values[range.clone()].iter_mut().zip(&positions[range]) {
            *to = values.get(position);
        }
    });
    Ok(())
}

/// The ranks of the keys with their positions, sorted.
fn positions<K: Key>(order: KeyOrder, keys: &[K]) -> Result<Vec<(u64, usize)>> {
    let mut positions = reserved(keys.len())?;
    in_pieces(keys.len(), |range| positions.extend(range.map(|i| (wide(order, keys[i]), i))));
    // Stable, as no two positions are equal, and without the memory that a stable sort takes and may not get.
    sort_unstable_by_key(true, &mut positions, &|&pair| pair);
    Ok(positions)
}

fn wide<K: Key>(order: KeyOrder, key: K) -> u64 {
    key.rank(order).into()
}

#[cfg(test)]
mod tests;

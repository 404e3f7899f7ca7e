//! Stable sort on the CPU.
//!
//!   sorted = the keys, rank (sorted[i]) ≤ rank (sorted[i + 1]), equal ranks in the order of the input; values move along
//!
//! Algorithm  Radix sort of the ranks, eight bits a pass from the least significant on; bits that all keys have in common are left
//!            out. In a pass every thread has a part of the keys: it counts their digits, and then writes each key to the end
//!            of its digit's share of the target, 256 slices that nobody else has.
//! Cost       p passes that read the keys twice and write them once, p at most the bytes of a key; temporaries as large as the
//!            arrays. A few hundred keys take a sort of the standard library; `sequential` is a quicksort.
//! Source     D. Knuth, "The Art of Computer Programming", vol. 3, §5.2.5; M. Zagha, G. Blelloch, "Radix Sort for Vector
//!            Multiprocessors", 1991 (one count a processor and digit).
#![forbid(unsafe_code)]

use std::array::from_fn;
use std::slice::IterMut;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::Workers;
use super::collected;
use super::parallel::chunks::take;
use super::parallel::parallel_for::parallel_for;
use super::parallel::sort::sort_unstable_by_key;
use super::reserved;
use super::run;
use super::zeros;
use crate::error::Result;
use crate::interrupt::{PIECE, in_pieces, poll};
use crate::model::order::{Key, KeyOrder};
use crate::model::payload::{Value, Values};

const DIGIT_BITS: u32 = 8;
const DIGITS: usize = 1 << DIGIT_BITS;
const FEW: usize = 400; // keys that are compared faster
const PART: usize = 1 << 13; // keys that are worth a thread

/// sorted ← the keys in order.
pub fn sort<K: Key>(workers: &Workers, order: KeyOrder, keys: &[K], sorted: &mut [K]) -> Result<()> {
    run(workers, keys.len() < FEW, || match keys.len() {
        0..FEW => {
            compare_keys(order, keys, sorted);
            Ok(())
        }
        count => radix(order, keys, Values::Positions(0), sorted, &mut zeros::<()>(count)?),
    })?
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
    run(workers, keys.len() < FEW, || match (keys.len(), sorted) {
        (0..FEW, sorted) => compare(order, keys, values, sorted, sorted_values),
        (_, Some(sorted)) => radix(order, keys, values, sorted, sorted_values),
        (count, None) => radix(order, keys, values, &mut zeros(count)?, sorted_values),
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

fn compare_keys<K: Key>(order: KeyOrder, keys: &[K], sorted: &mut [K]) {
    sorted.copy_from_slice(keys);
    sorted.sort_by_key(|key| key.rank(order));
}

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

// --------------------------------------------------------------------------------------------------------------- by radix

/// Sorts keys, and the values beside them.
fn radix<K: Key, V: Value>(
    order: KeyOrder,
    keys: &[K],
    values: Values<V>,
    sorted: &mut [K],
    sorted_values: &mut [V],
) -> Result<()> {
    let shifts = shifts(order, keys)?;
    let (mut spare, mut spare_values) = (zeros::<K>(keys.len())?, zeros::<V>(keys.len())?);
    let (mut target, mut other) =
        ((sorted, sorted_values), (spare.as_mut_slice(), spare_values.as_mut_slice()));
    if shifts.len().is_multiple_of(2) {
        std::mem::swap(&mut target, &mut other); // so that the last pass writes the result
    }
    for (pass, &shift) in shifts.iter().enumerate() {
        let digit = |key: K| (wide(order, key) >> shift) as u8;
        match pass {
            0 => scatter(keys, &values, digit, target.0, target.1)?,
            _ => scatter(other.0, &Values::Given(other.1), digit, target.0, target.1)?,
        }
        std::mem::swap(&mut target, &mut other);
    }
    if shifts.is_empty() {
        // All keys are equal, and `other` is the result.
        in_pieces(keys.len(), |range| {
            other.0[range.clone()].copy_from_slice(&keys[range.clone()]);
            other.1[range.clone()].iter_mut().zip(range).for_each(|(to, i)| *to = values.get(i));
        });
    }
    Ok(())
}

fn wide<K: Key>(order: KeyOrder, key: K) -> u64 {
    key.rank(order).into()
}

/// Where the digits begin that differ among the keys.
fn shifts<K: Key>(order: KeyOrder, keys: &[K]) -> Result<Vec<u32>> {
    let first = keys.first().map_or(0, |&key| wide(order, key));
    let differing = |part: &[K]| part.iter().fold(0, |bits, &key| bits | (wide(order, key) ^ first));
    let bits = AtomicU64::new(0);
    parallel_for(false, keys.chunks(part_of(keys.len())), |_, part| {
        for piece in part.chunks(PIECE) {
            poll();
            bits.fetch_or(differing(piece), Relaxed);
        }
    })?;
    let (bits, all) = (bits.into_inner(), (0..u64::BITS).step_by(DIGIT_BITS as usize));
    Ok(all.filter(|shift| bits >> shift & (DIGITS as u64 - 1) != 0).collect())
}

/// Keys of a part: one for each thread.
fn part_of(count: usize) -> usize {
    count.div_ceil(rayon::current_num_threads()).max(PART)
}

/// to ← from, sorted by one digit.
fn scatter<K: Key, V: Value>(
    from: &[K],
    values: &Values<V>,
    digit: impl Fn(K) -> u8 + Copy + Sync,
    to: &mut [K],
    to_values: &mut [V],
) -> Result<()> {
    let part = part_of(from.len());
    let mut counts = collected(from.chunks(part).map(|_| [0; DIGITS]))?;
    parallel_for(false, from.chunks(part).zip(&mut counts), |_, (keys, counts)| {
        for piece in keys.chunks(PIECE) {
            poll();
            piece.iter().for_each(|&key| counts[usize::from(digit(key))] += 1);
        }
    })?;
    let targets = shares(to, &counts)?.into_iter().zip(shares(to_values, &counts)?);
    parallel_for(false, from.chunks(part).zip(targets), |index, (keys, targets)| match *values {
        Values::Given(values) => place(keys, index * part, |i| values[i], digit, targets),
        Values::Positions(first) => {
            place(keys, index * part, |i| V::from_position(first + i), digit, targets);
        }
    })
}

/// Puts keys, the first of which has a number, and their values to the ends of their digits' shares.
fn place<K: Key, V: Value>(
    keys: &[K],
    first: usize,
    value: impl Fn(usize) -> V,
    digit: impl Fn(K) -> u8,
    (mut targets, mut value_targets): ([IterMut<K>; DIGITS], [IterMut<V>; DIGITS]),
) {
    for (first, piece) in (first..).step_by(PIECE).zip(keys.chunks(PIECE)) {
        poll();
        for (i, &key) in (first..).zip(piece) {
            let digit = usize::from(digit(key));
            let ends = (targets[digit].next(), value_targets[digit].next());
            if let (Some(end), Some(value_end)) = ends {
                (*end, *value_end) = (key, value(i)); // counted before: there always is one
            }
        }
    }
}

/// The array, cut up: for each part, and digit of it, where its keys go.
fn shares<'a, T>(
    mut array: &'a mut [T],
    counts: &[[usize; DIGITS]],
) -> Result<Vec<[IterMut<'a, T>; DIGITS]>> {
    let mut shares = collected(counts.iter().map(|_| from_fn(|_| IterMut::default())))?;
    for digit in 0..DIGITS {
        for (share, counts) in shares.iter_mut().zip(counts) {
            share[digit] = take(&mut array, counts[digit]).iter_mut();
        }
    }
    Ok(shares)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::parallel::workers::workers;
    use crate::model::order::SortOrder;

    #[test]
    fn radix_sorts_as_the_standard_library_whatever_the_number_of_threads() {
        let keys: Vec<u32> = (0..40_000u32).map(|i| i.wrapping_mul(2_654_435_769) >> (i % 23)).collect();
        let (mut want, mut want_values) = (vec![0; keys.len()], vec![0u32; keys.len()]);
        for order in [SortOrder::Ascending, SortOrder::Descending].map(KeyOrder::from) {
            let (to, values) = (&mut want[..], &mut want_values[..]);
            let positions = Values::Positions(0);
            sequential_with_values(&workers(), order, &keys, positions, Some(to), values).unwrap();
            for threads in [1, 2, 3, 5] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let (mut sorted, mut values) = (vec![7; keys.len()], vec![7u32; keys.len()]);
                let sort = || radix(order, &keys, Values::Positions(0), &mut sorted, &mut values);
                pool.install(sort).unwrap();
                assert!(sorted == want && values == want_values, "{order:?}, {threads} threads");
            }
        }
    }

    #[test]
    fn digits_that_all_keys_share_are_left_out() {
        let descending = KeyOrder::from(SortOrder::Descending);
        assert_eq!(shifts(KeyOrder::ASCENDING, &[5u32; 3]).unwrap(), [0u32; 0]);
        assert_eq!(shifts(descending, &[0x0100_0000u32, 0x0101_0000, 0x0101_0000]).unwrap(), [16]);
        assert_eq!(shifts(KeyOrder::ASCENDING, &[-0.0f64, 0.0]).unwrap(), [0u32; 0]);
        assert_eq!(
            shifts(KeyOrder::ASCENDING, &[1i64, -1]).unwrap(),
            (0..64).step_by(8).collect::<Vec<u32>>()
        );
    }
}

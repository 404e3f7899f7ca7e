//! Stable sort on the CPU.
//!
//!   sorted = the keys, rank (sorted[i]) ≤ rank (sorted[i + 1]), equal ranks in the order of the input; values move along
//!
//! Algorithm  Radix sort of the ranks, eight bits a pass from the least significant on; bits that all keys have in common are left
//!            out. Floats become their ranks first and floats again at last, unless one is -0 or NaN: a digit of an integer takes no
//!            comparisons. In a pass every thread has a part of the keys: it counts their digits, and then writes each key to the end
//!            of its digit's share of the target, 256 slices that nobody else has.
//! Cost       p passes that read the keys twice and write them once, p at most the bytes of a key; temporaries as large as the
//!            arrays. A few hundred keys take a sort of the standard library; `sequential` is a quicksort.
//! Source     D. Knuth, "The Art of Computer Programming", vol. 3, §5.2.5; M. Zagha, G. Blelloch, "Radix Sort for Vector
//!            Multiprocessors", 1991 (one count a processor and digit).
#![forbid(unsafe_code)]

use std::array::from_fn;
use std::slice::IterMut;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

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

/// Keys, and the values beside them.
type Pairs<'a, K, V> = (&'a mut [K], &'a mut [V]);

/// Sorts keys, and the values beside them.
fn radix<K: Key, V: Value>(
    order: KeyOrder,
    keys: &[K],
    values: Values<V>,
    sorted: &mut [K],
    sorted_values: &mut [V],
) -> Result<()> {
    let Differing { shifts, are_exact } = differing(order, keys)?;
    let (mut spare, mut spare_values) = (zeros::<K>(keys.len())?, zeros::<V>(keys.len())?);
    if shifts.is_empty() {
        in_pieces(keys.len(), |range| {
            sorted[range.clone()].copy_from_slice(&keys[range.clone()]);
            sorted_values[range.clone()].iter_mut().zip(range).for_each(|(to, i)| *to = values.get(i));
        });
        return Ok(());
    }
    if !K::DTYPE.is_float() || !are_exact {
        let spare = (&mut spare[..], &mut spare_values[..]);
        return passes(order, &shifts, Some(keys), &values, (sorted, sorted_values), spare);
    }
    // The first pass reads where the last but one will write.
    let part = part_of(keys.len());
    let first = if shifts.len().is_multiple_of(2) { &mut *sorted } else { &mut spare };
    parallel_for(false, K::as_ranks(first).chunks_mut(part).zip(keys.chunks(part)), |_, (ranks, keys)| {
        in_pieces(keys.len(), |range| {
            let (ranks, keys) = (&mut ranks[range.clone()], &keys[range]);
            ranks.iter_mut().zip(keys).for_each(|(rank, key)| *rank = key.rank(order));
        });
    })?;
    let spare = (K::as_ranks(&mut spare), &mut spare_values[..]);
    let target = (K::as_ranks(sorted), sorted_values);
    passes(KeyOrder::ASCENDING, &shifts, None, &values, target, spare)?;
    parallel_for(false, sorted.chunks_mut(part), |_, sorted| {
        in_pieces(sorted.len(), |range| {
            K::restore(&mut sorted[range], order);
        });
    })
}

/// target ← the keys, sorted by some digits, with the values beside them. Without keys they are in the memory that the first pass
/// leaves alone: `other`, or target where the number of passes is even.
fn passes<'a, K: Key, V: Value>(
    order: KeyOrder,
    shifts: &[u32],
    keys: Option<&[K]>,
    values: &Values<V>,
    mut target: Pairs<'a, K, V>,
    mut other: Pairs<'a, K, V>,
) -> Result<()> {
    if shifts.len().is_multiple_of(2) {
        std::mem::swap(&mut target, &mut other); // so that the last pass writes the result
    }
    for (pass, &shift) in shifts.iter().enumerate() {
        let digit = |key: K| (wide(order, key) >> shift) as u8;
        match pass {
            0 => scatter(keys.unwrap_or(other.0), values, digit, target.0, target.1)?,
            _ => scatter(other.0, &Values::Given(other.1), digit, target.0, target.1)?,
        }
        std::mem::swap(&mut target, &mut other);
    }
    Ok(())
}

fn wide<K: Key>(order: KeyOrder, key: K) -> u64 {
    key.rank(order).into()
}

/// What is known of keys before they are sorted.
struct Differing {
    /// Where the digits begin that are not the same in all of them.
    shifts: Vec<u32>,
    /// Whether the ranks tell what the keys are.
    are_exact: bool,
}

fn differing<K: Key>(order: KeyOrder, keys: &[K]) -> Result<Differing> {
    let first = keys.first().map_or(0, |&key| wide(order, key));
    let (bits, are_exact) = (AtomicU64::new(0), AtomicBool::new(true));
    parallel_for(false, keys.chunks(part_of(keys.len())), |_, part| {
        for piece in part.chunks(PIECE) {
            poll();
            let (differing, exact) = piece.iter().fold((0, true), |(bits, exact), &key| {
                (bits | (wide(order, key) ^ first), exact & key.is_exact())
            });
            bits.fetch_or(differing, Relaxed);
            are_exact.fetch_and(exact, Relaxed);
        }
    })?;
    let (bits, all) = (bits.into_inner(), (0..u64::BITS).step_by(DIGIT_BITS as usize));
    let shifts = all.filter(|shift| bits >> shift & (DIGITS as u64 - 1) != 0).collect();
    Ok(Differing { shifts, are_exact: are_exact.into_inner() })
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
            if let Some(end) = targets[digit].next() {
                *end = key; // counted before: there always is one
            }
            // Iterators of () would count as well.
            if size_of::<V>() > 0
                && let Some(end) = value_targets[digit].next()
            {
                *end = value(i);
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
        fn shifts<K: Key>(order: KeyOrder, keys: &[K]) -> Vec<u32> {
            differing(order, keys).unwrap().shifts
        }
        let descending = KeyOrder::from(SortOrder::Descending);
        assert_eq!(shifts(KeyOrder::ASCENDING, &[5u32; 3]), [0u32; 0]);
        assert_eq!(shifts(descending, &[0x0100_0000u32, 0x0101_0000, 0x0101_0000]), [16]);
        assert_eq!(shifts(KeyOrder::ASCENDING, &[-0.0f64, 0.0]), [0u32; 0]);
        assert_eq!(shifts(KeyOrder::ASCENDING, &[1i64, -1]), (0..64).step_by(8).collect::<Vec<u32>>());
    }

    #[test]
    fn floats_are_sorted_with_and_without_zeros_and_nan_of_either_sign() {
        let numbers: Vec<f64> = (0..3000u64).map(|i| (i as f64 - 1500.0) * (i % 37) as f64 + 0.5).collect();
        let special = [-0.0, f64::NAN, 0.0, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0];
        for count in [0, 4, 5, special.len()] {
            let mut keys = numbers.clone();
            keys.splice(1000..1000, special[special.len() - count..].iter().copied());
            for order in [SortOrder::Ascending, SortOrder::Descending].map(KeyOrder::from) {
                let mut want: Vec<(usize, f64)> = keys.iter().copied().enumerate().collect();
                want.sort_by_key(|(_, key)| key.rank(order));
                let (mut sorted, mut places) = (vec![7.0; keys.len()], vec![7u32; keys.len()]);
                let both = (Values::Positions(0), Some(&mut sorted[..]));
                sort_with_values(&workers(), order, &keys, both.0, both.1, &mut places).unwrap();
                let is_same = |((key, place), want): ((&f64, &u32), &(usize, f64))| {
                    key.to_bits() == want.1.to_bits() && *place as usize == want.0
                };
                assert!(
                    sorted.iter().zip(&places).zip(&want).all(is_same),
                    "{count} special ones, {order:?}"
                );
            }
        }
    }
}

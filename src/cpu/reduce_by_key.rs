//! One key and one reduction for each run of equal neighbouring keys, on the CPU.
//!
//! Algorithm  Pieces of one length: each counts the runs that begin in it, which tells where its results go, and then reduces its
//!            runs up to its end, in 16 lanes where they are long. What a piece has before its first run is added to the last
//!            run before it afterwards, in the order of the pieces: the bits are the same with any number of threads.
//! Cost       Reads the keys twice and the data once.
#![forbid(unsafe_code)]

use std::ops::Range;

use super::Workers;
use super::is_small;
use super::parallel::chunks::parts;
use super::parallel::parallel_for::parallel_for;
use super::run;
use super::segments::fold;
use super::zeros;
use crate::error::Result;
use crate::interrupt::in_pieces;
use crate::model::index::Index;
use crate::model::operator::{Operand, Reduction};
use crate::model::order::{Key, KeyOrder};

const PIECE: usize = 1 << 15;

/// What is reduced, and where it goes: the first keys and the reductions of the first runs, where they are wanted.
pub struct Runs<'a, K, T> {
    pub op: Reduction,
    pub keys: &'a [K],
    pub data: &'a [T],
    pub unique_keys: Option<&'a mut [K]>,
    pub results: Option<&'a mut [T]>,
}

/// The number of runs, on all cores.
pub fn reduce_by_key<K: Key, T: Operand>(workers: &Workers, runs: Runs<K, T>) -> Result<u64> {
    let Runs { op, keys, data, unique_keys, results } = runs;
    let is_alone = is_alone(keys);
    let begins = begins(workers, keys)?;
    let needed: usize = begins.iter().sum();
    if let Some(unique_keys) = unique_keys {
        write_firsts(workers, keys, &begins, unique_keys, &|first| keys[first])?;
    }
    if let Some(results) = results {
        let mut leads = zeros(begins.len())?; // what each piece has before its first run
        let parts = parts(results, begins.iter().copied())?;
        run(workers, is_alone, || {
            parallel_for(is_alone, parts.into_iter().zip(&mut leads), |piece, (part, lead)| {
                *lead = reduce_piece(op, keys, data, bounds(keys.len(), piece), part);
            })
        })??;
        let mut before = 0;
        for (lead, begins) in leads.into_iter().zip(begins) {
            if let (Some(lead), Some(open)) = (lead, results.get_mut(usize::wrapping_sub(before, 1))) {
                *open = T::apply(op, *open, lead);
            }
            before += begins;
        }
    }
    Ok(needed as u64)
}

/// The plain loop, in the order of the elements.
pub fn sequential<K: Key, T: Operand>(workers: &Workers, runs: Runs<K, T>) -> Result<u64> {
    let Runs { op, keys, data, mut unique_keys, mut results } = runs;
    Ok(workers.run_sequential(|| {
        let mut runs = 0;
        in_pieces(keys.len(), |range| {
            for i in range {
                if is_first(keys, i) {
                    runs += 1;
                    if let Some(key) = unique_keys.as_mut().and_then(|keys| keys.get_mut(runs - 1)) {
                        *key = keys[i];
                    }
                    if let Some(result) = results.as_mut().and_then(|results| results.get_mut(runs - 1)) {
                        *result = T::identity(op);
                    }
                }
                if let Some(result) = results.as_mut().and_then(|results| results.get_mut(runs - 1)) {
                    *result = T::apply(op, *result, data[i]);
                }
            }
        });
        runs as u64
    }))
}

/// offsets ← where the runs begin and, behind the last one, the number of keys, as far as there is memory for them; on all cores.
pub fn offsets<K: Key, I: Index>(workers: &Workers, keys: &[K], offsets: &mut [I]) -> Result<()> {
    let begins = begins(workers, keys)?;
    let needed: usize = begins.iter().sum();
    write_firsts(workers, keys, &begins, offsets, &I::from_usize)?;
    if let Some(end) = offsets.get_mut(needed) {
        *end = I::from_usize(keys.len());
    }
    Ok(())
}

/// Whether a run begins here.
fn is_first<K: Key>(keys: &[K], i: usize) -> bool {
    i == 0 || differ(keys[i], keys[i - 1])
}

fn differ<K: Key>(a: K, b: K) -> bool {
    a.rank(KeyOrder::ASCENDING) != b.rank(KeyOrder::ASCENDING)
}

/// Whether one core works on so few keys.
fn is_alone<K>(keys: &[K]) -> bool {
    keys.len() <= PIECE || is_small(keys)
}

/// Where a piece of `count` elements lies.
fn bounds(count: usize, piece: usize) -> Range<usize> {
    piece * PIECE..count.min((piece + 1) * PIECE)
}

/// How many runs begin in each piece.
fn begins<K: Key>(workers: &Workers, keys: &[K]) -> Result<Vec<usize>> {
    let mut begins = zeros(keys.len().div_ceil(PIECE))?;
    let is_alone = is_alone(keys);
    run(workers, is_alone, || {
        parallel_for(is_alone, begins.iter_mut(), |piece, begins| {
            let Range { start, end } = bounds(keys.len(), piece);
            let before = start.saturating_sub(1);
            let neighbours = keys[before..end].iter().zip(&keys[before + 1..end]);
            *begins = usize::from(start == 0) + neighbours.filter(|(a, b)| differ(**a, **b)).count();
        })
    })??;
    Ok(begins)
}

/// to ← of the first key of each run what `value` makes of its position.
fn write_firsts<K: Key, T: Send>(
    workers: &Workers,
    keys: &[K],
    begins: &[usize],
    to: &mut [T],
    value: &(impl Fn(usize) -> T + Sync),
) -> Result<()> {
    let parts = parts(to, begins.iter().copied())?;
    let is_alone = is_alone(keys);
    run(workers, is_alone, || {
        parallel_for(is_alone, parts.into_iter(), |piece, part| {
            let firsts = bounds(keys.len(), piece).filter(|&i| is_first(keys, i));
            part.iter_mut().zip(firsts).for_each(|(to, first)| *to = value(first));
        })
    })?
}

/// Writes the reductions of the runs that begin in a piece, as far as they lie in it; what is before the first one, if anything.
fn reduce_piece<K: Key, T: Operand>(
    op: Reduction,
    keys: &[K],
    data: &[T],
    bounds: Range<usize>,
    part: &mut [T],
) -> Option<T> {
    let end_of_run = |from: usize| (from + 1..bounds.end).find(|&i| is_first(keys, i)).unwrap_or(bounds.end);
    let is_lead = !is_first(keys, bounds.start);
    let mut begin = if is_lead { end_of_run(bounds.start) } else { bounds.start };
    let lead = is_lead.then(|| fold(op, &data[bounds.start..begin]));
    for result in part {
        let end = end_of_run(begin);
        *result = fold(op, &data[begin..end]);
        begin = end;
    }
    lead
}

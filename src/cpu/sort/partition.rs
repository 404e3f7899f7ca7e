//! A stable partition into buckets.
//!
//! Algorithm  Every thread has a part of the keys: it counts those of each bucket, and then writes each key to the end of its share of
//!            the bucket, slices that nobody else has. What goes to a slice is gathered until it is a line of the cache, and the line
//!            is written past the caches.
//! Cost       Reads the keys twice and writes them once. A store to a line that is in no cache would read it first, and wait for that.
#![forbid(unsafe_code)]

use std::mem::take as taken;

use super::buckets::Buckets;
use crate::cpu::parallel::chunks::take;
use crate::cpu::parallel::parallel_for::{parallel_for, try_parallel_for};
use crate::cpu::{collected, reserved, zeros};
use crate::error::Result;
use crate::interrupt::{PIECE, poll};
use crate::model::order::Key;
use crate::model::payload::{Value, Values};
use crate::stream_copy::{self, Plain};
use crate::vector::try_collected;

const PART: usize = 1 << 13; // keys that are worth a thread

/// Keys, what becomes of them when they are read, and the values beside them.
pub struct Source<'a, K, V, L> {
    pub keys: &'a [K],
    pub load: L,
    pub values: Values<'a, V>,
}

/// Keys of a part: one for each thread; the only one where this thread `is_alone`, which need not be of a pool.
pub fn part_of(count: usize, is_alone: bool) -> usize {
    if is_alone { count.max(1) } else { count.div_ceil(rayon::current_num_threads()).max(PART) }
}

/// to, and to_values ← the source, in the order of the buckets; how many each of them has. On this thread where it `is_alone`.
pub fn partition<K: Key, E: Key, V: Value>(
    buckets: &Buckets,
    source: &Source<K, V, impl Fn(K) -> E + Copy + Sync>,
    to: &mut [E],
    to_values: &mut [V],
    is_alone: bool,
) -> Result<Vec<usize>> {
    let Source { keys, load, values } = source;
    let part = part_of(keys.len(), is_alone);
    let mut counts = zeros(keys.len().div_ceil(part) * buckets.len())?;
    let parts = keys.chunks(part).zip(counts.chunks_mut(buckets.len()));
    parallel_for(is_alone, parts, |_, (keys, counts)| {
        let (bucket_of, load) = (buckets.finder(), *load);
        for piece in keys.chunks(PIECE) {
            poll();
            piece.iter().for_each(|&key| counts[bucket_of(load(key))] += 1);
        }
    })?;
    let targets = shares(to, &counts, buckets.len())?.into_iter();
    let targets = targets.zip(shares(to_values, &counts, buckets.len())?);
    try_parallel_for(is_alone, keys.chunks(part).zip(targets), |index, (keys, (targets, value_targets))| {
        let (mut lines, mut value_lines) = (Lines::new(targets)?, Lines::new(value_targets)?);
        let (bucket_of, load) = (buckets.finder(), *load);
        for (first, piece) in (index * part..).step_by(PIECE).zip(keys.chunks(PIECE)) {
            poll();
            for (i, &key) in (first..).zip(piece) {
                let key = load(key);
                let bucket = bucket_of(key);
                lines.push(bucket, key);
                if size_of::<V>() > 0 {
                    value_lines.push(bucket, values.get(i));
                }
            }
        }
        lines.finish();
        value_lines.finish();
        Ok(())
    })?;
    collected((0..buckets.len()).map(|bucket| counts[bucket..].iter().step_by(buckets.len()).sum()))
}

/// The array, cut up: for each part, and bucket, where its keys go.
fn shares<'a, T>(mut array: &'a mut [T], counts: &[usize], buckets: usize) -> Result<Vec<Vec<&'a mut [T]>>> {
    let mut shares = try_collected((0..counts.len() / buckets).map(|_| reserved(buckets)))?;
    for bucket in 0..buckets {
        for (share, counts) in shares.iter_mut().zip(counts.chunks(buckets)) {
            share.push(take(&mut array, counts[bucket]));
        }
    }
    Ok(shares)
}

/// The end of each bucket, and before it what is not a whole line yet.
struct Lines<'a, T> {
    targets: Vec<&'a mut [T]>,
    lines: Vec<T>,
    begin: Vec<u8>, // of the elements of a line: the first one of a bucket may not begin with it
    end: Vec<u8>,
}

impl<'a, T: Plain + Default> Lines<'a, T> {
    const LINE: usize = if size_of::<T>() > 0 { stream_copy::LINE / size_of::<T>() } else { 1 };

    fn new(targets: Vec<&'a mut [T]>) -> Result<Self> {
        let place = |target: &&mut [T]| (target.as_ptr().addr() / size_of::<T>().max(1) % Self::LINE) as u8;
        let begin = collected(targets.iter().map(place))?;
        let end = collected(begin.iter().copied())?;
        Ok(Lines { lines: zeros(Self::LINE * targets.len())?, targets, begin, end })
    }

    #[inline(always)]
    fn push(&mut self, bucket: usize, element: T) {
        let end = usize::from(self.end[bucket]);
        self.lines[bucket * Self::LINE + end] = element;
        self.end[bucket] = end as u8 + 1;
        if end + 1 == Self::LINE {
            self.write(bucket);
            (self.begin[bucket], self.end[bucket]) = (0, 0);
        }
    }

    #[inline(always)]
    fn write(&mut self, bucket: usize) {
        let [begin, end] =
            [self.begin[bucket], self.end[bucket]].map(|at| bucket * Self::LINE + usize::from(at));
        let (to, behind) = taken(&mut self.targets[bucket]).split_at_mut(end - begin); // counted before: there is room
        stream_copy::line(to, &self.lines[begin..end]);
        self.targets[bucket] = behind;
    }

    fn finish(mut self) {
        (0..self.targets.len()).for_each(|bucket| self.write(bucket));
    }
}

impl<T> Drop for Lines<'_, T> {
    fn drop(&mut self) {
        stream_copy::fence();
    }
}

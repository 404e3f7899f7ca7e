//! The elements whose flags are set, on the CPU.
//!
//! Algorithm  Two passes over chunks of 65536 flags: each is counted; what stands before each chunk divides the targets among them, and
//!            each moves its own elements. An element goes to the next free place whatever its flag, which only says whether the
//!            place is taken then: no branch that a random mask makes miss.
//! Cost       Reads the flags twice, data once, and writes what is kept.
#![forbid(unsafe_code)]

use super::Workers;
use super::parallel::chunks::take;
use super::parallel::parallel_for::parallel_for_beside;
use super::zeros;
use crate::error::Result;
use crate::interrupt::in_pieces;
use crate::model::index::Index;

const CHUNK: usize = 1 << 16;

/// What is written, as far as the outputs reach.
pub struct Targets<'a, T, I> {
    pub kept: Option<&'a mut [T]>,
    pub positions: Option<&'a mut [I]>,
}

impl<'a, T, I> Targets<'a, T, I> {
    /// The first `len` of what is left of both; fewer where they are shorter.
    fn take(&mut self, len: usize) -> Targets<'a, T, I> {
        let (kept, positions) = (self.kept.as_mut(), self.positions.as_mut());
        Targets { kept: kept.map(|rest| take(rest, len)), positions: positions.map(|rest| take(rest, len)) }
    }
}

/// Returns how many flags are set. Kept elements need data.
pub fn compact<T: Copy + Send + Sync, I: Index>(
    workers: &Workers,
    data: Option<&[T]>,
    flags: &[u8],
    mut targets: Targets<T, I>,
) -> Result<u64> {
    let chunks = flags.len().div_ceil(CHUNK);
    if chunks <= 1 {
        return Ok(workers.run_sequential(|| select(0, data, flags, targets)));
    }
    let mut counts = zeros(chunks)?;
    let pieces = flags.chunks(CHUNK).zip(&mut counts);
    parallel_for_beside(workers, false, pieces, |_, (flags, len)| *len = count(flags))?;
    let pieces = counts.iter().map(|&len| targets.take(len));
    parallel_for_beside(workers, false, flags.chunks(CHUNK).zip(pieces), |index, (flags, piece)| {
        select(index * CHUNK, data, flags, piece);
    })?;
    Ok(counts.iter().map(|&len| len as u64).sum())
}

/// The plain loop.
pub fn sequential<T: Copy, I: Index>(
    workers: &Workers,
    data: Option<&[T]>,
    flags: &[u8],
    mut targets: Targets<T, I>,
) -> u64 {
    let mut found = 0;
    workers.run_sequential(|| {
        in_pieces(flags.len(), |range| {
            for index in range.filter(|&index| flags[index] != 0) {
                let place = targets.kept.as_mut().and_then(|kept| kept.get_mut(found));
                if let (Some(place), Some(data)) = (place, data) {
                    *place = data[index];
                }
                if let Some(place) = targets.positions.as_mut().and_then(|positions| positions.get_mut(found))
                {
                    *place = I::from_usize(index);
                }
                found += 1;
            }
        });
    });
    found as u64
}

fn count(flags: &[u8]) -> usize {
    let in_part = |part: &[u8]| part.iter().map(|&flag| u8::from(flag != 0)).sum::<u8>();
    flags.chunks(128).map(|part| usize::from(in_part(part))).sum()
}

/// Moves the elements from `first` on whose flags are set, as far as the outputs reach; returns how many they are.
fn select<T: Copy, I: Index>(
    first: usize,
    data: Option<&[T]>,
    flags: &[u8],
    mut targets: Targets<T, I>,
) -> u64 {
    let mut found = 0;
    in_pieces(flags.len(), |range| {
        let flags = &flags[range.clone()];
        let end = found + count(flags);
        if let (Some(kept), Some(data)) = (&mut targets.kept, data) {
            put(flags, between(kept, found, end), |i| data[first + range.start + i]);
        }
        if let Some(positions) = &mut targets.positions {
            put(flags, between(positions, found, end), |i| I::from_usize(first + range.start + i));
        }
        found = end;
    });
    found as u64
}

/// What there is of some elements.
fn between<T>(array: &mut [T], begin: usize, end: usize) -> &mut [T] {
    let len = array.len();
    &mut array[begin.min(len)..end.min(len)]
}

/// to ← the values of the set flags, as far as it reaches.
fn put<T>(flags: &[u8], to: &mut [T], value: impl Fn(usize) -> T) {
    let mut found = 0;
    for (i, &flag) in flags.iter().enumerate() {
        if let Some(place) = to.get_mut(found) {
            *place = value(i);
        }
        found += usize::from(flag != 0);
    }
}

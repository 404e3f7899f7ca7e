//! Intervals that lie in a row, as their scan says: those that a range of elements meets.
#![forbid(unsafe_code)]

use super::gallop::{gallop, partition_point};
use crate::interrupt::Polls;
use crate::model::index::Index;

/// body (interval, from, to) for each interval that has elements in begin .. end, in their order: the elements from .. to are its
/// own. `scan` is not empty; elements before scan\[0\] belong to interval 0.
pub fn for_each<I: Index>(scan: &[I], begin: usize, end: usize, mut body: impl FnMut(usize, usize, usize)) {
    let mut interval = interval_of(scan, begin);
    let mut from = begin;
    while from < end {
        let next = gallop(interval + 1, scan.len(), starts_by(scan, from));
        interval = next - 1;
        let to = scan.get(next).map_or(end, |start| start.to_usize().clamp(from + 1, end));
        body(interval, from, to);
        from = to;
    }
}

/// output\[k\] ← value (the interval of element first + k); `scan` as for `for_each`.
///
/// Intervals of up to SHORT elements take no branch that their lengths decide: SHORT elements are written, and what belongs to the
/// next ones is written again.
pub fn fill_each<T: Copy, I: Index>(scan: &[I], first: usize, output: &mut [T], value: impl Fn(usize) -> T) {
    const SHORT: usize = 4;
    const EMPTY: u32 = 16; // intervals in a row, from which on they are passed in leaps
    let mut interval = interval_of(scan, first);
    let (len, mut at, mut empty) = (output.len(), 0, 0);
    while at < len {
        let end =
            scan.get(interval + 1).map_or(len, |start| start.to_usize().saturating_sub(first).clamp(at, len));
        let value = value(interval);
        match output[at..].first_chunk_mut::<SHORT>() {
            Some(short) if end - at <= SHORT => *short = [value; SHORT],
            _ => output[at..end].fill(value),
        }
        empty = if end == at { empty + 1 } else { 0 };
        at = end;
        interval += 1;
        if empty == EMPTY {
            interval = gallop(interval, scan.len(), starts_by(scan, first + at)) - 1;
            empty = 0;
        }
    }
}

/// The interval of an element; `scan` as for `for_each`.
fn interval_of<I: Index>(scan: &[I], element: usize) -> usize {
    partition_point(0, scan.len(), starts_by(scan, element)).saturating_sub(1)
}

/// Whether an interval starts at an element or before it.
fn starts_by<I: Index>(scan: &[I], element: usize) -> impl Fn(usize) -> bool {
    move |interval| scan[interval].to_usize() <= element
}

/// The interval of one element after the other, by a plain loop.
pub struct Cursor<'s, I> {
    scan: &'s [I],
    interval: usize,
    polls: Polls,
}

impl<'s, I: Index> Cursor<'s, I> {
    pub fn new(scan: &'s [I]) -> Cursor<'s, I> {
        Cursor { scan, interval: 0, polls: Polls::new() }
    }

    /// The interval of an element that is not before the last one asked for.
    #[inline]
    pub fn of(&mut self, element: usize) -> usize {
        while self.interval + 1 < self.scan.len() && self.scan[self.interval + 1].to_usize() <= element {
            self.interval += 1;
            self.polls.step();
        }
        self.interval
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};

    use super::*;

    #[test]
    fn every_element_has_its_interval_wherever_a_chunk_begins() {
        let mut random = rand_pcg::Pcg64::seed_from_u64(1);
        for lengths in [0..4, 0..1, 0..2, 0..40, 3..6, 4..5] {
            for intervals in [1, 2, 17, 300] {
                let mut scan: Vec<u32> = Vec::new();
                let mut end = 0;
                for _ in 0..intervals {
                    scan.push(end);
                    let is_long_gap = random.random_range(0..50) == 0;
                    end += if is_long_gap { 100 } else { random.random_range(lengths.clone()) };
                    scan.extend(std::iter::repeat_n(end, 60 * usize::from(is_long_gap))); // empty ones
                }
                let count = end as usize + 9; // of the last one, too
                let mut cursor = Cursor::new(&scan);
                let want: Vec<usize> = (0..count).map(|k| cursor.of(k)).collect();
                for first in [0, 1, 5, count / 2, count - 1] {
                    let mut got = vec![usize::MAX; count - first];
                    fill_each(&scan, first, &mut got, |interval| interval);
                    assert_eq!(got, want[first..], "{intervals} of {lengths:?}, from {first}");
                }
            }
        }
    }
}

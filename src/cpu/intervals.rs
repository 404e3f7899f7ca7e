//! Intervals that lie in a row, as their scan says: those that a range of elements meets.
#![forbid(unsafe_code)]

use super::gallop::{gallop, partition_point};
use crate::interrupt::Polls;
use crate::model::index::Index;

/// body (interval, from, to) for each interval that has elements in begin .. end, in their order: the elements from .. to are its
/// own. `scan` is not empty; elements before scan\[0\] belong to interval 0.
pub fn for_each<I: Index>(scan: &[I], begin: usize, end: usize, mut body: impl FnMut(usize, usize, usize)) {
    let starts_by = |element: usize| move |i: usize| scan[i].to_usize() <= element;
    let mut interval = partition_point(0, scan.len(), starts_by(begin)).saturating_sub(1);
    let mut from = begin;
    while from < end {
        let next = gallop(interval + 1, scan.len(), starts_by(from));
        interval = next - 1;
        let to = scan.get(next).map_or(end, |start| start.to_usize().clamp(from + 1, end));
        body(interval, from, to);
        from = to;
    }
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

//! Segments of elements on all cores: what the reductions of segments and the products with sparse matrices share.
//!
//! Algorithm  Ends of segments and elements are merged in thought, an end behind the elements of its segment, and the list is cut
//!            into shares of equal length; a search of the offsets finds where a share begins. What is left open at its end is a
//!            carry, which is joined to the result of its segment afterwards. D. Merrill, M. Garland, "Merge-based Parallel
//!            Sparse Matrix-Vector Multiplication", SC 2016.
//! Accuracy   Shares have one length, and long runs are folded in 16 lanes: the order of the operations depends on sizes and
//!            offsets alone, so the bits are the same whatever the number of threads and the machine.
#![forbid(unsafe_code)]

use std::ops::Range;

use super::Workers;
use super::gallop::partition_point;
use super::parallel::chunks::parts;
use super::parallel::parallel_for::parallel_for_beside;
use super::parallel::tree::in_halves;
use super::reduce::{dispatch_operator, operator};
use super::reserved;
use super::zeros;
use crate::error::Result;
use crate::interrupt::in_pieces;
use crate::model::index::Index;
use crate::model::operator::{Operand, Reduction};

pub(super) const SHARE: usize = 1 << 15; // ends and elements
const LANES: usize = 16;

/// result\[s\] ← value, for each empty segment.
pub fn fill_empty<T: Copy, I: Index>(offsets: &[I], result: &mut [T], value: T) {
    in_pieces(result.len().min(offsets.len().saturating_sub(1)), |range| {
        for segment in range {
            if offsets[segment + 1] <= offsets[segment] {
                result[segment] = value;
            }
        }
    });
}

/// result\[s\] ← fold (s, its elements), for the segments that `offsets` bounds among `count` elements. `fold` is asked for
/// parts of a segment, which `op` joins.
pub fn reduce<T: Operand, I: Index>(
    workers: &Workers,
    op: Reduction,
    offsets: &[I],
    count: usize,
    result: &mut [T],
    fold: impl Fn(usize, Range<usize>) -> T + Sync,
) -> Result<()> {
    reduce_shares(workers, op, offsets, count, result, |list, from, to, part| {
        list.walk(from, to, part, &fold)
    })
}

/// The same; `walk` writes the segments that end between two cuts, and returns what is open at the second one.
pub(super) fn reduce_shares<T: Operand, I: Index>(
    workers: &Workers,
    op: Reduction,
    offsets: &[I],
    count: usize,
    result: &mut [T],
    walk: impl Fn(&List<I>, Cut, Cut, &mut [T]) -> T + Sync,
) -> Result<()> {
    let list = List::new(offsets, count);
    let shares = list.len().div_ceil(SHARE);
    let mut cuts = reserved(shares + 1)?;
    cuts.extend((0..=shares).map(|share| list.cut(share * SHARE)));
    // The results of the segments that end between neighbouring cuts. Offsets that do not ascend may leave some out.
    let ends = cuts.windows(2).map(|cuts| cuts[1].segment.saturating_sub(cuts[0].segment));
    let parts = parts(result, ends)?;
    let mut carries = zeros(shares)?;
    let pieces = parts.into_iter().zip(&mut carries);
    parallel_for_beside(workers, shares <= 1, pieces, |share, (part, carry)| {
        *carry = walk(&list, cuts[share], cuts[share + 1], part);
    })?;
    for (share, carry) in carries.into_iter().enumerate().rev() {
        if let Some(open) = result.get_mut(cuts[share + 1].segment) {
            *open = T::apply(op, carry, *open);
        }
    }
    Ok(())
}

/// Where the list is cut: before this end and this element.
#[derive(Clone, Copy)]
pub(super) struct Cut {
    pub segment: usize,
    pub element: usize,
}

/// The ends of the segments and their elements.
pub(super) struct List<'a, I> {
    ends: &'a [I],
    elements: Range<usize>,
}

impl<I: Index> List<'_, I> {
    pub fn new(offsets: &[I], count: usize) -> List<'_, I> {
        let Some((first, ends)) = offsets.split_first() else { return List { ends: &[], elements: 0..0 } };
        let first = first.to_usize().min(count);
        let last = ends.last().map_or(first, |last| last.to_usize().clamp(first, count));
        List { ends, elements: first..last }
    }

    pub fn len(&self) -> usize {
        self.ends.len() + self.elements.len()
    }

    pub fn end(&self, segment: usize) -> usize {
        self.ends[segment].to_usize().clamp(self.elements.start, self.elements.end)
    }

    pub fn cut(&self, length: usize) -> Cut {
        let length = length.min(self.len());
        let (low, high) = (length.saturating_sub(self.elements.len()), length.min(self.ends.len()));
        let is_before = |segment| self.end(segment) - self.elements.start + segment < length;
        let segment = partition_point(low, high, is_before);
        Cut { segment, element: self.elements.start + (length - segment) }
    }

    /// Writes the segments that end between two cuts; what is open at the second one.
    #[inline(always)] // by one operator
    pub fn walk<T>(
        &self,
        from: Cut,
        to: Cut,
        part: &mut [T],
        mut fold: impl FnMut(usize, Range<usize>) -> T,
    ) -> T {
        let (mut element, last) = (from.element, to.element.max(from.element));
        let ends = &self.ends[from.segment..];
        for (segment, (result, end)) in (from.segment..).zip(part.iter_mut().zip(ends)) {
            let end = end.to_usize().min(last).max(element);
            *result = fold(segment, element..end);
            element = end;
        }
        fold(to.segment, element..last)
    }

    /// The same as a function of its own: where `fold` is a few instructions the loop needs all registers.
    #[inline(never)]
    pub fn walk_apart<T>(
        &self,
        from: Cut,
        to: Cut,
        part: &mut [T],
        fold: impl FnMut(usize, Range<usize>) -> T,
    ) -> T {
        self.walk(from, to, part, fold)
    }
}

/// Where elements of a segment lie in an array of `count`: as they are counted, or from the segment's source on.
pub fn place<I: Index>(
    offsets: &[I],
    sources: Option<&[I]>,
    segment: usize,
    elements: Range<usize>,
    count: usize,
) -> Range<usize> {
    let Range { start, end } = elements;
    // Where offsets do not ascend, elements may be left behind the last segment.
    let begin = match sources.filter(|_| start < end).and_then(|sources| sources.get(segment)) {
        None => start,
        Some(source) => {
            let ahead = start.saturating_sub(offsets[segment].to_usize());
            source.to_usize().saturating_add(ahead)
        }
    };
    let begin = begin.min(count);
    begin..begin.saturating_add(end.saturating_sub(start)).min(count)
}

/// The reduction of a run of numbers.
pub fn fold<T: Operand>(op: Reduction, run: &[T]) -> T {
    dispatch_operator!(op, T, in_lanes(run))
}

/// The same for one operator.
#[inline]
pub(super) fn in_lanes<T: Operand, const OP: usize>(run: &[T]) -> T {
    let (groups, rest) = run.as_chunks();
    let apply = |a, b| T::apply(operator(OP), a, b);
    join_lanes(groups.iter().copied(), rest.iter().copied(), T::identity(operator(OP)), apply)
}

/// The reduction of numbers of which each lane has every LANES-th one; what does not fill all lanes is joined behind them.
#[inline(always)] // by operator
pub(super) fn join_lanes<T: Copy>(
    groups: impl ExactSizeIterator<Item = [T; LANES]>,
    rest: impl Iterator<Item = T>,
    identity: T,
    apply: impl Fn(T, T) -> T + Copy,
) -> T {
    let mut total = identity;
    if groups.len() > 0 {
        let mut lanes = [identity; LANES];
        for group in groups {
            lanes = std::array::from_fn(|lane| apply(lanes[lane], group[lane]));
        }
        total = in_halves(lanes, apply);
    }
    rest.fold(total, apply)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::parallel::workers::workers;

    #[test]
    fn shares_cut_segments_of_any_length() {
        let data: Vec<u64> = (0..5 * SHARE as u64 + 13).collect();
        let ends = [0, 0, 3, 3 * SHARE - 5, 3 * SHARE - 5, 3 * SHARE - 4, data.len(), data.len()];
        let offsets: Vec<u64> = ends.map(|end| end as u64).to_vec();
        let mut result = vec![7u64; offsets.len() - 1];
        reduce(&workers(), Reduction::Sum, &offsets, data.len(), &mut result, |_, part| {
            fold(Reduction::Sum, &data[part])
        })
        .unwrap();
        let want: Vec<u64> = ends.windows(2).map(|pair| data[pair[0]..pair[1]].iter().sum()).collect();
        assert_eq!(result, want);
    }
}

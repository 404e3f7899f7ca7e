//! Vectorized sorted search on the CPU: lower or upper bounds of each element in the other array.
//!
//!   a_indices[i] = lower bound of a[i] in b, b_indices[j] = upper bound of b[j] in a, or upper and lower ones
//!   a_flags[i], b_flags[j] = 1 where the other array has an equal key, else 0; matches = how many of each are 1
//!
//! Algorithm  The merge of both is cut into pieces, which are walked in parallel; each step finds one element's place. Where a_indices alone
//!            are asked for, a thread walks four pieces in turn, step by step and without branches: the chains of dependent
//!            instructions of each, some ten cycles a step, overlap.
//! Cost       Reads a and b, writes what is asked for.
//! Source     S. Odeh, O. Green, Z. Mwassi, O. Shmueli, Y. Birk, "Merge Path", 2012.
#![forbid(unsafe_code)]

use super::Workers;
use super::collected;
use super::gallop::partition_point;
use super::is_small_for_long_work;
use super::parallel::chunks::take;
use super::parallel::parallel_for::parallel_for;
use super::run;
use super::zeros;
use crate::error::Result;
use crate::interrupt::in_pieces;
use crate::model::index::Index;
use crate::model::order::{Key, KeyOrder};
use crate::model::sorted_search::Bound;

const PIECE: usize = 1 << 14;
/// Pieces that are walked together.
const LANES: usize = 4;

/// The outputs; None where not asked for.
pub struct Outputs<'a, I> {
    pub a_indices: Option<&'a mut [I]>,
    pub b_indices: Option<&'a mut [I]>,
    pub a_flags: Option<&'a mut [u8]>,
    pub b_flags: Option<&'a mut [u8]>,
    pub matches: Option<&'a mut [u64]>,
}

/// What is found of one array's part.
struct Part<'a, I> {
    first: usize,
    len: usize,
    indices: Option<&'a mut [I]>,
    flags: Option<&'a mut [u8]>,
}

pub fn sorted_search<T: Key, I: Index>(
    workers: &Workers,
    (order, bound): (KeyOrder, Bound),
    a: &[T],
    b: &[T],
    outputs: Outputs<I>,
) -> Result<()> {
    let Outputs { mut a_indices, mut b_indices, mut a_flags, mut b_flags, matches } = outputs;
    let (rank_a, rank_b) = (|i: usize| a[i].rank(order), |j: usize| b[j].rank(order));
    // Of equal keys the one whose lower bound is asked for comes first.
    let a_is_next = |i: usize, j: usize| match bound {
        Bound::Lower => rank_a(i) <= rank_b(j),
        Bound::Upper => rank_a(i) < rank_b(j),
    };

    let walk = |(mut of_a, mut of_b): (Part<I>, Part<I>)| {
        let (mut i, mut j, mut found) = (of_a.first, of_b.first, [0, 0]);
        let (a_end, b_end) = (of_a.first + of_a.len, of_b.first + of_b.len);
        while i < a_end || j < b_end {
            if j == b_end || (i < a_end && a_is_next(i, j)) {
                let is_there = match bound {
                    Bound::Lower => j < b.len() && rank_b(j) == rank_a(i),
                    Bound::Upper => j > 0 && rank_b(j - 1) == rank_a(i),
                };
                of_a.put(i, j, is_there);
                found[0] += u64::from(is_there);
                i += 1;
            } else {
                let is_there = match bound {
                    Bound::Lower => i > 0 && rank_a(i - 1) == rank_b(j),
                    Bound::Upper => i < a.len() && rank_a(i) == rank_b(j),
                };
                of_b.put(j, i, is_there);
                found[1] += u64::from(is_there);
                j += 1;
            }
        }
        found
    };

    let is_of_a = matches!((&b_indices, &a_flags, &b_flags, &matches), (None, None, None, None));
    let all = a.len() + b.len();
    let is_small = is_small_for_long_work(a) && is_small_for_long_work(b);
    let piece = if is_small { all.max(1) } else { PIECE };
    let mut found = zeros(all.div_ceil(piece))?;
    run(workers, is_small, || {
        let mut next = 0;
        let pieces = (0..all).step_by(piece).map(|begin| {
            let end = all.min(begin + piece);
            let (low, high) = (end.saturating_sub(b.len()), a.len().min(end));
            let crossing = partition_point(low, high, |i| a_is_next(i, end - 1 - i));
            let (a_first, b_first) = (next, begin - next);
            next = crossing.clamp(next, next + (end - begin)); // it is, where a and b are sorted
            let (a_len, b_len) = (next - a_first, end - next - b_first);
            (
                Part::cut(a_first, a_len, &mut a_indices, &mut a_flags),
                Part::cut(b_first, b_len, &mut b_indices, &mut b_flags),
            )
        });
        if !is_of_a {
            return parallel_for(is_small, pieces.zip(&mut found), |_, (piece, found)| *found = walk(piece));
        }
        let mut pieces = collected(pieces)?;
        parallel_for(is_small, pieces.chunks_mut(LANES), |_, pieces| {
            if let Some(pieces) = pieces.first_chunk_mut::<LANES>() {
                match bound {
                    Bound::Lower if order.is_plain() => {
                        walk_together(a, b, pieces, |a, b| a.is_at_most(b, KeyOrder::ASCENDING)); // fewer instructions
                    }
                    Bound::Lower => walk_together(a, b, pieces, |a, b| a.is_at_most(b, order)),
                    Bound::Upper => walk_together(a, b, pieces, |a, b| !b.is_at_most(a, order)),
                }
            }
            pieces.iter_mut().for_each(|piece| walk_on(piece, a_is_next));
        })
    })??;
    if let Some(matches) = matches {
        matches.fill(0);
        for found in &found {
            matches.iter_mut().zip(found).for_each(|(sum, more)| *sum += more);
        }
    }
    Ok(())
}

/// Walks parts of a and b until one of them is near its end. A part begins behind what is walked then.
fn walk_together<T: Key, I: Index>(
    a: &[T],
    b: &[T],
    pieces: &mut [(Part<I>, Part<I>); LANES],
    a_is_next: impl Fn(T, T) -> bool,
) {
    const FEW: usize = 8;
    let mut lanes = pieces.each_mut().map(|(of_a, of_b)| Lane {
        a: &a[of_a.first..of_a.first + of_a.len],
        b: &b[of_b.first..of_b.first + of_b.len],
        first: of_b.first,
        indices: of_a.indices.as_deref_mut().unwrap_or_default(),
        at: (0, 0),
    });
    let left = |lane: &Lane<T, I>| (lane.indices.len() - lane.at.0).min(lane.b.len() - lane.at.1);
    loop {
        let steps = lanes.iter().map(left).min().unwrap_or(0);
        if steps < FEW {
            break;
        }
        for _ in 0..steps {
            lanes.iter_mut().for_each(|lane| lane.step(&a_is_next));
        }
    }
    let walked = lanes.map(|lane| lane.at);
    for ((of_a, of_b), (i, j)) in pieces.iter_mut().zip(walked) {
        of_a.skip(i);
        of_b.skip(j);
    }
}

/// Walks what is left of a piece, as far as a_indices ask for it.
fn walk_on<I: Index>((of_a, of_b): &mut (Part<I>, Part<I>), a_is_next: impl Fn(usize, usize) -> bool) {
    let (mut j, b_end) = (of_b.first, of_b.first + of_b.len);
    for i in of_a.first..of_a.first + of_a.len {
        while j < b_end && !a_is_next(i, j) {
            j += 1;
        }
        of_a.put(i, j, false);
    }
}

/// A piece that is walked beside others.
struct Lane<'a, T, I> {
    a: &'a [T],
    b: &'a [T],
    first: usize, // of b
    indices: &'a mut [I],
    at: (usize, usize),
}

impl<T: Key, I: Index> Lane<'_, T, I> {
    #[inline(always)]
    fn step(&mut self, a_is_next: impl Fn(T, T) -> bool) {
        let (i, j) = self.at;
        let is_next = usize::from(a_is_next(self.a[i], self.b[j]));
        self.indices[i] = I::from_usize(self.first + j);
        self.at = (i + is_next, j + 1 - is_next);
    }
}

impl<'a, I: Index> Part<'a, I> {
    /// Leaves out the first `len` elements.
    fn skip(&mut self, len: usize) {
        self.first += len;
        self.len -= len;
        if let Some(indices) = &mut self.indices {
            take(indices, len);
        }
    }

    /// The next `len` elements of the outputs.
    fn cut(
        first: usize,
        len: usize,
        indices: &mut Option<&'a mut [I]>,
        flags: &mut Option<&'a mut [u8]>,
    ) -> Part<'a, I> {
        let (indices, flags) =
            (indices.as_mut().map(|rest| take(rest, len)), flags.as_mut().map(|rest| take(rest, len)));
        Part { first, len, indices, flags }
    }

    fn put(&mut self, i: usize, found: usize, is_there: bool) {
        if let Some(indices) = &mut self.indices {
            indices[i - self.first] = I::from_usize(found);
        }
        if let Some(flags) = &mut self.flags {
            flags[i - self.first] = u8::from(is_there);
        }
    }
}

/// The plain loop: each element is searched on its own.
pub fn sequential<T: Key, I: Index>(
    workers: &Workers,
    (order, bound): (KeyOrder, Bound),
    a: &[T],
    b: &[T],
    outputs: Outputs<I>,
) -> Result<()> {
    let Outputs { a_indices, b_indices, a_flags, b_flags, matches } = outputs;
    let other = match bound {
        Bound::Lower => Bound::Upper,
        Bound::Upper => Bound::Lower,
    };
    let found = workers.run_sequential(|| {
        [look_up(order, bound, a, b, a_indices, a_flags), look_up(order, other, b, a, b_indices, b_flags)]
    });
    if let Some(matches) = matches {
        matches.copy_from_slice(&found);
    }
    Ok(())
}

/// How many of the needles are in the haystack.
fn look_up<T: Key, I: Index>(
    order: KeyOrder,
    bound: Bound,
    needles: &[T],
    haystack: &[T],
    mut indices: Option<&mut [I]>,
    mut flags: Option<&mut [u8]>,
) -> u64 {
    let mut matches = 0;
    in_pieces(needles.len(), |range| {
        for i in range {
            let rank = needles[i].rank(order);
            let lower = haystack.partition_point(|key| key.rank(order) < rank);
            let upper = haystack.partition_point(|key| key.rank(order) <= rank);
            if let Some(indices) = &mut indices {
                indices[i] = I::from_usize(if bound == Bound::Lower { lower } else { upper });
            }
            if let Some(flags) = &mut flags {
                flags[i] = u8::from(upper > lower);
            }
            matches += u64::from(upper > lower);
        }
    });
    matches
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::parallel::workers::workers;
    use crate::model::order::SortOrder;

    fn agrees<K: Key>(order: KeyOrder, mut a: Vec<K>, mut b: Vec<K>) {
        a.sort_by_key(|key| key.rank(order));
        b.sort_by_key(|key| key.rank(order));
        for bound in [Bound::Lower, Bound::Upper] {
            let [mut found, mut want] = [0, 1].map(|_| vec![7u32; a.len()]);
            let of_a = |indices| Outputs {
                a_indices: Some(indices),
                b_indices: None,
                a_flags: None,
                b_flags: None,
                matches: None,
            };
            sorted_search(&workers(), (order, bound), &a, &b, of_a(&mut found)).unwrap();
            sequential(&workers(), (order, bound), &a, &b, of_a(&mut want)).unwrap();
            assert!(found == want, "{order:?}, {} in {}", a.len(), b.len());
        }
    }

    #[test]
    fn pieces_that_are_walked_together_agree_with_the_plain_loop() {
        let number = |i: usize| ((i as u32).wrapping_mul(2_654_435_769) >> 9) % 30_000;
        for (a, b) in [(5 * PIECE, 4 * PIECE), (9 * PIECE, 100), (100, 9 * PIECE), (6 * PIECE, 0)] {
            for order in [SortOrder::Ascending, SortOrder::Descending].map(KeyOrder::from) {
                let keys = |len: usize| (0..len).map(number).collect::<Vec<u32>>();
                agrees(order, keys(a), keys(b + 1));
                let floats = |len: usize| {
                    (0..len).map(|i| match number(i) {
                        0..100 => f64::NAN,
                        100..200 => -0.0,
                        key => f64::from(key) - 15_000.0,
                    })
                };
                agrees(order, floats(a).collect::<Vec<f64>>(), floats(b).collect());
            }
        }
    }
}

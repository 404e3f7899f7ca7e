//! Set operations on two sorted arrays on the CPU.
//!
//! Algorithm  The sequential loop steps over the lesser key, or over two equal ones as a pair, and emits by the kind of the step. In
//!            parallel its way is cut into pieces where a balanced path crosses evenly spaced diagonals; the pieces are counted, and
//!            then walked again, each into its part of the result.
//! Cost       Θ(m + n) steps, twice in parallel, and two binary searches a piece.
//! Source     S. Baxter, "ModernGPU", Multisets, NVIDIA 2013.
#![forbid(unsafe_code)]

use super::Workers;
use super::gallop::partition_point;
use super::parallel::chunks::parts;
use super::parallel::parallel_for::parallel_for;
use super::run;
use super::zeros;
use crate::error::Result;
use crate::interrupt::Polls;
use crate::model::order::{Key, KeyOrder};
use crate::model::payload::{Value, Values};
use crate::model::set_operation::SetOperator;

const PIECE: usize = 1 << 14; // elements of both arrays

/// What is read: sorted keys, and how they are compared and joined.
pub struct Sets<'a, K> {
    pub a: &'a [K],
    pub b: &'a [K],
    pub order: KeyOrder,
    pub op: SetOperator,
}

/// Where a result comes from: a position in a, or in b.
#[derive(Clone, Copy)]
enum From {
    A(usize),
    B(usize),
}

/// The result's first elements to `keys` and `values`, which are as long as the capacity or empty; returns its length.
/// values_of: those of a and of b.
pub fn set_operation<K: Key, V: Value>(
    workers: &Workers,
    sets: &Sets<K>,
    values_of: [Values<V>; 2],
    keys: &mut [K],
    values: &mut [V],
) -> Result<u64> {
    let len = sets.a.len() + sets.b.len();
    if len <= 2 * PIECE {
        return sequential(workers, sets, values_of, keys, values);
    }
    let pieces = len.div_ceil(PIECE);
    let (mut cuts, mut counts) = (zeros(pieces + 1)?, zeros(pieces)?);
    run(workers, false, || {
        parallel_for(false, cuts.iter_mut(), |piece, cut| *cut = sets.cut((piece * PIECE).min(len)))?;
        let pieces = cuts.windows(2).zip(&mut counts);
        parallel_for(false, pieces, |_, (cuts, count)| *count = sets.count(cuts[0], cuts[1]))?;

        let (keys, values) = (parts(keys, counts.iter().copied())?, parts(values, counts.iter().copied())?);
        let pieces = cuts.into_iter().zip(keys).zip(values);
        parallel_for(false, pieces, |_, ((begin, keys), values)| sets.fill(begin, &values_of, keys, values))?;
        Ok(counts.iter().sum::<usize>() as u64)
    })?
}

/// The plain loop.
pub fn sequential<K: Key, V: Value>(
    workers: &Workers,
    sets: &Sets<K>,
    values_of: [Values<V>; 2],
    keys: &mut [K],
    values: &mut [V],
) -> Result<u64> {
    Ok(workers.run_sequential(|| {
        let (mut found, mut polls) = (0, Polls::new());
        sets.walk(
            (0, 0),
            (sets.a.len(), sets.b.len()),
            || polls.step(),
            |from| {
                if let Some(key) = keys.get_mut(found) {
                    *key = sets.key(from);
                }
                if let Some(target) = values.get_mut(found) {
                    *target = from.value(&values_of);
                }
                found += 1;
                true
            },
        );
        found as u64
    }))
}

impl From {
    fn value<V: Value>(self, [a, b]: &[Values<V>; 2]) -> V {
        match self {
            From::A(i) => a.get(i),
            From::B(j) => b.get(j),
        }
    }
}

impl<K: Key> Sets<'_, K> {
    fn key(&self, from: From) -> K {
        match from {
            From::A(i) => self.a[i],
            From::B(j) => self.b[j],
        }
    }

    /// Steps from one point of the way to another, and hands over what is emitted until nobody wants more.
    /// `step` is called before each step.
    fn walk(
        &self,
        begin: (usize, usize),
        end: (usize, usize),
        mut step: impl FnMut(),
        mut emit: impl FnMut(From) -> bool,
    ) {
        let emits = |ops: &[SetOperator]| ops.contains(&self.op);
        let from_a = emits(&[SetOperator::Union, SetOperator::Difference, SetOperator::SymmetricDifference]);
        let from_b = emits(&[SetOperator::Union, SetOperator::SymmetricDifference]);
        let from_pair = emits(&[SetOperator::Union, SetOperator::Intersection]);
        let ((mut i, mut j), mut goes_on) = (begin, true);
        while goes_on && i < end.0 && j < end.1 {
            step();
            let (a, b) = (self.a[i].rank(self.order), self.b[j].rank(self.order));
            if a <= b && if a == b { from_pair } else { from_a } {
                goes_on = emit(From::A(i));
            }
            if b < a && from_b {
                goes_on = emit(From::B(j));
            }
            i += usize::from(a <= b);
            j += usize::from(b <= a);
        }
        while goes_on && from_a && i < end.0 {
            step();
            goes_on = emit(From::A(i));
            i += 1;
        }
        while goes_on && from_b && j < end.1 {
            step();
            goes_on = emit(From::B(j));
            j += 1;
        }
    }

    /// How much is emitted from one cut to the next.
    fn count(&self, begin: (usize, usize), end: (usize, usize)) -> usize {
        let mut count = 0;
        self.walk(
            begin,
            end,
            || {},
            |_| {
                count += 1;
                true
            },
        );
        count
    }

    /// What is emitted from a cut on, as much as the outputs hold.
    fn fill<V: Value>(
        &self,
        begin: (usize, usize),
        values_of: &[Values<V>; 2],
        keys: &mut [K],
        values: &mut [V],
    ) {
        let (mut written, capacity) = (0, keys.len().max(values.len()));
        if capacity == 0 {
            return;
        }
        self.walk(
            begin,
            (self.a.len(), self.b.len()),
            || {},
            |from| {
                if let Some(key) = keys.get_mut(written) {
                    *key = self.key(from);
                }
                if let Some(target) = values.get_mut(written) {
                    *target = from.value(values_of);
                }
                written += 1;
                written < capacity
            },
        );
    }

    /// The point of the way on diagonal `d`: i + j = d, or d + 1 behind a pair that the diagonal cuts.
    fn cut(&self, d: usize) -> (usize, usize) {
        let (a, b) = (|i: usize| self.a[i].rank(self.order), |j: usize| self.b[j].rank(self.order));
        let (low, high) = (d.saturating_sub(self.b.len()), d.min(self.a.len()));
        let i = partition_point(low, high, |i| a(i) <= b(d - 1 - i));
        let j = d - i;
        if i == 0 || j == self.b.len() || a(i - 1) != b(j) {
            return (i, j); // no copy of the key at the cut lies before it in a
        }
        // Of that key the way took one of each in turn, and the rest from where there was one.
        let x = b(j);
        let a_begin = partition_point(0, i, |i| a(i) < x);
        let b_begin = partition_point(0, j, |j| b(j) < x);
        let (from_a, copies) = (i - a_begin, d - a_begin - b_begin);
        let fair = (copies / 2).max(copies - from_a);
        let b_run = partition_point(j, self.b.len().min(b_begin + fair + 1), |j| b(j) == x) - b_begin;
        let from_b = fair.min(b_run);
        let cuts_a_pair = copies - from_b == from_b + 1 && from_b < b_run;
        (a_begin + copies - from_b, b_begin + from_b + usize::from(cuts_a_pair))
    }
}

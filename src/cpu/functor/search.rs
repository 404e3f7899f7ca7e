//! Bounds of keys among keys that are sorted by an expression, and merges.
//!
//! Algorithm  Bisection: all searches of a block have the same number of steps and the same distances, so that the program runs on all of
//!            them at once. A merge puts each key behind its own and behind the others that its index counts.
//! Cost       log2 (others) + 1 evaluations for each key.
//! Source     N. Satish, M. Harris, M. Garland, "Designing Efficient Sorting Algorithms for Manycore GPUs", 2009 (merges by ranks).
#![forbid(unsafe_code)]

use super::{BLOCK, Form, Functor, is_small};
use crate::cpu::parallel::parallel_for::try_parallel_for;
use crate::cpu::{Execution, run, zeros};
use crate::error::Result;
use crate::model::expression::program::Program;
use crate::model::sorted_search::Bound;
use crate::model::variant::Variant;

/// Keys of a thread's share.
const SHARE: usize = 8 * BLOCK;

/// indices\[i\] ← how many of the others precede keys\[i\], or are not preceded by it; flags\[i\] ← whether one is equal, where they are wanted.
pub fn search<F: Form>(
    (workers, variant): Execution,
    program: &Program,
    (bound, keys, others): (Bound, &[F::Stored], &[F::Stored]),
    wants_flags: bool,
) -> Result<(Vec<usize>, Vec<u8>)> {
    let mut indices = zeros(keys.len())?;
    let mut flags = zeros(if wants_flags { keys.len() } else { 0 })?;
    let is_alone = variant == Variant::Sequential || is_small(program, keys.len().saturating_mul(16));
    run(workers, is_alone, || {
        let mut rest = &mut flags[..];
        let shares = keys.chunks(SHARE).zip(indices.chunks_mut(SHARE)).map(|(keys, indices)| {
            let flags = crate::cpu::parallel::chunks::take(&mut rest, keys.len());
            (keys, indices, flags)
        });
        try_parallel_for(is_alone, shares, |_, (keys, indices, flags)| {
            let mut functor = Functor::<F>::new(program)?;
            for (first, keys) in (0..).step_by(BLOCK).zip(keys.chunks(BLOCK)) {
                let indices = &mut indices[first..first + keys.len()];
                functor.bounds(bound, keys, others, indices)?;
                if let Some(flags) = flags.get_mut(first..first + keys.len()) {
                    functor.matches(bound, keys, others, indices, flags)?;
                }
            }
            Ok(())
        })
    })??;
    Ok((indices, flags))
}

impl<F: Form> Functor<'_, F> {
    /// The bounds of a block of keys.
    fn bounds(
        &mut self,
        bound: Bound,
        keys: &[F::Stored],
        others: &[F::Stored],
        indices: &mut [usize],
    ) -> Result<()> {
        let mut probes = [F::Stored::default(); BLOCK];
        let probes = &mut probes[..keys.len()];
        let mut length = others.len();
        while length > 0 {
            let half = (length / 2).max(1);
            probes.iter_mut().zip(&*indices).for_each(|(probe, low)| *probe = others[low + half - 1]);
            let is_lower = bound == Bound::Lower;
            let is_true = if is_lower { self.precede(probes, keys)? } else { self.precede(keys, probes)? };
            for (low, &is_true) in indices.iter_mut().zip(is_true) {
                *low += if (is_true != 0) == is_lower { half } else { 0 };
            }
            length -= if length > 1 { half } else { length };
        }
        Ok(())
    }

    /// Whether the neighbour of a bound equals the key.
    fn matches(
        &mut self,
        bound: Bound,
        keys: &[F::Stored],
        others: &[F::Stored],
        indices: &[usize],
        flags: &mut [u8],
    ) -> Result<()> {
        let is_lower = bound == Bound::Lower;
        let neighbour = |&low: &usize| if is_lower { low } else { low.wrapping_sub(1) };
        let mut probes = [F::Stored::default(); BLOCK];
        let probes = &mut probes[..keys.len()];
        for (probe, low) in probes.iter_mut().zip(indices) {
            *probe = others.get(neighbour(low)).copied().unwrap_or_default();
        }
        let is_true = if is_lower { self.precede(keys, probes)? } else { self.precede(probes, keys)? };
        for ((flag, low), &is_true) in flags.iter_mut().zip(indices).zip(is_true) {
            *flag = u8::from(neighbour(low) < others.len() && is_true == 0);
        }
        Ok(())
    }
}

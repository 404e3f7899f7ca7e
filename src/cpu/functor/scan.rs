//! Prefixes of an array by an expression.
#![forbid(unsafe_code)]

use super::reduce::fold_pieces;
use super::{BLOCK, Copied, Form, Functor, PIECE, is_small};
use crate::cpu::parallel::parallel_for::try_parallel_for;
use crate::cpu::scan::Array;
use crate::cpu::{Execution, run, zeros};
use crate::error::Result;
use crate::model::expression::program::Program;
use crate::model::variant::Variant;

/// The prefixes of an array that is not empty; returns the total. The first one of an exclusive scan is left to the caller.
pub fn scan<F: Form>(
    how: Execution,
    program: &Program,
    is_inclusive: bool,
    array: Array<F::Stored>,
) -> Result<F::Stored> {
    if how.1 == Variant::Sequential {
        return how.0.run_sequential(|| sequential::<F>(program, is_inclusive, array));
    }
    let data = match &array {
        Array::Same(array) => &**array,
        Array::Apart(source, _) => *source,
    };
    let mut totals = fold_pieces::<F>(how, program, data)?;
    prefixes::<F>(program, &mut totals)?;
    let is_alone = is_small(program, data.len());
    let piece = |index: usize, from: Option<&[F::Stored]>, to: &mut [F::Stored]| {
        let before = index.checked_sub(1).map(|index| totals[index]);
        scan_piece::<F>(program, is_inclusive, before, from, to)
    };
    run(how.0, is_alone, || match array {
        Array::Same(array) => {
            try_parallel_for(is_alone, array.chunks_mut(PIECE), |index, to| piece(index, None, to))
        }
        Array::Apart(source, target) => {
            let pieces = source.chunks(PIECE).zip(target.chunks_mut(PIECE));
            try_parallel_for(is_alone, pieces, |index, (from, to)| piece(index, Some(from), to))
        }
    })??;
    Ok(*totals.last().expect("the array is not empty"))
}

/// to ← the prefixes of a piece, behind what is before it; of itself where there is no source.
fn scan_piece<F: Form>(
    program: &Program,
    is_inclusive: bool,
    before: Option<F::Stored>,
    from: Option<&[F::Stored]>,
    to: &mut [F::Stored],
) -> Result<()> {
    let mut functor = Functor::<F>::new(program)?;
    let mut values = from.unwrap_or(to).to_vec_checked()?;
    if let Some(before) = before {
        values[0] = functor.apply(before, values[0])?;
    }
    functor.prefixes(&mut values)?;
    match (is_inclusive, before) {
        (true, _) => to.copy_from_slice(&values),
        (false, before) => {
            to[1..].copy_from_slice(&values[..values.len() - 1]);
            to[0] = before.unwrap_or(values[0]);
        }
    }
    Ok(())
}

/// values ← their prefixes, piece by piece.
fn prefixes<F: Form>(program: &Program, values: &mut [F::Stored]) -> Result<()> {
    let mut functor = Functor::<F>::new(program)?;
    let mut before = None;
    for piece in values.chunks_mut(PIECE) {
        if let Some(before) = before {
            piece[0] = functor.apply(before, piece[0])?;
        }
        functor.prefixes(piece)?;
        before = piece.last().copied();
    }
    Ok(())
}

/// The plain loop.
fn sequential<F: Form>(
    program: &Program,
    is_inclusive: bool,
    mut array: Array<F::Stored>,
) -> Result<F::Stored> {
    let mut functor = Functor::<F>::new(program)?;
    let len = match &array {
        Array::Same(array) => array.len(),
        Array::Apart(source, _) => source.len(),
    };
    let mut prefix = None;
    for i in 0..len {
        let (value, to) = match &mut array {
            Array::Same(array) => (array[i], &mut array[i]),
            Array::Apart(source, target) => (source[i], &mut target[i]),
        };
        let next = match prefix {
            None => value,
            Some(before) => functor.apply(before, value)?,
        };
        *to = if is_inclusive { next } else { prefix.unwrap_or(value) };
        prefix = Some(next);
    }
    Ok(prefix.expect("the array is not empty"))
}

impl<F: Form> Functor<'_, F> {
    /// values ← their prefixes.
    fn prefixes(&mut self, values: &mut [F::Stored]) -> Result<()> {
        let mut scratch = zeros(values.len())?;
        self.scan_rounds(values, &mut scratch)
    }

    /// The prefixes of the joined pairs are those at odd places; each but the last joined with its neighbour is the next one.
    fn scan_rounds(&mut self, values: &mut [F::Stored], scratch: &mut [F::Stored]) -> Result<()> {
        let half = values.len() / 2;
        if half == 0 {
            return Ok(());
        }
        let (joined, rest) = scratch.split_at_mut(half);
        self.join_pairs(&values[..2 * half], joined)?;
        self.scan_rounds(joined, rest)?;
        let evens = (values.len() - 1) / 2; // behind the first one
        for first in (0..evens).step_by(BLOCK) {
            let count = BLOCK.min(evens - first);
            let places = 2 * first + 2..(2 * (first + count) + 2).min(values.len());
            self.load(0, joined, first, 1)?;
            self.load(1, &values[places.clone()], 0, 2)?;
            self.run(count, &mut values[places], 2);
        }
        for (value, &joined) in values.iter_mut().skip(1).step_by(2).zip(&*joined) {
            *value = joined;
        }
        Ok(())
    }
}

//! Reduction of an array by an expression.
#![forbid(unsafe_code)]

use super::{Form, Functor, PIECE, is_small};
use crate::cpu::parallel::parallel_for::try_parallel_for;
use crate::cpu::{Execution, run, zeros};
use crate::error::Result;
use crate::interrupt::in_pieces;
use crate::model::expression::program::Program;
use crate::model::variant::Variant;

/// Pieces of a thread's share: the blocks of a functor are made once for them.
const SHARE: usize = 8;

/// All elements joined, of which there is one at least. The order of the operations depends on their number alone.
pub fn reduce<F: Form>(how: Execution, program: &Program, data: &[F::Stored]) -> Result<F::Stored> {
    if how.1 == Variant::Sequential {
        return sequential::<F>(how, program, data);
    }
    let mut partials = fold_pieces::<F>(how, program, data)?;
    while partials.len() > 1 {
        partials = fold_pieces::<F>(how, program, &partials)?;
    }
    Ok(partials[0])
}

/// Each piece joined.
pub fn fold_pieces<F: Form>(
    (workers, variant): Execution,
    program: &Program,
    data: &[F::Stored],
) -> Result<Vec<F::Stored>> {
    let mut partials = zeros::<F::Stored>(data.len().div_ceil(PIECE))?;
    let is_alone = variant == Variant::Sequential || is_small(program, data.len());
    run(workers, is_alone, || {
        let shares = partials.chunks_mut(SHARE).zip(data.chunks(SHARE * PIECE));
        try_parallel_for(is_alone, shares, |_, (partials, data)| {
            let mut functor = Functor::<F>::new(program)?;
            for (partial, piece) in partials.iter_mut().zip(data.chunks(PIECE)) {
                *partial = functor.fold(piece)?;
            }
            Ok(())
        })
    })??;
    Ok(partials)
}

/// The plain loop.
fn sequential<F: Form>((workers, _): Execution, program: &Program, data: &[F::Stored]) -> Result<F::Stored> {
    workers.run_sequential(|| {
        let mut functor = Functor::<F>::new(program)?;
        let mut total = Ok(data[0]);
        in_pieces(data.len() - 1, |range| {
            for i in range {
                if let Ok(before) = total {
                    total = functor.apply(before, data[i + 1]);
                }
            }
        });
        total
    })
}

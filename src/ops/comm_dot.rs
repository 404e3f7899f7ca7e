//! Inner product of two vectors whose parts are on several ranks.
#![forbid(unsafe_code)]

use super::comm_reduce::partials;
use super::dot::{self, Options};
use super::mailboxes::Partial;
use super::ranks::{CELL_WORDS, Cell, array_of};
use super::reduce;
use crate::array::{Input, Output, all_apart};
use crate::comm::{Comm, Field};
use crate::context::Context;
use crate::error::Result;
use crate::model::operator::Operator;

/// result\[0\] ← Σ x\[i\]·y\[i\] over all parts, on every rank.
///
/// Algorithm: each rank has the product of its parts, all gather these, and each adds them up.
pub fn dot(
    ctx: &mut Context,
    comm: &mut Comm,
    options: &Options,
    (x, y, count): (Input, Input, usize),
    mut result: Output,
) -> Result<()> {
    let dtype = options.dtype.required("dtype")?;
    let parts = (x.view_of(dtype, &[count])?, y.view_of(dtype, &[count])?);
    all_apart(&[&result.reborrow().view_of(dtype, &[1])?], &[&parts.0, &parts.1])?;
    let terms = [
        Field::same("options.dtype", dtype as i32),
        Field::same("options.conjugate", i32::from(options.conjugates)),
    ];
    let dot_part = |ctx: &mut Context, partial: Output| dot::dot(ctx, options, x, y, count, partial);
    if let Some(mut partial) = Partial::new(ctx, comm, Operator::Sum, (dtype, 1), &result, dot_part)? {
        comm.agree(Ok(()), &terms)?;
        let all = std::iter::repeat_n(true, comm.ranks());
        return partial.join(ctx, comm, all, (result, false), None);
    }
    let mut partial: Cell = [0; CELL_WORDS];
    dot_part(ctx, Output::new("a partial result", &mut partial))?;
    let [low, high] = partial.map(|word| Field::own(word as usize));
    let [dtype_is, conjugates] = terms;
    let is_there = Field::own(usize::from(count > 0));
    let ((), told) = comm.agree(Ok(()), &[dtype_is, conjugates, is_there, low, high])?;
    let (partials, len) = array_of(dtype, partials(&told, 2).flatten())?;
    let sum = reduce::Options { dtype, accumulator_dtype: dtype, ..Default::default() };
    reduce::reduce_few(ctx, &sum, (&partials, len), None, result, None)
}

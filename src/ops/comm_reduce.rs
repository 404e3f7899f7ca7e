//! Reduction of an array whose parts are on several ranks.
#![forbid(unsafe_code)]

use super::dtypes::accumulators;
use super::mailboxes::Partial;
use super::ranks::{CELL_WORDS, Cell, array_of};
use super::reduce::{self, Options};
use super::reduce_dim::complex_accumulator;
use crate::array::{Input, Output, all_apart};
use crate::comm::{Comm, Field, Fields};
use crate::context::Context;
use crate::error::Result;
use crate::model::dtype::Dtype;
use crate::model::operator::Operator;

/// result\[0\] ← all elements of all parts combined, in the order of ranks, on every rank: as [`reduce::reduce`] of the parts behind one another.
///
/// Algorithm: each rank reduces its part, all gather the partial results, and each reduces these. Empty parts have none. Kernels of devices that
/// see each other join what an operator joins (mailboxes.rs); other partial results cross with the agreement.
/// Integers have the bits of one rank; sums of floats depend on the number of ranks and on the parts.
pub fn reduce(
    ctx: &mut Context,
    comm: &mut Comm,
    options: &Options,
    (data, count): (Input, usize),
    identity: Option<Input>,
    mut result: Output,
    mut result_copy: Option<Output>,
) -> Result<()> {
    let to = result_dtype(options.dtype, options.accumulator_dtype)?;
    let copy = result_copy.as_mut().map(|copy| copy.reborrow().view_of(to, &[1])).transpose()?;
    all_apart(&[&result.reborrow().view_of(to, &[1])?, &copy], &[&data.view_of(options.dtype, &[count])?])?;
    let identity_bytes =
        identity.map(|identity| identity.view_of(to, &[1])?.bytes().on_host()).transpose()?;
    let is_there = Field::own(usize::from(count > 0));
    let [dtype, op, accumulator, expression, bytes] = [
        Field::same("options.dtype", options.dtype as i32),
        Field::same("options.op", options.op as i32),
        Field::same("options.accumulator_dtype", options.accumulator_dtype as i32),
        Field::same_bytes("options.expression", options.expression.map(str::as_bytes)),
        Field::same_bytes("options.identity", identity_bytes),
    ];
    let of_partials = Options { dtype: to, accumulator_dtype: to, ..*options };
    let reduce_pieces = |ctx: &mut Context, pieces: Output| match count {
        0 => Ok(1),
        _ => reduce::reduce_to_pieces(ctx, options, (data, count), identity, pieces),
    };
    let (op_of_parts, room) = (options.op.or(Operator::Sum), (to, 1, reduce::PIECES));
    if options.expression.is_none()
        && let Some(mut partial) = Partial::of_pieces(ctx, comm, op_of_parts, room, &result, reduce_pieces)?
    {
        let ((), told) = comm.agree(Ok(()), &[dtype, op, accumulator, expression, bytes, is_there])?;
        let has = || told.of_all(5).map(|is_there| is_there == 1);
        return match has().any(|has| has) {
            true => partial.join(ctx, comm, has(), (result, false), result_copy),
            false => reduce::reduce(ctx, options, data, 0, identity, result, result_copy),
        };
    }
    let mut partial: Cell = [0; CELL_WORDS];
    if count > 0 {
        reduce::reduce(
            ctx,
            options,
            data,
            count,
            identity,
            Output::new("a partial result", &mut partial),
            None,
        )?;
    }
    let [low, high] = partial.map(|word| Field::own(word as usize));
    let ((), told) = comm.agree(Ok(()), &[dtype, op, accumulator, expression, bytes, is_there, low, high])?;
    let (partials, len) = array_of(to, partials(&told, 5).flatten())?;
    reduce::reduce_few(ctx, &of_partials, (&partials, len), identity, result, result_copy)
}

/// The partial result of each rank, from the fields that it told from `at` on: whether it has one, and its two words.
pub(super) fn partials(told: &Fields, at: usize) -> impl Iterator<Item = Option<Cell>> {
    let cells = told.of_all(at + 1).zip(told.of_all(at + 2)).map(|(low, high)| [low, high]);
    told.of_all(at).zip(cells).map(|(is_there, cell)| (is_there == 1).then_some(cell))
}

/// The dtype of results.
pub(super) fn result_dtype(dtype: Dtype, accumulator: Dtype) -> Result<Dtype> {
    match dtype.is_complex() {
        true => complex_accumulator(dtype, accumulator),
        false => accumulators(dtype, accumulator).map(|(to, _)| to),
    }
}

//! Prefixes of an array whose parts are on several ranks.
#![forbid(unsafe_code)]

use super::comm_reduce::{partials, result_dtype};
use super::copy;
use super::map;
use super::ranks::{Cell, array_of};
use super::reduce;
use super::scan::{self, Options, ScanKind};
use crate::array::{Input, Output, all_apart, is_same_or_apart};
use crate::comm::{Comm, Field};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::model::dtype::Dtype;
use crate::model::expression::{Layout, Rules, Source};
use crate::model::numbered::NumberedEnum;
use crate::model::operator::Operator;
use crate::model::variant::Variant;

/// Each rank's results ← the prefixes of its elements in the parts of all ranks behind one another; total\[0\] ← all of them combined.
///
/// Algorithm: each rank scans its part; all gather the totals; each combines those of the ranks before it and joins them with its results.
/// Integers have the bits of one rank; sums of floats depend on the number of ranks and on the parts.
/// Cost: reads and writes the part, and reads and writes the results once more on all ranks but the first.
pub fn scan(
    ctx: &mut Context,
    comm: &mut Comm,
    options: &Options,
    (data, count): (Input, usize),
    identity: Option<Input>,
    mut result: Output,
    mut total: Option<Output>,
) -> Result<()> {
    let dtype = options.dtype;
    if dtype.is_complex() {
        return Err(Error::unsupported(format!(
            "options.dtype is {}; on several ranks real numbers are served",
            dtype.c_name()
        )));
    }
    let to = result_dtype(dtype, options.accumulator_dtype)?;
    check_apart(options, to, (data, count), &mut result, &mut total)?;
    let mut partial: Cell = [0; 2];
    if count > 0 {
        let all = Output::new("a partial total", &mut partial);
        scan::scan(ctx, options, data, count, identity, result.reborrow(), Some(all))?;
    }
    let identity_bytes =
        identity.map(|identity| identity.view_of(to, &[1])?.bytes().on_host()).transpose()?;
    let ((), told) = comm.agree(
        Ok(()),
        &[
            Field::own(usize::from(count > 0)),
            Field::own(partial[0] as usize),
            Field::own(partial[1] as usize),
            Field::same("options.dtype", dtype as i32),
            Field::same("options.op", options.op as i32),
            Field::same("options.kind", options.kind as i32),
            Field::same("options.accumulator_dtype", options.accumulator_dtype as i32),
            Field::same_bytes("options.expression", options.expression.map(str::as_bytes)),
            Field::same_bytes("options.identity", identity_bytes),
        ],
    )?;
    let &Options { variant, op, expression, .. } = options;
    let sum = reduce::Options { variant, dtype: to, op, accumulator_dtype: to, expression };
    let (before, len) = array_of(to, partials(&told, 0).take(comm.rank()).flatten())?;
    if count > 0 && len > 0 {
        let mut carry: Cell = [0; 2];
        reduce::reduce_few(
            ctx,
            &sum,
            (&before, len),
            identity,
            Output::new("their total", &mut carry),
            None,
        )?;
        join(ctx, options, to, &carry, &mut result, count)?;
    }
    let (all, len) = array_of(to, partials(&told, 0).flatten())?;
    match total {
        None => Ok(()),
        Some(total) => reduce::reduce_few(ctx, &sum, (&all, len), identity, total, None),
    }
}

fn check_apart(
    options: &Options,
    to: Dtype,
    (data, count): (Input, usize),
    result: &mut Output,
    total: &mut Option<Output>,
) -> Result<()> {
    let data = data.view_of(options.dtype, &[count])?;
    let result = result.reborrow().view_of(to, &[count])?;
    let total = total.as_mut().map(|total| total.reborrow().view_of(to, &[1])).transpose()?;
    if to == options.dtype {
        is_same_or_apart(&result, &data)?;
    } else {
        all_apart(&[&result], &[&data])?;
    }
    all_apart(&[&total], &[&data, &result]).map(drop)
}

/// result\[i\] ← carry ∘ result\[i\]; of an exclusive scan result\[0\] ← carry.
fn join(
    ctx: &mut Context,
    options: &Options,
    to: Dtype,
    carry: &Cell,
    result: &mut Output,
    count: usize,
) -> Result<()> {
    let text = match options.expression {
        Some(text) => text,
        None => joint(options.op, to.is_float()),
    };
    let source = Source {
        text: text.to_string(),
        names: None,
        dtypes: vec![to, to],
        rules: Rules::C,
        has_neighbours: false,
    };
    let layout = Layout::new(&[count], 2, Some(&[0, 1]), None)?;
    let how = map::Options { variant: Variant::Auto, dtype: to, layout };
    let carry = Input::new("the total before", carry);
    let (from, target) = result.in_place();
    map::map(ctx, &how, source, &[&carry, &from], target)?;
    match options.kind {
        ScanKind::Exclusive => copy::copy(ctx, result.reborrow(), carry, to.size()),
        ScanKind::Inclusive => Ok(()),
    }
}

/// An operator as an expression of a and b. MIN and MAX of floats ignore NaN, and -0 is less than 0.
fn joint(op: Operator, of_floats: bool) -> &'static str {
    match (op.or(Operator::Sum), of_floats) {
        (Operator::Product, _) => "a * b",
        (Operator::Min, false) => "min (a, b)",
        (Operator::Max, false) => "max (a, b)",
        (Operator::Min, true) => {
            "isnan (a) ? b : isnan (b) ? a : a < b ? a : b < a ? b : a == 0 ? -(-a - b) : a"
        }
        (Operator::Max, true) => "isnan (a) ? b : isnan (b) ? a : a > b ? a : b > a ? b : a == 0 ? a + b : a",
        (Operator::And, _) => "bitand (a, b)",
        (Operator::Or, _) => "bitor (a, b)",
        (Operator::Xor, _) => "bitxor (a, b)",
        _ => "a + b",
    }
}

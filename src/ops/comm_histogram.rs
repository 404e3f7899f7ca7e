//! Histogram of samples whose parts are on several ranks.
#![forbid(unsafe_code)]

use super::copy;
use super::histogram::{self, Options};
use super::mailboxes::Partial;
use super::ranks::{self, Sums};
use crate::array::{Input, Output, all_apart};
use crate::comm::{Comm, Field};
use crate::context::Context;
use crate::error::Result;
use crate::model::dtype::Dtype;
use crate::model::histogram::Bins;
use crate::model::operator::Operator;

/// counts ← the counts of the samples of all parts, or the sums of their weights, on every rank; added to those of each where the options say so.
///
/// Algorithm: each rank counts its part; few counts of devices that see each other are added up by their kernels, others by `Sums`. Sums of weights
/// are added in the order of ranks.
pub fn histogram(
    ctx: &mut Context,
    comm: &mut Comm,
    mut options: Options,
    (data, count): (Input, usize),
    mut counts: Output,
    bins: usize,
) -> Result<()> {
    Bins::<()>::check_count(bins)?;
    let (channels, is_added) =
        (options.channels.clamp(1, 4) as usize, std::mem::take(&mut options.accumulate));
    let len = bins * channels; // at most 2^33
    let dtype = options.dtype.or(Dtype::U8);
    let is_weighted = options.weights.is_some();
    let counter = if is_weighted { Dtype::F64 } else { Dtype::U64 };
    all_apart(&[&counts.reborrow().view_of(counter, &[len])?], &[&data.view_of(dtype, &[count])?])?;
    let [lo, hi] = options.range.unwrap_or_default();
    let terms = [
        Field::same("options.dtype", dtype as i32),
        Field::same("options.channels", channels),
        Field::same("bins", bins),
        Field::same("options.lo, as the bits of a double,", lo.to_bits()),
        Field::same("options.hi, as the bits of a double,", hi.to_bits()),
        Field::same("whether there are options.edges", u64::from(options.edges.is_some())),
        Field::same("whether there are options.weights", u64::from(is_weighted)),
        Field::same("options.outliers", options.outliers as i32),
        Field::same("options.right_edge", u64::from(options.has_right_edge)),
    ];
    let count_part =
        |ctx: &mut Context, counts: Output| histogram::histogram(ctx, &options, data, count, counts, bins);
    if !is_weighted
        && let Some(mut partial) =
            Partial::new(ctx, comm, Operator::Sum, (counter, len), &counts, count_part)?
    {
        comm.agree(Ok(()), &terms)?;
        let all = std::iter::repeat_n(true, comm.ranks());
        return partial.join(ctx, comm, all, (counts, is_added), None);
    }
    let mut sums = Sums::new(comm, len)?;
    let mut numbers = ranks::elements(counter, len)?;
    count_part(ctx, Output::new("the counts of a part", &mut numbers))?;
    comm.agree(Ok(()), &terms)?;
    let add = if is_weighted { add_doubles } else { u64::wrapping_add };
    sums.add_up(comm, &mut numbers, add)?;
    if is_added {
        let mut before = ranks::elements(counter, len)?;
        copy::copy(ctx, Output::new("the counts before", &mut before), counts.as_input(), len * 8)?;
        numbers.iter_mut().zip(&before).for_each(|(sum, before)| *sum = add(*before, *sum));
    }
    ranks::deliver(ctx, &numbers, counts, len * 8)
}

fn add_doubles(a: u64, b: u64) -> u64 {
    (f64::from_bits(a) + f64::from_bits(b)).to_bits()
}

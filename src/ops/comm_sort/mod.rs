//! Stable sort of keys whose parts are on several ranks.
#![forbid(unsafe_code)]

mod splitters;

use std::ops::Range;

use super::dtypes::key_dtypes;
use super::payload::payload_dtype;
use super::ranks::{self, bytes_of, bytes_of_mut};
use super::sort::{self, Options};
use crate::array::{Input, Output, all_apart};
use crate::comm::{Comm, Field};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::model::dtype::Dtype;
use crate::model::payload::Payload;
use splitters::{Keys, Splitters};

/// Keys, the values beside them, and how many they are.
pub type Part<'a> = (Input<'a>, Input<'a>, usize);

/// Each rank gets as many of all sorted keys as it gave: the keys of the ranks behind one another are in order. Equal keys keep theirs: that of
/// ranks, and on a rank that of positions. Indices are positions in the parts of all ranks behind one another.
///
/// Algorithm: each rank sorts its part; the keys at the ends of the parts are found exactly, with a few bits of them a round, from how many
/// keys of each rank are smaller ([`Splitters`]); each rank sends every other one its piece, and sorts the pieces that it got, which come in the
/// order of ranks. Parts cross in memory of the host.
/// Source: P. Varman, S. Scheufler, B. Iyer, G. Ricard, "Merging multiple lists on hierarchical-memory multiprocessors", 1991 (exact splitters).
pub fn sort(
    ctx: &mut Context,
    comm: &mut Comm,
    options: &Options,
    (keys, values, count): Part,
    mut sorted: Output,
    mut sorted_values: Output,
) -> Result<()> {
    let dtype = key_dtypes("dtype", options.dtype)?.0;
    if options.expression.is_some() {
        return Err(Error::unsupported(
            "options.expression is set; on several ranks the orders of numbers are served",
        ));
    }
    let payload = options.payload;
    let moved = payload_dtype(payload, options.value_dtype, options.index_dtype, ("count", count))?;
    check_apart(options, moved, (keys, values, count), &mut sorted, &mut sorted_values)?;
    let ((), told) = comm.agree(
        Ok(()),
        &[
            Field::own(count),
            Field::same("options.dtype", dtype as i32),
            Field::same("options.order", options.order as i32),
            Field::same("options.payload", payload as i32),
            Field::same("the dtype of what moves with keys", moved.unwrap_or_default() as i32),
        ],
    )?;
    let starts = ranks::offsets(told.of_all(0))?;
    if comm.ranks() == 1 {
        return sort::sort(ctx, options, keys, values, count, sorted, sorted_values);
    }
    let total = usize::try_from(starts[comm.ranks()]).unwrap_or(usize::MAX);
    payload_dtype(payload, options.value_dtype, options.index_dtype, ("the count of all ranks", total))?;
    let with_values = match moved {
        None => Options { expression: None, ..*options },
        Some(value_dtype) => Options { payload: Payload::Values, value_dtype, expression: None, ..*options },
    };
    let own = Run::sorted(ctx, &with_values, moved, (keys, values, count), starts[comm.rank()], payload)?;
    let mut found = Splitters::new(comm, &starts, dtype)?;
    let mut received = Run::new(dtype, moved, count)?;
    comm.agree(Ok(()), &[])?;

    let of_keys = Keys { bytes: bytes_of(&own.keys, count * dtype.size())?, dtype, order: options.order };
    let pieces = found.pieces(comm, &of_keys)?;
    exchange(comm, &pieces, (&own.keys, &mut received.keys), dtype.size(), count)?;
    if let Some(moved) = moved {
        exchange(comm, &pieces, (&own.values, &mut received.values), moved.size(), count)?;
    }
    drop(own);
    let (keys, values) =
        (Input::new("received keys", &received.keys), Input::new("received values", &received.values));
    if sorted.is_null() && count > 0 {
        let mut keys_again = ranks::elements(dtype, count)?; // of indices alone
        let sorted = Output::new("sorted keys", &mut keys_again);
        return sort::sort(ctx, &with_values, keys, values, count, sorted, sorted_values);
    }
    sort::sort(ctx, &with_values, keys, values, count, sorted, sorted_values)
}

/// Keys of a rank, and what moves with them, in memory of the host.
struct Run {
    keys: Vec<u64>,
    values: Vec<u64>,
}

impl Run {
    fn new(dtype: Dtype, moved: Option<Dtype>, count: usize) -> Result<Run> {
        let values = moved.map_or(Ok(Vec::new()), |moved| ranks::elements(moved, count))?;
        Ok(Run { keys: ranks::elements(dtype, count)?, values })
    }

    /// The part of a rank in order; indices are counted from `start` on.
    fn sorted(
        ctx: &mut Context,
        options: &Options,
        moved: Option<Dtype>,
        (keys, values, count): Part,
        start: u64,
        payload: Payload,
    ) -> Result<Run> {
        let mut run = Run::new(options.dtype, moved, count)?;
        let positions = match (payload, moved) {
            (Payload::Indices, Some(moved)) => positions(moved, start, count)?,
            _ => Vec::new(),
        };
        let values = if payload == Payload::Indices { Input::new("positions", &positions) } else { values };
        let sorted = Output::new("a sorted part", &mut run.keys);
        let sorted_values = Output::new("the values of a sorted part", &mut run.values);
        sort::sort(ctx, options, keys, values, count, sorted, sorted_values)?;
        Ok(run)
    }
}

/// start, start + 1 and so on, as U32 or U64.
fn positions(dtype: Dtype, start: u64, count: usize) -> Result<Vec<u64>> {
    let mut positions = ranks::elements(dtype, count)?;
    match dtype.size() {
        8 => positions.iter_mut().zip(start..).for_each(|(to, position)| *to = position),
        _ => positions
            .iter_mut()
            .zip((start..).step_by(2))
            .for_each(|(to, first)| *to = first | (first + 1) << 32),
    }
    Ok(positions)
}

fn check_apart(
    options: &Options,
    moved: Option<Dtype>,
    (keys, values, count): Part,
    sorted: &mut Output,
    sorted_values: &mut Output,
) -> Result<()> {
    let dims = [count];
    let keys = keys.view_of(options.dtype, &dims)?;
    let are_values = options.payload == Payload::Values;
    let values = moved.filter(|_| are_values).map(|dtype| values.view_of(dtype, &dims)).transpose()?;
    let sorted = match options.payload == Payload::Indices && sorted.is_null() {
        true => None,
        false => Some(sorted.reborrow().view_of(options.dtype, &dims)?),
    };
    let sorted_values = moved.map(|dtype| sorted_values.reborrow().view_of(dtype, &dims)).transpose()?;
    all_apart(&[&sorted, &sorted_values], &[&keys, &values])
}

/// Moves the pieces of one array, whose elements have so many bytes. `pieces`: for each rank what goes there, and how many come from there.
fn exchange(
    comm: &mut Comm,
    pieces: &[(Range<usize>, usize)],
    (from, to): (&[u64], &mut [u64]),
    size: usize,
    count: usize,
) -> Result<()> {
    let sends: Vec<_> = pieces.iter().map(|(send, _)| send.start * size..send.end * size).collect();
    let receives = ranks::ranges(pieces.iter().map(|(_, receive)| receive * size));
    let bytes = count * size;
    ranks::all_to_all(comm, bytes_of(from, bytes)?, &sends, bytes_of_mut(to, bytes)?, &receives)
}

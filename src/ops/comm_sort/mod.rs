//! Stable sort of keys whose parts are on several ranks.
#![forbid(unsafe_code)]

mod keys;
mod merge;
mod pair;
mod run;
mod splitters;

use std::ops::Range;

use super::crossing::Crossing;
use super::dtypes::key_dtypes;
use super::payload::payload_dtype;
use super::ranks;
use super::sort::{self, Options};
use crate::array::{Input, Output, all_apart};
use crate::comm::{Comm, Field};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::model::dtype::Dtype;
use crate::model::payload::Payload;
use crate::vector;
use keys::{KeyKind, Keys};
use run::{Run, Shape};
use splitters::Splitters;

/// Keys, the values beside them, and how many they are.
pub type Part<'a> = (Input<'a>, Input<'a>, usize);

/// Each rank gets as many of all sorted keys as it gave: the keys of the ranks behind one another are in order. Equal keys keep theirs: that of
/// ranks, and on a rank that of positions. Indices are positions in the parts of all ranks behind one another.
///
/// Algorithm: each rank sorts its part; the keys at the ends of the parts are found exactly, with a few bits of them a round, from how many
/// keys of each rank are smaller (`Splitters`); each rank sends every other one its piece, and merges the pieces that it got, which come in the
/// order of ranks. Between two devices the pieces cross in parts, each of which is merged while the next one crosses.
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
    let shape = Shape { key: KeyKind { dtype, order: options.order }, moved };
    let sizes: Vec<usize> = shape.sizes().collect();
    let own = Run::sorted(ctx, options, shape, (keys, values, count), starts[comm.rank()])?;
    let is_pair = pair::is_served(comm, &starts);
    let mut received = Run::new(ctx, shape, if is_pair { 0 } else { count })?;
    let mut found = Splitters::new(comm, &starts, dtype)?;
    let mut crossings = Vec::with_capacity(sizes.len());
    for (array, size) in own.arrays.iter().zip(&sizes).filter(|_| !is_pair) {
        let mut crossing = Crossing::new(ctx, comm, count * size, count * size)?;
        crossing.pack(ctx, array.input("a run", 0, count * size), count * size)?;
        crossings.push(crossing);
    }
    let input = own.part(0, count).keys;
    let mut sorted_keys = Keys::new(ctx, Sorted { input, count, key: shape.key })?;
    let bytes = if sorted.is_null() { count * sizes[0] } else { 0 };
    let mut keys_again = ctx.work(bytes)?; // of indices alone
    comm.agree(Ok(()), &[])?;

    let pieces = found.pieces(ctx, comm, &mut sorted_keys)?;
    let cuts = if is_pair { Some(pair::Cuts::find(ctx, comm, &mut sorted_keys, &pieces)?) } else { None };
    let sorted =
        if sorted.is_null() { keys_again.output("sorted keys", 0, bytes) } else { sorted.reborrow() };
    if let Some(cuts) = cuts {
        return pair::merge(ctx, comm, options, (&own, &cuts), (sorted, sorted_values));
    }
    let receives = comm.moved(|_| ranks::ranges(pieces.iter().map(|(_, receive)| *receive)))?;
    for (at, (crossing, size)) in crossings.iter_mut().zip(&sizes).enumerate() {
        let in_bytes = |range: &Range<usize>| range.start * size..range.end * size;
        let (sends, receives) = comm.moved(|_| {
            let sends = vector::collected(pieces.iter().map(|(send, _)| in_bytes(send)))?;
            Ok((sends, vector::collected(receives.iter().map(in_bytes))?))
        })?;
        let from = own.arrays[at].input("a run", 0, count * size);
        crossing.cross(ctx, comm, (from, &sends), (&mut received.arrays[at], &receives))?;
    }
    drop(crossings);
    merge::merge(ctx, options, (received, own), receives, (sorted, sorted_values))
}

/// Keys in order.
#[derive(Clone, Copy)]
pub struct Sorted<'k> {
    pub input: Input<'k>,
    pub count: usize,
    pub key: KeyKind,
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
    all_apart(&[&sorted, &sorted_values], &[&keys, &values]).map(drop)
}

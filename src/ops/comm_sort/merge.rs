//! Pieces in order, which lie behind one another, become one.
//!
//! Algorithm  Neighbours are merged, again and again, to and fro between two runs; of equal keys those of the first ranks stay first.
//! Cost       ⌈log2 (pieces)⌉ times the elements, read and written.
#![forbid(unsafe_code)]

use std::ops::Range;

use super::run::{Run, Shape};
use crate::array::Output;
use crate::context::Context;
use crate::error::Result;
use crate::model::dtype::Dtype;
use crate::model::payload::Payload;
use crate::model::variant::Variant;
use crate::ops::copy;
use crate::ops::merge::{self, Options};
use crate::ops::sort::{self, SortVariant};
use crate::vector;

/// sorted, sorted_values ← the pieces of `from`, in one order; `spare` is a run of the same shape and length.
pub fn merge(
    ctx: &mut Context,
    options: &sort::Options,
    (mut from, mut spare): (Run, Run),
    mut pieces: Vec<Range<usize>>,
    (sorted, sorted_values): (Output, Output),
) -> Result<()> {
    let shape = from.shape;
    let options = options_of(options, shape);
    pieces.retain(|piece| !piece.is_empty());
    while pieces.len() > 2 {
        let mut merged = vector::reserved(pieces.len().div_ceil(2))?;
        for two in pieces.chunks(2) {
            let whole = two[0].start..two[two.len() - 1].end;
            join(ctx, &options, &from, two, spare.outputs(whole.start, whole.len()))?;
            merged.push(whole);
        }
        (pieces, from, spare) = (merged, spare, from);
    }
    join(ctx, &options, &from, &pieces, (sorted, sorted_values))
}

/// keys, values ← one piece, or two.
fn join(
    ctx: &mut Context,
    options: &Options,
    from: &Run,
    pieces: &[Range<usize>],
    (keys, values): (Output, Output),
) -> Result<()> {
    match pieces {
        [] => Ok(()),
        [one] => {
            let sides = from.part(one.start, one.len());
            let sizes: Vec<usize> = from.shape.sizes().collect();
            copy::copy(ctx, keys, sides.keys, one.len() * sizes[0])?;
            match sizes.get(1) {
                Some(size) => copy::copy(ctx, values, sides.values, one.len() * size),
                None => Ok(()),
            }
        }
        [a, b, ..] => {
            let [a, b] = [a, b].map(|piece| from.part(piece.start, piece.len()));
            merge::merge(ctx, options, a, b, keys, values)
        }
    }
}

pub(super) fn options_of(options: &sort::Options, shape: Shape) -> Options<'static> {
    let is_sequential = options.variant == SortVariant::Sequential;
    let (payload, value_dtype) = match shape.moved {
        Some(dtype) => (Payload::Values, dtype),
        None => (Payload::None, Dtype::None),
    };
    Options {
        variant: if is_sequential { Variant::Sequential } else { Variant::Auto },
        dtype: shape.key.dtype,
        order: options.order,
        payload,
        value_dtype,
        ..Options::default()
    }
}

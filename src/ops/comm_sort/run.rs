//! Keys of a rank, and what moves with them, where its context computes.
#![forbid(unsafe_code)]

use super::Part;
use super::keys::KeyKind;
use crate::array::{Input, Output, Owned};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::model::dtype::Dtype;
use crate::model::payload::Payload;
use crate::ops::fill;
use crate::ops::merge;
use crate::ops::sort::{self, Options};

/// The dtypes of a run.
#[derive(Clone, Copy)]
pub struct Shape {
    pub key: KeyKind,
    pub moved: Option<Dtype>, // what moves with the keys
}

impl Shape {
    /// Bytes of a key, and of what moves with it.
    pub fn sizes(self) -> impl Iterator<Item = usize> {
        [Some(self.key.dtype), self.moved].into_iter().flatten().map(Dtype::size)
    }
}

/// An array of keys, and one of what moves with them.
pub struct Run {
    pub shape: Shape,
    pub arrays: Vec<Owned>,
}

impl Run {
    pub fn new(ctx: &mut Context, shape: Shape, count: usize) -> Result<Run> {
        let array = |size: usize| {
            let bytes = count.checked_mul(size).filter(|&bytes| isize::try_from(bytes).is_ok());
            ctx.work(bytes.ok_or_else(|| Error::out_of_memory("memory", usize::MAX))?)
        };
        Ok(Run { shape, arrays: shape.sizes().map(array).collect::<Result<_>>()? })
    }

    /// The part of a rank in order; indices are counted from `start` on.
    pub fn sorted(
        ctx: &mut Context,
        options: &Options,
        shape: Shape,
        (keys, values, count): Part,
        start: u64,
    ) -> Result<Run> {
        let mut run = Run::new(ctx, shape, count)?;
        let mut positions = None;
        if options.payload == Payload::Indices
            && let Some(dtype) = shape.moved
        {
            let bytes = count * dtype.size();
            let mut array = ctx.work(bytes)?;
            let to = array.output("positions", 0, bytes);
            fill::fill_ascending(ctx, dtype, to, count, start as f64, 1.0)?;
            positions = Some((array, bytes));
        }
        let values = positions.as_ref().map_or(values, |(array, bytes)| array.input("positions", 0, *bytes));
        let options = shape.options(options);
        let (sorted, sorted_values) = run.outputs(0, count);
        sort::sort(ctx, &options, keys, values, count, sorted, sorted_values)?;
        Ok(run)
    }

    /// Some of the elements to read: keys and what moves with them.
    pub fn part(&self, from: usize, count: usize) -> merge::Run<'_> {
        let mut sides = self.arrays.iter().zip(self.shape.sizes()).map(|(array, size)| {
            let bytes = count * size;
            array.input("a run", from * size, bytes)
        });
        let keys = sides.next().unwrap_or(Input::absent("keys"));
        merge::Run { keys, values: sides.next().unwrap_or(Input::absent("values")), count }
    }

    /// The same to write.
    pub fn outputs(&mut self, from: usize, count: usize) -> (Output<'_>, Output<'_>) {
        let sizes = self.shape.sizes();
        let mut sides = self
            .arrays
            .iter_mut()
            .zip(sizes)
            .map(|(array, size)| array.output("a run", from * size, count * size));
        let keys = sides.next().unwrap_or(Output::absent("keys"));
        (keys, sides.next().unwrap_or(Output::absent("values")))
    }
}

impl Shape {
    /// Of a sort of keys with what moves with them as their values.
    fn options<'o>(self, options: &Options<'o>) -> Options<'o> {
        match self.moved {
            None => *options,
            Some(value_dtype) => Options { payload: Payload::Values, value_dtype, ..*options },
        }
    }
}

//! The reduction of each segment of an array.
//!
//! Source: S. Baxter, "ModernGPU", Segmented Reduction, NVIDIA 2013 (SegReduceCsr, IndirectReduceCsr).
#![forbid(unsafe_code)]

use super::primitives::{counted, operates_on};
use super::segments;
use crate::array::{Input, Output, all_apart};
use crate::choice::Choice;
use crate::context::{Context, Engine};
use crate::dtype::Dtype;
use crate::error::Result;
use crate::primitives::{Index, IndexDtype, Operand, Operator};
use crate::{cpu, gpu};

/// How `gpumex_segmented_reduce` computes; results agree within the error bound.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SegmentedReduceVariant {
    /// The best one.
    #[default]
    Auto = 0,
    /// The plain loop, on one core; CPU backend only.
    Sequential = 1,
}

impl Choice for SegmentedReduceVariant {
    const NAME: &'static str = "gpumex_segmented_reduce_variant";
    const ALL: &'static [Self] = &[Self::Auto, Self::Sequential];
}

/// Options of [`segmented_reduce`]; the default sums f32, with offsets of 64 bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: SegmentedReduceVariant,
    pub dtype: Dtype,
    pub op: Operator,
    pub index_dtype: IndexDtype,
}

/// result\[s\] ← ⊕ data\[offsets\[s\] … offsets\[s + 1\]).  data (count), offsets (segments + 1), result (segments), anywhere;
/// result lies apart. With sources (segments) segment s has as many elements, from data\[sources\[s\]\] on. Empty segments
/// give the identity.
///
/// Offsets that do not ascend, and what they and sources say beyond count, give any results, but touch nothing else. All
/// variants give the same bits for the same arrays on one device; sums of floats differ between them within
/// n·u/(1 − n·u)·Σ|x| of a segment of n. Cost: reads data and offsets once. Errors: INVALID_ARGUMENT (size, overlap, more
/// elements than U32 counts), UNSUPPORTED (dtype, bits of floats), OUT_OF_MEMORY, CUDA.
#[allow(clippy::too_many_arguments)] // five arrays and two sizes, in the order of the C function
pub fn segmented_reduce(
    ctx: &mut Context,
    options: &Options,
    data: Input,
    count: usize,
    offsets: Input,
    segments: usize,
    sources: Option<Input>,
    geometry: Option<Input>,
    result: Output,
) -> Result<()> {
    ctx.begin();
    operates_on(options.op, options.dtype)?;
    by_number_and_index!(
        options.dtype,
        options.index_dtype,
        reduce(ctx, options, data, count, offsets, segments, sources, geometry, result)
    )
}

#[allow(clippy::too_many_arguments)] // as above
fn reduce<T: Operand, I: Index>(
    ctx: &mut Context,
    options: &Options,
    data: Input,
    count: usize,
    offsets: Input,
    segments: usize,
    sources: Option<Input>,
    geometry: Option<Input>,
    result: Output,
) -> Result<()> {
    counted(options.index_dtype, "count", count)?;
    let (data, offsets) = (data.view::<T>(&[count])?, segments::offsets::<I>(&offsets, segments)?);
    let sources = sources.map(|sources| sources.view::<I>(&[segments])).transpose()?;
    let mut result = result.view::<T>(&[segments])?;
    all_apart(&[&result], &[&data, &offsets, &sources])?;
    let op = options.op;
    ctx.run(|engine| match (engine, options.variant) {
        (Engine::Cpu(workers), variant) => {
            let sources = sources.map(|sources| sources.on_host()).transpose()?;
            let (data, offsets, result) = (data.on_host()?, offsets.on_host()?, result.on_host()?);
            match variant {
                SegmentedReduceVariant::Auto => {
                    cpu::segmented_reduce::segmented_reduce(workers, op, data, offsets, sources, result)
                }
                SegmentedReduceVariant::Sequential => {
                    cpu::segmented_reduce::sequential(workers, op, data, offsets, sources, result)
                }
            }
        }
        (Engine::Cuda(_), SegmentedReduceVariant::Sequential) => super::sequential_is_for_the_cpu(),
        (Engine::Cuda(device), SegmentedReduceVariant::Auto) => {
            gpu::segmented_reduce::segmented_reduce(device, op, data, offsets, sources, geometry, result)
        }
    })
}

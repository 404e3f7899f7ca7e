//! The reduction of each segment of an array.
//!
//! Source: S. Baxter, "ModernGPU", Segmented Reduction, NVIDIA 2013 (SegReduceCsr, IndirectReduceCsr).
#![forbid(unsafe_code)]

use super::dtypes::{check_operator, index_dtype_for, supported};
use super::segments;
use crate::array::{DynView, DynViewMut, Input, Output, all_apart, optional_on_host};
use crate::context::{Context, Engine};
use crate::cpu;
use crate::error::Result;
use crate::gpu;
use crate::model::dtype::Dtype;
use crate::model::index::Index;
use crate::model::operator::{Operand, Operator, Reduction};
use crate::model::variant::Variant;

/// Options of [`segmented_reduce`]; the default sums f32, with offsets of 64 bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: Variant,
    pub dtype: Dtype,
    pub op: Operator,
    pub index_dtype: Dtype,
}

/// result\[s\] ← ⊕ data\[offsets\[s\] … offsets\[s + 1\]).  data (count), offsets (segments + 1), result (segments), anywhere;
/// result lies apart. With sources (segments) segment s has as many elements, from data\[sources\[s\]\] on. Empty segments
/// give `identity`, one element on the host, else the identity of the operator.
///
/// Offsets that do not ascend, and what they and sources say beyond count, give any results, but touch nothing else. All
/// variants give the same bits for the same arrays on one device; sums of floats differ between them within
/// n·u/(1 − n·u)·Σ|x| of a segment of n. Cost: reads data and offsets once. Errors: INVALID_ARGUMENT (size, overlap, more
/// elements than U32 counts), UNSUPPORTED (dtype, bits of floats), OUT_OF_MEMORY, CUDA.
#[allow(clippy::too_many_arguments)] // arrays and sizes, in the order of the C function
pub fn segmented_reduce(
    ctx: &mut Context,
    options: &Options,
    data: Input,
    count: usize,
    offsets: Input,
    segments: usize,
    sources: Option<Input>,
    geometry: Option<Input>,
    identity: Option<Input>,
    result: Output,
) -> Result<()> {
    ctx.begin();
    let op = options.op.or(Operator::Sum);
    check_operator("op", op, options.dtype)?;
    let dtype = supported("dtype", options.dtype)?;
    let index = index_dtype_for(options.index_dtype, "count", count)?;
    let (data, offsets) = (data.view_of(dtype, &[count])?, segments::offsets(&offsets, index, segments)?);
    let sources = sources.map(|sources| sources.view_of(index, &[segments])).transpose()?;
    let mut result = result.view_of(dtype, &[segments])?;
    all_apart(&[&result], &[&data, &offsets, &sources])?;
    let identity = segments::identity(identity, dtype)?;
    ctx.run(|engine| match engine.select(options.variant)? {
        Engine::Cpu(workers) => {
            let how = (workers, options.variant, Reduction::new(op, dtype));
            dispatch_number_and_size!(dtype, index, reduce_on_cpu(how, data, offsets, sources, &mut result))?;
            segments::fill_empty_on_host(offsets, &mut result, identity)
        }
        Engine::Cuda(device) => gpu::segmented_reduce::segmented_reduce(
            device,
            op,
            data,
            offsets,
            sources,
            (geometry, identity),
            result,
        ),
    })
}

fn reduce_on_cpu<T: Operand, I: Index>(
    (workers, variant, op): (&cpu::Workers, Variant, Reduction),
    data: DynView,
    offsets: DynView,
    sources: Option<DynView>,
    result: &mut DynViewMut,
) -> Result<()> {
    let (data, result) = (data.on_host::<T>()?, result.on_host()?);
    let (offsets, sources) = (offsets.on_host::<I>()?, optional_on_host(&sources)?);
    match variant {
        Variant::Auto => cpu::segmented_reduce::segmented_reduce(workers, op, data, offsets, sources, result),
        Variant::Sequential => cpu::segmented_reduce::sequential(workers, op, data, offsets, sources, result),
    }
}

//! The reduction of each segment of an array.
//!
//! Source: S. Baxter, "ModernGPU", Segmented Reduction, NVIDIA 2013 (SegReduceCsr, IndirectReduceCsr).
#![forbid(unsafe_code)]

use super::cost;
use super::dtypes::{index_dtype_for, supported};
use super::functor::Joining;
use super::segments;
use crate::array::{DynView, DynViewMut, Input, Output, all_apart, optional_on_host};
use crate::context::{Context, Engine};
use crate::cpu;
use crate::cpu::functor::form::{Form, dispatch_form};
use crate::error::Result;
use crate::gpu;
use crate::model::dtype::Dtype;
use crate::model::expression::program::Program;
use crate::model::index::Index;
use crate::model::operator::{Operand, Operator, Reduction};
use crate::model::variant::Variant;

/// Options of [`segmented_reduce`]; the default sums f32, with offsets of 64 bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    pub variant: Variant,
    pub dtype: Dtype,
    pub op: Operator,
    pub index_dtype: Dtype,
    /// Of a and b, of the dtype, in the place of an operator.
    pub expression: Option<&'a str>,
}

/// result\[s\] ← ⊕ data\[offsets\[s\] … offsets\[s + 1\]).  data (count), offsets (segments + 1), result (segments), anywhere;
/// result lies apart. With sources (segments) segment s has as many elements, from data\[sources\[s\]\] on. Empty segments
/// give `identity`, one element on the host, else the identity of the operator; an expression has none. It is associative; a is the
/// element or result that is before b.
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
    let dtype = supported("dtype", options.dtype)?;
    let joining = Joining::new(ctx, options.expression, options.op, (dtype, dtype))?;
    let index = index_dtype_for(options.index_dtype, "count", count)?;
    let (data, offsets) = (data.view_of(dtype, &[count])?, segments::offsets(&offsets, index, segments)?);
    let sources = sources.map(|sources| sources.view_of(index, &[segments])).transpose()?;
    let mut result = result.view_of(dtype, &[segments])?;
    let arrays = all_apart(&[&result], &[&data, &offsets, &sources])?;
    let identity = segments::identity(identity, dtype)?;
    joining.needs_identity(identity, "of an empty segment")?;
    let work =
        cost::SEGMENTED_REDUCE.joined(&cost::SEGMENTED_REDUCE_EXPRESSION, options.variant, arrays, &joining);
    ctx.run_auto(work, |engine| match (engine.select(options.variant)?, joining) {
        (Engine::Cpu(workers), Joining::Program(program)) => {
            let call = Call { how: (workers, options.variant), program: &program, data, offsets, sources };
            let bits = identity.unwrap_or_default();
            match index {
                Dtype::U32 => dispatch_form!(dtype, join_on_cpu32(&call, bits, &mut result)),
                _ => dispatch_form!(dtype, join_on_cpu64(&call, bits, &mut result)),
            }
        }
        (Engine::Cuda(device), Joining::Program(program)) => {
            let bits = identity.unwrap_or_default();
            gpu::functor::segmented_reduce(device, &program, data, offsets, sources, bits, result)
        }
        (Engine::Cpu(workers), Joining::Operator(op)) => {
            let how = (workers, options.variant, Reduction::new(op, dtype));
            dispatch_number_and_size!(dtype, index, reduce_on_cpu(how, data, offsets, sources, &mut result))?;
            segments::fill_empty_on_host(offsets, &mut result, identity)
        }
        (Engine::Cuda(device), Joining::Operator(op)) => gpu::segmented_reduce::segmented_reduce(
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

/// A call with an expression on the CPU.
struct Call<'a> {
    how: cpu::Execution<'a>,
    program: &'a Program,
    data: DynView<'a>,
    offsets: DynView<'a>,
    sources: Option<DynView<'a>>,
}

fn join_on_cpu32<F: Form>(call: &Call, identity: u64, result: &mut DynViewMut) -> Result<()> {
    join_on_cpu::<F, u32>(call, identity, result)
}

fn join_on_cpu64<F: Form>(call: &Call, identity: u64, result: &mut DynViewMut) -> Result<()> {
    join_on_cpu::<F, u64>(call, identity, result)
}

fn join_on_cpu<F: Form, I: Index>(call: &Call, identity: u64, result: &mut DynViewMut) -> Result<()> {
    let segments = cpu::functor::segments::Segments {
        data: call.data.on_host::<F::Stored>()?,
        offsets: call.offsets.on_host::<I>()?,
        sources: optional_on_host(&call.sources)?,
        identity: F::from_bits(identity),
    };
    cpu::functor::segments::segmented_reduce::<F, I>(call.how, call.program, &segments, result.on_host()?)
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

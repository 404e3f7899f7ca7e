//! Reduction of an array by an operator.
//!
//! Source: M. Harris, "Optimizing Parallel Reduction in CUDA", NVIDIA 2007; S. Baxter, "ModernGPU", Reduce, NVIDIA 2013.
#![forbid(unsafe_code)]

use super::cost;
use super::dtypes::{accumulators, check_complex, check_operator};
use super::functor::{self, Joining, check_plain};
use super::ranks::{Cell, deliver};
use super::reduce_dim::{complex_accumulator, reduced_pairs};
use super::segments;
use super::widen::{WideInput, WideOutput};
use crate::array::{DynView, DynViewMut, Input, Output, all_apart};
use crate::context::{Context, Engine};
use crate::cpu;
use crate::cpu::functor::form::{Form, dispatch_form};
use crate::error::Result;
use crate::gpu;
use crate::memory::Place;
use crate::model::dtype::Dtype;
use crate::model::expression::program::Program;
use crate::model::operator::{Operand, Operator, Reduction};
use crate::model::reduction::{DimReduction, DimShape};
use crate::model::variant::Variant;

/// Options of [`reduce`]; the default is the sum of f32.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    pub variant: Variant,
    pub dtype: Dtype,
    pub op: Operator,
    /// Of the result, and of the operations; NONE: dtype, of 4 or 8 bytes.
    pub accumulator_dtype: Dtype,
    /// Of a and b, of the accumulator dtype, in the place of an operator.
    pub expression: Option<&'a str>,
}

/// The same of few elements in memory of the host, the partial results of ranks: on the host, where that is sooner than a device is asked.
pub(super) fn reduce_few(
    ctx: &mut Context,
    options: &Options,
    (data, count): (&[u64], usize),
    identity: Option<Input>,
    mut result: Output,
    result_copy: Option<Output>,
) -> Result<()> {
    let input = Input::new("the partial results", data);
    let &Options { dtype, op, expression, accumulator_dtype, .. } = options;
    let is_short = dtype.size() < 4; // integers, which have the same sum everywhere
    if !ctx.is_on_cuda() || is_short || count == 0 {
        return reduce(ctx, options, input, count, identity, result, result_copy);
    }
    let data = input.view_of(dtype, &[count])?;
    let mut cell: Cell = [0; 2];
    let joined = Output::new("a result", &mut cell);
    ctx.begin();
    let to = if dtype.is_complex() {
        let (op, to) = (operator_of_pairs(op, dtype)?, complex_accumulator(dtype, accumulator_dtype)?);
        let (shape, joined) = (DimShape { inner: 1, count, outer: 1 }, joined.view_of(to, &[1])?);
        ctx.run_long(|_, host, _| {
            let engine = Engine::Cpu(host.workers.clone());
            reduced_pairs(&engine, Variant::Auto, op, shape, data, joined)
        })?;
        to
    } else {
        let (to, wide) = accumulators(dtype, accumulator_dtype)?;
        let joining = Joining::new(ctx, expression, op, (dtype, to))?;
        let mut joined = joined.view_of(to, &[1])?;
        ctx.run_long(|_, host, _| {
            joined_on_cpu((&host.workers, Variant::Auto), &joining, wide, data, &mut joined)
        })?;
        to
    };
    if let Some(copy) = result_copy {
        deliver(ctx, &cell, copy, to.size())?;
    }
    deliver(ctx, &cell, result.reborrow(), to.size())
}

/// result\[0\] ← data\[0\] ∘ … ∘ data\[count − 1\].  data (count) of 4 or 8 bytes an element, anywhere. result: one element,
/// anywhere, apart from data. count = 0 gives `identity`, one element of the accumulator dtype on the host, else the operator's; an expression has
/// none. It is associative; a is the element or result that is before b.
///
/// Accuracy: sums of floats |result − Σ| ≤ γ_n Σ|x\[i\]|, γ_n = nu/(1 − nu), n = count, u = 2⁻²⁴ (f32) or 2⁻⁵³ (f64); N.
/// Higham, "Accuracy and Stability of Numerical Algorithms", §4.2. The CPU backend has 133 + ⌈log2 ⌈n/4096⌉⌉ in the place
/// of n, and bits that depend on n alone; those of CUDA depend on n and the device. All other results are the same
/// everywhere. Cost: reads data once. Errors: INVALID_ARGUMENT (size, overlap), UNSUPPORTED (dtype, bits of floats),
/// OUT_OF_MEMORY, CUDA.
pub fn reduce(
    ctx: &mut Context,
    options: &Options,
    data: Input,
    count: usize,
    identity: Option<Input>,
    result: Output,
    result_copy: Option<Output>,
) -> Result<()> {
    ctx.begin();
    if options.dtype.is_complex() {
        check_plain(options.dtype, options.expression, &identity)?;
        return of_pairs(ctx, options, data, count, result, result_copy);
    }
    let dtype = options.dtype;
    let (to, wide) = accumulators(dtype, options.accumulator_dtype)?;
    let joining = Joining::new(ctx, options.expression, options.op, (dtype, to))?;
    let identity = segments::identity(identity, to)?;
    if count == 0 {
        joining.needs_identity(identity, "of no elements")?;
    }
    let (data, mut result) = (data.view_of(dtype, &[count])?, result.view_of(to, &[1])?);
    let result_copy = result_copy.map(|copy| copy.view_of(to, &[1])).transpose()?;
    let arrays = all_apart(&[&result, &result_copy], &[&data])?;
    let work = cost::REDUCE.joined(&cost::REDUCE_EXPRESSION, options.variant, arrays, &joining);
    ctx.run_auto(work, |engine| {
        let data = WideInput::new(engine, data, wide)?;
        let mut wide_result = WideOutput::new(engine, result.reborrow(), wide)?;
        let (data, mut to) = (data.view()?, wide_result.view()?);
        match (engine.select(options.variant)?, &joining) {
            (_, Joining::Program(_)) if count == 0 => {}
            (Engine::Cpu(workers), joining) => {
                joined_on_cpu((workers, options.variant), joining, wide, data, &mut to)?;
            }
            (Engine::Cuda(device), &Joining::Operator(op)) => gpu::reduce::reduce(device, op, data, to)?,
            (Engine::Cuda(device), Joining::Program(program)) => {
                gpu::functor::reduce(device, program, data, to)?;
            }
        }
        match joining {
            Joining::Operator(op) if count == 0 => wide_result.finish_with_identity(engine, op)?,
            _ => wide_result.finish(engine)?,
        }
        if count == 0 {
            functor::write_first(engine, result.reborrow(), identity)?;
        }
        copied(engine, result, result_copy)
    })
}

/// The most pieces of [`reduce_to_pieces`].
pub(super) const PIECES: usize = gpu::reduce::PARTIALS;

/// The first of `pieces` (PIECES) of the accumulator dtype ← elements from which the operator makes the result of [`reduce`] of some elements, in
/// any order; gives how many. Several on a device, whose blocks leave them; pieces is memory of the device. The options have no expression.
pub(super) fn reduce_to_pieces(
    ctx: &mut Context,
    options: &Options,
    (data, count): (Input, usize),
    identity: Option<Input>,
    pieces: Output,
) -> Result<usize> {
    let &Options { variant, dtype, op, .. } = options;
    let is_direct = !dtype.is_complex() && accumulators(dtype, options.accumulator_dtype)? == (dtype, dtype);
    if !is_direct || !ctx.is_on_cuda() {
        return reduce(ctx, options, data, count, identity, pieces, None).map(|()| 1);
    }
    ctx.begin();
    let op = op.or(Operator::Sum);
    check_operator("op", op, dtype)?;
    let (data, pieces) = (data.view_of(dtype, &[count])?, pieces.view_of(dtype, &[PIECES])?);
    ctx.run(|engine| match engine.select(variant)? {
        Engine::Cuda(device) => gpu::reduce::reduce_partials(device, op, data, pieces),
        Engine::Cpu(_) => unreachable!("the context is on CUDA"),
    })
}

/// The sum of complex numbers, that of their parts, or their product.
fn of_pairs(
    ctx: &mut Context,
    options: &Options,
    data: Input,
    count: usize,
    result: Output,
    result_copy: Option<Output>,
) -> Result<()> {
    let &Options { variant, dtype, accumulator_dtype, .. } = options;
    let op = operator_of_pairs(options.op, dtype)?;
    let to = complex_accumulator(dtype, accumulator_dtype)?;
    let (data, mut result) = (data.view_of(dtype, &[count])?, result.view_of(to, &[1])?);
    let result_copy = result_copy.map(|copy| copy.view_of(to, &[1])).transpose()?;
    let arrays = all_apart(&[&result, &result_copy], &[&data])?;
    let shape = DimShape { inner: 1, count, outer: 1 };
    ctx.run_auto(cost::REDUCE.of(variant, arrays), |engine| {
        reduced_pairs(engine, variant, op, shape, data, result.reborrow())?;
        copied(engine, result, result_copy)
    })
}

fn operator_of_pairs(op: Operator, dtype: Dtype) -> Result<DimReduction> {
    match op.or(Operator::Sum) {
        Operator::Product => Ok(DimReduction::Product),
        op => check_complex(op, dtype, "SUM and PRODUCT are").map(|()| DimReduction::Sum),
    }
}

/// The result to its second place.
fn copied(engine: &Engine, result: DynViewMut, copy: Option<DynViewMut>) -> Result<()> {
    match (copy, engine) {
        (None, _) => Ok(()),
        (Some(copy), Engine::Cpu(workers)) => {
            let mut copy = copy.into_bytes();
            cpu::copy::copy(workers, copy.on_host()?, result.into_bytes().as_view().on_host()?)
        }
        (Some(copy), Engine::Cuda(device)) => {
            if !matches!(result.place(), Place::Device(_)) {
                device.synchronize()?; // before the host reads it
            }
            gpu::copy::copy(device, copy.into_bytes(), result.into_bytes().as_view())
        }
    }
}

/// Of elements of which there are some; `wide` is the dtype of an operator.
fn joined_on_cpu(
    how: cpu::Execution,
    joining: &Joining,
    wide: Dtype,
    data: DynView,
    result: &mut DynViewMut,
) -> Result<()> {
    match joining {
        &Joining::Operator(op) => {
            let how = (how.0, how.1, Reduction::new(op, wide));
            dispatch_number!(wide, reduce_on_cpu(how, data, result))
        }
        Joining::Program(program) => {
            dispatch_form!(program.dtype, join_on_cpu(how, program, data, result))
        }
    }
}

fn reduce_on_cpu<T: Operand>(
    (workers, variant, op): (&cpu::Workers, Variant, Reduction),
    data: DynView,
    result: &mut DynViewMut,
) -> Result<()> {
    let (data, result) = (data.on_host::<T>()?, result.on_host()?);
    result[0] = match variant {
        Variant::Sequential => cpu::reduce::sequential(workers, op, data)?,
        Variant::Auto => cpu::reduce::reduce(workers, op, data)?,
    };
    Ok(())
}

fn join_on_cpu<F: Form>(
    how: cpu::Execution,
    program: &Program,
    data: DynView,
    result: &mut DynViewMut,
) -> Result<()> {
    result.on_host::<F::Stored>()?[0] = cpu::functor::reduce::reduce::<F>(how, program, data.on_host()?)?;
    Ok(())
}

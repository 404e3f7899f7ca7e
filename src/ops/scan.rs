//! Prefixes of an array under an operator.
//!
//! Source: D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA 2016; S. Baxter,
//! "ModernGPU", Scan, NVIDIA 2013.
#![forbid(unsafe_code)]

use super::cost;
use super::dtypes::{accumulators, check_complex};
use super::functor::{self, Joining, check_plain};
use super::reduce_dim::{complex_accumulator, reduced_pairs};
use super::scan_dim;
use super::segments;
use super::widen::{WideInput, WideOutput};
use crate::array::{
    DynView, DynViewMut, Input, Output, all_apart, is_same_or_apart, optional_mut_on_host, optional_on_host,
};
use crate::context::{Context, Engine};
use crate::cpu;
use crate::cpu::functor::form::{Form, dispatch_form};
use crate::error::Result;
use crate::gpu;
use crate::model::dtype::Dtype;
use crate::model::expression::program::Program;
use crate::model::numbered::numbered_enum;
use crate::model::operator::{Operator, Reduction};
use crate::model::reduction::{DimReduction, DimShape};
use crate::model::variant::Variant;

/// Whether an element is part of its own prefix.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScanKind {
    /// No: the first result is the operator's identity.
    #[default]
    Exclusive = 0,
    /// Yes: the last result is the total.
    Inclusive = 1,
}

numbered_enum!(ScanKind = "gpumex_scan_kind": Exclusive, Inclusive);

/// Options of [`scan`]; the default is the exclusive sums of f32.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    pub variant: Variant,
    pub dtype: Dtype,
    pub op: Operator,
    pub kind: ScanKind,
    /// Of the results, and of the operations; NONE: dtype, of 4 or 8 bytes.
    pub accumulator_dtype: Dtype,
    /// Of a and b, of the accumulator dtype, in the place of an operator.
    pub expression: Option<&'a str>,
}

/// result\[i\] ← data\[0\] ∘ … ∘ data\[i − 1\] (exclusive) or … ∘ data\[i\] (inclusive); total\[0\] ← data\[0\] ∘ … ∘ data\[count − 1\].
/// data, result (count) of 4 or 8 bytes an element, anywhere; result is data or lies apart. total: one element or none,
/// anywhere, apart from both. The results of nothing are `identity`, one element of the accumulator dtype on the host, else the
/// operator's; an expression has none. It is associative; a is the element or result that is before b.
///
/// Accuracy: sums of floats |result\[i\] − Σ| ≤ γ_n Σ|x\[k\]|, γ_n = nu/(1 − nu), n = count, u = 2⁻²⁴ (f32) or 2⁻⁵³ (f64); N.
/// Higham, "Accuracy and Stability of Numerical Algorithms", §4.2. The bits depend on data, count and backend alone. All
/// other results are the same everywhere. Cost: reads data and writes result once.
/// Errors: INVALID_ARGUMENT (size, overlap), UNSUPPORTED (dtype, bits of floats), OUT_OF_MEMORY, CUDA.
pub fn scan(
    ctx: &mut Context,
    options: &Options,
    data: Input,
    count: usize,
    identity: Option<Input>,
    result: Output,
    total: Option<Output>,
) -> Result<()> {
    ctx.begin();
    if options.dtype.is_complex() {
        check_plain(options.dtype, options.expression, &identity)?;
        return of_pairs(ctx, options, data, count, result, total);
    }
    let &Options { variant, kind, .. } = options;
    let (dtype, is_inclusive) = (options.dtype, kind == ScanKind::Inclusive);
    let (to, wide) = accumulators(dtype, options.accumulator_dtype)?;
    let joining = Joining::new(ctx, options.expression, options.op, (dtype, to))?;
    let identity = segments::identity(identity, to)?;
    if !is_inclusive {
        joining.needs_identity(identity, "before the first element")?;
    } else if count == 0 && total.is_some() {
        joining.needs_identity(identity, "of no elements")?;
    }
    let mut total = total.map(|total| total.view_of(to, &[1])).transpose()?;
    let (data, mut result) = (data.view_of(dtype, &[count])?, result.view_of(to, &[count])?);
    let is_in_place = match to == dtype {
        true => is_same_or_apart(&result, &data)?,
        false => all_apart(&[&result], &[&data]).map(|_| false)?,
    };
    let arrays = all_apart(&[&total], &[&data, &result])?;
    let work = cost::SCAN.joined(&cost::SCAN_EXPRESSION, options.variant, arrays, &joining);
    ctx.run_auto(work, |engine| {
        let is_in_place = is_in_place && wide == to; // a converted copy is apart
        let data = WideInput::new(engine, data, wide)?;
        let mut wide_result = WideOutput::new(engine, result.reborrow(), wide)?;
        let wide_total = total.as_mut().map(|total| WideOutput::new(engine, total.reborrow(), wide));
        let mut wide_total = wide_total.transpose()?;
        let data = if is_in_place { None } else { Some(data.view()?) };
        let mut first = if is_inclusive { None } else { identity };
        let (mut results, mut all) =
            (wide_result.view()?, wide_total.as_mut().map(WideOutput::view).transpose()?);
        match (engine.select(variant)?, &joining) {
            (_, Joining::Program(_)) if count == 0 => {}
            (Engine::Cpu(workers), &Joining::Operator(op)) => {
                let how = (workers, variant, Reduction::new(op, wide), is_inclusive);
                dispatch_number!(wide, scan_on_cpu(how, data, &mut results, &mut all))?;
            }
            (Engine::Cpu(workers), Joining::Program(program)) => {
                let how = (workers, variant);
                dispatch_form!(
                    program.dtype,
                    join_on_cpu(how, program, is_inclusive, data, &mut results, &mut all)
                )?;
            }
            (Engine::Cuda(device), &Joining::Operator(op)) => {
                gpu::scan::scan(device, op, is_inclusive, data, results, all)?;
            }
            (Engine::Cuda(device), Joining::Program(program)) => {
                gpu::functor::scan(device, program, first.take(), data, results, all)?;
            }
        }
        let op = match joining {
            Joining::Operator(op) => op,
            Joining::Program(_) => Operator::Sum, // whose identity is not written: the caller's is
        };
        match is_inclusive {
            true => wide_result.finish(engine)?,
            false => wide_result.finish_with_identity(engine, op)?,
        }
        match wide_total {
            None => {}
            Some(total) if count == 0 => total.finish_with_identity(engine, op)?,
            Some(total) => total.finish(engine)?,
        }
        functor::write_first(engine, result, first)?;
        match total {
            Some(total) if count == 0 => functor::write_first(engine, total, identity),
            _ => Ok(()),
        }
    })
}

fn join_on_cpu<F: Form>(
    how: cpu::Execution,
    program: &Program,
    is_inclusive: bool,
    data: Option<DynView>,
    result: &mut DynViewMut,
    total: &mut Option<DynViewMut>,
) -> Result<()> {
    let array = match optional_on_host::<F::Stored>(&data)? {
        None => cpu::scan::Array::Same(result.on_host()?),
        Some(data) => cpu::scan::Array::Apart(data, result.on_host()?),
    };
    let found = cpu::functor::scan::scan::<F>(how, program, is_inclusive, array)?;
    if let Some(total) = optional_mut_on_host(total)? {
        total[0] = found;
    }
    Ok(())
}

/// Sums of complex numbers: those of their parts.
fn of_pairs(
    ctx: &mut Context,
    options: &Options,
    data: Input,
    count: usize,
    result: Output,
    total: Option<Output>,
) -> Result<()> {
    let &Options { variant, dtype, kind, accumulator_dtype, .. } = options;
    check_complex(options.op.or(Operator::Sum), dtype, "SUM is")?;
    let to = complex_accumulator(dtype, accumulator_dtype)?;
    let total = total.map(|total| total.view_of(to, &[1])).transpose()?;
    let (data, result) = (data.view_of(dtype, &[count])?, result.view_of(to, &[count])?);
    let is_in_place = match to == dtype {
        true => is_same_or_apart(&result, &data)?,
        false => all_apart(&[&result], &[&data]).map(|_| false)?,
    };
    let arrays = all_apart(&[&total], &[&data, &result])?;
    let (dims, shape) = ((1, count, 1), DimShape { inner: 1, count, outer: 1 });
    ctx.run_auto(cost::SCAN.of(variant, arrays), |engine| {
        if let Some(total) = total {
            reduced_pairs(engine, variant, DimReduction::Sum, shape, data, total)?;
        }
        let (task, part) = (scan_dim::sums(dims, kind, false), data.parts().dtype());
        let data = if is_in_place { None } else { Some(data.parts()) };
        scan_dim::scanned(engine, variant, &task, part, data, result.parts())
    })
}

fn scan_on_cpu<T: cpu::scan::Sums>(
    (workers, variant, op, is_inclusive): (&cpu::Workers, Variant, Reduction, bool),
    data: Option<DynView>,
    result: &mut DynViewMut,
    total: &mut Option<DynViewMut>,
) -> Result<()> {
    let array = match optional_on_host::<T>(&data)? {
        None => cpu::scan::Array::Same(result.on_host()?),
        Some(data) => cpu::scan::Array::Apart(data, result.on_host()?),
    };
    let total = optional_mut_on_host(total)?;
    let found = match variant {
        Variant::Sequential => cpu::scan::sequential(workers, op, is_inclusive, array)?,
        Variant::Auto => cpu::scan::scan(workers, op, is_inclusive, array)?,
    };
    if let Some(total) = total {
        total[0] = found;
    }
    Ok(())
}

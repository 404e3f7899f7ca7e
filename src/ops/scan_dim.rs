//! Prefixes along a dimension of an array.
//!
//! Source: G. Blelloch, "Prefix Sums and Their Applications", CMU-CS-90-190, 1990; MATLAB's cumsum, cumprod, cummin and cummax for the
//! meaning.
#![forbid(unsafe_code)]

use super::cost;
use super::prelude::*;
use super::reduce_dim::{numbers, saturates, sum_of_pairs};
use super::scan::ScanKind;
use crate::array::{Footprint, is_same_or_apart};
use crate::cpu::fold::{Accumulator, Cast, Extremum, Fold, Integer, Number};
use crate::cpu::fold::{Product, SaturatingProduct, SaturatingSum, Sum};
use crate::cpu::reduce_dim::cast;
use crate::cpu::scan_dim::{Array, Places, Scan};
use crate::error::Error;
use crate::model::expression::Rules;
use crate::model::numbered::NumberedEnum;
use crate::model::reduction::{DimReduction, DimShape, NanFlag, ScanTask as Task};

/// Bytes that are scanned sooner than a pool of threads wakes up.
const SMALL: usize = 1 << 15;

/// Options of [`scan_dim`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: Variant,
    pub dtype: Dtype,
    pub op: DimReduction,
    pub kind: ScanKind,
    pub accumulator_dtype: Dtype,
    pub rules: Rules,
    pub nan: NanFlag,
    pub is_reversed: bool,
}

/// result\[i, j, k\] ← data\[i, 0, k\] ∘ … ∘ data\[i, j − 1, k\] (exclusive) or … ∘ data\[i, j, k\] (inclusive), or from the other end; all
/// (inner, count, outer), the first index fastest, anywhere. result is data, where it has its dtype, or lies apart.
///
/// Sums of floats |error| ≤ γ_n Σ|x|, n the number of elements added; all other results are the same on every backend. Cost: reads data
/// and writes result once. Errors: INVALID_ARGUMENT (dtypes, sizes, overlap), UNSUPPORTED (F16, BF16; another reduction),
/// OUT_OF_MEMORY, CUDA.
pub fn scan_dim(
    ctx: &mut Context,
    options: &Options,
    data: Input,
    (inner, count, outer): (usize, usize, usize),
    result: Output,
) -> Result<()> {
    ctx.begin();
    if options.dtype.is_complex() {
        return of_pairs(ctx, options, data, (inner, count, outer), result);
    }
    let (dtype, op) = (numbers(options.dtype)?, options.op);
    check_op(op)?;
    let to = op.result_dtype(dtype, options.accumulator_dtype)?;
    let saturates = saturates(op, options.rules, dtype, to)?;
    let dims = [inner, count, outer];
    let (data, result) = (data.view_of(dtype, &dims)?, result.view_of(to, &dims)?);
    let is_in_place = match to == dtype {
        true => is_same_or_apart(&result, &data)?,
        false => all_apart(&[&result], &[&data]).map(|_| false)?,
    };
    let task = Task {
        op,
        shape: DimShape { inner, count, outer },
        is_inclusive: options.kind == ScanKind::Inclusive,
        is_reversed: options.is_reversed,
        omits: op.omits(options.nan),
        saturates,
    };
    let arrays = Footprint::of(&[&data, &result]);
    let cost = if inner > 1 { cost::SCAN_DIM_COLUMNS } else { cost::SCAN_DIM };
    let work = match saturates {
        true => cost.alone(options.variant, arrays, arrays.bytes),
        false => cost.of(options.variant, arrays),
    };
    ctx.run_auto(work, |engine| {
        let data = if is_in_place { None } else { Some(data) };
        scanned(engine, options.variant, &task, dtype, data, result)
    })
}

/// Refuses what has no prefixes.
pub(super) fn check_op(op: DimReduction) -> Result<()> {
    match op {
        DimReduction::Sum | DimReduction::Product | DimReduction::Min | DimReduction::Max => Ok(()),
        _ => {
            let op = op.c_name();
            Err(Error::unsupported(format!("options.op is {op}; prefixes are of SUM, PRODUCT, MIN and MAX")))
        }
    }
}

/// Sums of complex numbers: those of their parts.
fn of_pairs(
    ctx: &mut Context,
    options: &Options,
    data: Input,
    (inner, count, outer): (usize, usize, usize),
    result: Output,
) -> Result<()> {
    let &Options { variant, dtype, op, kind, accumulator_dtype, nan, is_reversed, .. } = options;
    if op != DimReduction::Sum {
        return Err(Error::unsupported(format!(
            "options.op is {} and options.dtype {}; of complex numbers SUM is served",
            op.c_name(),
            dtype.c_name()
        )));
    }
    let (to, dims) = (sum_of_pairs(op, dtype, accumulator_dtype, nan)?, [inner, count, outer]);
    let (data, result) = (data.view_of(dtype, &dims)?, result.view_of(to, &dims)?);
    let is_in_place = match to == dtype {
        true => is_same_or_apart(&result, &data)?,
        false => all_apart(&[&result], &[&data]).map(|_| false)?,
    };
    let task = sums((inner, count, outer), kind, is_reversed);
    let arrays = Footprint::of(&[&data, &result]);
    ctx.run_auto(cost::SCAN_DIM.of(variant, arrays), |engine| {
        let (part, data) = (data.parts().dtype(), if is_in_place { None } else { Some(data.parts()) });
        scanned(engine, variant, &task, part, data, result.parts())
    })
}

/// The sums of the parts of complex numbers.
pub(super) fn sums((inner, count, outer): (usize, usize, usize), kind: ScanKind, is_reversed: bool) -> Task {
    Task {
        op: DimReduction::Sum,
        shape: DimShape { inner: inner.saturating_mul(2), count, outer },
        is_inclusive: kind == ScanKind::Inclusive,
        is_reversed,
        omits: false,
        saturates: false,
    }
}

/// The prefixes of arrays that were checked; data None: those of the result.
pub(super) fn scanned(
    engine: &Engine,
    variant: Variant,
    task: &Task,
    dtype: Dtype,
    data: Option<DynView>,
    mut result: DynViewMut,
) -> Result<()> {
    match engine.select(variant)? {
        _ if result.is_empty() => Ok(()),
        Engine::Cpu(workers) => scan_on_cpu((workers, variant), task, dtype, data, &mut result),
        Engine::Cuda(device) => gpu::scan_dim::scan_dim(device, task, dtype, data, result),
    }
}

fn scan_on_cpu(
    how: Execution,
    task: &Task,
    dtype: Dtype,
    data: Option<DynView>,
    result: &mut DynViewMut,
) -> Result<()> {
    let to = result.dtype();
    match task.op {
        DimReduction::Min | DimReduction::Max => extrema(how, task, dtype, data, result),
        _ if dtype == Dtype::F32 && to == Dtype::F32 => same::<f32, f32>(how, task, data, result),
        _ if dtype == Dtype::F64 => same::<f64, f64>(how, task, data, result),
        _ if to == Dtype::F64 => dispatch_dtype!(dtype, in_double(how, task, data, result)),
        _ => dispatch_integer!(dtype, in_integers(how, task, data, result)),
    }
}

/// Floats in their own type.
fn same<T: Number<A> + Copy, A: Accumulator + Cast<T>>(
    how: Execution,
    task: &Task,
    data: Option<DynView>,
    result: &mut DynViewMut,
) -> Result<()> {
    let array = array::<T, T>(data, result)?;
    let itself = |element: T| element;
    match task.op {
        DimReduction::Sum => scan(how, task, Sum::<T, A>::new(task.omits), cast::<A, T>, itself, array),
        _ => scan(how, task, Product::<T, A>::new(task.omits), cast::<A, T>, itself, array),
    }
}

fn in_double<T: Number<f64>>(
    how: Execution,
    task: &Task,
    data: Option<DynView>,
    result: &mut DynViewMut,
) -> Result<()> {
    let array = array::<T, f64>(data, result)?;
    let (finish, read) = (cast::<f64, f64>, |_: f64| T::default());
    match task.op {
        DimReduction::Sum => scan(how, task, Sum::<T, f64>::new(task.omits), finish, read, array),
        _ => scan(how, task, Product::<T, f64>::new(task.omits), finish, read, array),
    }
}

fn in_integers<T: Number<u64> + Integer>(
    how: Execution,
    task: &Task,
    data: Option<DynView>,
    result: &mut DynViewMut,
) -> Result<()>
where
    T::Wide: Cast<T> + Cast<u16> + Cast<u32> + Cast<u64>,
    u64: Cast<T>,
{
    let to = result.dtype();
    match (task.op, task.saturates) {
        (DimReduction::Sum, true) => as_bits::<T, _>(how, task, SaturatingSum::<T>::new(to), data, result),
        (_, true) => as_bits::<T, _>(how, task, SaturatingProduct::<T>::new(to), data, result),
        (DimReduction::Sum, false) => as_bits::<T, _>(how, task, Sum::<T, u64>::new(false), data, result),
        (_, false) => as_bits::<T, _>(how, task, Product::<T, u64>::new(false), data, result),
    }
}

/// Integers of the width of the result.
fn as_bits<T: Element, F: Fold<In = T>>(
    how: Execution,
    task: &Task,
    fold: F,
    data: Option<DynView>,
    result: &mut DynViewMut,
) -> Result<()>
where
    F::Acc: Cast<T> + Cast<u16> + Cast<u32> + Cast<u64>,
{
    match result.dtype().size() {
        bytes if bytes == size_of::<T>() => {
            scan(how, task, fold, cast::<_, T>, |element| element, array::<T, T>(data, result)?)
        }
        2 => scan(how, task, fold, cast::<_, u16>, |_| T::default(), array(data, result)?),
        4 => scan(how, task, fold, cast::<_, u32>, |_| T::default(), array(data, result)?),
        _ => scan(how, task, fold, cast::<_, u64>, |_| T::default(), array(data, result)?),
    }
}

fn extrema(
    how: Execution,
    task: &Task,
    dtype: Dtype,
    data: Option<DynView>,
    result: &mut DynViewMut,
) -> Result<()> {
    let is_minimum = task.op == DimReduction::Min;
    macro_rules! of {
        ($bits:ty, $is_float:literal) => {{
            let fold = Extremum::<$bits, $is_float>::new(dtype, is_minimum, task.omits);
            let array = array::<$bits, $bits>(data, result)?;
            scan(how, task, fold, |rank| fold.element(rank), |bits| bits, array)
        }};
    }
    match (dtype.size(), dtype.is_float()) {
        (1, _) => of!(u8, false),
        (2, _) => of!(u16, false),
        (4, false) => of!(u32, false),
        (4, true) => of!(u32, true),
        (_, false) => of!(u64, false),
        (_, true) => of!(u64, true),
    }
}

fn array<'a, T: Element, O: Element>(
    data: Option<DynView<'a>>,
    result: &'a mut DynViewMut,
) -> Result<Places<'a, T, O>> {
    Ok(match data {
        None => Places::Same(result.on_host()?),
        Some(data) => Places::Apart(data.on_host()?, result.on_host()?),
    })
}

fn scan<F: Fold, O: Element>(
    how: Execution,
    task: &Task,
    fold: F,
    finish: impl Fn(F::Acc) -> O + Copy + Send,
    read: impl Fn(O) -> F::In + Copy + Send,
    places: Places<F::In, O>,
) -> Result<()> {
    let &Task { is_inclusive, is_reversed, shape, .. } = task;
    let is_alone = shape.elements() * size_of::<F::In>() < SMALL;
    let array = Array { places, finish, read };
    Scan { fold, is_inclusive, is_reversed }.scan(how, is_alone, shape, array)
}

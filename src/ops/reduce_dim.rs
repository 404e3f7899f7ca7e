//! Reduction along a dimension of an array.
//!
//! Source: M. Harris, "Optimizing Parallel Reduction in CUDA", NVIDIA 2007, for the tree; MATLAB's sum, prod, min, max, any, all, nnz
//! and mean for the meaning.
#![forbid(unsafe_code)]

use super::complex_product::product;
use super::cost;
use super::dtypes::{ALL_NUMBERS, index_dtype_for, unsupported};
use super::prelude::*;
use crate::cpu::fold::{Cast, Count, First, Fold, Mean, Product, SaturatingProduct, SaturatingSum, Sum};
use crate::cpu::fold::{Extremum, Place};
use crate::cpu::reduce_dim::{Finished, Places, cast, reduce};
use crate::error::Error;
use crate::model::expression::Rules;
use crate::model::numbered::NumberedEnum;
use crate::model::reduction::{DimReduction, DimShape, NanFlag, ReduceTask as Task};

/// Options of [`reduce_dim`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: Variant,
    pub dtype: Dtype,
    pub op: DimReduction,
    pub accumulator_dtype: Dtype,
    pub rules: Rules,
    pub nan: NanFlag,
    pub index_dtype: Dtype,
}

/// result\[i, k\] ← the reduction of data\[i, 0 … count − 1, k\]; data (inner, count, outer), result and positions (inner, outer), the
/// first index fastest, anywhere, apart from one another. positions: the first j of a minimum or maximum.
///
/// Sums of floats |error| ≤ γ_n Σ|x|, n = count, u of the result's dtype; integers, extrema, counts and positions are the same on every
/// backend. Cost: reads data once. Errors: INVALID_ARGUMENT (dtypes, sizes, overlap), UNSUPPORTED (F16, BF16), OUT_OF_MEMORY, CUDA.
pub fn reduce_dim(
    ctx: &mut Context,
    options: &Options,
    data: Input,
    (inner, count, outer): (usize, usize, usize),
    result: Output,
    positions: Option<Output>,
) -> Result<()> {
    ctx.begin();
    if options.dtype.is_complex() {
        return of_pairs(ctx, options, data, (inner, count, outer), result, positions.is_some());
    }
    let (dtype, op) = (numbers(options.dtype)?, options.op);
    let to = op.result_dtype(dtype, options.accumulator_dtype)?;
    let saturates = saturates(op, options.rules, dtype, to)?;
    let index = match positions {
        None => Dtype::None,
        Some(_) if !matches!(op, DimReduction::Min | DimReduction::Max) => {
            return Err(Error::invalid(format!(
                "options.positions is set and options.op is {}; positions are those of MIN and MAX",
                op.c_name()
            )));
        }
        Some(_) => index_dtype_for(options.index_dtype, "count", count)?,
    };
    let data = data.view_of(dtype, &[inner, count, outer])?;
    let result = result.view_of(to, &[inner, outer])?;
    let positions = positions.map(|positions| positions.view_of(index, &[inner, outer])).transpose()?;
    let arrays = all_apart(&[&result, &positions], &[&data])?;
    let shape = DimShape { inner, count, outer };
    let task = Task { op, shape, omits: op.omits(options.nan), saturates };
    let work = match saturates {
        true => cost::REDUCE_DIM_SATURATING.alone(options.variant, arrays, arrays.bytes),
        false => cost::REDUCE_DIM.of(options.variant, arrays),
    };
    ctx.run_auto(work, |engine| reduced(engine, options.variant, &task, data, result, positions))
}

/// Of complex numbers.
fn of_pairs(
    ctx: &mut Context,
    options: &Options,
    data: Input,
    (inner, count, outer): (usize, usize, usize),
    result: Output,
    has_positions: bool,
) -> Result<()> {
    let &Options { variant, dtype, op, accumulator_dtype, nan, .. } = options;
    if has_positions {
        return Err(Error::invalid(format!(
            "options.positions is set and options.op is {}; positions are those of MIN and MAX",
            op.c_name()
        )));
    }
    let to = sum_of_pairs(op, dtype, accumulator_dtype, nan)?;
    let data = data.view_of(dtype, &[inner, count, outer])?;
    let result = result.view_of(to, &[inner, outer])?;
    let arrays = all_apart(&[&result], &[&data])?;
    let shape = DimShape { inner, count, outer };
    ctx.run_auto(cost::REDUCE_DIM.of(variant, arrays), |engine| {
        reduced_pairs(engine, variant, op, shape, data, result)
    })
}

/// The sums and means of the parts of complex numbers, or their products; of arrays that were checked.
pub(super) fn reduced_pairs(
    engine: &Engine,
    variant: Variant,
    op: DimReduction,
    shape: DimShape,
    data: DynView,
    result: DynViewMut,
) -> Result<()> {
    if op == DimReduction::Product {
        return product(engine, variant, data, shape, result);
    }
    let shape = DimShape { inner: shape.inner.saturating_mul(2), ..shape };
    let task = Task { op, shape, omits: false, saturates: false };
    reduced(engine, variant, &task, data.parts(), result.parts(), None)
}

/// The dtype of sums, means and products of complex numbers; refuses what else is asked of them.
pub(super) fn sum_of_pairs(
    op: DimReduction,
    dtype: Dtype,
    accumulator: Dtype,
    nan: NanFlag,
) -> Result<Dtype> {
    if !matches!(op, DimReduction::Sum | DimReduction::Product | DimReduction::Mean) {
        return Err(Error::unsupported(format!(
            "options.op is {} and options.dtype {}; of complex numbers SUM, PRODUCT and MEAN are served",
            op.c_name(),
            dtype.c_name()
        )));
    }
    if nan == NanFlag::Omit {
        return Err(Error::unsupported(format!(
            "options.nan is {} and options.dtype {}; of complex numbers NaN is not left out",
            nan.c_name(),
            dtype.c_name()
        )));
    }
    complex_accumulator(dtype, accumulator)
}

/// The dtype in which complex numbers are accumulated.
pub(super) fn complex_accumulator(dtype: Dtype, accumulator: Dtype) -> Result<Dtype> {
    match accumulator.or(dtype) {
        to if to == dtype || to == Dtype::C128 => Ok(to),
        to => Err(Error::invalid(format!(
            "options.dtype is {} and options.accumulator_dtype {}; complex numbers are accumulated in dtype or C128",
            dtype.c_name(),
            to.c_name()
        ))),
    }
}

/// The reduction of arrays that were checked.
pub(super) fn reduced(
    engine: &Engine,
    variant: Variant,
    task: &Task,
    data: DynView,
    mut result: DynViewMut,
    mut positions: Option<DynViewMut>,
) -> Result<()> {
    let (op, to) = (task.op, result.dtype());
    match engine.select(variant)? {
        _ if result.is_empty() => Ok(()),
        _ if task.shape.count == 0 => {
            if let Some(positions) = positions {
                super::fill::fill_bits(engine, positions, 0)?;
            }
            super::fill::fill_bits(engine, result, op.of_none(to))
        }
        Engine::Cpu(workers) => reduce_on_cpu((workers, variant), task, data, &mut result, &mut positions),
        Engine::Cuda(device) => gpu::reduce_dim::reduce_dim(device, task, data, result, positions),
    }
}

/// A dtype of numbers that dimensions are reduced of.
pub fn numbers(dtype: Dtype) -> Result<Dtype> {
    match dtype.required("dtype")? {
        Dtype::F16 | Dtype::Bf16 | Dtype::C64 | Dtype::C128 => unsupported("dtype", dtype, ALL_NUMBERS),
        dtype => Ok(dtype),
    }
}

/// Whether sums and products of integers saturate; then the result's dtype holds every element.
pub fn saturates(op: DimReduction, rules: Rules, dtype: Dtype, to: Dtype) -> Result<bool> {
    let is_of_integers = matches!(op, DimReduction::Sum | DimReduction::Product) && !to.is_float();
    if rules == Rules::C || !is_of_integers {
        return Ok(false);
    }
    match to.holds(dtype) {
        true => Ok(true),
        false => Err(Error::invalid(format!(
            "options.dtype is {} and options.accumulator_dtype {}; with GPUMEX_RULES_MATLAB it holds every value of dtype",
            dtype.c_name(),
            to.c_name()
        ))),
    }
}

fn reduce_on_cpu(
    how: Execution,
    task: &Task,
    data: DynView,
    result: &mut DynViewMut,
    positions: &mut Option<DynViewMut>,
) -> Result<()> {
    use DimReduction::*;
    let (dtype, to) = (data.dtype(), result.dtype());
    let all = task.shape.count as u64;
    match task.op {
        Sum | Product if dtype == Dtype::F32 && to == Dtype::F32 => {
            let (array, omits) = (data.on_host::<f32>()?, task.omits);
            let result = Finished { result: result.on_host()?, finish: cast::<f32, f32> };
            match task.op {
                Sum => reduce(how, cpu::fold::Sum::new(omits), array, task.shape, result),
                _ => reduce(how, cpu::fold::Product::new(omits), array, task.shape, result),
            }
        }
        Sum | Product if to == Dtype::F64 => dispatch_dtype!(dtype, in_double(how, task, data, result)),
        Sum | Product => dispatch_integer!(dtype, in_integers(how, task, data, result)),
        Mean => dispatch_dtype!(dtype, mean(how, task, data, result)),
        Min | Max => extremum(how, task, data, result, positions),
        Any => counted(how, task, data, result.on_host()?, |found| u8::from(found > 0)),
        All => counted(how, task, data, result.on_host()?, |found| u8::from(found == all)),
        Count => match to {
            Dtype::U32 => counted(how, task, data, result.on_host()?, |found| found as u32),
            Dtype::U64 => counted(how, task, data, result.on_host()?, |found| found),
            _ => counted(how, task, data, result.on_host()?, |found| found as f64),
        },
    }
}

fn in_double<T: cpu::fold::Number<f64>>(
    how: Execution,
    task: &Task,
    data: DynView,
    result: &mut DynViewMut,
) -> Result<()> {
    let (data, omits) = (data.on_host::<T>()?, task.omits);
    let result = Finished { result: result.on_host()?, finish: cast::<f64, f64> };
    match task.op {
        DimReduction::Sum => reduce(how, Sum::<T, f64>::new(omits), data, task.shape, result),
        _ => reduce(how, Product::<T, f64>::new(omits), data, task.shape, result),
    }
}

fn in_integers<T: cpu::fold::Number<u64> + cpu::fold::Integer>(
    how: Execution,
    task: &Task,
    data: DynView,
    result: &mut DynViewMut,
) -> Result<()>
where
    T::Wide: Cast<u8> + Cast<u16> + Cast<u32> + Cast<u64>,
{
    let (data, to) = (data.on_host::<T>()?, result.dtype());
    match (task.op, task.saturates) {
        (DimReduction::Sum, true) => as_bits(how, SaturatingSum::<T>::new(to), data, task.shape, result),
        (_, true) => as_bits(how, SaturatingProduct::<T>::new(to), data, task.shape, result),
        (DimReduction::Sum, false) => as_bits(how, Sum::<T, u64>::new(false), data, task.shape, result),
        (_, false) => as_bits(how, Product::<T, u64>::new(false), data, task.shape, result),
    }
}

/// Integers of the width of the result.
fn as_bits<F: Fold>(
    how: Execution,
    fold: F,
    data: &[F::In],
    shape: DimShape,
    result: &mut DynViewMut,
) -> Result<()>
where
    F::Acc: Cast<u8> + Cast<u16> + Cast<u32> + Cast<u64>,
{
    match result.dtype().size() {
        1 => reduce(how, fold, data, shape, Finished { result: result.on_host()?, finish: cast::<_, u8> }),
        2 => reduce(how, fold, data, shape, Finished { result: result.on_host()?, finish: cast::<_, u16> }),
        4 => reduce(how, fold, data, shape, Finished { result: result.on_host()?, finish: cast::<_, u32> }),
        _ => reduce(how, fold, data, shape, Finished { result: result.on_host()?, finish: cast::<_, u64> }),
    }
}

fn mean<T: cpu::fold::Number<f64>>(
    how: Execution,
    task: &Task,
    data: DynView,
    result: &mut DynViewMut,
) -> Result<()> {
    let (is_counted, is_double) = (task.omits && data.dtype().is_float(), result.dtype() == Dtype::F64);
    let (data, shape) = (data.on_host::<T>()?, task.shape);
    let mean = |sum: f64| sum / shape.count as f64;
    let of_counted = |(sum, count): (f64, u64)| sum / count as f64;
    match (is_counted, is_double) {
        (false, true) => {
            let result = Finished { result: result.on_host()?, finish: mean };
            reduce(how, Sum::<T, f64>::new(false), data, shape, result)
        }
        (false, false) => {
            let result = Finished { result: result.on_host()?, finish: |sum| mean(sum) as f32 };
            reduce(how, Sum::<T, f64>::new(false), data, shape, result)
        }
        (true, true) => {
            let result = Finished { result: result.on_host()?, finish: of_counted };
            reduce(how, Mean::<T>::new(), data, shape, result)
        }
        (true, false) => {
            let result = Finished { result: result.on_host()?, finish: |acc| of_counted(acc) as f32 };
            reduce(how, Mean::<T>::new(), data, shape, result)
        }
    }
}

fn extremum(
    how: Execution,
    task: &Task,
    data: DynView,
    result: &mut DynViewMut,
    positions: &mut Option<DynViewMut>,
) -> Result<()> {
    let Task { shape, omits, .. } = *task;
    let (dtype, is_minimum) = (data.dtype(), task.op == DimReduction::Min);
    macro_rules! of {
        ($bits:ty, $is_float:literal) => {{
            let data = data.on_host::<$bits>()?;
            match positions {
                None => {
                    let fold = Extremum::<$bits, $is_float>::new(dtype, is_minimum, omits);
                    let finish = |rank| fold.element(rank);
                    reduce(how, fold, data, shape, Finished { result: result.on_host()?, finish })
                }
                Some(positions) => {
                    let fold = First::<$bits, $is_float>::new(dtype, is_minimum, omits);
                    placed(how, fold, data, shape, result.on_host()?, positions)
                }
            }
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

fn placed<T: Element, F: Fold<In = T, Acc = Place<T>>>(
    how: Execution,
    fold: F,
    data: &[T],
    shape: DimShape,
    result: &mut [T],
    positions: &mut DynViewMut,
) -> Result<()> {
    match positions.dtype() {
        Dtype::U32 => {
            let positions = positions.on_host::<u32>()?;
            reduce(how, fold, data, shape, Places { data, shape, first: 0, result, positions })
        }
        _ => {
            let positions = positions.on_host::<u64>()?;
            reduce(how, fold, data, shape, Places { data, shape, first: 0, result, positions })
        }
    }
}

/// Counts elements that are not 0.
fn counted<O: Element>(
    how: Execution,
    task: &Task,
    data: DynView,
    result: &mut [O],
    finish: impl Fn(u64) -> O + Copy + Send,
) -> Result<()> {
    let (dtype, result) = (data.dtype(), Finished { result, finish });
    let omits = task.omits && task.op != DimReduction::All; // to which a NaN that is left out is as one that is not 0
    match dtype.size() {
        1 => reduce(how, Count::<u8>::new(dtype, omits), data.on_host()?, task.shape, result),
        2 => reduce(how, Count::<u16>::new(dtype, omits), data.on_host()?, task.shape, result),
        4 => reduce(how, Count::<u32>::new(dtype, omits), data.on_host()?, task.shape, result),
        _ => reduce(how, Count::<u64>::new(dtype, omits), data.on_host()?, task.shape, result),
    }
}

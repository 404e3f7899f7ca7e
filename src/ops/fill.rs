//! Arrays of one value, and of ascending ones.
#![forbid(unsafe_code)]

use super::cost;
use super::map::evaluate;
use crate::array::{DynView, DynViewMut, Element, Footprint, Input, Output, all_apart};
use crate::context::{Context, Engine};
use crate::cpu;
use crate::error::{Error, Result};
use crate::gpu;
use crate::memory::Place;
use crate::model::dtype::Dtype;
use crate::model::expression::Layout;
use crate::model::numbered::NumberedEnum;
use crate::model::variant::Variant;

/// array\[i\] ← value.  array (count) of the dtype, anywhere; value one element, on the host and apart from the
/// array.
///
/// Cost: writes the array once. Errors: INVALID_ARGUMENT (size, overlap, place of the value), UNSUPPORTED,
/// OUT_OF_MEMORY, CUDA.
pub fn fill(ctx: &mut Context, dtype: Dtype, array: Output, count: usize, value: Input) -> Result<()> {
    ctx.begin();
    let (array, value) = (array.view_of(dtype, &[count])?, value.view_of(dtype, &[1])?);
    let work = cost::FILL.of(Variant::Auto, all_apart(&[&array], &[&value])?);
    if dtype.is_complex() {
        bits_of("value", value.parts().part(0, 1))?; // it is on the host
        let walk = Layout::new(&[count], 1, Some(&[0]), None)?;
        return ctx.run_auto(work, |engine| evaluate(engine, Variant::Auto, "a", &walk, &[value], array));
    }
    let value = bits_of("value", value)?;
    if array.is_empty() {
        return Ok(());
    }
    ctx.run_auto(work, |engine| fill_bits(engine, array, value))
}

/// array\[i\] ← the value of these bits.
pub(super) fn fill_bits(engine: &Engine, mut array: DynViewMut, value: u64) -> Result<()> {
    match engine {
        Engine::Cpu(workers) => match array.dtype().size() {
            1 => cpu::fill::fill(workers, array.on_host()?, value as u8),
            2 => cpu::fill::fill(workers, array.on_host()?, value as u16),
            4 => cpu::fill::fill(workers, array.on_host()?, value as u32),
            _ => cpu::fill::fill(workers, array.on_host()?, value),
        },
        Engine::Cuda(device) => gpu::fill::fill(device, array, value),
    }
}

/// The bits of one element in memory of the host.
pub(super) fn bits_of(name: &str, value: DynView) -> Result<u64> {
    if let Place::Device(ordinal) = value.place() {
        return Err(Error::invalid(format!(
            "{name} is memory of CUDA device {ordinal}; it is one element in memory of the host"
        )));
    }
    Ok(match value.dtype().size() {
        1 => value.on_host::<u8>()?[0].into(),
        2 => value.on_host::<u16>()?[0].into(),
        4 => value.on_host::<u32>()?[0].into(),
        _ => value.on_host::<u64>()?[0],
    })
}

/// array\[i\] ← first + i·step.  array (count) of the dtype, anywhere.
///
/// Integers: first and step are whole numbers within ±2^53, and every element is a value of the dtype. Floats:
/// first and step are finite; product and sum are those of f64, rounded once each, and the result is rounded to
/// the dtype. The bits are the same on every backend. Cost: writes the array once. Errors: INVALID_ARGUMENT (size,
/// first, step, first or last element), UNSUPPORTED, OUT_OF_MEMORY, CUDA.
pub fn fill_ascending(
    ctx: &mut Context,
    dtype: Dtype,
    array: Output,
    count: usize,
    first: f64,
    step: f64,
) -> Result<()> {
    ctx.begin();
    super::dtypes::check_numbers(dtype)?;
    check_ascending(dtype, count, first, step)?;
    let mut array = array.view_of(dtype, &[count])?;
    if array.is_empty() {
        return Ok(());
    }
    let work = cost::FILL_ASCENDING.of(Variant::Auto, Footprint::of(&[&array]));
    ctx.run_auto(work, |engine| match engine {
        Engine::Cpu(workers) => dispatch_dtype!(dtype, ascend_on_cpu(workers, &mut array, first, step)),
        Engine::Cuda(device) => gpu::fill::fill_ascending(device, array, first, step),
    })
}

fn ascend_on_cpu<T: Element + cpu::fill::Ascending>(
    workers: &cpu::Workers,
    array: &mut DynViewMut,
    first: f64,
    step: f64,
) -> Result<()> {
    cpu::fill::fill_ascending::<T>(workers, array.on_host()?, first, step)
}

/// Every element lies between the first and the last.
fn check_ascending(dtype: Dtype, count: usize, first: f64, step: f64) -> Result<()> {
    for (name, value) in [("first", first), ("step", step)] {
        if !value.is_finite() {
            return Err(Error::invalid(format!("{name} is {value}; it is a finite number")));
        }
    }
    if dtype.integers().is_none() {
        return Ok(());
    }
    let (first, step) = (exact("first", first, dtype)?, exact("step", step, dtype)?);
    let last = first + count.saturating_sub(1) as i128 * step;
    super::held(&format!("the first of {count} elements"), first, dtype)?;
    super::held(&format!("the last of {count} elements"), last, dtype)
}

/// A whole number so small that a double is exact about it.
fn exact(name: &str, value: f64, dtype: Dtype) -> Result<i128> {
    const LARGEST: f64 = (1u64 << f64::MANTISSA_DIGITS) as f64;
    match value.abs() <= LARGEST {
        true => super::whole(name, value, dtype),
        false => Err(Error::invalid(format!("{name} is {value}; for {} it is within ±2^53", dtype.c_name()))),
    }
}

//! Arrays of one value, and of ascending ones.
#![forbid(unsafe_code)]

use crate::array::{Element, Input, Output};
use crate::context::{Context, Engine};
use crate::dtype::Dtype;
use crate::error::{Error, Result};
use crate::memory::Place;
use crate::{cpu, gpu};

/// array\[i\] ← value.  array (count) of the dtype, anywhere; value one element, on the host and apart from the
/// array.
///
/// Cost: writes the array once. Errors: INVALID_ARGUMENT (size, overlap, place of the value), UNSUPPORTED,
/// OUT_OF_MEMORY, CUDA.
pub fn fill(ctx: &mut Context, dtype: Dtype, array: Output, count: usize, value: Input) -> Result<()> {
    ctx.begin();
    match dtype.size() {
        1 => fill_bits::<u8>(ctx, array, count, value),
        2 => fill_bits::<u16>(ctx, array, count, value),
        4 => fill_bits::<u32>(ctx, array, count, value),
        _ => fill_bits::<u64>(ctx, array, count, value),
    }
}

/// Elements of one size are filled alike, whatever their bits mean.
fn fill_bits<T: Element + Into<u64>>(
    ctx: &mut Context,
    array: Output,
    count: usize,
    value: Input,
) -> Result<()> {
    let (mut array, value) = (array.view::<T>(&[count])?, value.view::<T>(&[1])?);
    array.apart(&value)?;
    if let Place::Device(ordinal) = value.place() {
        return Err(Error::invalid(format!(
            "value is memory of CUDA device {ordinal}; it is one element in memory of the host"
        )));
    }
    let value = value.on_host()?[0];
    if array.is_empty() {
        return Ok(());
    }
    ctx.run(|engine| match engine {
        Engine::Cpu(workers) => cpu::fill::fill(workers, array.on_host()?, value),
        Engine::Cuda(device) => gpu::fill::fill(device, array, value),
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
    check_ascending(dtype, count, first, step)?;
    by_dtype!(dtype, ascend(ctx, array, count, first, step))
}

fn ascend<T: Element + cpu::fill::Ascending>(
    ctx: &mut Context,
    array: Output,
    count: usize,
    first: f64,
    step: f64,
) -> Result<()> {
    let mut array = array.view::<T>(&[count])?;
    if array.is_empty() {
        return Ok(());
    }
    ctx.run(|engine| match engine {
        Engine::Cpu(workers) => cpu::fill::fill_ascending(workers, array.on_host()?, first, step),
        Engine::Cuda(device) => gpu::fill::fill_ascending(device, array, first, step),
    })
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
        false => Err(Error::invalid(format!("{name} is {value}; for {dtype:?} it is within ±2^53"))),
    }
}

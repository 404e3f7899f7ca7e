//! Convolution of a matrix with a filter.
//!
//! Source: MATLAB's conv2, filter2 and imfilter, for the shapes and the middle; V. Podlozhnyuk, "Image Convolution with CUDA", NVIDIA 2007.
#![forbid(unsafe_code)]

use super::cost;
use super::dtypes::{ALL_NUMBERS, unsupported};
use super::map::elements_of;
use super::prelude::*;
use crate::cpu::convolve::Accumulator;
use crate::error::Error;
use crate::model::numbered::NumberedEnum;
use crate::model::stencil::Plane;
pub use crate::model::stencil::{Boundary, StencilOrder};
use crate::model::window::Windows;
pub use crate::model::window::{ConvolveKind, ConvolveShape};

/// Options of [`convolve`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: Variant,
    /// Of the elements.
    pub dtype: Dtype,
    /// Of the weights and the sums; None: the natural one.
    pub accumulator_dtype: Dtype,
    /// Of the results; None: that of the sums.
    pub result_dtype: Dtype,
    pub boundary: Boundary,
    /// What lies outside, with [`Boundary::Constant`].
    pub constant: f64,
    pub shape: ConvolveShape,
    pub kind: ConvolveKind,
    pub order: StencilOrder,
}

/// result\[y, x\] ← Σ w\[i, j\]·data\[y + i + first, x + j + first\], w being the filter, or the filter turned by 180°.  data (rows, cols),
/// filter (m, n) of the accumulator's dtype, result as the shape says, anywhere, apart from one another.
///
/// Weights of 0 are left out. |error| ≤ γ_k Σ|w·data|, k = m·n + 2, u of the accumulator's dtype; integers wrap and are the same on every
/// backend. Cost: m·n multiply-adds a result; reads data about once. Errors: INVALID_ARGUMENT (dtypes, sizes, overlap), UNSUPPORTED (F16,
/// BF16), OUT_OF_MEMORY, CUDA.
pub fn convolve(
    ctx: &mut Context,
    options: &Options,
    data: Input,
    [rows, cols]: [usize; 2],
    filter: Input,
    [m, n]: [usize; 2],
    result: Output,
) -> Result<()> {
    ctx.begin();
    let (dtype, accumulator, to) = dtypes(options)?;
    if m == 0 || n == 0 {
        return Err(Error::invalid(format!(
            "the filter has {m} rows and {n} columns; it has one of each at least"
        )));
    }
    let plane = Plane { rows, cols, boundary: options.boundary, constant: options.constant };
    let windows = Windows::new(options.shape, plane, [m, n])?;
    let data = data.view_of(dtype, &[rows, cols])?;
    let filter = filter.view_of(accumulator, &[m, n])?;
    let mut result = result.view_of(to, &windows.result)?;
    let arrays = all_apart(&[&result], &[&data, &filter])?;
    let (windows, is_turned) = (windows.in_order(options.order), options.kind == ConvolveKind::Convolution);
    let work = cost::CONVOLVE.of_units(options.variant, arrays, result.len().saturating_mul(m * n));
    ctx.run_auto(work, |engine| match engine.select(options.variant)? {
        _ if result.is_empty() => Ok(()),
        Engine::Cpu(workers) => {
            let how = (workers, options.variant);
            match accumulator {
                Dtype::F32 => on_cpu::<f32>(how, &windows, data, filter, is_turned, &mut result),
                Dtype::F64 => on_cpu::<f64>(how, &windows, data, filter, is_turned, &mut result),
                Dtype::I32 => on_cpu::<i32>(how, &windows, data, filter, is_turned, &mut result),
                _ => on_cpu::<i64>(how, &windows, data, filter, is_turned, &mut result),
            }
        }
        Engine::Cuda(device) => gpu::convolve::convolve(device, &windows, data, filter, is_turned, result),
    })
}

/// The dtypes of elements, weights and results.
fn dtypes(options: &Options) -> Result<(Dtype, Dtype, Dtype)> {
    let dtype = numbers("dtype", options.dtype.required("dtype")?)?;
    let natural = match dtype {
        Dtype::F32 | Dtype::F64 => dtype,
        _ if dtype.size() <= 2 => Dtype::I32,
        _ => Dtype::I64,
    };
    let accumulator = options.accumulator_dtype.or(natural);
    let is_served = match accumulator {
        Dtype::F32 | Dtype::F64 => true,
        Dtype::I32 | Dtype::I64 => !dtype.is_float(),
        _ => false,
    };
    if !is_served {
        return Err(Error::invalid(format!(
            "options.dtype is {} and options.accumulator_dtype {}; it is GPUMEX_DTYPE_F32 or F64, of integers I32 and I64 as well",
            dtype.c_name(),
            accumulator.c_name()
        )));
    }
    Ok((dtype, accumulator, numbers("result_dtype", options.result_dtype.or(accumulator))?))
}

fn numbers(field: &str, dtype: Dtype) -> Result<Dtype> {
    match dtype {
        Dtype::F16 | Dtype::Bf16 | Dtype::C64 | Dtype::C128 => unsupported(field, dtype, ALL_NUMBERS),
        dtype => Ok(dtype),
    }
}

fn on_cpu<A: Accumulator>(
    how: Execution,
    windows: &Windows,
    data: DynView,
    filter: DynView,
    is_turned: bool,
    result: &mut DynViewMut,
) -> Result<()> {
    let (data, weights) = (elements_of(&data)?, filter.on_host::<A>()?);
    cpu::convolve::convolve(how, windows, data, (weights, is_turned), result)
}

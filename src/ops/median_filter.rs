//! Medians of windows of a matrix.
//!
//! Source: MATLAB's medfilt2; J. Tukey, "Exploratory data analysis", 1977, for the filter.
#![forbid(unsafe_code)]

use super::cost;
use super::dtypes::{ALL_NUMBERS, unsupported};
use super::prelude::*;
use crate::error::Error;
use crate::model::median::WINDOW;
use crate::model::stencil::Plane;
pub use crate::model::stencil::{Boundary, StencilOrder};
use crate::model::window::{ConvolveShape, Windows};

/// Options of [`median_filter`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: Variant,
    pub dtype: Dtype,
    pub boundary: Boundary,
    /// What lies outside, with [`Boundary::Constant`].
    pub constant: f64,
    pub order: StencilOrder,
}

/// result\[y, x\] ← the median of the m·n elements from (y − (m − 1)/2, x − (n − 1)/2) on; data, result (rows, cols), anywhere, apart.
///
/// Of an even number of elements it is the mean of the middle two. NaN is larger than all numbers. The same on every backend. Cost: about
/// m·n·log m·n comparisons a result; reads data about once. Errors: INVALID_ARGUMENT (dtype, sizes, overlap), UNSUPPORTED (F16, BF16),
/// OUT_OF_MEMORY, CUDA.
pub fn median_filter(
    ctx: &mut Context,
    options: &Options,
    data: Input,
    [rows, cols]: [usize; 2],
    [m, n]: [usize; 2],
    result: Output,
) -> Result<()> {
    ctx.begin();
    let dtype = match options.dtype.required("dtype")? {
        dtype @ (Dtype::F16 | Dtype::Bf16 | Dtype::C64 | Dtype::C128) => {
            return unsupported("dtype", dtype, ALL_NUMBERS);
        }
        dtype => dtype,
    };
    if !(1..=WINDOW).contains(&m) || !(1..=WINDOW).contains(&n) {
        return Err(Error::invalid(format!(
            "the window has {m} rows and {n} columns; each is at least 1 and at most {WINDOW}"
        )));
    }
    let plane = Plane { rows, cols, boundary: options.boundary, constant: options.constant };
    let windows = Windows::new(ConvolveShape::Same, plane, [m, n])?.in_order(options.order);
    let data = data.view_of(dtype, &[rows, cols])?;
    let mut result = result.view_of(dtype, &[rows, cols])?;
    let arrays = all_apart(&[&result], &[&data])?;
    let work = cost::MEDIAN_FILTER.of_units(options.variant, arrays, result.len().saturating_mul(m * n));
    ctx.run_auto(work, |engine| match engine.select(options.variant)? {
        _ if result.is_empty() => Ok(()),
        Engine::Cpu(workers) => {
            let how = (workers, options.variant);
            dispatch_dtype!(dtype, on_cpu(how, &windows, data, &mut result))
        }
        Engine::Cuda(device) => gpu::median_filter::median_filter(device, &windows, data, result),
    })
}

fn on_cpu<T: cpu::median_filter::Filtered>(
    how: Execution,
    windows: &Windows,
    data: DynView,
    result: &mut DynViewMut,
) -> Result<()> {
    let outside = T::of_bits(windows.plane.outside(data.dtype()));
    let source = (data.on_host::<T>()?, outside, data.dtype() == Dtype::Bool);
    cpu::median_filter::median_filter(how, windows, source, result.on_host::<T>()?)
}

//! A vector plus a multiple of another one.
//!
//! Source: C. Lawson et al., "Basic Linear Algebra Subprograms for Fortran Usage", ACM TOMS 5, 1979; numbers in device memory are
//! those of cuBLAS's device pointer mode.
#![forbid(unsafe_code)]

use super::cost;
use super::prelude::*;

/// Options of [`axpy`]. alpha and beta: one element of the dtype, anywhere; None is 1.
#[derive(Default)]
pub struct Options<'a> {
    pub variant: Variant,
    pub dtype: Dtype,
    pub alpha: Option<Input<'a>>,
    pub beta: Option<Input<'a>>,
}

/// y ← alpha·x + beta·y, each element as fma (alpha, x, beta·y); alpha·x where beta is 0, and then y is not read.  x, y (count), f32
/// or f64, anywhere; y is apart from x, alpha and beta.
///
/// The bits are the same on every backend. Cost: reads x and y and writes y once. Errors: INVALID_ARGUMENT (size, overlap, dtype),
/// UNSUPPORTED (dtype), OUT_OF_MEMORY, CUDA.
pub fn axpy(ctx: &mut Context, options: &Options, x: Input, y: Output, count: usize) -> Result<()> {
    ctx.begin();
    match options.dtype {
        Dtype::F32 => typed::<f32>(ctx, options, x, y, count),
        Dtype::F64 => typed::<f64>(ctx, options, x, y, count),
        other => super::dtypes::unsupported("dtype", other, "F32 and F64"),
    }
}

fn typed<T: Element + cpu::Float + gpu::Float>(
    ctx: &mut Context,
    options: &Options,
    x: Input,
    y: Output,
    count: usize,
) -> Result<()> {
    let (alpha, beta) = (number(&options.alpha)?, number(&options.beta)?);
    let (x, mut y) = (x.view::<T>(&[count])?, y.view::<T>(&[count])?);
    let arrays = all_apart(&[&y], &[&x, &alpha, &beta])?;
    ctx.run_auto(cost::AXPY.of(options.variant, arrays), |engine| match engine.select(options.variant)? {
        _ if y.is_empty() => Ok(()),
        Engine::Cpu(workers) => {
            let on_host = |number: Option<View<T>>| number.map_or(Ok(T::ONE), |view| Ok(view.on_host()?[0]));
            let (alpha, beta) = (on_host(alpha)?, on_host(beta)?);
            cpu::axpy::axpy((workers, options.variant), alpha, beta, x.on_host()?, y.on_host()?)
        }
        Engine::Cuda(device) => gpu::axpy::axpy(device, alpha, beta, x, y),
    })
}

fn number<'a, T: Element>(input: &Option<Input<'a>>) -> Result<Option<View<'a, T>>> {
    input.as_ref().map(|input| input.view(&[1])).transpose()
}

//! A vector times a number.
//!
//! Source: C. Lawson et al., "Basic Linear Algebra Subprograms for Fortran Usage", ACM TOMS 5, 1979.
#![forbid(unsafe_code)]

use super::cost;
use super::prelude::*;
use crate::array::Footprint;
use crate::model::scale::ScaleFactor;

/// Options of [`scale`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: Variant,
    pub dtype: Dtype,
    pub factor: ScaleFactor,
}

/// x ← alpha·x, x / alpha or x / √alpha, as `factor` says.  x (count), alpha one element of its dtype, f32 or f64, anywhere, apart.
///
/// Product, quotient and root are each rounded once: the bits are the same on every backend. Cost: reads and writes x once. Errors:
/// INVALID_ARGUMENT (size, overlap, dtype), UNSUPPORTED (dtype), OUT_OF_MEMORY, CUDA.
pub fn scale(ctx: &mut Context, options: &Options, alpha: Input, x: Output, count: usize) -> Result<()> {
    ctx.begin();
    match options.dtype {
        Dtype::F32 => typed::<f32>(ctx, options, alpha, x, count),
        Dtype::F64 => typed::<f64>(ctx, options, alpha, x, count),
        other => super::dtypes::unsupported("dtype", other, "F32 and F64"),
    }
}

fn typed<T: Element + cpu::Float + gpu::Float>(
    ctx: &mut Context,
    options: &Options,
    alpha: Input,
    x: Output,
    count: usize,
) -> Result<()> {
    let (alpha, mut x) = (alpha.view::<T>(&[1])?, x.view::<T>(&[count])?);
    x.apart(&alpha)?;
    let arrays = Footprint::of(&[&alpha, &x]);
    ctx.run_auto(cost::SCALE.of(options.variant, arrays), |engine| match engine.select(options.variant)? {
        _ if x.is_empty() => Ok(()),
        Engine::Cpu(workers) => {
            cpu::scale::scale((workers, options.variant), options.factor, alpha.on_host()?[0], x.on_host()?)
        }
        Engine::Cuda(device) => gpu::scale::scale(device, options.factor, alpha, x),
    })
}

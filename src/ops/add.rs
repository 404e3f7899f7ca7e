//! Sum of two vectors.
//!
//! Source of the variants: M. Pantoja, "CUDA Memory Model", Petascale Semester Curriculum, unit 7 lesson 8, 2020,
//! which adds two arrays of managed memory; the prefetch is that of N. Sakharnykh, "Maximizing Unified Memory
//! Performance in CUDA", NVIDIA Developer Blog, 2017.
#![forbid(unsafe_code)]

use super::cost;
use crate::array::{Element, Footprint, Input, Output};
use crate::context::{Context, Engine};
use crate::cpu;
use crate::error::Result;
use crate::gpu;
use crate::model::dtype::Dtype;
pub use crate::model::variant::AddVariant;
use crate::model::variant::OperationVariant;

/// Options of [`add`]; the default is f32.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: AddVariant,
    pub dtype: Dtype,
}

/// y ← x + y.  x, y (count), f32 or f64, anywhere; y is apart from x.
///
/// One rounding an element: the bits are the same on every backend. Cost: reads x and y and writes y once;
/// variants differ for managed memory on CUDA alone. Errors: INVALID_ARGUMENT (size, overlap), UNSUPPORTED
/// (dtype), OUT_OF_MEMORY, CUDA.
pub fn add(ctx: &mut Context, options: &Options, x: Input, y: Output, count: usize) -> Result<()> {
    ctx.begin();
    match options.dtype {
        Dtype::F32 => sum::<f32>(ctx, options.variant, x, y, count),
        Dtype::F64 => sum::<f64>(ctx, options.variant, x, y, count),
        other => super::dtypes::unsupported("dtype", other, "F32 and F64"),
    }
}

fn sum<T: Element + cpu::Float + gpu::Float>(
    ctx: &mut Context,
    variant: AddVariant,
    x: Input,
    y: Output,
    count: usize,
) -> Result<()> {
    let (x, mut y) = (x.view::<T>(&[count])?, y.view::<T>(&[count])?);
    y.apart(&x)?;
    if y.is_empty() {
        return Ok(());
    }
    let arrays = Footprint::of(&[&x, &y]);
    ctx.run_auto(cost::ADD.of(variant, arrays), |engine| match engine.select(variant)? {
        Engine::Cpu(workers) if variant.is_sequential() => {
            cpu::add::sequential(workers, x.on_host()?, y.on_host()?)
        }
        Engine::Cpu(workers) => cpu::add::add(workers, x.on_host()?, y.on_host()?),
        Engine::Cuda(device) => gpu::add::add(device, variant, x, y),
    })
}

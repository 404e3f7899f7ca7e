//! Sum of two vectors.
//!
//! Source of the variants: M. Pantoja, "CUDA Memory Model", Petascale Semester Curriculum, unit 7 lesson 8, 2020,
//! which adds two arrays of managed memory; the prefetch is that of N. Sakharnykh, "Maximizing Unified Memory
//! Performance in CUDA", NVIDIA Developer Blog, 2017.
#![forbid(unsafe_code)]

use crate::array::{Element, Input, Output};
use crate::context::{Context, Engine};
use crate::cpu;
use crate::error::Result;
use crate::gpu;
use crate::model::dtype::Dtype;
use crate::model::numbered::Choice;

/// How `gpumex_add` computes; the sums are the same.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AddVariant {
    /// The best one.
    #[default]
    Auto = 0,
    /// The plain loop, on one core; CPU backend only.
    Sequential = 1,
    /// Pages of managed memory move to the device one fault at a time, when the kernel touches them.
    OnDemand = 2,
    /// Managed memory is moved to the device as a whole, ahead of the kernel.
    Prefetch = 3,
}

impl Choice for AddVariant {
    const NAME: &'static str = "gpumex_add_variant";
    const ALL: &'static [Self] = &[Self::Auto, Self::Sequential, Self::OnDemand, Self::Prefetch];
}

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
        other => super::floats_only(other),
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
    ctx.run(|engine| match (engine, variant) {
        (Engine::Cpu(workers), AddVariant::Sequential) => {
            cpu::add::sequential(workers, x.on_host()?, y.on_host()?)
        }
        (Engine::Cpu(workers), _) => cpu::add::add(workers, x.on_host()?, y.on_host()?),
        (Engine::Cuda(_), AddVariant::Sequential) => super::sequential_is_for_the_cpu(),
        (Engine::Cuda(device), variant) => {
            let path = match variant {
                AddVariant::OnDemand => gpu::add::Path::OnDemand,
                _ => gpu::add::Path::Prefetch,
            };
            gpu::add::add(device, path, x, y)
        }
    })
}

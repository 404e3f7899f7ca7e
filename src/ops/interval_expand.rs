//! Each interval's value, as often as the interval is long.
//!
//! Source: S. Baxter, "ModernGPU", Interval Expand, NVIDIA 2013.
#![forbid(unsafe_code)]

use super::primitives::{counted, has_objects, served};
use crate::array::{DynView, DynViewMut, Element, Input, Output, all_apart};
use crate::context::{Context, Engine};
use crate::cpu;
use crate::error::Result;
use crate::gpu;
use crate::model::dtype::Dtype;
use crate::model::numbered::Choice;
use crate::model::primitives::{Index, IndexDtype};

/// How `gpumex_interval_expand` computes; results are the same.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IntervalExpandVariant {
    /// The best one.
    #[default]
    Auto = 0,
    /// The plain loop, on one core; CPU backend only.
    Sequential = 1,
}

impl Choice for IntervalExpandVariant {
    const NAME: &'static str = "gpumex_interval_expand_variant";
    const ALL: &'static [Self] = &[Self::Auto, Self::Sequential];
}

/// Options of [`interval_expand`]; the default is elements of 4 bytes, a scan of 64 bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: IntervalExpandVariant,
    pub dtype: Dtype,
    pub index: IndexDtype,
}

/// output\[k\] ← values\[j\], j the upper bound of k in scan, less one. scan (intervals): the exclusive sum of the lengths, whose
/// total is `count`; values (intervals), output (count); apart.
///
/// Cost: reads scan and values, writes output; memory-bound on CUDA. Errors: INVALID_ARGUMENT (size, overlap, elements without
/// intervals, more than the scan counts), UNSUPPORTED (dtype), OUT_OF_MEMORY, CUDA.
pub fn interval_expand(
    ctx: &mut Context,
    options: &Options,
    count: usize,
    scan: Input,
    values: Input,
    intervals: usize,
    output: Output,
) -> Result<()> {
    ctx.begin();
    let (dtype, index) = (served("dtype", options.dtype)?, options.index.dtype());
    counted(options.index, "count", count)?;
    has_objects("intervals", count, intervals)?;
    let (scan, values) = (scan.view_of(index, &[intervals])?, values.view_of(dtype, &[intervals])?);
    let mut output = output.view_of(dtype, &[count])?;
    all_apart(&[&output], &[&scan, &values])?;
    if output.is_empty() {
        return Ok(());
    }
    ctx.run(|engine| match (engine, options.variant) {
        (Engine::Cpu(workers), variant) => {
            by_sizes!(dtype, index, expand_on_cpu((workers, variant), scan, values, &mut output))
        }
        (Engine::Cuda(_), IntervalExpandVariant::Sequential) => super::sequential_is_for_the_cpu(),
        (Engine::Cuda(device), IntervalExpandVariant::Auto) => {
            gpu::interval_expand::interval_expand(device, scan, values, output)
        }
    })
}

fn expand_on_cpu<T: Element, I: Index>(
    (workers, variant): (&cpu::Workers, IntervalExpandVariant),
    scan: DynView,
    values: DynView,
    output: &mut DynViewMut,
) -> Result<()> {
    let (scan, values, output) = (scan.on_host::<I>()?, values.on_host::<T>()?, output.on_host()?);
    match variant {
        IntervalExpandVariant::Sequential => cpu::interval_expand::sequential(workers, scan, values, output),
        IntervalExpandVariant::Auto => cpu::interval_expand::interval_expand(workers, scan, values, output),
    }
}

//! Each interval's value, as often as the interval is long.
//!
//! Source: S. Baxter, "ModernGPU", Interval Expand, NVIDIA 2013.
#![forbid(unsafe_code)]

use super::cost;
use super::dtypes::{index_dtype_for, supported};
use super::load_balance_search::check_objects;
use crate::array::{DynView, DynViewMut, Element, Input, Output, all_apart};
use crate::context::{Context, Engine};
use crate::cpu;
use crate::error::Result;
use crate::gpu;
use crate::model::dtype::Dtype;
use crate::model::index::Index;
use crate::model::variant::Variant;

/// Options of [`interval_expand`]; the default is elements of 4 bytes, a scan of 64 bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: Variant,
    pub dtype: Dtype,
    pub index_dtype: Dtype,
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
    let dtype = supported("dtype", options.dtype)?;
    let index = index_dtype_for(options.index_dtype, "count", count)?;
    check_objects("intervals", count, intervals)?;
    let (scan, values) = (scan.view_of(index, &[intervals])?, values.view_of(dtype, &[intervals])?);
    let mut output = output.view_of(dtype, &[count])?;
    let arrays = all_apart(&[&output], &[&scan, &values])?;
    if output.is_empty() {
        return Ok(());
    }
    ctx.run_auto(cost::INTERVAL_EXPAND.of(options.variant, arrays), |engine| {
        match engine.select(options.variant)? {
            Engine::Cpu(workers) => {
                dispatch_sizes!(
                    dtype,
                    index,
                    expand_on_cpu((workers, options.variant), scan, values, &mut output)
                )
            }
            Engine::Cuda(device) => gpu::interval_expand::interval_expand(device, scan, values, output),
        }
    })
}

fn expand_on_cpu<T: Element, I: Index>(
    (workers, variant): (&cpu::Workers, Variant),
    scan: DynView,
    values: DynView,
    output: &mut DynViewMut,
) -> Result<()> {
    let (scan, values, output) = (scan.on_host::<I>()?, values.on_host::<T>()?, output.on_host()?);
    match variant {
        Variant::Sequential => cpu::interval_expand::sequential(workers, scan, values, output),
        Variant::Auto => cpu::interval_expand::interval_expand(workers, scan, values, output),
    }
}

//! The object to which each work item belongs.
//!
//! Source: S. Baxter, "ModernGPU", Load-Balancing Search, NVIDIA 2013.
#![forbid(unsafe_code)]

use super::cost;
use super::dtypes::index_dtype_for;
use crate::array::{DynView, DynViewMut, Input, Output, all_apart};
use crate::context::{Context, Engine};
use crate::cpu;
use crate::error::{Error, Result};
use crate::gpu;
use crate::model::dtype::Dtype;
use crate::model::index::Index;
use crate::model::variant::Variant;

/// Options of [`load_balance_search`]; the default is indices of 64 bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: Variant,
    pub index_dtype: Dtype,
}

/// indices\[k\] ← upper bound of k in scan, less one. scan (objects): the exclusive sum of the objects' numbers of items, whose total
/// is `count`; indices (count); apart.
///
/// Cost: reads scan and writes indices; memory-bound on CUDA. Errors: INVALID_ARGUMENT (size, overlap, items without objects, more
/// than the indices count), OUT_OF_MEMORY, CUDA.
pub fn load_balance_search(
    ctx: &mut Context,
    options: &Options,
    count: usize,
    scan: Input,
    objects: usize,
    indices: Output,
) -> Result<()> {
    ctx.begin();
    let index = index_dtype_for(options.index_dtype, "count", count)?;
    index_dtype_for(options.index_dtype, "objects", objects)?;
    check_objects("objects", count, objects)?;
    let (scan, mut indices) = (scan.view_of(index, &[objects])?, indices.view_of(index, &[count])?);
    let arrays = all_apart(&[&indices], &[&scan])?;
    if indices.is_empty() {
        return Ok(());
    }
    ctx.run_auto(cost::LOAD_BALANCE_SEARCH.of(options.variant, arrays), |engine| {
        match engine.select(options.variant)? {
            Engine::Cpu(workers) => {
                dispatch_size!(index, search_on_cpu((workers, options.variant), scan, &mut indices))
            }
            Engine::Cuda(device) => gpu::load_balance_search::load_balance_search(device, scan, indices),
        }
    })
}

fn search_on_cpu<I: Index>(
    (workers, variant): (&cpu::Workers, Variant),
    scan: DynView,
    indices: &mut DynViewMut,
) -> Result<()> {
    let (scan, indices) = (scan.on_host::<I>()?, indices.on_host()?);
    match variant {
        Variant::Sequential => cpu::load_balance_search::sequential(workers, scan, indices),
        Variant::Auto => cpu::load_balance_search::load_balance_search(workers, scan, indices),
    }
}

/// Refuses work items that no object has.
pub fn check_objects(what: &str, count: usize, objects: usize) -> Result<()> {
    match count > 0 && objects == 0 {
        true => Err(Error::invalid(format!("count is {count} and there are no {what}"))),
        false => Ok(()),
    }
}

//! An array without the elements at given positions.
//!
//! Source: S. Baxter, "ModernGPU", Bulk Remove, NVIDIA 2013.
#![forbid(unsafe_code)]

use super::cost;
use super::dtypes::{index_dtype_for, supported};
use crate::array::{DynView, DynViewMut, Element, Input, Output, all_apart};
use crate::context::{Context, Engine};
use crate::cpu;
use crate::error::{Error, Result};
use crate::gpu;
use crate::model::dtype::Dtype;
use crate::model::index::Index;
use crate::model::variant::Variant;

/// Options of [`bulk_remove`]; the default is elements of 4 bytes, indices of 64 bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: Variant,
    pub dtype: Dtype,
    pub index_dtype: Dtype,
}

/// result ← source without the elements at `indices`, in their order. source (count), indices (index_count) ascending and different,
/// result (count − index_count); apart.
///
/// Cost: reads source and indices, writes result; memory-bound on CUDA. Errors: INVALID_ARGUMENT (size, overlap, more indices than
/// elements, more elements than the indices count), UNSUPPORTED (dtype), OUT_OF_MEMORY, CUDA.
pub fn bulk_remove(
    ctx: &mut Context,
    options: &Options,
    source: (Input, usize),
    indices: (Input, usize),
    result: Output,
) -> Result<()> {
    ctx.begin();
    let dtype = supported("dtype", options.dtype)?;
    let ((source, count), (indices, index_count)) = (source, indices);
    let index = index_dtype_for(options.index_dtype, "count", count)?;
    let Some(left) = count.checked_sub(index_count) else {
        return Err(Error::invalid(format!("index_count is {index_count}, and count is {count}")));
    };
    let (source, indices) = (source.view_of(dtype, &[count])?, indices.view_of(index, &[index_count])?);
    let mut result = result.view_of(dtype, &[left])?;
    let arrays = all_apart(&[&result], &[&source, &indices])?;
    if result.is_empty() {
        return Ok(());
    }
    ctx.run_auto(cost::BULK_REMOVE.of(options.variant, arrays), |engine| {
        match engine.select(options.variant)? {
            Engine::Cpu(workers) => {
                dispatch_sizes!(
                    dtype,
                    index,
                    remove_on_cpu((workers, options.variant), source, indices, &mut result)
                )
            }
            Engine::Cuda(device) => gpu::bulk_remove::bulk_remove(device, source, indices, result),
        }
    })
}

fn remove_on_cpu<T: Element, I: Index>(
    (workers, variant): (&cpu::Workers, Variant),
    source: DynView,
    indices: DynView,
    result: &mut DynViewMut,
) -> Result<()> {
    let (source, indices, result) = (source.on_host::<T>()?, indices.on_host::<I>()?, result.on_host()?);
    match variant {
        Variant::Sequential => cpu::bulk_remove::sequential(workers, source, indices, result),
        Variant::Auto => cpu::bulk_remove::bulk_remove(workers, source, indices, result),
    }
}

//! Elements put between those of an array.
//!
//! Source: S. Baxter, "ModernGPU", Bulk Insert, NVIDIA 2013.
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

/// Options of [`bulk_insert`]; the default is elements of 4 bytes, indices of 64 bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: Variant,
    pub dtype: Dtype,
    pub index_dtype: Dtype,
}

/// result ← b with each a\[i\] before b\[indices\[i\]\]. a, indices (a_count), indices ascending, perhaps equal; those from b_count on mean
/// the end; b (b_count), result (a_count + b_count); apart.
///
/// Cost: reads a, indices and b, writes result; memory-bound on CUDA. Errors: INVALID_ARGUMENT (size, overlap, more elements than
/// the indices count), UNSUPPORTED (dtype), OUT_OF_MEMORY, CUDA.
pub fn bulk_insert(
    ctx: &mut Context,
    options: &Options,
    (a, indices, a_count): (Input, Input, usize),
    (b, b_count): (Input, usize),
    result: Output,
) -> Result<()> {
    ctx.begin();
    let dtype = supported("dtype", options.dtype)?;
    let index = index_dtype_for(options.index_dtype, "b_count", b_count)?;
    let Some(all) = a_count.checked_add(b_count) else {
        return Err(Error::invalid(format!(
            "a_count {a_count} and b_count {b_count} end beyond the address space"
        )));
    };
    let (a, indices) = (a.view_of(dtype, &[a_count])?, indices.view_of(index, &[a_count])?);
    let (b, mut result) = (b.view_of(dtype, &[b_count])?, result.view_of(dtype, &[all])?);
    let arrays = all_apart(&[&result], &[&a, &indices, &b])?;
    if result.is_empty() {
        return Ok(());
    }
    ctx.run_auto(cost::BULK_INSERT.of(options.variant, arrays), |engine| {
        match engine.select(options.variant)? {
            Engine::Cpu(workers) => {
                dispatch_sizes!(
                    dtype,
                    index,
                    insert_on_cpu((workers, options.variant), a, indices, b, &mut result)
                )
            }
            Engine::Cuda(device) => gpu::bulk_insert::bulk_insert(device, a, indices, b, result),
        }
    })
}

fn insert_on_cpu<T: Element, I: Index>(
    (workers, variant): (&cpu::Workers, Variant),
    a: DynView,
    indices: DynView,
    b: DynView,
    result: &mut DynViewMut,
) -> Result<()> {
    let (a, indices) = (a.on_host::<T>()?, indices.on_host::<I>()?);
    let (b, result) = (b.on_host()?, result.on_host()?);
    match variant {
        Variant::Sequential => cpu::bulk_insert::sequential(workers, a, indices, b, result),
        Variant::Auto => cpu::bulk_insert::bulk_insert(workers, a, indices, b, result),
    }
}

//! What later operations on the same segments need not search again.
//!
//! Source: S. Baxter, "ModernGPU", Segmented Reduction, NVIDIA 2013 (SegReduceCsrPreprocess, SpmvPreprocess).
#![forbid(unsafe_code)]

use super::dtypes::index_dtype_for;
use super::segments;
use crate::array::{Input, Output, all_apart};
use crate::context::{Context, Engine};
use crate::error::{Error, Result};
use crate::gpu;
use crate::model::dtype::Dtype;

/// geometry (needed, u64) ← where the blocks of later operations on these segments begin. With capacity 0 it is only counted. The
/// CPU backend has nothing to prepare: needed is 0.
///
/// A geometry is for the same offsets, segments and count, on the same device. Cost: one search of the offsets. Errors:
/// INVALID_ARGUMENT (size, overlap, 0 < capacity < needed), OUT_OF_MEMORY, CUDA.
pub fn segments_prepare(
    ctx: &mut Context,
    index_dtype: Dtype,
    offsets: Input,
    [segments, count]: [usize; 2],
    geometry: Output,
    capacity: usize,
    needed: &mut usize,
) -> Result<()> {
    ctx.begin();
    let index = index_dtype_for(index_dtype, "count", count)?;
    ctx.run(|engine| {
        let Engine::Cuda(device) = engine else { return Ok(()) };
        if segments.checked_add(count).is_none() {
            return Err(Error::invalid(format!(
                "segments is {segments} and count {count}; together they overflow"
            )));
        }
        *needed = gpu::segments_prepare::geometry_elements(device, segments, count)?;
        if capacity == 0 {
            return Ok(());
        }
        if capacity < *needed {
            return Err(Error::invalid(format!("capacity is {capacity}, and {needed} are needed")));
        }
        let offsets = segments::offsets(&offsets, index, segments)?;
        let geometry = geometry.view::<u64>(&[*needed])?;
        all_apart(&[&geometry], &[&offsets])?;
        gpu::segments_prepare::prepare(device, offsets, count, geometry)
    })
}

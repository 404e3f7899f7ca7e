//! Writes elements to given positions: `gpumex_scatter`.

use super::prelude::*;
use crate::ops::gather::Options;
use crate::ops::scatter;

/// @brief Options of gpumex_scatter: GPUMEX_SCATTER_OPTIONS_INIT or GPUMEX_OPTIONS (scatter, ...).
/// @ingroup gpumex_primitives
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ScatterOptions {
    /// sizeof(gpumex_scatter_options).
    pub size: usize,
    /// A gpumex_variant.
    pub variant: i32,
    /// A gpumex_dtype of source and target; required.
    pub dtype: i32,
    /// A gpumex_dtype of the indices, U32 or U64; required.
    pub index_dtype: i32,
    /// 1: an index that is out of range is an error; 0: its element is left out.
    pub check: i32,
}

zero_default!(ScatterOptions, check);

/// @brief Writes elements to given positions: `target[indices[i]]` <- `source[i]` where the index is
/// below target_count.
///
/// The rest of target stays as it is. Of equal indices one wins; which one is unspecified (with
/// SEQUENTIAL the last).
/// @param ctx The context that runs it.
/// @param options variant, dtype (any, required), index_dtype (U32 or U64, required), check.
/// @param source count elements.
/// @param indices count positions, from 0.
/// @param count Number of elements and indices.
/// @param target target_count elements, updated in place; overlaps neither source nor indices.
/// @param target_count Number of elements.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
///   INVALID_ARGUMENT (ctx is not a live context; dtype or index_dtype not set; a number that is
///   not of its enum; with check = 1 an index out of range, named with its position, where target
///   is not written; an array that is misaligned, overlaps an output, is too short or belongs to
///   another device); UNSUPPORTED (SEQUENTIAL on CUDA; device memory on the CPU backend; a CUDA
///   context after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED
///   (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and CANCELLED target is unspecified.
/// @note With check = 1 it waits for the answer. Cost: one access to target an index.
/// @note Memory: CPU `0`; CUDA `0`; arrays on the host `target_count*sizeof(dtype) +
///   count*(sizeof(dtype) + sizeof(index_dtype))`.
/// @see S. Baxter, "ModernGPU", DeviceScatter, NVIDIA 2013.
/// @ingroup gpumex_primitives
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_scatter(
    ctx: *mut Context,
    options: *const ScatterOptions,
    source: *const c_void,
    indices: *const c_void,
    count: usize,
    target: *mut c_void,
    target_count: usize,
) -> i32 {
    guard("gpumex_scatter", || {
        // SAFETY: the caller's promise in the documentation above.
        let (options, source, indices, target) = unsafe {
            (
                options::read(options)?,
                Input::from_raw("source", source),
                (Input::from_raw("indices", indices), count),
                (Output::from_raw("target", target), target_count),
            )
        };
        let options = Options {
            variant: Variant::from_c("options.variant", options.variant)?,
            dtype: Dtype::from_c("options.dtype", options.dtype)?,
            index_dtype: Dtype::from_c("options.index_dtype", options.index_dtype)?,
            check: options::switch("check", options.check)?,
        };
        handle::with(ctx, |ctx| scatter::scatter(ctx, &options, source, indices, target))
    })
}

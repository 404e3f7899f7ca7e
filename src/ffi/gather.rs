//! Elements at given positions: `gpumex_gather`.

use super::prelude::*;
use crate::ops::gather::{self, Options};

/// @brief Options of gpumex_gather: GPUMEX_GATHER_OPTIONS_INIT or GPUMEX_OPTIONS (gather, ...).
/// @ingroup gpumex_primitives
#[repr(C)]
#[derive(Clone, Copy)]
pub struct GatherOptions {
    /// sizeof(gpumex_gather_options).
    pub size: usize,
    /// A gpumex_variant.
    pub variant: i32,
    /// A gpumex_dtype of source and result; required.
    pub dtype: i32,
    /// A gpumex_dtype of the indices, U32 or U64; required.
    pub index_dtype: i32,
    /// 1: an index that is out of range is an error; 0: it gives zero.
    pub check: i32,
}

zero_default!(GatherOptions, check);

/// @brief Elements at given positions: `result[i]` <- `source[indices[i]]`.
///
/// @param ctx The context that runs it.
/// @param options variant, dtype (any, required), index_dtype (U32 or U64, required), check.
/// @param source source_count elements.
/// @param source_count Number of elements.
/// @param indices count positions, from 0; those from source_count on give zero bytes.
/// @param count Number of indices.
/// @param result count elements; overlaps neither source nor indices.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
///   INVALID_ARGUMENT (ctx is not a live context; dtype or index_dtype not set; a number that is
///   not of its enum; check; an array that is misaligned, overlaps an output, is too short or
///   belongs to another device); UNSUPPORTED (SEQUENTIAL on CUDA; device memory on the CPU backend;
///   a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED
///   (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and CANCELLED result is unspecified.
/// @note check = 1: waits, and an index out of range is INVALID_ARGUMENT with its position; then
///   result is not written. Cost: one access to source an index.
/// @note Memory: CPU `0`; CUDA `0`; arrays on the host `source_count*sizeof(dtype) +
///   count*(sizeof(dtype) + sizeof(index_dtype))`.
/// @see S. Baxter, "ModernGPU", DeviceGather, NVIDIA 2013.
/// @ingroup gpumex_primitives
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_gather(
    ctx: *mut Context,
    options: *const GatherOptions,
    source: *const c_void,
    source_count: usize,
    indices: *const c_void,
    count: usize,
    result: *mut c_void,
) -> i32 {
    guard("gpumex_gather", || {
        // SAFETY: the caller's promise in the documentation above.
        let (options, source, indices, result) = unsafe {
            (
                options::read(options)?,
                (Input::from_raw("source", source), source_count),
                (Input::from_raw("indices", indices), count),
                Output::from_raw("result", result),
            )
        };
        let options = Options {
            variant: Variant::from_c("options.variant", options.variant)?,
            dtype: Dtype::from_c("options.dtype", options.dtype)?,
            index_dtype: Dtype::from_c("options.index_dtype", options.index_dtype)?,
            check: options::switch("check", options.check)?,
        };
        handle::with(ctx, |ctx| gather::gather(ctx, &options, source, indices, result))
    })
}

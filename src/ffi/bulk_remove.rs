//! An array without some of its elements: `gpumex_bulk_remove`.

use std::ffi::c_void;

use super::options::zero_default;
use super::{guard, options};
use crate::array::{Input, Output};
use crate::context::Context;
use crate::handle;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::model::variant::Variant;
use crate::ops::bulk_remove::{self, Options};

/// @brief Options of gpumex_bulk_remove: GPUMEX_BULK_REMOVE_OPTIONS_INIT or GPUMEX_OPTIONS
/// (bulk_remove, ...).
/// @ingroup gpumex_primitives
#[repr(C)]
#[derive(Clone, Copy)]
pub struct BulkRemoveOptions {
    /// sizeof(gpumex_bulk_remove_options).
    pub size: usize,
    /// A gpumex_variant.
    pub variant: i32,
    /// A gpumex_dtype of the elements: F32, F64, I32, I64, U32 or U64; required.
    pub dtype: i32,
    /// A gpumex_dtype, U32 or U64, of positions and counts; required where such an array is passed.
    pub index_dtype: i32,
    /// Reserved, 0.
    pub reserved: i32,
}

zero_default!(BulkRemoveOptions, reserved);

/// @brief Bulk removal: result <- the elements of source whose positions are not among `indices`, in
/// their order.
///
/// Example: ten elements without 1, 3, 4, 5, 7, 8 leave those at 0, 2, 6, 9. Elements are copied
/// bitwise. Indices that do not ascend, repeat or are not below count give an unspecified result.
/// @param ctx The context that runs it.
/// @param options variant, dtype (F32, F64, I32, I64, U32, U64; required), index_dtype (U32 or U64;
///   required). Variants: AUTO, SEQUENTIAL (CPU backend only).
/// @param source count elements.
/// @param count Number of elements.
/// @param indices index_count positions of index_dtype, strictly ascending.
/// @param index_count Number of indices, at most count.
/// @param result Receives count - index_count elements.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
///   INVALID_ARGUMENT (ctx is not a live context; a dtype not set; a number that is not of its
///   enum; more indices than elements; a count that U32 does not hold; an array that is misaligned,
///   overlaps an output, is too short or belongs to another device); UNSUPPORTED (another dtype;
///   SEQUENTIAL on CUDA; device memory on the CPU backend; a CUDA context after fork);
///   OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED (gpumex_context_cancel). After
///   OUT_OF_MEMORY, CUDA and CANCELLED the outputs are unspecified.
/// @note Cost: O(count).
/// @note Memory: CPU `0`; CUDA `0`; arrays on the host `(2*count - index_count)*sizeof(dtype) +
///   index_count*sizeof(index_dtype)`.
/// @see S. Baxter, "ModernGPU", Bulk Remove, NVIDIA 2013.
/// @ingroup gpumex_primitives
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_bulk_remove(
    ctx: *mut Context,
    options: *const BulkRemoveOptions,
    source: *const c_void,
    count: usize,
    indices: *const c_void,
    index_count: usize,
    result: *mut c_void,
) -> i32 {
    guard("gpumex_bulk_remove", || {
        // SAFETY: the caller's promise in the documentation above.
        let (options, source, indices, result) = unsafe {
            (
                options::read(options)?,
                Input::from_raw("source", source),
                Input::from_raw("indices", indices),
                Output::from_raw("result", result),
            )
        };
        let options = Options {
            variant: Variant::from_c("options.variant", options.variant)?,
            dtype: Dtype::from_c("options.dtype", options.dtype)?,
            index_dtype: Dtype::from_c("options.index_dtype", options.index_dtype)?,
        };
        handle::with(ctx, |ctx| {
            bulk_remove::bulk_remove(ctx, &options, (source, count), (indices, index_count), result)
        })
    })
}

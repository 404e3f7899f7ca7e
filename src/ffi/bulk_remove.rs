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

/// Options of `gpumex_bulk_remove`. Set `size` to `sizeof(gpumex_bulk_remove_options)`; zero is the default of every other
/// field.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct BulkRemoveOptions {
    /// sizeof(gpumex_bulk_remove_options)
    pub size: usize,
    /// a `gpumex_variant`
    pub variant: i32,
    /// a `gpumex_dtype` of the elements; this version serves F32, F64, I32, I64, U32 and U64
    pub dtype: i32,
    /// a `gpumex_dtype` of the indices: U32 or U64
    pub index_dtype: i32,
    /// has to be 0
    pub reserved: i32,
}

zero_default!(BulkRemoveOptions, reserved);

/// result <- the elements of source that are not at one of `indices`, in their order. Of ten elements without 1, 3, 4, 5, 7 and 8 there
/// remain those at 0, 2, 6 and 9.
///
/// source: `count` elements of options->dtype, whose bits are moved; indices: `index_count` positions of options->index_dtype, ascending
/// and different; result: count - index_count elements, apart from both. NULL is allowed where there are no elements.
/// Indices that are not ascending, not different or not below count give an unspecified result.
/// Memory: each array may be host, pinned, managed or device memory; when all are device memory the call may return before it
/// is done, in the order of the context's work.
/// Cost: O(count).
/// options: NULL for the defaults. Variants: AUTO, SEQUENTIAL (the plain loop, CPU backend).
/// Errors: NULL_POINTER, INVALID_ARGUMENT (not a live context, overlap, alignment, a range that is too short, another device's
/// memory, more indices than elements, a count that U32 does not hold), UNSUPPORTED (dtype, an option this version does not serve, device memory on
/// the CPU backend, after fork), OUT_OF_MEMORY, CUDA, BUSY; outputs are unspecified after OUT_OF_MEMORY and CUDA.
/// Source: S. Baxter, "ModernGPU", Bulk Remove, NVIDIA 2013.
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

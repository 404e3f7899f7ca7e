//! The object of each work item: `gpumex_load_balance_search`.

use std::ffi::c_void;

use super::options::zero_default;
use super::{guard, options};
use crate::array::{Input, Output};
use crate::context::Context;
use crate::handle;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::model::variant::Variant;
use crate::ops::load_balance_search::{self, Options};

/// @brief Options of gpumex_load_balance_search: GPUMEX_LOAD_BALANCE_SEARCH_OPTIONS_INIT or
/// GPUMEX_OPTIONS (load_balance_search, ...).
/// @ingroup gpumex_primitives
#[repr(C)]
#[derive(Clone, Copy)]
pub struct LoadBalanceSearchOptions {
    /// sizeof(gpumex_load_balance_search_options).
    pub size: usize,
    /// A gpumex_variant.
    pub variant: i32,
    /// A gpumex_dtype, U32 or U64, of positions and counts; required where such an array is passed.
    pub index_dtype: i32,
}

zero_default!(LoadBalanceSearchOptions, index_dtype);

/// @brief Load-balancing search: maps each work item to its segment. `indices[k]` <- the object of
/// item k, the upper bound of k in scan less 1.
///
/// Object j has the items `scan[j]` to `scan[j + 1] - 1`, the last one those up to count - 1;
/// objects may be empty. Example: objects of 2, 5, 3, 0, 1 items, scan 0, 2, 7, 10, 10, count 11
/// give 0 0 1 1 1 1 1 2 2 2 4. Items before `scan[0]` belong to object 0. A scan that does not
/// ascend gives unspecified indices below objects.
/// @param ctx The context that runs it.
/// @param options variant, index_dtype (U32 or U64; required). Variants: AUTO, SEQUENTIAL (CPU
///   backend only).
/// @param count Number of items.
/// @param scan objects elements of index_dtype: the exclusive prefix sum of the objects' item
///   counts.
/// @param objects Number of objects.
/// @param indices Receives count elements of index_dtype.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
///   INVALID_ARGUMENT (ctx is not a live context; index_dtype not set; a number that is not of its
///   enum; items without objects; a count that U32 does not hold; an array that is misaligned,
///   overlaps an output, is too short or belongs to another device); UNSUPPORTED (SEQUENTIAL on
///   CUDA; device memory on the CPU backend; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY
///   (another thread is in ctx); CANCELLED (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and
///   CANCELLED the outputs are unspecified.
/// @note Cost: O(count + objects), however the items are distributed.
/// @note Memory: CPU `0`; CUDA `0`; arrays on the host `(objects + count)*sizeof(index_dtype)`.
/// @see S. Baxter, "ModernGPU", Load-Balancing Search, NVIDIA 2013.
/// @ingroup gpumex_primitives
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_load_balance_search(
    ctx: *mut Context,
    options: *const LoadBalanceSearchOptions,
    count: usize,
    scan: *const c_void,
    objects: usize,
    indices: *mut c_void,
) -> i32 {
    guard("gpumex_load_balance_search", || {
        // SAFETY: the caller's promise in the documentation above.
        let (options, scan, indices) = unsafe {
            (options::read(options)?, Input::from_raw("scan", scan), Output::from_raw("indices", indices))
        };
        let options = Options {
            variant: Variant::from_c("options.variant", options.variant)?,
            index_dtype: Dtype::from_c("options.index_dtype", options.index_dtype)?,
        };
        handle::with(ctx, |ctx| {
            load_balance_search::load_balance_search(ctx, &options, count, scan, objects, indices)
        })
    })
}

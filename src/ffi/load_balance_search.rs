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

/// Options of `gpumex_load_balance_search`. Set `size` to `sizeof(gpumex_load_balance_search_options)`; zero is the default of every other
/// field.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct LoadBalanceSearchOptions {
    /// sizeof(gpumex_load_balance_search_options)
    pub size: usize,
    /// a `gpumex_variant`
    pub variant: i32,
    /// a `gpumex_dtype` of the indices: U32 or U64
    pub index_dtype: i32,
}

zero_default!(LoadBalanceSearchOptions, index_dtype);

/// indices[k] <- the object to which work item k belongs, for the `count` items of all objects: the upper bound of k in scan, less 1.
///
/// scan: `objects` numbers of options->index_dtype, the exclusive sum of the objects' numbers of items: object j has the items scan[j] to
/// scan[j + 1] - 1, the last one those up to count - 1; objects without items are passed over. An example: 2, 5, 3, 0 and 1 items, scan 0,
/// 2, 7, 10, 10, count 11 give 0 0 1 1 1 1 1 2 2 2 4.
/// indices: `count` elements of options->index_dtype, apart from scan. NULL is allowed where there are no elements.
/// A scan that does not ascend gives unspecified indices below `objects`; items before scan[0] are object 0's.
/// Memory: each array may be host, pinned, managed or device memory; when all are device memory the call may return before it
/// is done, in the order of the context's work.
/// Cost: O(count + objects), however the items are spread.
/// options: NULL for the defaults. Variants: AUTO, SEQUENTIAL (the plain loop, CPU backend).
/// Errors: NULL_POINTER, INVALID_ARGUMENT (not a live context, overlap, alignment, a range that is too short, another device's
/// memory, items and no objects, a count that U32 does not hold), UNSUPPORTED (an option this version does not serve, device memory on
/// the CPU backend, after fork), OUT_OF_MEMORY, CUDA, BUSY; outputs are unspecified after OUT_OF_MEMORY and CUDA.
/// Source: S. Baxter, "ModernGPU", Load-Balancing Search, NVIDIA 2013.
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

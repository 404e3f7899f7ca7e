//! Stable sort: `gpumex_sort`.

use std::ffi::c_void;

use super::options::zero_default;
use super::{guard, options};
use crate::array::{Input, Output};
use crate::context::Context;
use crate::handle;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::model::primitives::{Payload, SortOrder};
use crate::ops::sort::{self, Options, SortVariant};

/// Options of `gpumex_sort`. Set `size` to `sizeof(gpumex_sort_options)`; zero is the default of every other field.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SortOptions {
    /// sizeof(gpumex_sort_options)
    pub size: usize,
    /// a `gpumex_sort_variant`
    pub variant: i32,
    /// a `gpumex_dtype` of the keys; this version serves those of 4 and 8 bytes
    pub dtype: i32,
    /// a `gpumex_sort_order`
    pub order: i32,
    /// a `gpumex_payload`: what moves with the keys
    pub payload: i32,
    /// a `gpumex_dtype` of 4 or 8 bytes: with payload VALUES, of the values
    pub value_dtype: i32,
    /// a `gpumex_dtype`, U32 or U64,: with payload INDICES, of the positions
    pub index_dtype: i32,
}

zero_default!(SortOptions, index_dtype);

/// sorted <- the `count` keys in order. The sort is stable: equal keys, and what moves with them, keep their order.
///
/// keys, sorted: `count` elements of options->dtype each. Their bits are moved as they are; -0 equals 0, every NaN is
/// greater than all numbers, and order DESCENDING puts the greatest key first.
/// payload NONE: values and sorted_values are not looked at.
/// payload VALUES: sorted_values[i] <- the value of the key that is now sorted[i]; values, sorted_values: `count`
/// elements of options->value_dtype each, with any contents.
/// payload INDICES: sorted_values[i] <- the position in `keys`, from 0, of the key that is now sorted[i]: `count`
/// elements of options->index_dtype (uint64_t unless U32); values is not looked at; sorted may be NULL, for the
/// positions alone.
/// Inputs stay as they are, and outputs overlap neither them nor each other; NULL is allowed when count = 0. All arrays may be
/// host, pinned, managed or device memory; when all are device memory the call may return before it is done, in the order of
/// the context's work.
/// options: NULL for the defaults, f32 keys alone in ascending order. Variants: SEQUENTIAL (one core, CPU backend), RADIX;
/// AUTO is RADIX. Their results are the same, bit for bit.
/// Complexity: at most 4 passes over keys of 4 bytes and 8 over keys of 8, on temporaries as large as keys and values; on
/// CUDA a few thousand keys are merged by one block instead.
/// Errors: NULL_POINTER, INVALID_ARGUMENT (not a live context, overlap, alignment, a range that is too short, index_dtype U32
/// for 2^32 elements or more, another device's memory), UNSUPPORTED (a dtype of 1 or 2 bytes, an option this version does
/// not serve, device memory on the CPU backend, after fork), OUT_OF_MEMORY, CUDA, BUSY; outputs are unspecified after
/// OUT_OF_MEMORY and CUDA.
/// Source: A. Adinets, D. Merrill, "Onesweep: a faster least significant digit radix sort for GPUs", 2022.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_sort(
    ctx: *mut Context,
    options: *const SortOptions,
    keys: *const c_void,
    values: *const c_void,
    count: usize,
    sorted: *mut c_void,
    sorted_values: *mut c_void,
) -> i32 {
    guard("gpumex_sort", || {
        // SAFETY: the caller's promise in the documentation above.
        let (options, keys, values, sorted, sorted_values) = unsafe {
            (
                options::read(options)?,
                Input::from_raw("keys", keys),
                Input::from_raw("values", values),
                Output::from_raw("sorted", sorted),
                Output::from_raw("sorted_values", sorted_values),
            )
        };
        let options = Options {
            variant: SortVariant::from_c("options.variant", options.variant)?,
            dtype: Dtype::from_c("options.dtype", options.dtype)?,
            order: SortOrder::from_c("options.order", options.order)?,
            payload: Payload::from_c("options.payload", options.payload)?,
            value_dtype: Dtype::from_c("options.value_dtype", options.value_dtype)?,
            index_dtype: Dtype::from_c("options.index_dtype", options.index_dtype)?,
        };
        handle::with(ctx, |ctx| sort::sort(ctx, &options, keys, values, count, sorted, sorted_values))
    })
}

//! A merge sort for keys that are nearly in order: `gpumex_locality_sort`.

use std::ffi::c_void;

use super::options::zero_default;
use super::{guard, options};
use crate::array::{Input, Output};
use crate::context::Context;
use crate::handle;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::model::order::SortOrder;
use crate::model::payload::Payload;
use crate::model::variant::Variant;
use crate::ops::locality_sort::{self, Options};

/// @brief Options of gpumex_locality_sort: GPUMEX_LOCALITY_SORT_OPTIONS_INIT or GPUMEX_OPTIONS
/// (locality_sort, ...).
/// @ingroup gpumex_primitives
#[repr(C)]
#[derive(Clone, Copy)]
pub struct LocalitySortOptions {
    /// sizeof(gpumex_locality_sort_options).
    pub size: usize,
    /// A gpumex_variant.
    pub variant: i32,
    /// A gpumex_dtype of the keys: F32, F64, integers or BOOL; required.
    pub dtype: i32,
    /// A gpumex_sort_order: how the keys are sorted.
    pub order: i32,
    /// A gpumex_payload: what moves with the keys.
    pub payload: i32,
    /// A gpumex_dtype of 4 or 8 bytes, of the values; required with payload VALUES.
    pub value_dtype: i32,
    /// A gpumex_dtype, U32 or U64, of positions and counts; required where such an array is passed.
    pub index_dtype: i32,
}

zero_default!(LocalitySortOptions, index_dtype);

/// @brief Stable merge sort for nearly sorted keys: sorted <- the keys in options->order, with an
/// optional payload.
///
/// Keys are moved bitwise; -0 equals 0, NaN equals NaN and is greater than all numbers. Payload
/// NONE: values and sorted_values are ignored. VALUES: `sorted_values[i]` <- the value of the key
/// now at `sorted[i]`, copied bitwise. INDICES: `sorted_values[i]` <- the position in keys of the
/// key now at `sorted[i]`.
/// @param ctx The context that runs it.
/// @param options variant, dtype of the keys (F32, F64, integers or BOOL; required), order, payload,
///   value_dtype (4 or 8 bytes; required with VALUES), index_dtype (U32 or U64; required with
///   INDICES). Variants: AUTO, SEQUENTIAL (CPU backend only).
/// @param keys count elements of dtype; not changed.
/// @param values count elements of value_dtype with VALUES, else ignored; not changed.
/// @param count Number of elements.
/// @param sorted Receives count keys.
/// @param sorted_values Receives count elements of value_dtype or index_dtype; ignored with NONE.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
///   INVALID_ARGUMENT (ctx is not a live context; a dtype not set; a number that is not of its
///   enum; U32 positions for 2^32 elements or more; an array that is misaligned, overlaps an
///   output, is too short or belongs to another device); UNSUPPORTED (F16, BF16; SEQUENTIAL on
///   CUDA; device memory on the CPU backend; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY
///   (another thread is in ctx); CANCELLED (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and
///   CANCELLED the outputs are unspecified.
/// @note Cost: two or three passes over keys that are at most some thousand places from their sorted
///   position, about log2(count/4096) passes over keys in random order (on CUDA from millions of
///   keys on as gpumex_sort).
/// @note Memory: CPU `count*2*(widened(dtype) + pair_bytes)`; CUDA `count*(2*widened(dtype) +
///   wide(dtype) + payload_bytes)`; arrays on the host `count*(2*copied(dtype) +
///   payload_bytes*(payload == VALUES ? 2 : 1))`.
/// @see S. Baxter, "ModernGPU", Locality Sort, NVIDIA 2013.
/// @ingroup gpumex_primitives
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_locality_sort(
    ctx: *mut Context,
    options: *const LocalitySortOptions,
    keys: *const c_void,
    values: *const c_void,
    count: usize,
    sorted: *mut c_void,
    sorted_values: *mut c_void,
) -> i32 {
    guard("gpumex_locality_sort", || {
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
            variant: Variant::from_c("options.variant", options.variant)?,
            dtype: Dtype::from_c("options.dtype", options.dtype)?,
            order: SortOrder::from_c("options.order", options.order)?,
            payload: Payload::from_c("options.payload", options.payload)?,
            value_dtype: Dtype::from_c("options.value_dtype", options.value_dtype)?,
            index_dtype: Dtype::from_c("options.index_dtype", options.index_dtype)?,
        };
        handle::with(ctx, |ctx| {
            locality_sort::locality_sort(ctx, &options, keys, values, count, sorted, sorted_values)
        })
    })
}

//! Stable sort: `gpumex_sort`.

use std::ffi::{c_char, c_void};

use super::options::zero_default;
use super::{guard, options};
use crate::array::{Input, Output};
use crate::context::Context;
use crate::error::Result;
use crate::handle;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::model::order::SortOrder;
use crate::model::payload::Payload;
use crate::ops::sort::{self, Options, SortVariant};

/// @brief Options of gpumex_sort: GPUMEX_SORT_OPTIONS_INIT or GPUMEX_OPTIONS (sort, ...).
/// @ingroup gpumex_primitives
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SortOptions {
    /// sizeof(gpumex_sort_options).
    pub size: usize,
    /// A gpumex_sort_variant.
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
    /// An expression of keys a and b that says whether a precedes b, as for gpumex_map, in the place
    /// of order; or NULL.
    pub expression: *const c_char,
}

zero_default!(SortOptions, expression);

/// @brief Stable sort: sorted <- the keys in options->order, with an optional payload.
///
/// Keys are moved bitwise; -0 equals 0, every NaN is greater than all numbers. Payload NONE: values
/// and sorted_values are ignored. VALUES: `sorted_values[i]` <- the value of the key now at
/// `sorted[i]`; payloads are copied bitwise, 4 or 8 bytes. INDICES: `sorted_values[i]` <- the
/// position in keys, from 0, of the key now at `sorted[i]`. All variants give the same result.
///
/// options->expression takes the place of order: an expression of two keys a and b, both of dtype,
/// that is true, not 0, where a precedes b, in the language of gpumex_map by the rules of C: `abs
/// (a) < abs (b)`, `a % 10 < b % 10` as `rem (a, 10) < rem (b, 10)`. It has to be a strict weak
/// order, which false on both sides makes equal; one that is not gives some permutation of the keys,
/// the same on every backend, SEQUENTIAL excepted.
/// @param ctx The context that runs it.
/// @param options variant, dtype of the keys (F32, F64, integers or BOOL; required), order, payload,
///   value_dtype (4 or 8 bytes; required with VALUES), index_dtype (U32 or U64; required with
///   INDICES), expression. SEQUENTIAL is CPU only; AUTO is RADIX, with an expression both are a
///   sorting network.
/// @param keys count elements of dtype; not changed.
/// @param values count elements of value_dtype with VALUES, else ignored; not changed.
/// @param count Number of elements.
/// @param sorted Receives count keys; may be NULL with INDICES.
/// @param sorted_values Receives count elements of value_dtype or index_dtype; ignored with NONE.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
///   INVALID_ARGUMENT (ctx is not a live context; a dtype not set; a number that is not of its
///   enum; U32 positions for 2^32 elements or more; the expression, with the byte from 1 at which it
///   is wrong; order beside it; an array that is misaligned, overlaps an output, is too short or
///   belongs to another device); UNSUPPORTED (F16, BF16; an expression that is too long for
///   gpumex_map; SEQUENTIAL on CUDA; device memory on the CPU backend; a CUDA context after fork);
///   OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED (gpumex_context_cancel). After
///   OUT_OF_MEMORY, CUDA and CANCELLED the outputs are unspecified.
/// @note Cost: on CUDA at most 4 passes over keys of 4 bytes and 8 over keys of 8 bytes; on the CPU
///   backend one over the memory and two in the cache if keys are spread evenly, a pass more for
///   each 16 bits that most of them have in common, with as much memory as these and their values;
///   with an expression count*log2(count)^2/4 evaluations.
/// @note Memory: CPU `count*((sorted ? 0 : wide(dtype)) + (sorted ? 2 : 1)*widened(dtype) +
///   (expression ? (count <= 4294967295 ? 4 : 8) : 0))`; CUDA `count*(expression ? (count <=
///   4294967295 ? 4 : 8) + (sorted ? 0 : wide(dtype)) + (sorted ? 2 : 1)*widened(dtype) :
///   1.04*(sorted ? 1 : 2)*wide(dtype) + (sorted ? 2 : 1)*widened(dtype) + (payload == INDICES &&
///   count <= 4294967295 ? 4 : payload_bytes))`; arrays on the host `count*((sorted ? 2 :
///   1)*copied(dtype) + payload_bytes*(payload == VALUES ? 2 : 1))`.
/// @see A. Adinets, D. Merrill, "Onesweep: a faster least significant digit radix sort for GPUs",
///   2022.
/// @ingroup gpumex_primitives
#[must_use]
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
        // SAFETY: the caller's promise in the documentation above.
        let options = unsafe { asked_for(&options)? };
        handle::with(ctx, |ctx| sort::sort(ctx, &options, keys, values, count, sorted, sorted_values))
    })
}

/// The options in Rust.
///
/// # Safety
/// The expression is NULL or a C string.
pub(super) unsafe fn asked_for<'a>(options: &SortOptions) -> Result<Options<'a>> {
    Ok(Options {
        variant: SortVariant::from_c("options.variant", options.variant)?,
        dtype: Dtype::from_c("options.dtype", options.dtype)?,
        order: SortOrder::from_c("options.order", options.order)?,
        payload: Payload::from_c("options.payload", options.payload)?,
        value_dtype: Dtype::from_c("options.value_dtype", options.value_dtype)?,
        index_dtype: Dtype::from_c("options.index_dtype", options.index_dtype)?,
        // SAFETY: the caller's promise.
        expression: unsafe { options::text(options.expression)? },
    })
}

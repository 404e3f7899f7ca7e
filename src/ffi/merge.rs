//! Two arrays in order become one: `gpumex_merge`.

use std::ffi::{c_char, c_void};

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
use crate::ops::merge::{self, Options, Run};

/// @brief Options of gpumex_merge: GPUMEX_MERGE_OPTIONS_INIT or GPUMEX_OPTIONS (merge, ...).
/// @ingroup gpumex_primitives
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MergeOptions {
    /// sizeof(gpumex_merge_options).
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
    /// An expression of keys a and b that says whether a precedes b, as for gpumex_sort, in the
    /// place of order; or NULL.
    pub expression: *const c_char,
}

zero_default!(MergeOptions, expression);

/// @brief Stable merge: keys <- the keys of two sorted arrays in options->order; of equal keys those
/// of a come first.
///
/// Keys are moved bitwise; -0 equals 0, NaN equals NaN and is greater than all numbers. Payload
/// NONE: the values are ignored. VALUES: each key's value comes with it, copied bitwise. INDICES:
/// values receives i for `a[i]` and a_count + j for `b[j]`. Sortedness is not checked
/// (gpumex_check_sorted): unsorted inputs give some of the keys in an unspecified order. With
/// options->expression the arrays are sorted by it, as gpumex_sort has it; one that is no strict
/// weak order gives some of the keys as well.
/// @param ctx The context that runs it.
/// @param options variant, dtype of the keys (F32, F64, integers or BOOL; required), order, payload,
///   value_dtype (4 or 8 bytes; required with VALUES), index_dtype (U32 or U64; required with
///   INDICES), expression. Variants: AUTO, SEQUENTIAL (CPU backend only).
/// @param a_keys a_count elements of dtype, sorted.
/// @param a_values a_count elements of value_dtype with VALUES, else ignored.
/// @param a_count Number of elements of a.
/// @param b_keys b_count elements of dtype, sorted.
/// @param b_values b_count elements of value_dtype with VALUES, else ignored.
/// @param b_count Number of elements of b.
/// @param keys Receives a_count + b_count keys.
/// @param values Receives a_count + b_count elements of value_dtype or index_dtype; ignored with
///   NONE.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
///   INVALID_ARGUMENT (ctx is not a live context; a dtype not set; a number that is not of its
///   enum; U32 positions for 2^32 elements or more; the expression, with the byte from 1 at which it
///   is wrong; order beside it; an array that is misaligned, overlaps an output, is too short or
///   belongs to another device); UNSUPPORTED (F16, BF16; an expression that is too long for
///   gpumex_map; SEQUENTIAL on CUDA; device memory on the CPU backend; a CUDA context after fork);
///   OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED (gpumex_context_cancel). After
///   OUT_OF_MEMORY, CUDA and CANCELLED the outputs are unspecified.
/// @note Cost: reads and writes each element once; with an expression a search for each key.
/// @note Memory: CPU `2*(a_count + b_count)*widened(dtype) + (expression ? 8*max(a_count, b_count) :
///   0)`; CUDA `2*(a_count +
///   b_count)*widened(dtype)`; arrays on the host `(a_count + b_count)*(2*copied(dtype) +
///   max(converting(dtype, 1), payload_bytes*(payload == VALUES ? 2 : 1)))`.
/// @see S. Odeh, O. Green, Z. Mwassi, O. Shmueli, Y. Birk, "Merge Path - Parallel Merging Made
///   Simple", 2012.
/// @ingroup gpumex_primitives
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_merge(
    ctx: *mut Context,
    options: *const MergeOptions,
    a_keys: *const c_void,
    a_values: *const c_void,
    a_count: usize,
    b_keys: *const c_void,
    b_values: *const c_void,
    b_count: usize,
    keys: *mut c_void,
    values: *mut c_void,
) -> i32 {
    guard("gpumex_merge", || {
        // SAFETY: the caller's promise in the documentation above.
        let (options, a, b, keys, values) = unsafe {
            (
                options::read(options)?,
                Run {
                    keys: Input::from_raw("a_keys", a_keys),
                    values: Input::from_raw("a_values", a_values),
                    count: a_count,
                },
                Run {
                    keys: Input::from_raw("b_keys", b_keys),
                    values: Input::from_raw("b_values", b_values),
                    count: b_count,
                },
                Output::from_raw("keys", keys),
                Output::from_raw("values", values),
            )
        };
        // SAFETY: the caller's promise in the documentation above.
        let expression = unsafe { options::text(options.expression)? };
        let options = Options {
            variant: Variant::from_c("options.variant", options.variant)?,
            dtype: Dtype::from_c("options.dtype", options.dtype)?,
            order: SortOrder::from_c("options.order", options.order)?,
            payload: Payload::from_c("options.payload", options.payload)?,
            value_dtype: Dtype::from_c("options.value_dtype", options.value_dtype)?,
            index_dtype: Dtype::from_c("options.index_dtype", options.index_dtype)?,
            expression,
        };
        handle::with(ctx, |ctx| merge::merge(ctx, &options, a, b, keys, values))
    })
}

//! Intersection, union, difference and symmetric difference: `gpumex_set_operation`.

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
use crate::model::set_operation::SetOperator;
use crate::model::variant::Variant;
use crate::ops::set_operation::{self, Options, Side, Target};

/// @brief Options of gpumex_set_operation: GPUMEX_SET_OPERATION_OPTIONS_INIT or GPUMEX_OPTIONS
/// (set_operation, ...).
/// @ingroup gpumex_primitives
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SetOperationOptions {
    /// sizeof(gpumex_set_operation_options).
    pub size: usize,
    /// A gpumex_variant.
    pub variant: i32,
    /// A gpumex_dtype of the keys: F32, F64, integers or BOOL; required.
    pub dtype: i32,
    /// A gpumex_sort_order: how the keys are sorted.
    pub order: i32,
    /// A gpumex_set_operator.
    pub op: i32,
    /// A gpumex_payload: what moves with the keys.
    pub payload: i32,
    /// A gpumex_dtype of 4 or 8 bytes, of the values; required with payload VALUES.
    pub value_dtype: i32,
    /// A gpumex_dtype, U32 or U64, of positions and counts; required where such an array is passed.
    pub index_dtype: i32,
    /// 1: the caller asserts that neither a nor b repeats a key (not faster today); 0: they may.
    pub distinct: i32,
}

zero_default!(SetOperationOptions, distinct);

/// @brief Set operation on two sorted multisets: keys, values <- the first `capacity` elements of
/// the result; `*needed` <- its number of elements.
///
/// A key that occurs m times in a and n times in b occurs in the result as often as with
/// std::set_intersection and its siblings: INTERSECTION min(m, n) times, the first ones of a;
/// UNION max(m, n) times, all of a, then the last ones of b; DIFFERENCE max(m - n, 0) times, the
/// last ones of a; SYMMETRIC_DIFFERENCE `|m - n|` times, the last ones of whichever has more. The
/// result is sorted. Keys are copied bitwise; -0 equals 0, NaN equals NaN and is greater than all
/// numbers. Payload VALUES: each key's value comes with it. INDICES: values receives i for `a[i]`
/// and a_count + j for `b[j]`. Sortedness is not checked: unsorted arrays, and repeated keys with
/// options->distinct, give an unspecified result.
/// @param ctx The context that runs it.
/// @param options variant, dtype of the keys (F32, F64, integers or BOOL; required), order, op,
///   payload, value_dtype (4 or 8 bytes; required with VALUES), index_dtype (U32 or U64; required
///   with INDICES), distinct. Variants: AUTO, SEQUENTIAL (CPU backend only).
/// @param a_keys a_count elements of dtype, sorted.
/// @param a_values a_count elements of value_dtype with VALUES, else ignored.
/// @param a_count Number of elements of a.
/// @param b_keys b_count elements of dtype, sorted.
/// @param b_values b_count elements of value_dtype with VALUES, else ignored.
/// @param b_count Number of elements of b.
/// @param keys Receives at most capacity keys; may be NULL with a payload.
/// @param values Receives at most capacity elements of value_dtype or index_dtype; ignored with
///   NONE.
/// @param capacity Elements that keys and values hold; 0 counts only; a_count + b_count
///   always suffices.
/// @param needed Receives the number of elements, in any memory. 0 < capacity < `*needed` is
///   INVALID_ARGUMENT after the outputs are written, unless needed is device memory, where the
///   caller compares.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
///   INVALID_ARGUMENT (ctx is not a live context; a dtype not set; a number that is not of its
///   enum; distinct; capacity; counts that a U32 position does not reach; an array that is
///   misaligned, overlaps an output, is too short or belongs to another device); UNSUPPORTED (F16,
///   BF16; SEQUENTIAL on CUDA; device memory on the CPU backend; a CUDA context after fork);
///   OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED (gpumex_context_cancel). After
///   OUT_OF_MEMORY, CUDA and CANCELLED the outputs are unspecified.
/// @note Cost: reads a and b, writes the result.
/// @note Memory: CPU `(a_count + b_count + (keys ? capacity : 0))*widened(dtype) + (a_count +
///   b_count)/293`; CUDA `(a_count + b_count + (keys ? capacity : 0))*widened(dtype) + (a_count +
///   b_count)/200`; arrays on the host `(a_count + b_count + (keys ? capacity : 0))*copied(dtype) +
///   max(converting(dtype, a_count, b_count, keys ? capacity : 0), ((payload == VALUES ? a_count +
///   b_count : 0) + capacity)*payload_bytes)`.
/// @see S. Baxter, "ModernGPU", Multisets, NVIDIA 2013.
/// @ingroup gpumex_primitives
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_set_operation(
    ctx: *mut Context,
    options: *const SetOperationOptions,
    a_keys: *const c_void,
    a_values: *const c_void,
    a_count: usize,
    b_keys: *const c_void,
    b_values: *const c_void,
    b_count: usize,
    keys: *mut c_void,
    values: *mut c_void,
    capacity: usize,
    needed: *mut u64,
) -> i32 {
    guard("gpumex_set_operation", || {
        // SAFETY: the caller's promise in the documentation above.
        let (options, [a_keys, a_values, b_keys, b_values], [keys_out, values, needed]) = unsafe {
            (
                options::read(options)?,
                [
                    Input::from_raw("a_keys", a_keys),
                    Input::from_raw("a_values", a_values),
                    Input::from_raw("b_keys", b_keys),
                    Input::from_raw("b_values", b_values),
                ],
                [
                    Output::from_raw("keys", keys),
                    Output::from_raw("values", values),
                    Output::from_raw("needed", needed.cast()),
                ],
            )
        };
        let payload = Payload::from_c("options.payload", options.payload)?;
        let options = Options {
            variant: Variant::from_c("options.variant", options.variant)?,
            dtype: Dtype::from_c("options.dtype", options.dtype)?,
            order: SortOrder::from_c("options.order", options.order)?,
            op: SetOperator::from_c("options.op", options.op)?,
            payload,
            value_dtype: Dtype::from_c("options.value_dtype", options.value_dtype)?,
            index_dtype: Dtype::from_c("options.index_dtype", options.index_dtype)?,
            distinct: options::switch("distinct", options.distinct)?,
        };
        let is_wanted = !keys.is_null() || payload == Payload::None;
        let a = Side { keys: a_keys, values: a_values, count: a_count };
        let b = Side { keys: b_keys, values: b_values, count: b_count };
        let target = Target { keys: is_wanted.then_some(keys_out), values, capacity, needed };
        handle::with(ctx, |ctx| set_operation::set_operation(ctx, &options, a, b, target))
    })
}

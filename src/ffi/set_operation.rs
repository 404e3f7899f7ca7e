//! Intersection, union, difference and symmetric difference: `gpumex_set_operation`.

use std::ffi::c_void;

use super::options::zero_default;
use super::{guard, options};
use crate::array::{Input, Output};
use crate::context::Context;
use crate::handle;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::model::primitives::{Payload, SetOperator, SortOrder};
use crate::model::variant::Variant;
use crate::ops::set_operation::{self, Options, Side, Target};

/// Options of `gpumex_set_operation`. Set `size` to `sizeof(gpumex_set_operation_options)`; zero is the default of every other
/// field.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SetOperationOptions {
    /// sizeof(gpumex_set_operation_options)
    pub size: usize,
    /// a `gpumex_variant`
    pub variant: i32,
    /// a `gpumex_dtype` of the keys: F32, F64, I32, I64, U32 or U64
    pub dtype: i32,
    /// a `gpumex_sort_order`: how a and b are sorted
    pub order: i32,
    /// a `gpumex_set_operator`
    pub op: i32,
    /// a `gpumex_payload`: what goes with the keys
    pub payload: i32,
    /// a `gpumex_dtype` of 4 or 8 bytes: of the values, with payload VALUES
    pub value_dtype: i32,
    /// a `gpumex_dtype`, U32 or U64,: of the values, with payload INDICES
    pub index_dtype: i32,
    /// 1: the caller promises that neither a nor b holds a key twice (nothing is faster for it today); 0: they may
    pub distinct: i32,
}

zero_default!(SetOperationOptions, distinct);

/// keys, values <- the first `capacity` elements of the intersection, union, difference or symmetric difference of two sorted
/// arrays; *needed <- how many elements it has.
///
/// A key that a holds m times and b holds n times is in the result
///   INTERSECTION          min(m, n) times       the first ones of a
///   UNION                 max(m, n) times       all of a, then the last ones of b
///   DIFFERENCE            max(m - n, 0) times   the last ones of a
///   SYMMETRIC_DIFFERENCE  |m - n| times         the last ones of whichever has more
/// which is sorted as a and b are: as std::set_intersection and the like. Keys are copied bit by bit; -0 equals 0, NaN equals NaN and
/// is the greatest.
/// a_keys, b_keys: a_count and b_count elements of options->dtype, sorted by options->order. With payload VALUES a_values and b_values
/// hold an element of options->value_dtype beside each key, which goes with it to `values`; with INDICES `values` receives positions of
/// options->index_dtype in a followed by b (i for a[i], a_count + j for b[j]). They are not looked at otherwise, and may be NULL.
/// keys, values: `capacity` elements each. keys may be NULL where there is a payload and it is wanted alone. capacity = 0 counts, and
/// both may be NULL; a_count + b_count is always enough.
/// needed: one uint64_t. 0 < capacity < *needed is INVALID_ARGUMENT where the host can see `needed`, with the first `capacity` elements
/// written; with `needed` in device memory the caller compares. Outputs overlap no other array. Each array may be host, pinned, managed
/// or device memory; when all are device memory the call may return before it is done, in the order of the context's work.
/// Arrays that are not sorted, or hold a key twice with options->distinct: the result is unspecified. options: NULL for the defaults.
/// Variants: SEQUENTIAL (the plain loop, CPU backend).
/// Cost: reads a and b and writes the result; temporary memory of 1/500 of the keys on CUDA.
/// Errors: NULL_POINTER, INVALID_ARGUMENT (not a live context, capacity, counts that U32 does not hold, overlap, alignment, a range that
/// is too short, another device's memory), UNSUPPORTED (dtypes, SEQUENTIAL on CUDA, device memory on the CPU backend, after fork),
/// OUT_OF_MEMORY, CUDA, BUSY.
/// Source: S. Baxter, "ModernGPU", Multisets, NVIDIA 2013.
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

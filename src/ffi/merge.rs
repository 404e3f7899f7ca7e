//! Two arrays in order become one: `gpumex_merge`.

use std::ffi::c_void;

use super::options::zero_default;
use super::{guard, options};
use crate::array::{Input, Output};
use crate::context::Context;
use crate::handle;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::model::primitives::{Payload, SortOrder};
use crate::model::variant::Variant;
use crate::ops::merge::{self, Options, Run};

/// Options of `gpumex_merge`. Set `size` to `sizeof(gpumex_merge_options)`; zero is the default of every other field.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MergeOptions {
    /// sizeof(gpumex_merge_options)
    pub size: usize,
    /// a `gpumex_variant`
    pub variant: i32,
    /// a `gpumex_dtype` of the keys: I32, U32, I64, U64, F32 or F64
    pub dtype: i32,
    /// a `gpumex_sort_order`
    pub order: i32,
    /// a `gpumex_payload`: what moves with the keys
    pub payload: i32,
    /// a `gpumex_dtype` of 4 or 8 bytes: of the values, with payload VALUES
    pub value_dtype: i32,
    /// a `gpumex_dtype`, U32 or U64,: of the positions, with payload INDICES
    pub index_dtype: i32,
}

zero_default!(MergeOptions, index_dtype);

/// keys <- the keys of a and b, both in order, in one order; of equal keys those of a come first.
///
/// The order is that of options->order: -0 equals 0, NaN equals NaN and is the greatest. Keys that are equal keep their order, and
/// keys are moved with their bits as they are.
/// a_keys (a_count), b_keys (b_count), keys (a_count + b_count): elements of options->dtype. What goes with them, options->payload:
/// NONE nothing, a_values, b_values and values are not looked at; VALUES a_values (a_count) and b_values (b_count) of value_dtype
/// come to values (a_count + b_count) with their keys; INDICES values, of index_dtype, becomes where in a, or a_count + where in b,
/// each key stood, and a_values and b_values are not looked at. keys and values lie apart from each other and from what is read; an
/// array without elements may be NULL.
/// When a or b is not in order, the result is some of the keys in some order, and nothing worse.
/// All arrays may be host, pinned, managed or device memory; when all are device memory the call may return before it is done, in
/// the order of the context's work.
/// options: NULL for the defaults. Variants: SEQUENTIAL (the plain loop, CPU backend). Cost: reads and writes each element once.
/// Errors: NULL_POINTER, INVALID_ARGUMENT (not a live context, overlap, alignment, a range that is too short, another device's
/// memory, positions of U32 for 2^32 elements or more), UNSUPPORTED (dtype, variant, an option this version does not serve, device
/// memory on the CPU backend, after fork), OUT_OF_MEMORY, CUDA, BUSY; what the results hold is unspecified after OUT_OF_MEMORY and
/// CUDA.
/// Source: S. Odeh, O. Green, Z. Mwassi, O. Shmueli, Y. Birk, "Merge Path - Parallel Merging Made Simple", 2012.
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
        let options = Options {
            variant: Variant::from_c("options.variant", options.variant)?,
            dtype: Dtype::from_c("options.dtype", options.dtype)?,
            order: SortOrder::from_c("options.order", options.order)?,
            payload: Payload::from_c("options.payload", options.payload)?,
            value_dtype: Dtype::from_c("options.value_dtype", options.value_dtype)?,
            index_dtype: Dtype::from_c("options.index_dtype", options.index_dtype)?,
        };
        handle::with(ctx, |ctx| merge::merge(ctx, &options, a, b, keys, values))
    })
}

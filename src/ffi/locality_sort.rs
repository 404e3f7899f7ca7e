//! A merge sort for keys that are nearly in order: `gpumex_locality_sort`.

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
use crate::ops::locality_sort::{self, Options};

/// Options of `gpumex_locality_sort`. Set `size` to `sizeof(gpumex_locality_sort_options)`; zero is the default of every other field.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct LocalitySortOptions {
    /// sizeof(gpumex_locality_sort_options)
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

zero_default!(LocalitySortOptions, index_dtype);

/// sorted <- the keys in order, by a stable merge sort that costs little where keys are nearly in order already.
///
/// The order is that of options->order: -0 equals 0, NaN equals NaN and is the greatest. Keys that are equal keep their order, and
/// keys are moved with their bits as they are.
/// keys, sorted (count): elements of options->dtype. What goes with them, options->payload: NONE nothing, values and sorted_values are
/// not looked at; VALUES values (count) of value_dtype come to sorted_values (count) with their keys; INDICES sorted_values, of
/// index_dtype, becomes where in keys each key stood, and values is not looked at. sorted and sorted_values lie apart from each other
/// and from what is read; an array without elements may be NULL.
/// All arrays may be host, pinned, managed or device memory; when all are device memory the call may return before it is done, in
/// the order of the context's work.
/// options: NULL for the defaults. Variants: SEQUENTIAL (the plain loop, CPU backend). Cost: two or three passes over keys that are
/// at most some thousand places from where they belong, about log2(count / 4096) over keys in random order, which from millions of
/// keys on the device takes to gpumex_sort; and memory for keys and values once more.
/// Errors: NULL_POINTER, INVALID_ARGUMENT (not a live context, overlap, alignment, a range that is too short, another device's
/// memory, positions of U32 for 2^32 elements or more), UNSUPPORTED (dtype, variant, an option this version does not serve, device
/// memory on the CPU backend, after fork), OUT_OF_MEMORY, CUDA, BUSY; what the results hold is unspecified after OUT_OF_MEMORY and
/// CUDA.
/// Source: S. Baxter, "ModernGPU", Locality Sort, NVIDIA 2013.
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

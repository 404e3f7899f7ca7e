//! Arrays of one value and of ascending ones: `gpumex_fill` and `gpumex_fill_ascending`.

use std::ffi::c_void;

use super::guard;
use crate::array::{Input, Output};
use crate::context::Context;
use crate::handle;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::ops::fill;

/// array[i] <- *value for the `count` elements of the array.
///
/// dtype: a `gpumex_dtype`. array: host, pinned, managed or device memory; NULL is allowed when count = 0. value:
/// one element of the dtype in memory of the host, apart from the array; read before the call returns. On device
/// memory the call may return before the array is filled, in the order of the context's work.
/// Errors: NULL_POINTER, INVALID_ARGUMENT (not a live context, not a dtype, overlap, alignment, a range that is
/// too short, another device's memory, a value in device memory), UNSUPPORTED (device memory on the CPU backend,
/// after fork), OUT_OF_MEMORY, CUDA, BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_fill(
    ctx: *mut Context,
    dtype: i32,
    array: *mut c_void,
    count: usize,
    value: *const c_void,
) -> i32 {
    guard("gpumex_fill", || {
        // SAFETY: the caller's promise in the documentation above.
        let (array, value) = unsafe { (Output::from_raw("array", array), Input::from_raw("value", value)) };
        let dtype = Dtype::from_c("dtype", dtype)?.passed()?;
        handle::with(ctx, |ctx| fill::fill(ctx, dtype, array, count, value))
    })
}

/// array[i] <- first + i*step for the `count` elements of the array.
///
/// dtype: a `gpumex_dtype`. Integers: first and step are whole numbers within +-2^53, and the first and the last
/// element have to be values of the dtype. Floats: first and step are finite; product and sum are rounded once
/// each in double, then to the dtype, where what lies beyond a float's range becomes infinite. array: as in
/// gpumex_fill. The bits are the same on every backend.
/// Errors: as gpumex_fill, INVALID_ARGUMENT (first, step, first or last element).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_fill_ascending(
    ctx: *mut Context,
    dtype: i32,
    array: *mut c_void,
    count: usize,
    first: f64,
    step: f64,
) -> i32 {
    guard("gpumex_fill_ascending", || {
        // SAFETY: the caller's promise in the documentation above.
        let array = unsafe { Output::from_raw("array", array) };
        let dtype = Dtype::from_c("dtype", dtype)?.passed()?;
        handle::with(ctx, |ctx| fill::fill_ascending(ctx, dtype, array, count, first, step))
    })
}

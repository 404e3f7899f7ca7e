//! Arrays of one value and of ascending ones: `gpumex_fill` and `gpumex_fill_ascending`.

use std::ffi::c_void;

use super::guard;
use crate::array::{Input, Output};
use crate::context::Context;
use crate::handle;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::ops::fill;

/// @brief Sets all elements of an array: `array[i]` <- `*value`.
/// @param ctx The context that runs it.
/// @param dtype A gpumex_dtype other than NONE.
/// @param array Receives count elements.
/// @param count Number of elements.
/// @param value One element, in host memory, read before the call returns.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
///   INVALID_ARGUMENT (ctx is not a live context; dtype; value in device memory; an array that is
///   misaligned, overlaps an output, is too short or belongs to another device); UNSUPPORTED
///   (device memory on the CPU backend; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY
///   (another thread is in ctx); CANCELLED (gpumex_context_cancel).
/// @note Cost: O(count).
/// @note Memory: CPU `0`; CUDA `0`; arrays on the host `count*sizeof(dtype)`.
/// @ingroup gpumex_memory
#[must_use]
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

/// @brief Arithmetic sequence: `array[i]` <- first + i*step.
///
/// Integers: first and step are whole numbers within +-2^53, and the first and the last element are
/// values of the dtype. Floats: product and sum are rounded once each in double, then to the dtype,
/// where overflow gives infinity. The bits are the same on every backend.
/// @param ctx The context that runs it.
/// @param dtype A gpumex_dtype: F32, F64, integers or BOOL.
/// @param array Receives count elements.
/// @param count Number of elements.
/// @param first The first element, finite.
/// @param step The difference of neighbours, finite.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
///   INVALID_ARGUMENT (ctx is not a live context; dtype; first, step, or an element that the dtype
///   does not hold; an array that is misaligned, overlaps an output, is too short or belongs to
///   another device); UNSUPPORTED (F16, BF16; device memory on the CPU backend; a CUDA context
///   after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED
///   (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and CANCELLED the outputs are unspecified.
/// @note Cost: O(count).
/// @note Memory: CPU `0`; CUDA `0`; arrays on the host `count*sizeof(dtype)`.
/// @ingroup gpumex_memory
#[must_use]
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

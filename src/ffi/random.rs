//! Uniform random numbers and sorted ones: `gpumex_random` and `gpumex_random_sorted`.

use std::ffi::c_void;

use super::guard;
use crate::array::Output;
use crate::context::Context;
use crate::handle;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::ops::random::{self, Uniform};

/// @brief Uniform random numbers: integers in `[lo, hi]`, floats in `[lo, hi)`.
///
/// Element i is a function of seed, lo, hi, dtype and i only (Philox4x32-10, 64 bits an element):
/// the same on every backend and for every count. Numbers of one seed and two intervals are
/// correlated: use another seed for independent ones. Integers: every value is equally likely to
/// within 2^-64. Floats: multiples of (hi - lo)*2^-24 (F32) or 2^-53 (F64), rounded.
/// @param ctx The context that runs it.
/// @param dtype A gpumex_dtype: F32, F64, integers or BOOL.
/// @param array Receives count elements.
/// @param count Number of elements.
/// @param seed Any number.
/// @param lo Integers: a whole number that the dtype holds. Floats: rounded to the dtype first.
/// @param hi Integers: a whole number that the dtype holds, at least lo. Floats: greater than lo,
///   and hi - lo is finite in the dtype.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
///   INVALID_ARGUMENT (ctx is not a live context; dtype; lo and hi; an array that is misaligned,
///   overlaps an output, is too short or belongs to another device); UNSUPPORTED (F16, BF16; device
///   memory on the CPU backend; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY (another
///   thread is in ctx); CANCELLED (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and CANCELLED
///   the outputs are unspecified.
/// @note Cost: O(count).
/// @note Memory: CPU `0`; CUDA `0`; arrays on the host `count*sizeof(dtype)`.
/// @see J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3",
///   SC'11.
/// @ingroup gpumex_memory
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_random(
    ctx: *mut Context,
    dtype: i32,
    array: *mut c_void,
    count: usize,
    seed: u64,
    lo: f64,
    hi: f64,
) -> i32 {
    guard("gpumex_random", || {
        // SAFETY: the caller's promise in the documentation above.
        let array = unsafe { Output::from_raw("array", array) };
        let (dtype, uniform) = (Dtype::from_c("dtype", dtype)?.passed()?, Uniform { seed, lo, hi });
        handle::with(ctx, |ctx| random::random(ctx, dtype, array, count, uniform))
    })
}

/// @brief Sorted uniform random numbers: the numbers of gpumex_random with these arguments,
/// ascending.
/// @param ctx The context that runs it.
/// @param dtype A gpumex_dtype: F32, F64, integers or BOOL.
/// @param array Receives count elements.
/// @param count Number of elements.
/// @param seed Any number.
/// @param lo Integers: a whole number that the dtype holds. Floats: rounded to the dtype first.
/// @param hi Integers: a whole number that the dtype holds, at least lo. Floats: greater than lo,
///   and hi - lo is finite in the dtype.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
///   INVALID_ARGUMENT (ctx is not a live context; dtype; lo and hi; an array that is misaligned,
///   overlaps an output, is too short or belongs to another device); UNSUPPORTED (F16, BF16; device
///   memory on the CPU backend; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY (another
///   thread is in ctx); CANCELLED (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and CANCELLED
///   the outputs are unspecified.
/// @note Cost: that of sorting count elements.
/// @note Memory: CPU `0`; CUDA `24.4*count`; arrays on the host `0`.
/// @see J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3",
///   SC'11.
/// @ingroup gpumex_memory
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_random_sorted(
    ctx: *mut Context,
    dtype: i32,
    array: *mut c_void,
    count: usize,
    seed: u64,
    lo: f64,
    hi: f64,
) -> i32 {
    guard("gpumex_random_sorted", || {
        // SAFETY: the caller's promise in the documentation above.
        let array = unsafe { Output::from_raw("array", array) };
        let (dtype, uniform) = (Dtype::from_c("dtype", dtype)?.passed()?, Uniform { seed, lo, hi });
        handle::with(ctx, |ctx| random::random_sorted(ctx, dtype, array, count, uniform))
    })
}

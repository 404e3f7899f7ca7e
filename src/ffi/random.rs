//! Uniform random numbers and sorted ones: `gpumex_random` and `gpumex_random_sorted`.

use std::ffi::c_void;

use super::guard;
use crate::array::Output;
use crate::context::Context;
use crate::handle;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::ops::random::{self, Uniform};

/// array[i] <- a uniform random number, for the `count` elements of the array: an integer in [lo, hi], a float in
/// [lo, hi).
///
/// The numbers are those of the seed: element i is a function of seed, lo, hi, dtype and i alone (Philox4x32-10,
/// 64 bits an element), the same on every backend and for every count. Numbers of one seed and two intervals go
/// together: take another seed for independent ones.
/// dtype: a `gpumex_dtype`. Integers: lo <= hi are whole numbers that the dtype holds; every one of them is as
/// likely as another to within 2^-64. Floats: lo < hi, rounded to the dtype first, with hi - lo within its range;
/// multiples of (hi - lo)*2^-24 (F32), 2^-53 (F64), rounded.
/// array: host, pinned, managed or device memory; NULL is allowed when count = 0. On device memory the call may
/// return before the array is filled, in the order of the context's work.
/// Errors: NULL_POINTER, INVALID_ARGUMENT (not a live context, not a dtype, lo and hi, alignment, a range that is
/// too short, another device's memory), UNSUPPORTED (device memory on the CPU backend, after fork), OUT_OF_MEMORY,
/// CUDA, BUSY.
/// Source: J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3", SC'11.
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

/// array <- the numbers of gpumex_random with these arguments, ascending; generated and sorted where the context
/// computes.
/// Errors: as gpumex_random.
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

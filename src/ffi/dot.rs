//! Inner product of two vectors: `gpumex_dot`.

use std::ffi::c_void;

use super::options::zero_default;
use super::{guard, options};
use crate::array::{Input, Output};
use crate::context::Context;
use crate::handle;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::ops::dot::{self, DotVariant, Options};

/// Options of `gpumex_dot`. Set `size` to `sizeof(gpumex_dot_options)`; zero is the default of every other field.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct DotOptions {
    /// sizeof(gpumex_dot_options)
    pub size: usize,
    /// a `gpumex_dot_variant`
    pub variant: i32,
    /// a `gpumex_dtype` of the vectors; this version serves F32 and F64
    pub dtype: i32,
}

zero_default!(DotOptions, dtype);

/// *result <- the sum of x[i]*y[i] over the `count` elements of two vectors, 0 when count = 0.
///
/// x, y: `count` elements of options->dtype each, which is also the type of the sum; x may be y; NULL is allowed
/// when count = 0. result: one element of that dtype, apart from x and y. All three may be host, pinned, managed
/// or device memory; when all are device memory the call may return before it is done, in the order of the
/// context's work.
/// options: NULL for the defaults. Variants: SEQUENTIAL (the plain loop, CPU backend), ATOMIC (one atomic a block:
/// the last bits may differ from call to call), TWO_PASS (deterministic, with the same tuning). AUTO is
/// deterministic as well.
/// Accuracy: |error| <= n*u/(1 - n*u) * sum |x[i]*y[i]|, n = count, u = 2^-24 (F32) or 2^-53 (F64); all but
/// SEQUENTIAL are far below it.
/// Errors: NULL_POINTER, INVALID_ARGUMENT (not a live context, overlap, alignment, a range that is too short,
/// another device's memory), UNSUPPORTED (dtype, an option this version does not serve, device memory on the CPU
/// backend, after fork), OUT_OF_MEMORY, CUDA, BUSY;
/// *result is unspecified after OUT_OF_MEMORY and CUDA.
/// Source: M. Pantoja, "CUDA Memory Model", Petascale Semester Curriculum unit 7 lesson 8, 2020.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_dot(
    ctx: *mut Context,
    options: *const DotOptions,
    x: *const c_void,
    y: *const c_void,
    count: usize,
    result: *mut c_void,
) -> i32 {
    guard("gpumex_dot", || {
        // SAFETY: the caller's promise in the documentation above.
        let (options, x, y, result) = unsafe {
            (
                options::read(options)?,
                Input::from_raw("x", x),
                Input::from_raw("y", y),
                Output::from_raw("result", result),
            )
        };
        let options = Options {
            variant: DotVariant::from_c("options.variant", options.variant)?,
            dtype: Dtype::from_c("options.dtype", options.dtype)?,
        };
        handle::with(ctx, |ctx| dot::dot(ctx, &options, x, y, count, result))
    })
}

//! Reduction of an array: `gpumex_reduce`.

use std::ffi::c_void;

use super::options::zero_default;
use super::{guard, options};
use crate::array::{Input, Output};
use crate::context::Context;
use crate::handle;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::model::primitives::Operator;
use crate::model::variant::Variant;
use crate::ops::reduce::{self, Options};

/// Options of `gpumex_reduce`. Set `size` to `sizeof(gpumex_reduce_options)`; zero is the default of every other field.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ReduceOptions {
    /// sizeof(gpumex_reduce_options)
    pub size: usize,
    /// a `gpumex_variant`
    pub variant: i32,
    /// a `gpumex_dtype` of the elements; F32, F64, integers or BOOL
    pub dtype: i32,
    /// a `gpumex_operator`: SUM, PRODUCT, MIN, MAX, and of integers AND, OR, XOR
    pub op: i32,
    /// a `gpumex_dtype` of the result, in which integers are accumulated; NONE: dtype
    pub accumulator_dtype: i32,
    /// NULL, or a second place for the result, say in memory of the host where `result` is on the device
    pub result_copy: *mut c_void,
}

zero_default!(ReduceOptions, result_copy);

/// *result <- what options->op makes of the `count` elements of an array: their sum, say.
///
/// data: `count` elements of options->dtype (F32, F64, I32, I64, U32, U64), which is also the type of the result; NULL is
/// allowed when count = 0. result: one element of that dtype, apart from data. Both may be host, pinned, managed or
/// device memory; when both are device memory the call may return before it is done, in the order of the context's work.
/// count = 0 gives the operator's identity: 0 for SUM, OR and XOR, 1 for PRODUCT, all bits for AND, the largest integer
/// for MIN, the smallest for MAX; NaN for MIN and MAX of floats.
/// Integers wrap. MIN and MAX of floats pass over NaN, and -0 is smaller than 0: NaN is the result of NaN alone.
/// options: NULL for the sum of floats. Variants: SEQUENTIAL is the plain loop (CPU backend).
/// Accuracy: sums of floats |error| <= n*u/(1 - n*u) * sum |x[i]|, products |error| <= n*u/(1 - n*u) * |product|, n =
/// count, u = 2^-24 (F32) or 2^-53 (F64); AUTO is far below it. The same bits each time: on the CPU they depend on count
/// alone, on CUDA on count and the device's number of multiprocessors. All other results are the same on every backend.
/// Errors: NULL_POINTER, INVALID_ARGUMENT (not a live context, not an operator, overlap, alignment, a range that is too
/// short, another device's memory), UNSUPPORTED (dtype; AND, OR, XOR of floats; an option this version does not serve,
/// device memory on the CPU backend, after fork), OUT_OF_MEMORY, CUDA, BUSY; *result is unspecified after OUT_OF_MEMORY
/// and CUDA.
/// Cost: reads the array once.
/// Source: M. Harris, "Optimizing Parallel Reduction in CUDA", NVIDIA 2007.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_reduce(
    ctx: *mut Context,
    options: *const ReduceOptions,
    data: *const c_void,
    count: usize,
    result: *mut c_void,
) -> i32 {
    guard("gpumex_reduce", || {
        // SAFETY: the caller's promise in the documentation above.
        let (options, data, result) = unsafe {
            (options::read(options)?, Input::from_raw("data", data), Output::from_raw("result", result))
        };
        let is_copied = !options.result_copy.is_null();
        // SAFETY: the caller's promise in the documentation above.
        let copy = unsafe { Output::from_raw("options.result_copy", options.result_copy) };
        let copy = is_copied.then_some(copy);
        let options = Options {
            variant: Variant::from_c("options.variant", options.variant)?,
            dtype: Dtype::from_c("options.dtype", options.dtype)?,
            op: Operator::from_c("options.op", options.op)?,
            accumulator_dtype: Dtype::from_c("options.accumulator_dtype", options.accumulator_dtype)?,
        };
        handle::with(ctx, |ctx| reduce::reduce(ctx, &options, data, count, result, copy))
    })
}

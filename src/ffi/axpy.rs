//! A vector plus a multiple of another one: `gpumex_axpy`.

use super::prelude::*;
use crate::ops::axpy::{self, Options};

/// @brief Options of gpumex_axpy: GPUMEX_AXPY_OPTIONS_INIT or GPUMEX_OPTIONS (axpy, ...).
/// @ingroup gpumex_operations
#[repr(C)]
#[derive(Clone, Copy)]
pub struct AxpyOptions {
    /// sizeof(gpumex_axpy_options).
    pub size: usize,
    /// A gpumex_variant.
    pub variant: i32,
    /// A gpumex_dtype of vectors, alpha and beta, F32 or F64; required.
    pub dtype: i32,
    /// One element of dtype, in memory of the host or the device; NULL: 1.
    pub alpha: *const c_void,
    /// One element of dtype, in memory of the host or the device; NULL: 1.
    pub beta: *const c_void,
}

zero_default!(AxpyOptions, beta);

/// @brief A vector plus a multiple of another one: `y[i]` <- `alpha*x[i] + beta*y[i]`.
///
/// Computed as fma (alpha, `x[i]`, `beta*y[i]`): the product beta*y is rounded, then the sum, once.
/// With beta = 0 it is `alpha*x[i]`, and y is not read: it may hold anything, NaN too. The bits of
/// y are the same on every backend, and for alpha = beta = 1 those of gpumex_add, NaN aside.
/// alpha and beta in host memory, pinned too, are read during the call; in device memory they are
/// read in the order of the context's work, so that what gpumex_dot or gpumex_reduce left there
/// needs no copy to the host.
/// @param ctx The context that runs it.
/// @param options variant, dtype (F32 or F64, required), alpha and beta (NULL: 1).
/// @param x count elements.
/// @param y count elements, updated in place; overlaps neither x nor alpha nor beta.
/// @param count Number of elements.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
///   INVALID_ARGUMENT (ctx is not a live context; dtype not set; a number that is not of its enum;
///   an array that is misaligned, overlaps an output, is too short or belongs to another device);
///   UNSUPPORTED (another dtype; SEQUENTIAL on CUDA; device memory on the CPU backend; a CUDA
///   context after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED
///   (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and CANCELLED y is unspecified.
/// @note Cost: reads x and y and writes y once.
/// @note Memory: CPU `0`; CUDA `0`; arrays on the host `2*count*sizeof(dtype)`.
/// @see C. Lawson et al., "Basic Linear Algebra Subprograms", ACM TOMS 5, 1979.
/// @ingroup gpumex_operations
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_axpy(
    ctx: *mut Context,
    options: *const AxpyOptions,
    x: *const c_void,
    y: *mut c_void,
    count: usize,
) -> i32 {
    guard("gpumex_axpy", || {
        // SAFETY: the caller's promise in the documentation above.
        let (options, x, y) =
            unsafe { (options::read(options)?, Input::from_raw("x", x), Output::from_raw("y", y)) };
        // SAFETY: as above.
        let number = |name, at: *const c_void| (!at.is_null()).then(|| unsafe { Input::from_raw(name, at) });
        let options = Options {
            variant: Variant::from_c("options.variant", options.variant)?,
            dtype: Dtype::from_c("options.dtype", options.dtype)?,
            alpha: number("options.alpha", options.alpha),
            beta: number("options.beta", options.beta),
        };
        handle::with(ctx, |ctx| axpy::axpy(ctx, &options, x, y, count))
    })
}

//! A vector times a number: `gpumex_scale`.

use super::prelude::*;
use crate::model::scale::ScaleFactor;
use crate::ops::scale::{self, Options};

/// @brief Options of gpumex_scale: GPUMEX_SCALE_OPTIONS_INIT or GPUMEX_OPTIONS (scale, ...).
/// @ingroup gpumex_operations
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ScaleOptions {
    /// sizeof(gpumex_scale_options).
    pub size: usize,
    /// A gpumex_variant.
    pub variant: i32,
    /// A gpumex_dtype of x and alpha, F32 or F64; required.
    pub dtype: i32,
    /// A gpumex_scale_factor: alpha, 1 / alpha or 1 / sqrt (alpha).
    pub factor: i32,
    /// Reserved, 0.
    pub reserved: i32,
}

zero_default!(ScaleOptions, reserved);

/// @brief A vector times a number: `x[i]` <- `alpha*x[i]`; with factor RECIPROCAL `x[i] / alpha`,
/// with RECIPROCAL_ROOT `x[i] / sqrt (alpha)`.
///
/// Product, quotient and root are each rounded once: the bits are the same on every backend. A step
/// of a power iteration is gpumex_spmv, gpumex_dot of the result with itself and this with
/// RECIPROCAL_ROOT; where dot has left its sum in device memory, nothing goes to the host.
/// @param ctx The context that runs it.
/// @param options variant, dtype (F32 or F64, required), factor.
/// @param alpha One element, apart from x. In host memory, pinned too, it is read during the call;
///   in device memory in the order of the context's work.
/// @param x count elements, updated in place.
/// @param count Number of elements.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
///   INVALID_ARGUMENT (ctx is not a live context; dtype not set; a number that is not of its enum;
///   an array that is misaligned, overlaps an output, is too short or belongs to another device);
///   UNSUPPORTED (another dtype; SEQUENTIAL on CUDA; device memory on the CPU backend; a CUDA
///   context after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED
///   (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and CANCELLED x is unspecified.
/// @note Cost: reads and writes x once.
/// @note Memory: CPU `0`; CUDA `0`; arrays on the host `count*sizeof(dtype)`.
/// @see C. Lawson et al., "Basic Linear Algebra Subprograms", ACM TOMS 5, 1979.
/// @ingroup gpumex_operations
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_scale(
    ctx: *mut Context,
    options: *const ScaleOptions,
    alpha: *const c_void,
    x: *mut c_void,
    count: usize,
) -> i32 {
    guard("gpumex_scale", || {
        // SAFETY: the caller's promise in the documentation above.
        let (options, alpha, x) =
            unsafe { (options::read(options)?, Input::from_raw("alpha", alpha), Output::from_raw("x", x)) };
        let options = Options {
            variant: Variant::from_c("options.variant", options.variant)?,
            dtype: Dtype::from_c("options.dtype", options.dtype)?,
            factor: ScaleFactor::from_c("options.factor", options.factor)?,
        };
        handle::with(ctx, |ctx| scale::scale(ctx, &options, alpha, x, count))
    })
}

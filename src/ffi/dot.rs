//! Inner product of two vectors: `gpumex_dot`.

use std::ffi::c_void;

use super::options::zero_default;
use super::{guard, options};
use crate::array::{Input, Output};
use crate::context::Context;
use crate::error::Result;
use crate::handle;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::ops::dot::{self, DotVariant, Options};

/// @brief Options of gpumex_dot: GPUMEX_DOT_OPTIONS_INIT or GPUMEX_OPTIONS (dot, ...).
/// @ingroup gpumex_operations
#[repr(C)]
#[derive(Clone, Copy)]
pub struct DotOptions {
    /// sizeof(gpumex_dot_options).
    pub size: usize,
    /// A gpumex_dot_variant.
    pub variant: i32,
    /// A gpumex_dtype of the vectors, F32, F64, C64 or C128; required.
    pub dtype: i32,
    /// 1: of C64 and C128 the sum of conj (`x[i]`)*`y[i]`, which of real dtypes is the same; 0: of
    /// `x[i]*y[i]`.
    pub conjugate: i32,
    /// Reserved, 0.
    pub reserved: i32,
}

zero_default!(DotOptions, reserved);

/// @brief Inner product: `*result` <- the sum of `x[i]*y[i]`; 0 when count = 0.
///
/// Of complex vectors (C64, C128) the BLAS's dotu, and with options->conjugate its dotc, the sum of
/// conj (`x[i]`)*`y[i]`, by a product of real matrices; variants AUTO and SEQUENTIAL.
///
/// Accuracy: |error| <= n*u/(1 - n*u) * sum `|x[i]*y[i]|`, n = count, u = 2^-24 (F32) or 2^-53
/// (F64); of C64 and C128 n = 2*count + 4, and 1.5 times that. AUTO and TWO_PASS are deterministic
/// for one tuning; with ATOMIC and SHARED the last bits may differ from call to call.
/// @param ctx The context that runs it.
/// @param options variant, dtype (F32, F64, C64 or C128; required), conjugate.
/// @param x count elements.
/// @param y count elements; may be x.
/// @param count Number of elements.
/// @param result Receives one element of the dtype; overlaps neither x nor y.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty); INVALID_ARGUMENT
///   (ctx is not a live context; dtype not set; a number that is not of its enum; an array that is
///   misaligned, overlaps an output, is too short or belongs to another device); UNSUPPORTED
///   (another dtype; another variant of C64 and C128; SEQUENTIAL on CUDA; device memory on the CPU
///   backend; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx);
///   CANCELLED (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and CANCELLED the outputs are
///   unspecified.
/// @note Cost: O(count).
/// @note Memory: CPU at most `dtype < C64 ? 0 : (2*count + 1024)*sizeof(dtype)`; CUDA at most
///   `dtype < C64 ? 0 : (2*count + 1024)*sizeof(dtype) + 33554432`; arrays on the host
///   `2*count*sizeof(dtype)`.
/// @see M. Pantoja, "CUDA Memory Model", Petascale Semester Curriculum unit 7 lesson 8, 2020.
/// @ingroup gpumex_operations
#[must_use]
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
        let options = asked_for(&options)?;
        handle::with(ctx, |ctx| dot::dot(ctx, &options, x, y, count, result))
    })
}

/// The options in Rust.
pub(super) fn asked_for(options: &DotOptions) -> Result<Options> {
    Ok(Options {
        variant: DotVariant::from_c("options.variant", options.variant)?,
        dtype: Dtype::from_c("options.dtype", options.dtype)?,
        conjugates: options::switch("conjugate", options.conjugate)?,
    })
}

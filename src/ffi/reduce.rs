//! Reduction of an array: `gpumex_reduce`.

use std::ffi::{c_char, c_void};

use super::options::zero_default;
use super::{guard, options};
use crate::array::{Input, Output};
use crate::context::Context;
use crate::error::Result;
use crate::handle;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::model::operator::Operator;
use crate::model::variant::Variant;
use crate::ops::reduce::{self, Options};

/// @brief Options of gpumex_reduce: GPUMEX_REDUCE_OPTIONS_INIT or GPUMEX_OPTIONS (reduce, ...).
/// @ingroup gpumex_primitives
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ReduceOptions {
    /// sizeof(gpumex_reduce_options).
    pub size: usize,
    /// A gpumex_variant.
    pub variant: i32,
    /// A gpumex_dtype of the elements: F32, F64, integers or BOOL, for sums and products also a
    /// complex one;
    /// required.
    pub dtype: i32,
    /// A gpumex_operator; DEFAULT is SUM. AND, OR and XOR are for integers.
    pub op: i32,
    /// A gpumex_dtype of the result, in which integers are accumulated; NONE: dtype, of 4 bytes or
    /// more.
    pub accumulator_dtype: i32,
    /// One element of the accumulator dtype: a second place for the result, such as host memory
    /// where result is device memory; or NULL.
    pub result_copy: *mut c_void,
    /// An associative expression of a and b, as for gpumex_map, in the place of op; or NULL.
    pub expression: *const c_char,
    /// The result of no elements, one element of the accumulator dtype in host memory; NULL: that of
    /// the operator.
    pub identity: *const c_void,
}

zero_default!(ReduceOptions, identity);

/// @brief Reduction: `*result` <- all elements of an array combined with options->op.
///
/// count = 0 gives the identity of the operator: 0 for SUM, OR and XOR, 1 for PRODUCT, all bits set
/// for AND, the largest integer for MIN, the smallest for MAX, NaN for MIN and MAX of floats; with
/// options->identity that, which is joined with no element.
/// Integers are accumulated in accumulator_dtype, and wrap there. MIN and MAX of floats ignore NaN
/// (NaN results from NaN only), and -0 is less than 0.
///
/// options->expression takes the place of op: an associative expression of a and b, the left
/// and the right operand, both of the accumulator dtype, in the language of gpumex_map by the
/// rules of C: `a + b - a*b`, `abs (a) >= abs (b) ? a : b`. The order of the elements is kept, so
/// that it need not be commutative; what is not associative gives an unspecified result. It has no
/// identity of its own: count = 0 needs options->identity.
///
/// Complex numbers (C64, C128) have SUM, of which each part is as of real numbers, and PRODUCT, with
/// |error| <= 3*n*u*|product|; accumulator_dtype is dtype or C128.
///
/// Accuracy: sums of floats |error| <= n*u/(1 - n*u) * sum `|x[i]|`, products n*u/(1 - n*u) *
/// |product|, n = count, u = 2^-24 (F32) or 2^-53 (F64). Elements are joined in an order that
/// depends on the device: the product of some of them may overflow or underflow where the product
/// from first to last does not, as that of 2 and 1/2 in turn. Deterministic: on the CPU the bits
/// depend on count only, on CUDA on count and the device. All other results are the same on every
/// backend.
/// @param ctx The context that runs it.
/// @param options variant, dtype (F32, F64, integers or BOOL; required), op (DEFAULT is SUM),
///   accumulator_dtype (the dtype of the result; required for integers of 1 and 2 bytes and BOOL;
///   F32, F64, or an integer type of as many bytes as dtype or more, where one of 1 or 2 bytes has
///   to hold every value of dtype), result_copy, expression, identity. Variants: AUTO, SEQUENTIAL
///   (CPU backend only).
/// @param data count elements.
/// @param count Number of elements.
/// @param result Receives one element of the accumulator dtype; does not overlap data.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
///   INVALID_ARGUMENT (ctx is not a live context; dtype not set; accumulator_dtype; a number that
///   is not of its enum; the expression, with the byte from 1 at which it is wrong; op beside it; no
///   identity where it is needed; an array that is misaligned, overlaps an output, is too short or
///   belongs to another device); UNSUPPORTED (F16, BF16; AND, OR, XOR of floats; another operator
///   than SUM and PRODUCT, an expression or an identity of complex numbers; an expression that is
///   too long for gpumex_map; SEQUENTIAL on CUDA; device memory on the CPU backend; a CUDA context
///   after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED
///   (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and CANCELLED the outputs are unspecified.
/// @note Cost: reads data once.
/// @note Memory: CPU `count*(wide(accumulator_dtype) > sizeof(dtype) ? wide(accumulator_dtype) :
///   0)`; CUDA `count*((wide(accumulator_dtype) > sizeof(dtype) ? wide(accumulator_dtype) : 0) +
///   (expression ? 1/500.0 : 0))`; arrays on the host `count*sizeof(dtype)`. A PRODUCT of complex
///   numbers takes `12*(count + 4)`.
/// @see M. Harris, "Optimizing Parallel Reduction in CUDA", NVIDIA 2007.
/// @ingroup gpumex_primitives
#[must_use]
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
        let ((options, identity, copy), data, result) = unsafe {
            (
                asked_for(&options::read(options)?)?,
                Input::from_raw("data", data),
                Output::from_raw("result", result),
            )
        };
        handle::with(ctx, |ctx| reduce::reduce(ctx, &options, data, count, identity, result, copy))
    })
}

/// The options in Rust, with the identity and the second place of the result.
///
/// # Safety
/// The pointers are what the documentation of the fields says.
pub(super) unsafe fn asked_for<'a>(
    options: &ReduceOptions,
) -> Result<(Options<'a>, Option<Input<'a>>, Option<Output<'a>>)> {
    let is_copied = !options.result_copy.is_null();
    // SAFETY: the caller's promise.
    let copy = is_copied.then(|| unsafe { Output::from_raw("options.result_copy", options.result_copy) });
    // SAFETY: the caller's promise.
    let (expression, identity) = unsafe { functor(options.expression, options.identity)? };
    let options = Options {
        variant: Variant::from_c("options.variant", options.variant)?,
        dtype: Dtype::from_c("options.dtype", options.dtype)?,
        op: Operator::from_c("options.op", options.op)?,
        accumulator_dtype: Dtype::from_c("options.accumulator_dtype", options.accumulator_dtype)?,
        expression,
    };
    Ok((options, identity, copy))
}

/// The expression and the identity of options.
///
/// # Safety
/// A C string and an array of one element, or NULL.
pub(super) unsafe fn functor<'a>(
    expression: *const c_char,
    identity: *const c_void,
) -> Result<(Option<&'a str>, Option<Input<'a>>)> {
    // SAFETY: the caller's promise.
    let identity = (!identity.is_null()).then(|| unsafe { Input::from_raw("options.identity", identity) });
    // SAFETY: the caller's promise.
    Ok((unsafe { options::text(expression)? }, identity))
}

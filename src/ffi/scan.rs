//! Prefixes of an array: `gpumex_scan`.

use std::ffi::{c_char, c_void};

use super::options::zero_default;
use super::reduce::functor;
use super::{guard, options};
use crate::array::{Input, Output};
use crate::context::Context;
use crate::error::Result;
use crate::handle;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::model::operator::Operator;
use crate::model::variant::Variant;
use crate::ops::scan::{self, Options, ScanKind};

/// @brief Options of gpumex_scan: GPUMEX_SCAN_OPTIONS_INIT or GPUMEX_OPTIONS (scan, ...).
/// @ingroup gpumex_primitives
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ScanOptions {
    /// sizeof(gpumex_scan_options).
    pub size: usize,
    /// A gpumex_variant.
    pub variant: i32,
    /// A gpumex_dtype of the elements: F32, F64, integers or BOOL, for sums also a complex one;
    /// required.
    pub dtype: i32,
    /// A gpumex_operator; DEFAULT is SUM. AND, OR and XOR are for integers.
    pub op: i32,
    /// A gpumex_scan_kind: EXCLUSIVE or INCLUSIVE.
    pub kind: i32,
    /// A gpumex_dtype of the results, in which integers are accumulated; NONE: dtype, of 4 bytes or
    /// more.
    pub accumulator_dtype: i32,
    /// Reserved, 0.
    pub reserved: i32,
    /// An associative expression of a and b, as for gpumex_map, in the place of op; or NULL.
    pub expression: *const c_char,
    /// The result of no elements, one element of the accumulator dtype in host memory; NULL: that of
    /// the operator.
    pub identity: *const c_void,
}

zero_default!(ScanOptions, identity, reserved);

/// @brief Prefix scan with options->op: `result[i]` <- the combination of `data[0]` to `data[i -
///   1]` (EXCLUSIVE; `result[0]` is the identity) or to `data[i]` (INCLUSIVE); `*total` <- that of
///   all elements.
///
/// Identities, options->identity, wrapping, NaN and options->expression are those of gpumex_reduce.
/// The identity is joined with no element. An exclusive scan by an expression needs it, and so does
/// the total of no elements. Accuracy: sums of floats |error| <=
/// n*u/(1 - n*u) * the sum of the `|x[k]|` added, products n*u/(1 - n*u) * |product|, n = count, u
/// = 2^-24 (F32) or 2^-53 (F64), unless some of the factors overflow as gpumex_reduce says.
/// Deterministic for one device. Neighbouring sums may be rounded
/// differently: prefix sums of numbers >= 0 may decrease by that error.
///
/// Complex numbers (C64, C128) are summed, each part as gpumex_scan_dim does with inner = 2;
/// accumulator_dtype is dtype or C128.
/// @param ctx The context that runs it.
/// @param options variant, dtype (F32, F64, integers or BOOL; required), op (DEFAULT is SUM), kind,
///   accumulator_dtype (the dtype of the results; required for integers of 1 and 2 bytes and BOOL;
///   F32, F64, or an integer type of as many bytes as dtype or more, where one of 1 or 2 bytes has
///   to hold every value of dtype), expression, identity. Variants: AUTO, SEQUENTIAL (CPU backend
///   only).
/// @param data count elements.
/// @param count Number of elements.
/// @param result Receives count elements of the accumulator dtype; may be data where that is dtype,
///   and overlaps it in no other way.
/// @param total Receives one element of the accumulator dtype; NULL leaves it out.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
///   INVALID_ARGUMENT (ctx is not a live context; dtype not set; accumulator_dtype; a number that
///   is not of its enum; the expression, with the byte from 1 at which it is wrong; op beside it; no
///   identity where it is needed; an array that is misaligned, overlaps an output, is too short or
///   belongs to another device); UNSUPPORTED (F16, BF16; AND, OR, XOR of floats; another operator
///   than SUM, an expression or an identity of complex numbers; an expression that is too long for
///   gpumex_map; SEQUENTIAL on CUDA; device memory on the CPU backend; a CUDA context after fork);
///   OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED (gpumex_context_cancel). After
///   OUT_OF_MEMORY, CUDA and CANCELLED the outputs are unspecified.
/// @note Cost: reads and writes the array once (an expression reads it twice, and on CUDA writes it
///   twice as well).
/// @note Memory: CPU `count*((wide(accumulator_dtype) > sizeof(dtype) ? wide(accumulator_dtype) :
///   0) + widened(accumulator_dtype)) + count/2048`; CUDA `count*((wide(accumulator_dtype) >
///   sizeof(dtype) ? wide(accumulator_dtype) : 0) + widened(accumulator_dtype)) + count/(expression
///   ? 200 : 500)`;
///   arrays on the host `count*(wide(accumulator_dtype) > sizeof(dtype) ? sizeof(accumulator_dtype)
///   : (data == result ? 1 : 2)*sizeof(dtype))`.
/// @see D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
///   2016.
/// @ingroup gpumex_primitives
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_scan(
    ctx: *mut Context,
    options: *const ScanOptions,
    data: *const c_void,
    count: usize,
    result: *mut c_void,
    total: *mut c_void,
) -> i32 {
    guard("gpumex_scan", || {
        // SAFETY: the caller's promise in the documentation above.
        let (options, data, result, is_wanted, total) = unsafe {
            (
                options::read(options)?,
                Input::from_raw("data", data),
                Output::from_raw("result", result),
                !total.is_null(),
                Output::from_raw("total", total),
            )
        };
        // SAFETY: the caller's promise in the documentation above.
        let (options, identity) = unsafe { asked_for(&options)? };
        let total = is_wanted.then_some(total);
        handle::with(ctx, |ctx| scan::scan(ctx, &options, data, count, identity, result, total))
    })
}

/// The options in Rust, with the identity.
///
/// # Safety
/// The pointers are what the documentation of the fields says.
pub(super) unsafe fn asked_for<'a>(options: &ScanOptions) -> Result<(Options<'a>, Option<Input<'a>>)> {
    // SAFETY: the caller's promise.
    let (expression, identity) = unsafe { functor(options.expression, options.identity)? };
    let options = Options {
        variant: Variant::from_c("options.variant", options.variant)?,
        dtype: Dtype::from_c("options.dtype", options.dtype)?,
        op: Operator::from_c("options.op", options.op)?,
        kind: ScanKind::from_c("options.kind", options.kind)?,
        accumulator_dtype: Dtype::from_c("options.accumulator_dtype", options.accumulator_dtype)?,
        expression,
    };
    Ok((options, identity))
}

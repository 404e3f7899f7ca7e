//! Prefixes of an array: `gpumex_scan`.

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
use crate::ops::scan::{self, Options, ScanKind};

/// Options of `gpumex_scan`. Set `size` to `sizeof(gpumex_scan_options)`; zero is the default of every other field.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ScanOptions {
    /// sizeof(gpumex_scan_options)
    pub size: usize,
    /// a `gpumex_variant`
    pub variant: i32,
    /// a `gpumex_dtype` of the elements; F32, F64, integers or BOOL
    pub dtype: i32,
    /// a `gpumex_operator`: SUM, PRODUCT, MIN, MAX, and of integers AND, OR, XOR
    pub op: i32,
    /// a `gpumex_scan_kind`: EXCLUSIVE or INCLUSIVE
    pub kind: i32,
    /// a `gpumex_dtype` of the results, in which integers are accumulated; NONE: dtype
    pub accumulator_dtype: i32,
    /// has to be 0
    pub reserved: i32,
}

zero_default!(ScanOptions, reserved);

/// result[i] <- what options->op makes of data[0] to data[i - 1] (EXCLUSIVE; result[0] is the identity) or of data[0] to
/// data[i] (INCLUSIVE), for the `count` elements of an array; *total <- what it makes of all of them.
///
/// data, result: `count` elements of options->dtype (F32, F64, I32, I64, U32, U64) each, which is also the type of the
/// total; result may be data exactly, else it lies apart; NULL is allowed when count = 0. total: one element of that dtype,
/// apart from both, or NULL. All may be host, pinned, managed or device memory; when all are device memory the call may
/// return before it is done, in the order of the context's work.
/// Identities, integers that wrap and NaN: as gpumex_reduce.
/// options: NULL for the exclusive sums of floats. Variants: SEQUENTIAL is the plain loop (CPU backend).
/// Accuracy: sums of floats |error| <= n*u/(1 - n*u) * the sum of |x[k]| that they are of, products |error| <= n*u/(1 -
/// n*u) * |product|, n = count, u = 2^-24 (F32) or 2^-53 (F64). The same bits each time: they depend on the data, the count
/// and the device alone; neighbouring sums may be rounded in different ways, so that those of numbers >= 0 may
/// descend by that error. All other results are the same on every backend.
/// Errors: NULL_POINTER, INVALID_ARGUMENT (not a live context, not an operator or a kind, overlap, alignment, a range
/// that is too short, another device's memory), UNSUPPORTED (dtype; AND, OR, XOR of floats; an option this version does not
/// serve, device memory on the CPU backend, after fork), OUT_OF_MEMORY, CUDA, BUSY; result and total are unspecified
/// after OUT_OF_MEMORY and CUDA.
/// Cost: reads and writes the array once.
/// Source: D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA 2016.
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
        let options = Options {
            variant: Variant::from_c("options.variant", options.variant)?,
            dtype: Dtype::from_c("options.dtype", options.dtype)?,
            op: Operator::from_c("options.op", options.op)?,
            kind: ScanKind::from_c("options.kind", options.kind)?,
            accumulator_dtype: Dtype::from_c("options.accumulator_dtype", options.accumulator_dtype)?,
        };
        let total = is_wanted.then_some(total);
        handle::with(ctx, |ctx| scan::scan(ctx, &options, data, count, result, total))
    })
}

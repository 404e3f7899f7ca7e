//! Prefixes along a dimension of an array: `gpumex_scan_dim`.

use super::prelude::*;
use crate::model::expression::Rules;
use crate::model::reduction::{DimReduction, NanFlag};
use crate::ops::scan::ScanKind;
use crate::ops::scan_dim::{self, Options};

/// @brief Options of gpumex_scan_dim: GPUMEX_SCAN_DIM_OPTIONS_INIT or GPUMEX_OPTIONS (scan_dim,
///   ...).
/// @ingroup gpumex_primitives
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ScanDimOptions {
    /// sizeof(gpumex_scan_dim_options).
    pub size: usize,
    /// A gpumex_variant.
    pub variant: i32,
    /// A gpumex_dtype of the elements: F32, F64, integers or BOOL, for sums also a complex one;
    /// required.
    pub dtype: i32,
    /// A gpumex_dim_reduction: SUM (0), PRODUCT, MIN or MAX.
    pub op: i32,
    /// A gpumex_scan_kind: EXCLUSIVE or INCLUSIVE.
    pub kind: i32,
    /// A gpumex_dtype of the results; NONE: dtype, for sums and products of 4 bytes or more.
    pub accumulator_dtype: i32,
    /// A gpumex_rules: with C integer sums and products wrap, with MATLAB they saturate.
    pub rules: i32,
    /// A gpumex_nan_flag.
    pub nan: i32,
    /// 1: from the last element of the dimension to the first; 0: from the first.
    pub reverse: i32,
}

zero_default!(ScanDimOptions, reverse);

/// @brief Prefix scan along a dimension: `result[i + inner*(j + count*k)]` <- the elements of data
///   before the j-th (EXCLUSIVE; the first result is the identity), or up to it (INCLUSIVE), with
///   the same i and k, combined with options->op.
///
/// It serves any dimension of a dense array of any rank, as gpumex_reduce_dim, with its dtypes,
/// overflow, NaN and zeros: cumsum, cumprod, cummin and cummax of MATLAB with INCLUSIVE. Identities:
/// 0 for SUM, 1 for PRODUCT, the largest integer for MIN, the smallest for MAX, NaN for MIN and MAX
/// of floats. Complex numbers (C64, C128) are summed as by gpumex_reduce_dim.
///
/// Accuracy: sums of floats |error| <= n*u/(1 - n*u) * the sum of the |x| added, products n*u/(1 -
/// n*u) * |product|, n = count, u = 2^-24 (F32) or 2^-53 (F64) of accumulator_dtype, unless some of
/// the factors overflow as gpumex_reduce says. Deterministic for one device and alignment of data,
/// on the CPU with any number of threads. All other results are the same on every backend.
/// @param ctx The context that runs it.
/// @param options variant, dtype (F32, F64, integers or BOOL; required), op (SUM, PRODUCT, MIN or
///   MAX), kind, accumulator_dtype (the dtype of the results, as for gpumex_reduce_dim), rules, nan,
///   reverse. Variants: AUTO, SEQUENTIAL (CPU backend only).
/// @param data inner*count*outer elements.
/// @param inner Number of neighbouring elements that are scanned apart from one another; 1 where the
///   dimension is the fastest one.
/// @param count Extent of the dimension.
/// @param outer Number of blocks of inner*count elements.
/// @param result Receives inner*count*outer elements of the accumulator dtype; may be data where
///   that is dtype, and overlaps it in no other way.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty); INVALID_ARGUMENT
///   (ctx is not a live context; dtype not set; accumulator_dtype; reverse; a number that is not of
///   its enum; an array that is misaligned, overlaps an output, is too short or belongs to another
///   device); UNSUPPORTED (F16, BF16; another op; SEQUENTIAL on CUDA; device memory on the CPU
///   backend; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx);
///   CANCELLED (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and CANCELLED the outputs are
///   unspecified.
/// @note Cost: reads and writes the array once; reads it twice where it has few columns and many
///   rows, or the other way round.
/// @note Memory: CPU at most `inner*count*outer/4 + 8*threads*inner`; CUDA at most
///   `inner*count*outer`; arrays on the host `inner*count*outer*(data == result ? sizeof(dtype) :
///   sizeof(dtype) + sizeof(accumulator_dtype))`.
/// @see D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
///   2016.
/// @ingroup gpumex_primitives
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_scan_dim(
    ctx: *mut Context,
    options: *const ScanDimOptions,
    data: *const c_void,
    inner: usize,
    count: usize,
    outer: usize,
    result: *mut c_void,
) -> i32 {
    guard("gpumex_scan_dim", || {
        // SAFETY: the caller's promise in the documentation above.
        let (options, data, result) = unsafe {
            (options::read(options)?, Input::from_raw("data", data), Output::from_raw("result", result))
        };
        let options = Options {
            variant: Variant::from_c("options.variant", options.variant)?,
            dtype: Dtype::from_c("options.dtype", options.dtype)?,
            op: DimReduction::from_c("options.op", options.op)?,
            kind: ScanKind::from_c("options.kind", options.kind)?,
            accumulator_dtype: Dtype::from_c("options.accumulator_dtype", options.accumulator_dtype)?,
            rules: Rules::from_c("options.rules", options.rules)?,
            nan: NanFlag::from_c("options.nan", options.nan)?,
            is_reversed: options::switch("reverse", options.reverse)?,
        };
        handle::with(ctx, |ctx| scan_dim::scan_dim(ctx, &options, data, (inner, count, outer), result))
    })
}

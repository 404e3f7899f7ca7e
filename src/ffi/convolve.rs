//! Convolution of a matrix with a filter: `gpumex_convolve`.

use super::prelude::*;
use crate::ops::convolve::{self, Boundary, ConvolveKind, ConvolveShape, Options, StencilOrder};

/// @brief Options of gpumex_convolve: GPUMEX_CONVOLVE_OPTIONS_INIT or GPUMEX_OPTIONS
///   (convolve, ...).
/// @ingroup gpumex_operations
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ConvolveOptions {
    /// sizeof(gpumex_convolve_options).
    pub size: usize,
    /// A gpumex_variant.
    pub variant: i32,
    /// A gpumex_dtype of data: F32, F64, integers or BOOL; required.
    pub dtype: i32,
    /// A gpumex_dtype of filter, in which products are summed: F32 or F64, of integers I32 and I64
    /// as well. NONE: F32 of F32, F64 of F64, I32 of integers of 1 and 2 bytes and BOOL, else I64.
    pub accumulator_dtype: i32,
    /// A gpumex_dtype of result: F32, F64, integers or BOOL; NONE: the accumulator_dtype.
    pub result_dtype: i32,
    /// A gpumex_boundary: what lies outside data.
    pub boundary: i32,
    /// A gpumex_convolve_shape: how many results there are.
    pub shape: i32,
    /// A gpumex_convolve_kind: whether the filter is turned.
    pub kind: i32,
    /// A gpumex_stencil_order of data, filter and result.
    pub order: i32,
    /// What lies outside, for CONSTANT, rounded to dtype as by gpumex_stencil.
    pub constant: f64,
}

zero_default!(ConvolveOptions, constant);

/// @brief Convolution in two dimensions: `result[y][x]` <- the sum of `filter[i][j]` *
///   `data[y - i + m][x - j + n]`, all i and j.
///
/// With GPUMEX_BOUNDARY_DEAD it is MATLAB's conv2 (data, filter), whose shapes are
/// options->shape's: FULL has m = n = 0, SAME m = filter_rows/2 and n = filter_cols/2, VALID m =
/// filter_rows - 1 and n = filter_cols - 1. With GPUMEX_CONVOLVE_KIND_CORRELATION the filter is
/// turned by 180 degrees first, which is filter2 and imfilter: for SAME the middle of the filter,
/// element ((filter_rows - 1)/2, (filter_cols - 1)/2), weighs the element itself.
///
/// A weight of 0 adds nothing, whatever it weighs; sums begin with 0. Elements are converted to
/// accumulator_dtype; integers are summed modulo 2^32 or 2^64. Sums are rounded to integers of
/// result_dtype with halves away from zero and saturated, NaN is 0; a BOOL is 1 unless the sum is 0.
///
/// Accuracy: |error| <= k*u/(1 - k*u) * the sum of |filter * data|, k = filter_rows*filter_cols + 2,
/// u = 2^-24 (F32) or 2^-53 (F64) of accumulator_dtype, and the rounding to result_dtype. Results of
/// integers are the same on every backend.
/// @param ctx The context that runs it.
/// @param options variant, dtype (F32, F64, integers or BOOL; required), accumulator_dtype,
///   result_dtype, boundary, shape, kind, order, constant. Variants: AUTO, SEQUENTIAL (CPU backend
///   only).
/// @param data rows*cols elements.
/// @param rows Number of rows.
/// @param cols Number of columns.
/// @param filter filter_rows*filter_cols elements of the accumulator dtype.
/// @param filter_rows Number of rows of filter, at least 1.
/// @param filter_cols Number of columns of filter, at least 1.
/// @param result Receives a matrix of result_dtype, in each direction, of n elements and m weights,
///   n results with SAME, n + m - 1 with FULL, n - m + 1 with VALID, 0 if n is 0 or m is too large.
///   It overlaps no input.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty); INVALID_ARGUMENT
///   (ctx is not a live context; dtype not set; accumulator_dtype; an empty filter; a number that is
///   not one of its enum; an array that is misaligned, overlaps result, is too short or belongs to
///   another device); UNSUPPORTED (F16, BF16; SEQUENTIAL on CUDA; device memory on the CPU backend;
///   an unknown option; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in
///   ctx); CANCELLED (gpumex_context_cancel). After an error result is unspecified.
/// @note Cost: filter_rows*filter_cols multiply-adds a result; data is read about once, and again
///   for every 16 rows and 32 columns of a large filter.
/// @note Memory: CPU at most `threads*262144 + 32*filter_rows*filter_cols`; CUDA `0`; arrays on the
///   host at most `sizeof(dtype)*rows*cols + 8*filter_rows*filter_cols + 8*(rows +
///   filter_rows)*(cols + filter_cols)`.
/// @see V. Podlozhnyuk, "Image Convolution with CUDA", NVIDIA 2007.
/// @ingroup gpumex_operations
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_convolve(
    ctx: *mut Context,
    options: *const ConvolveOptions,
    data: *const c_void,
    rows: usize,
    cols: usize,
    filter: *const c_void,
    filter_rows: usize,
    filter_cols: usize,
    result: *mut c_void,
) -> i32 {
    guard("gpumex_convolve", || {
        // SAFETY: the caller's promise in the documentation above.
        let options = unsafe { options::read(options)? };
        let options = Options {
            variant: Variant::from_c("options.variant", options.variant)?,
            dtype: Dtype::from_c("options.dtype", options.dtype)?,
            accumulator_dtype: Dtype::from_c("options.accumulator_dtype", options.accumulator_dtype)?,
            result_dtype: Dtype::from_c("options.result_dtype", options.result_dtype)?,
            boundary: Boundary::from_c("options.boundary", options.boundary)?,
            constant: options.constant,
            shape: ConvolveShape::from_c("options.shape", options.shape)?,
            kind: ConvolveKind::from_c("options.kind", options.kind)?,
            order: StencilOrder::from_c("options.order", options.order)?,
        };
        // SAFETY: as above.
        let (data, filter) = unsafe { (Input::from_raw("data", data), Input::from_raw("filter", filter)) };
        // SAFETY: as above.
        let result = unsafe { Output::from_raw("result", result) };
        let (size, window) = ([rows, cols], [filter_rows, filter_cols]);
        handle::with(ctx, |ctx| convolve::convolve(ctx, &options, data, size, filter, window, result))
    })
}

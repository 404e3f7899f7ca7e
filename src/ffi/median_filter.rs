//! Medians of windows of a matrix: `gpumex_median_filter`.

use super::prelude::*;
use crate::ops::median_filter::{self, Boundary, Options, StencilOrder};

/// @brief Options of gpumex_median_filter: GPUMEX_MEDIAN_FILTER_OPTIONS_INIT or GPUMEX_OPTIONS
///   (median_filter, ...).
/// @ingroup gpumex_operations
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MedianFilterOptions {
    /// sizeof(gpumex_median_filter_options).
    pub size: usize,
    /// A gpumex_variant.
    pub variant: i32,
    /// A gpumex_dtype of data and result: F32, F64, integers or BOOL; required.
    pub dtype: i32,
    /// A gpumex_boundary: what lies outside data.
    pub boundary: i32,
    /// A gpumex_stencil_order of data and result.
    pub order: i32,
    /// What lies outside, for CONSTANT, rounded to dtype as by gpumex_stencil.
    pub constant: f64,
}

zero_default!(MedianFilterOptions, constant);

/// @brief Median filter in two dimensions: `result[y][x]` <- the median of
///   `data[y - m + i][x - n + j]`, i below window_rows, j below window_cols,
///   m = (window_rows - 1)/2, n = (window_cols - 1)/2.
///
/// GPUMEX_BOUNDARY_DEAD is MATLAB's medfilt2, GPUMEX_BOUNDARY_MIRROR medfilt2 (..., 'symmetric').
/// The median of an even number of elements is the mean of the middle two, of integers rounded with
/// halves away from zero. NaN is larger than all numbers: a window of which less than half is NaN
/// has a number as its median. -0 is less than 0. The result is the same on every backend.
/// @param ctx The context that runs it.
/// @param options variant, dtype (F32, F64, integers or BOOL; required), boundary, order, constant.
///   Variants: AUTO, SEQUENTIAL (CPU backend only).
/// @param data rows*cols elements.
/// @param rows Number of rows.
/// @param cols Number of columns.
/// @param window_rows Number of rows of a window, at least 1, at most 31.
/// @param window_cols Number of columns of a window, at least 1, at most 31.
/// @param result Receives rows*cols elements; overlaps no input.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty); INVALID_ARGUMENT
///   (ctx is not a live context; dtype not set; window_rows or window_cols; a number that is not one
///   of its enum; an array that is misaligned, overlaps result, is too short or belongs to another
///   device); UNSUPPORTED (F16, BF16; SEQUENTIAL on CUDA; device memory on the CPU backend; an
///   unknown option; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in
///   ctx); CANCELLED (gpumex_context_cancel). After an error result is unspecified.
/// @note Cost: reads data about once; comparisons a result: 17 for 3 x 3, 80 for 5 x 5, 2000 for
///   15 x 15 on the CPU; on CUDA bits of dtype * window_rows*window_cols beyond 5 x 5.
/// @note Memory: CPU at most `threads*524288 + 1048576`; CUDA `0`; arrays on the host
///   `2*sizeof(dtype)*rows*cols`.
/// @see A. Adams, "Fast Median Filters Using Separable Sorting Networks", ACM TOG 2021.
/// @ingroup gpumex_operations
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_median_filter(
    ctx: *mut Context,
    options: *const MedianFilterOptions,
    data: *const c_void,
    rows: usize,
    cols: usize,
    window_rows: usize,
    window_cols: usize,
    result: *mut c_void,
) -> i32 {
    guard("gpumex_median_filter", || {
        // SAFETY: the caller's promise in the documentation above.
        let options = unsafe { options::read(options)? };
        let options = Options {
            variant: Variant::from_c("options.variant", options.variant)?,
            dtype: Dtype::from_c("options.dtype", options.dtype)?,
            boundary: Boundary::from_c("options.boundary", options.boundary)?,
            constant: options.constant,
            order: StencilOrder::from_c("options.order", options.order)?,
        };
        // SAFETY: as above.
        let (data, result) = unsafe { (Input::from_raw("data", data), Output::from_raw("result", result)) };
        let (size, window) = ([rows, cols], [window_rows, window_cols]);
        handle::with(ctx, |ctx| median_filter::median_filter(ctx, &options, data, size, window, result))
    })
}

//! Histogram: `gpumex_histogram`, `gpumex_check_edges`.

use std::ffi::c_void;

use super::options::zero_default;
use super::{guard, options, write_optional};
use crate::array::{Input, Output};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::handle;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::ops::histogram::{self, HistogramOutliers, HistogramVariant, Options};

/// @brief Options of gpumex_histogram: GPUMEX_HISTOGRAM_OPTIONS_INIT or GPUMEX_OPTIONS (histogram,
/// ...).
/// @ingroup gpumex_operations
#[repr(C)]
#[derive(Clone, Copy)]
pub struct HistogramOptions {
    /// sizeof(gpumex_histogram_options).
    pub size: usize,
    /// A gpumex_histogram_variant.
    pub variant: i32,
    /// A gpumex_dtype of the samples: U8 (also where it is not set), U16, U32, I32, F32 or F64.
    pub dtype: i32,
    /// Interleaved channels of the data, 1 to 4; 0 is 1.
    pub channels: i32,
    /// 1: counts are added to; 0: they are overwritten.
    pub accumulate: i32,
    /// Lower end of the first of the bins of equal width.
    pub lo: f64,
    /// Upper end of the last bin; lo = hi = 0: each integer is its own bin, from 0.
    pub hi: f64,
    /// bins + 1 ascending edges in place of lo and hi, or NULL.
    pub edges: *const f64,
    /// count / channels weights, one a pixel, or NULL. With weights the counts are sums in double.
    pub weights: *const c_void,
    /// A gpumex_dtype of the weights, F32 or F64; required with weights.
    pub weights_dtype: i32,
    /// A gpumex_histogram_outliers: where samples outside the bins fall.
    pub outliers: i32,
    /// 1: a sample equal to hi, or to the last edge, falls into the last bin; 0: it lies outside.
    pub right_edge: i32,
    /// Reserved, 0.
    pub reserved: i32,
}

zero_default!(HistogramOptions, reserved);

/// @brief Histogram: counts <- how many samples fall into each of `bins` bins, or the sums of their
/// weights.
///
/// A sample x, converted to double, falls into bin k when e(k) <= x < e(k + 1); where edges are
/// equal, into the last such k. With lo and hi: e(k) = lo + k*width, width = (hi - lo)/bins, each
/// operation rounded, e(bins) = hi; the doubles between lo and hi must be at least four times finer
/// than width. With edges: e(k) = `edges[k]`. With neither: e(k) = k, integers only. Samples outside
/// the bins fall where options->outliers says; NaN is not counted. With edges that do not ascend or
/// are NaN a sample falls into an unspecified bin or none (gpumex_check_edges finds them). Counts
/// are the same on every backend; sums of weights may differ in rounding, on CUDA from call to call.
/// @param ctx The context that runs it.
/// @param options variant, dtype (U8 where it is not set, U16, U32, I32, F32, F64), channels,
///   accumulate, lo and hi or edges, weights, outliers, right_edge; NULL: bytes by their value,
///   which takes bins = 256. GLOBAL, STRIDED and SHARED are textbook kernels for bytes by their
///   value, one channel, no weights.
/// @param data count samples of the dtype, channels interleaved: sample i is of channel i %
///   channels.
/// @param count Samples of all channels together; a multiple of channels.
/// @param counts Receives channels*bins elements, row-major, a row for each channel: uint64_t, or
///   double with weights. Added to where options->accumulate is 1; counters wrap modulo 2^64.
/// @param bins Bins for each channel, 1 to 2^31.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
///   INVALID_ARGUMENT (ctx is not a live context; a number that is not of its enum; bins, channels
///   or count; lo and hi; floats without bins; edges beside lo and hi; weights without
///   weights_dtype; an array that is misaligned, overlaps an output, is too short or belongs to
///   another device); UNSUPPORTED (another dtype; a textbook variant for other bins; SEQUENTIAL on
///   CUDA; device memory on the CPU backend; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY
///   (another thread is in ctx); CANCELLED (gpumex_context_cancel; by the callback of
///   gpumex_context_set_progress, which is told the bytes of host memory counted). counts is
///   unspecified after OUT_OF_MEMORY, CUDA and CANCELLED.
/// @note Cost: O(count), and a binary search a sample with edges.
/// @note Memory: CPU at most `(bins <= 4096 && sizeof(dtype) != 2 ? 16 : 8)*(threads +
///   1)*max(channels, 1)*(sizeof(dtype) == 2 ? 65536 : min(bins, 131072)) + 1572864`; CUDA
///   `(sizeof(dtype) == 2 ? 524288*max(channels, 1) : 0)`; arrays on the host at most
///   `min(count*max(sizeof(dtype), 1), 536870912) + 8*max(channels, 1)*bins + (weights ? 134217728
///   : 0)`.
/// @see M. Pantoja, "CUDA Memory Model", Petascale Semester Curriculum unit 7 lesson 8, 2020.
/// @ingroup gpumex_operations
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_histogram(
    ctx: *mut Context,
    options: *const HistogramOptions,
    data: *const c_void,
    count: usize,
    counts: *mut c_void,
    bins: usize,
) -> i32 {
    guard("gpumex_histogram", || {
        // SAFETY: the caller's promise in the documentation above.
        let (options, data, counts) = unsafe {
            (
                asked_for(&options::read(options)?)?,
                Input::from_raw("data", data),
                Output::from_raw("counts", counts),
            )
        };
        handle::with(ctx, |ctx| histogram::histogram(ctx, &options, data, count, counts, bins))
    })
}

/// @brief Whether the edges of a histogram ascend: `*first_bad` <- the first k for which `edges[k]`
/// is NaN or less than `edges[k - 1]`, and `count` where there is none.
/// @param ctx The context that runs it.
/// @param edges count elements of double.
/// @param count Number of edges: bins + 1.
/// @param first_bad Receives the position, in host memory. NULL: a bad edge is INVALID_ARGUMENT,
///   with a message that names it.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
///   INVALID_ARGUMENT (ctx is not a live context; a bad edge where first_bad is NULL; an array that
///   is misaligned, overlaps an output, is too short or belongs to another device); UNSUPPORTED
///   (device memory on the CPU backend; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY
///   (another thread is in ctx); CANCELLED (gpumex_context_cancel).
/// @note Waits for its result. Cost: O(count).
/// @note Memory: CPU `0`; CUDA `8*count`; arrays on the host `0`.
/// @ingroup gpumex_operations
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_check_edges(
    ctx: *mut Context,
    edges: *const f64,
    count: usize,
    first_bad: *mut u64,
) -> i32 {
    guard("gpumex_check_edges", || {
        // SAFETY: the caller's promise in the documentation above.
        let edges = unsafe { Input::from_raw("edges", edges.cast()) };
        let found = handle::with(ctx, |ctx| histogram::check_edges(ctx, edges, count))?;
        if first_bad.is_null() && found < count {
            return Err(Error::invalid(format!("edges[{found}] is NaN or less than the edge before it")));
        }
        // SAFETY: NULL, or a uint64_t by the caller's promise.
        unsafe { write_optional(first_bad, found as u64) };
        Ok(())
    })
}

/// The options of C as those of the operation.
///
/// # Safety
/// The arrays that they name are as long as `gpumex_histogram` documents, and live as long as the result.
pub(super) unsafe fn asked_for<'a>(options: &HistogramOptions) -> Result<Options<'a>> {
    let HistogramOptions { lo, hi, edges, weights, .. } = *options;
    let weights_dtype = Dtype::from_c("options.weights_dtype", options.weights_dtype)?;
    // SAFETY: the caller's promise.
    let (from_edges, from_weights) =
        unsafe { (Input::from_raw("edges", edges.cast()), Input::from_raw("weights", weights)) };
    Ok(Options {
        variant: HistogramVariant::from_c("options.variant", options.variant)?,
        dtype: Dtype::from_c("options.dtype", options.dtype)?,
        channels: options.channels,
        accumulate: options::switch("accumulate", options.accumulate)?,
        range: (lo != 0.0 || hi != 0.0).then_some([lo, hi]),
        edges: (!edges.is_null()).then_some(from_edges),
        weights: (!weights.is_null()).then_some((from_weights, weights_dtype)),
        outliers: HistogramOutliers::from_c("options.outliers", options.outliers)?,
        has_right_edge: options::switch("right_edge", options.right_edge)?,
    })
}

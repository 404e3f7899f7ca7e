//! Histogram: `histogram`, `gpumex_histogram`, `gpumex_check_edges`.

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

/// Options of `gpumex_histogram`. Set `size` to `sizeof(gpumex_histogram_options)`; zero is the default of every
/// other field.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct HistogramOptions {
    /// sizeof(gpumex_histogram_options)
    pub size: usize,
    /// a `gpumex_histogram_variant`
    pub variant: i32,
    /// a `gpumex_dtype` of the data: U8 (also where it is not set), U16, U32, I32, F32 or F64
    pub dtype: i32,
    /// interleaved channels of the data, 0 to 4; 0 is 1
    pub channels: i32,
    /// 0: counts are overwritten; 1: added to
    pub accumulate: i32,
    /// lower end of the first of the bins, which have one width
    pub lo: f64,
    /// upper end of the last bin; lo = hi = 0: each integer is its own bin, from 0
    pub hi: f64,
    /// bins + 1 ascending edges instead of lo and hi, or NULL
    pub edges: *const f64,
    /// count / channels weights, one a pixel, or NULL: counts are sums of them, of double
    pub weights: *const c_void,
    /// a `gpumex_dtype` of the weights: F32 or F64; has to be set with weights
    pub weights_dtype: i32,
    /// a `gpumex_histogram_outliers`: where samples outside the bins fall
    pub outliers: i32,
    /// 1: a sample equal to hi, or to the last edge, falls into the last bin; 0: it lies outside
    pub right_edge: i32,
    /// has to be 0
    pub reserved: i32,
}

zero_default!(HistogramOptions, reserved);

/// counts[v] <- how many of the `count` bytes equal v: 256 counters of 64 bits, overwritten.
///
/// data may be NULL when count = 0. counts does not overlap data.
/// Runs on the default context; callable from any thread, calls take turns.
/// Errors: NULL_POINTER, INVALID_ARGUMENT (overlap, alignment), OUT_OF_MEMORY, CUDA; counts is unspecified after
/// one.
/// Source: M. Pantoja, "CUDA Memory Model", Petascale Semester Curriculum unit 7 lesson 8, 2020.
#[cfg(feature = "plain-names")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn histogram(data: *const u8, count: usize, counts: *mut u64) -> i32 {
    guard("histogram", || {
        // SAFETY: the caller's promise in the documentation above.
        let (data, counts) =
            unsafe { (Input::from_raw("data", data.cast()), Output::from_raw("counts", counts.cast())) };
        handle::with_default(|ctx| {
            histogram::histogram(ctx, &Options::default(), data, count, counts, histogram::BYTE_VALUES)
        })
    })
}

/// counts <- how many of the `count` samples fall into each of `bins` bins, or the sums of their weights.
///
/// data: `count` samples of options->dtype, all channels together, sample i of channel i % channels. counts: (channels, bins), a row of
/// bins for each channel, uint64_t, or double with weights. options: NULL for the defaults, which count bytes by their value, with
/// bins = 256. bins is 1 to 2^31.
/// A sample x, as double, falls into bin k when e(k) <= x < e(k + 1), the last such k where edges are equal. With lo and hi
/// e(k) = lo + k * width, each operation rounded, width = (hi - lo) / bins, and e(bins) = hi; doubles between lo and hi have to be
/// four times finer than width. With edges e(k) = edges[k]; without either e(k) = k, for integers alone. Samples outside fall where
/// options->outliers says, NaN nowhere. Where edges do not ascend or are NaN, a sample falls into some bin or none:
/// gpumex_check_edges finds that. Sums of weights may differ in their rounding from backend to backend, and on CUDA from call to
/// call.
/// Variants: SEQUENTIAL (the plain loop, CPU backend); GLOBAL, STRIDED, SHARED (the textbook's, bytes by their value in one channel,
/// without weights). counts overlaps no other array; it is unspecified after an error.
/// Where data is memory of the host, gpumex_context_set_progress tells how many of its bytes are counted, and may cancel.
/// Errors: as `histogram`, INVALID_ARGUMENT (not a live context, an unknown number of an enum, bins, channels, count not a multiple
/// of them, lo and hi, floats without bins, edges beside lo and hi, an array that is too short, another device's memory),
/// UNSUPPORTED (a textbook's variant for other bins, device memory on the CPU backend, after fork), BUSY (another thread is in
/// `ctx`), CANCELLED (by the progress callback).
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

/// *first_bad <- the first k for which edges[k] is NaN or less than edges[k - 1], and `count` where every edge is good. Without
/// first_bad (NULL) a bad edge gives INVALID_ARGUMENT, with a sentence that names it.
///
/// edges: count of double, as for gpumex_histogram with count = bins + 1, in host, pinned, managed or device memory. first_bad:
/// memory of the host.
/// Errors: NULL_POINTER, INVALID_ARGUMENT (not a live context, alignment, a range that is too short, another device's memory),
/// UNSUPPORTED (device memory on the CPU backend, after fork), OUT_OF_MEMORY, CUDA, BUSY.
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
unsafe fn asked_for<'a>(options: &HistogramOptions) -> Result<Options<'a>> {
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

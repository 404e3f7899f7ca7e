//! Byte histogram: `histogram` and `gpumex_histogram`.

use std::ffi::c_void;

use super::{guard, options};
use crate::array::{Input, Output};
use crate::choice::Choice;
use crate::context::Context;
use crate::ops::histogram::{self, HistogramDtype, HistogramVariant, Options};
use crate::tokens;

/// Options of `gpumex_histogram`. Set `size` to `sizeof(gpumex_histogram_options)`; zero is the default of every
/// other field.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct HistogramOptions {
    /// sizeof(gpumex_histogram_options)
    pub size: usize,
    /// a `gpumex_histogram_variant`
    pub variant: i32,
    /// a `gpumex_histogram_dtype` of the data (not a `gpumex_dtype`); this version serves U8
    pub dtype: i32,
    /// interleaved channels of the data, 0 = 1; this version serves 0 and 1
    pub channels: i32,
    /// 0: counts are overwritten; 1: added to. This version serves 0
    pub accumulate: i32,
    /// lower end of the first bin; this version serves 0
    pub lo: f64,
    /// upper end of the last bin; this version serves 0
    pub hi: f64,
    /// bins + 1 ascending edges instead of lo and hi; this version serves NULL
    pub edges: *const f64,
    /// one weight a sample; this version serves NULL
    pub weights: *const f64,
}

impl Default for HistogramOptions {
    fn default() -> Self {
        // SAFETY: integers, floats and pointers only; zero is the default of each.
        HistogramOptions { size: size_of::<Self>(), ..unsafe { std::mem::zeroed() } }
    }
}

/// counts[v] <- how many of the len bytes equal v: 256 counters of 64 bits, overwritten.
///
/// data may be NULL when len = 0. counts does not overlap data.
/// Runs on the default context; callable from any thread, calls take turns.
/// Errors: NULL_POINTER, INVALID_ARGUMENT (overlap, alignment), OUT_OF_MEMORY, CUDA; counts is unspecified after
/// one.
/// Source: M. Pantoja, "CUDA Memory Model", Petascale Semester Curriculum unit 7 lesson 8, 2020.
#[cfg(feature = "plain-names")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn histogram(data: *const u8, len: usize, counts: *mut u64) -> i32 {
    guard("histogram", || {
        // SAFETY: the caller's promise in the documentation above.
        let (data, counts) =
            unsafe { (Input::from_raw("data", data.cast()), Output::from_raw("counts", counts.cast())) };
        tokens::with_default(|ctx| {
            histogram::histogram(ctx, &Options::default(), data, len, counts, histogram::BYTE_VALUES)
        })
    })
}

/// counts[v] <- how many of the len samples equal v, as `histogram`, on a context of the caller's and with
/// options.
///
/// data: len samples of options->dtype. counts: `bins` counters of uint64_t; this version serves bins = 256 of
/// bytes. options: NULL for the defaults. Variants: SEQUENTIAL (the plain loop, CPU backend), GLOBAL, STRIDED,
/// SHARED.
/// Errors: as `histogram`, INVALID_ARGUMENT (not a live context, an array that is too short, another device's
/// memory), UNSUPPORTED (an option this version does not serve, device memory on the CPU backend, after fork),
/// BUSY (another thread is in `ctx`).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_histogram(
    ctx: *mut Context,
    options: *const HistogramOptions,
    data: *const c_void,
    len: usize,
    counts: *mut c_void,
    bins: usize,
) -> i32 {
    guard("gpumex_histogram", || {
        // SAFETY: the caller's promise in the documentation above.
        let (options, data, counts) = unsafe {
            (options::read(options)?, Input::from_raw("data", data), Output::from_raw("counts", counts))
        };
        options::serves("channels", options.channels, &[0, 1])?;
        options::serves("accumulate", options.accumulate, &[0])?;
        options::serves("lo", options.lo, &[0.0])?;
        options::serves("hi", options.hi, &[0.0])?;
        options::serves_null("edges", options.edges)?;
        options::serves_null("weights", options.weights)?;
        let options = Options {
            variant: HistogramVariant::from_number(options.variant)?,
            dtype: HistogramDtype::from_number(options.dtype)?,
        };
        tokens::with(ctx, |ctx| histogram::histogram(ctx, &options, data, len, counts, bins))
    })
}

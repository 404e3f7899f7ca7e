//! Histogram: how many samples fall into each bin.
//!
//! Source of the variants: M. Pantoja, "CUDA Memory Model", Petascale Semester Curriculum, unit 7 lesson 8, 2020. Bins with a right
//! edge are those of MATLAB's histcounts and NumPy's histogram.
#![forbid(unsafe_code)]

mod job;

use super::cost;
use crate::array::{Footprint, Input, Output, Scratch, View};
use crate::context::{Context, Engine};
use crate::error::{Error, Result};
use crate::gpu;
use crate::interrupt;
use crate::model::dtype::Dtype;
pub use crate::model::histogram::HistogramVariant;
pub use crate::model::histogram::{BYTE_VALUES, HistogramOutliers};
use crate::model::histogram::{Bins, Rule, first_bad_edge};
use crate::model::numbered::NumberedEnum;
use crate::model::variant::Variant;

use job::count;

/// Options of [`histogram`]; the default counts bytes by their value.
#[derive(Default)]
pub struct Options<'a> {
    pub variant: HistogramVariant,
    /// U8 where it is not set.
    pub dtype: Dtype,
    /// Interleaved channels of the samples, 0 to 4; 0 is 1.
    pub channels: i32,
    /// Counts are added to, instead of overwritten.
    pub accumulate: bool,
    /// Ends of bins of one width, lo < hi.
    pub range: Option<[f64; 2]>,
    /// bins + 1 ascending edges instead.
    pub edges: Option<Input<'a>>,
    /// A weight a pixel, and its type.
    pub weights: Option<(Input<'a>, Dtype)>,
    pub outliers: HistogramOutliers,
    /// The upper end belongs to the last bin.
    pub has_right_edge: bool,
}

/// counts\[c, k\] ← #{ i : data\[i\] is of channel c and falls into bin k }, or the sum of the weights of these i.
///
/// data (len) of the dtype, len a multiple of the channels, sample i of channel i mod channels. counts (channels, bins) u64, or f64
/// with weights, overwritten or added to. Bin k has e(k) ≤ x < e(k + 1), x as f64: with a range e(k) = lo + k·width, each operation
/// rounded, width = (hi − lo)/bins, e(bins) = hi; with edges e(k) = edges\[k\]; without both e(k) = k, for integers. What lies
/// outside is the outliers' policy; x = e(bins) falls into the last bin where it has its right edge; NaN falls into none. Edges that
/// do not ascend or are NaN: each sample falls into some bin or none ([`check_edges`] finds them).
/// Sums of weights are f64, added in the order of i on the CPU and in any order on CUDA: they differ by rounding.
/// Cost: reads data and weights once; a search of ⌈log₂ bins⌉ steps a sample with edges. Errors: INVALID_ARGUMENT (bins, range,
/// channels, size, overlap), UNSUPPORTED (variant), OUT_OF_MEMORY, CUDA, CANCELLED (by the context's progress callback, which is
/// told bytes of data, where these are the host's).
pub fn histogram(
    ctx: &mut Context,
    options: &Options,
    data: Input,
    len: usize,
    counts: Output,
    bins: usize,
) -> Result<()> {
    ctx.begin();
    let dtype = sample_dtype(options.dtype)?;
    let channels = channels_of(options, len)?;
    let bins = bins_of(options, dtype, bins)?;
    check_textbook(options, dtype, channels, &bins)?;
    count(ctx, options, data.view_of(dtype, &[len])?, channels, &bins, counts)
}

/// The first k for which edges\[k\] is NaN or less than edges\[k − 1\]; `count` where there is none.
///
/// edges (count) f64, anywhere; a device array is copied to the host. Errors: INVALID_ARGUMENT, OUT_OF_MEMORY, CUDA.
pub fn check_edges(ctx: &mut Context, edges: Input, count: usize) -> Result<usize> {
    ctx.begin();
    let edges = edges.view::<f64>(&[count])?;
    ctx.run_long_auto(cost::CHECK_EDGES.of(Variant::Auto, Footprint::of(&[&edges])), |engine, host, _| {
        match engine {
            Engine::Cpu(_) => Ok(first_bad(edges.on_host()?)),
            Engine::Cuda(device) => {
                let mut copy = Scratch::<f64>::new(&host.heap, count)?;
                gpu::copy::copy(device, copy.as_pair("a copy of the edges").into_target(), edges)?;
                device.synchronize()?; // before the host reads them
                Ok(first_bad(copy.as_mut_slice()))
            }
        }
    })
}

/// [`first_bad_edge`], or their number; a cancel ends it between two pieces.
fn first_bad(edges: &[f64]) -> usize {
    let mut bad = None;
    interrupt::in_pieces(edges.len(), |piece| {
        let from = piece.start.saturating_sub(1); // an edge is compared with the one before
        bad = bad.or_else(|| first_bad_edge(&edges[from..piece.end]).map(|k| from + k));
    });
    bad.unwrap_or(edges.len())
}

// ---------------------------------------------------------------------------------------------------------- what is asked

fn sample_dtype(dtype: Dtype) -> Result<Dtype> {
    match dtype.or(Dtype::U8) {
        dtype @ (Dtype::U8 | Dtype::U16 | Dtype::U32 | Dtype::I32 | Dtype::F32 | Dtype::F64) => Ok(dtype),
        other => super::dtypes::unsupported("dtype", other, "U8, U16, U32, I32, F32 and F64"),
    }
}

fn channels_of(options: &Options, len: usize) -> Result<usize> {
    let channels = match options.channels {
        0 => 1,
        channels @ 1..=4 => channels as usize,
        other => return Err(Error::invalid(format!("options.channels is {other}; it is 0 to 4"))),
    };
    match len.is_multiple_of(channels) {
        true => Ok(channels),
        false => {
            Err(Error::invalid(format!("count is {len}, which is not a multiple of the {channels} channels")))
        }
    }
}

fn bins_of<'a>(options: &Options<'a>, dtype: Dtype, count: usize) -> Result<Bins<View<'a, f64>>> {
    Bins::<()>::check_count(count)?;
    let rule = match (options.range, &options.edges) {
        (Some(_), Some(_)) => {
            return Err(Error::invalid("edges are given, and lo and hi as well; it is either"));
        }
        (Some([lo, hi]), None) => Rule::even(lo, hi, count)?,
        (None, Some(edges)) => Rule::Edges(edges.view::<f64>(&[count + 1])?),
        (None, None) if dtype.is_float() => {
            return Err(Error::invalid(format!(
                "options.dtype is {}; floats need lo and hi, or edges, since only integers are bins of their own",
                dtype.c_name()
            )));
        }
        (None, None) if options.has_right_edge => {
            return Err(Error::invalid(
                "options.right_edge is 1; without lo and hi, or edges, no bin has one",
            ));
        }
        (None, None) => Rule::Values,
    };
    Ok(Bins { count, rule, outliers: options.outliers, has_right_edge: options.has_right_edge })
}

/// The textbook counts integers by value; the same on the CPU, which computes these variants as AUTO.
fn check_textbook(options: &Options, dtype: Dtype, channels: usize, bins: &Bins<View<f64>>) -> Result<()> {
    let are_values = matches!(bins.rule, Rule::Values) && channels == 1 && options.weights.is_none();
    if are_values || !options.variant.is_textbook() {
        return Ok(());
    }
    let rule = match bins.rule {
        Rule::Values => "by value",
        Rule::Even { .. } => "from lo to hi",
        Rule::Edges(_) => "by edges",
    };
    let weights = if options.weights.is_some() { " with weights" } else { "" };
    Err(Error::unsupported(format!(
        "options.variant is {}, a textbook's, which counts integers by value in one channel without weights; asked for were {} bins {rule} of {} in {channels} channels{weights}",
        options.variant.c_name(),
        bins.count,
        dtype.c_name()
    )))
}

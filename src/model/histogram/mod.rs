//! What both backends know of the histogram: what a sample is, and which bin it falls into.
#![forbid(unsafe_code)]

mod bins;

#[cfg(test)]
pub use bins::AWKWARD;
pub use bins::{Bins, MAX_BINS, Rule};

use crate::model::numbered::numbered_enum;
use crate::model::variant::OperationVariant;

/// A byte has this many values, and its histogram this many bins.
pub const BYTE_VALUES: usize = 256;

/// Where samples below the first bin or above the last one fall. NaN is never counted.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HistogramOutliers {
    /// Into no bin.
    #[default]
    Ignore = 0,
    /// Into the first bin, or the last one.
    Clamp = 1,
}

numbered_enum!(HistogramOutliers = "gpumex_histogram_outliers": Ignore, Clamp);

/// The first place where edges do not ascend: of one that is NaN or less than the one before.
pub fn first_bad_edge(edges: &[f64]) -> Option<usize> {
    let is_bad = |k: usize| edges[k].is_nan() || (k > 0 && edges[k] < edges[k - 1]);
    (0..edges.len()).find(|&k| is_bad(k))
}

/// Implementation of gpumex_histogram; the counts are the same. GLOBAL, STRIDED and SHARED are
/// textbook kernels for the 256 values of bytes; the CPU backend computes them as AUTO.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HistogramVariant {
    /// The fastest one.
    #[default]
    Auto = 0,
    /// A sequential loop on one core; CPU backend only.
    Sequential = 1,
    /// One thread for each sample, atomics on counters in global memory.
    Global = 2,
    /// Counters in global memory, a grid-stride loop.
    Strided = 3,
    /// Counters of each block in shared memory, merged at the end.
    Shared = 4,
}

numbered_enum!(HistogramVariant = "gpumex_histogram_variant": Auto, Sequential, Global, Strided, Shared);

impl OperationVariant for HistogramVariant {}

impl HistogramVariant {
    /// Whether the kernel is a textbook's: integers by value, in one channel and without weights.
    pub fn is_textbook(self) -> bool {
        !matches!(self, HistogramVariant::Auto | HistogramVariant::Sequential)
    }
}

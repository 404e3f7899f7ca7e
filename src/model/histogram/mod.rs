//! What the rooms of the histogram have in common: what a sample is, and which bin it falls into.
#![forbid(unsafe_code)]

mod bins;

pub use bins::{Bins, MOST_BINS, Rule};

use crate::model::numbered::Choice;

/// A byte has this many values, and its histogram this many bins.
pub const BYTE_VALUES: usize = 256;

/// Type of a sample.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HistogramDtype {
    /// uint8_t
    #[default]
    U8 = 0,
    /// uint16_t
    U16 = 1,
    /// uint32_t
    U32 = 2,
    /// int32_t
    I32 = 3,
    /// float
    F32 = 4,
    /// double
    F64 = 5,
}

/// Type of a weight.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HistogramWeights {
    /// double
    #[default]
    F64 = 0,
    /// float
    F32 = 1,
}

/// Where samples fall that lie below the first bin or above the last one. NaN falls nowhere.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HistogramOutliers {
    /// Into no bin.
    #[default]
    Ignore = 0,
    /// Into the first bin, or the last one.
    Clamp = 1,
}

impl Choice for HistogramDtype {
    const NAME: &'static str = "gpumex_histogram_dtype";
    const ALL: &'static [Self] = &[Self::U8, Self::U16, Self::U32, Self::I32, Self::F32, Self::F64];
}

impl Choice for HistogramWeights {
    const NAME: &'static str = "gpumex_histogram_weights";
    const ALL: &'static [Self] = &[Self::F64, Self::F32];
}

impl Choice for HistogramOutliers {
    const NAME: &'static str = "gpumex_histogram_outliers";
    const ALL: &'static [Self] = &[Self::Ignore, Self::Clamp];
}

impl HistogramDtype {
    /// Floats have no bins of their own.
    pub fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }
}

/// The first place where edges do not ascend: of one that is NaN or less than the one before.
pub fn first_bad_edge(edges: &[f64]) -> Option<usize> {
    let is_bad = |k: usize| edges[k].is_nan() || (k > 0 && edges[k] < edges[k - 1]);
    (0..edges.len()).find(|&k| is_bad(k))
}

//! What is asked, and the answer of a search for the edges of each sample.

use std::ptr::null;

use gpumex::ffi::*;
use gpumex::ops::histogram::{HistogramOutliers, HistogramVariant};

use crate::common::*;

/// A type of samples.
pub trait Sample: Number + Into<f64> {
    fn nearest(value: f64) -> Self;
}

macro_rules! samples {
    ($($number:ty),*) => {
        $(impl Sample for $number {
            fn nearest(value: f64) -> $number {
                value as $number
            }
        })*
    };
}

samples!(u8, u16, u32, i32, f32, f64);

#[derive(Clone, Debug)]
pub enum Asked {
    Values(usize),
    Range(f64, f64, usize),
    Edges(Vec<f64>),
}

/// A histogram as a caller wants it.
#[derive(Clone, Debug)]
pub struct Question {
    pub asked: Asked,
    pub is_clamped: bool,
    pub has_right_edge: bool,
    pub channels: usize,
}

impl Question {
    pub fn new(asked: Asked) -> Question {
        Question { asked, is_clamped: false, has_right_edge: false, channels: 1 }
    }

    /// With each policy for outliers and the right edge.
    pub fn policies(asked: Asked) -> Vec<Question> {
        let has_edge = !matches!(asked, Asked::Values(_));
        let all = [(false, false), (true, false), (false, true), (true, true)].into_iter();
        let served = all.filter(|(_, has_right_edge)| has_edge || !has_right_edge);
        served
            .map(|(is_clamped, has_right_edge)| {
                let question = Question::new(asked.clone());
                Question { is_clamped, has_right_edge, ..question }
            })
            .collect()
    }

    pub fn bins(&self) -> usize {
        match &self.asked {
            Asked::Values(bins) | Asked::Range(_, _, bins) => *bins,
            Asked::Edges(edges) => edges.len() - 1,
        }
    }

    pub fn counters(&self) -> usize {
        self.channels * self.bins()
    }

    fn edges(&self) -> Vec<f64> {
        match &self.asked {
            Asked::Values(bins) => (0..=*bins).map(|k| k as f64).collect(),
            Asked::Edges(edges) => edges.clone(),
            &Asked::Range(lo, hi, bins) => {
                let width = (hi - lo) / bins as f64;
                (0..bins).map(|k| lo + k as f64 * width).chain([hi]).collect()
            }
        }
    }

    fn bin(&self, edges: &[f64], x: f64) -> Option<usize> {
        let last = edges.len() - 2;
        match x {
            _ if x.is_nan() => None,
            _ if self.has_right_edge && x == edges[last + 1] => Some(last),
            _ if x < edges[0] => self.is_clamped.then_some(0),
            _ if x >= edges[last + 1] => self.is_clamped.then_some(last),
            _ => {
                let k = edges.partition_point(|&edge| edge <= x) - 1;
                assert!(edges[k] <= x && x < edges[k + 1], "edges that ascend have the sample between them");
                Some(k)
            }
        }
    }

    /// The counter of each sample.
    pub fn counters_of<T: Sample>(&self, samples: &[T]) -> Vec<Option<usize>> {
        let edges = self.edges();
        let place = |(i, &x): (usize, &T)| {
            self.bin(&edges, x.into()).map(|bin| i % self.channels * self.bins() + bin)
        };
        samples.iter().enumerate().map(place).collect()
    }

    pub fn counts<T: Sample>(&self, samples: &[T]) -> Vec<u64> {
        let mut counts = vec![0; self.counters()];
        self.counters_of(samples).into_iter().flatten().for_each(|at| counts[at] += 1);
        counts
    }

    pub fn options<T: Sample>(&self, variant: HistogramVariant) -> HistogramOptions {
        let outliers = [HistogramOutliers::Ignore, HistogramOutliers::Clamp][usize::from(self.is_clamped)];
        let (lo, hi, edges) = match &self.asked {
            Asked::Values(_) => (0.0, 0.0, null()),
            Asked::Range(lo, hi, _) => (*lo, *hi, null()),
            Asked::Edges(edges) => (0.0, 0.0, edges.as_ptr()),
        };
        HistogramOptions {
            variant: variant as i32,
            dtype: T::DTYPE as i32,
            channels: self.channels as i32,
            lo,
            hi,
            edges,
            outliers: outliers as i32,
            right_edge: self.has_right_edge.into(),
            ..HistogramOptions::default()
        }
    }

    /// The library's answer.
    #[track_caller]
    pub fn asked_of<T: Sample>(&self, ctx: &Context, variant: HistogramVariant, samples: &[T]) -> Vec<u64> {
        let what = self.what::<T>(ctx, variant, samples.len());
        let mut counts = Output::<u64>::new(self.counters());
        let (from, to) = (samples.as_ptr().cast(), counts.as_mut_ptr().cast());
        let options = self.options::<T>(variant);
        // SAFETY: samples is a slice, counts has the bins of each channel.
        ok(unsafe { gpumex_histogram(ctx.handle, &options, from, samples.len(), to, self.bins()) }, &what);
        counts.written(&what)
    }

    pub fn what<T: Sample>(&self, ctx: &Context, variant: HistogramVariant, len: usize) -> String {
        format!("{len} of {:?} on {:?}, {variant:?}, {self:?}", T::DTYPE, ctx.backend)
    }

    /// AUTO, and the plain loop where there is one, count what the search finds.
    #[track_caller]
    pub fn is_answered<T: Sample>(&self, backends: &[Context], samples: &[T]) {
        let want = self.counts(samples);
        for ctx in backends {
            for variant in general_variants(ctx) {
                let what = self.what::<T>(ctx, variant, samples.len());
                assert_same(&self.asked_of(ctx, variant, samples), &want, what);
            }
        }
    }
}

/// The variants that serve any samples and bins.
pub fn general_variants(ctx: &Context) -> Vec<HistogramVariant> {
    let general = [HistogramVariant::Auto, HistogramVariant::Sequential];
    ctx.variants().into_iter().filter(|variant| general.contains(variant)).collect()
}

/// Numbers around those that are asked for, some on edges, some outside.
pub fn numbers<T: Sample>(seed: u64, len: usize) -> Vec<T> {
    let mut random = random(seed);
    let number = |_| match random.random_range(0..8) {
        0 => T::nearest(f64::from(random.random_range(-3..=12i32))),
        1 => T::nearest(random.random_range(-1e6..1e6)),
        _ => T::nearest(random.random_range(-2.0..220.0)),
    };
    (0..len).map(number).collect()
}

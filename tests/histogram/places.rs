//! Samples, edges, weights and counts in every kind of memory, and counts that are added to.

use gpumex::ffi::*;
use gpumex::model::dtype::Dtype;
use gpumex::ops::histogram::HistogramVariant;
use gpumex::platform::settings::Backend;

use super::oracle::*;
use crate::common::*;

fn places(ctx: &Context) -> Vec<Kind> {
    let is_served = |kind: &&Kind| ctx.backend == Backend::Cuda || kind.is_none();
    EVERYWHERE.iter().filter(is_served).copied().collect()
}

#[test]
fn every_array_may_lie_anywhere() {
    let edges: Vec<f64> = (0..20).map(|k| f64::from(k) * 9.5).collect();
    let question = Question { channels: 2, ..Question::new(Asked::Edges(edges.clone())) };
    let (samples, weights) = (numbers::<f32>(31, 40_000), vec![2.0f64; 20_000]);
    let want = question.counts(&samples);
    for ctx in backends() {
        for kind in places(&ctx) {
            for other in places(&ctx) {
                let mut data = Placed::holding(&ctx, kind, &samples);
                let mut edges = Placed::holding(&ctx, other, &edges);
                let mut weights = Placed::holding(&ctx, other, &weights);
                let mut options = question.options::<f32>(HistogramVariant::Auto);
                options.weights_dtype = Dtype::F64 as i32;
                options.edges = edges.as_ptr();
                for is_weighed in [false, true] {
                    options.weights = if is_weighed { weights.as_ptr() } else { std::ptr::null() };
                    let mut counts = Placed::<u64>::new(&ctx, kind, question.counters());
                    let what = format!("{:?}: data, counts {kind:?}, the rest {other:?}", ctx.backend);
                    let (from, to) = (data.as_ptr(), counts.as_mut_ptr());
                    // SAFETY: 40000 samples, 20000 weights, 20 edges, 38 counters.
                    let status = unsafe { gpumex_histogram(ctx.handle, &options, from, 40_000, to, 19) };
                    ok(status, &what);
                    let counts = counts.written();
                    let got: Vec<u64> = match is_weighed {
                        true => counts.iter().map(|&sum| f64::from_bits(sum) as u64 / 2).collect(),
                        false => counts,
                    };
                    assert_same(&got, &want, format!("{what}, weights {is_weighed}"));
                }
            }
        }
    }
}

fn accumulates<T: Sample>(ctx: &Context, kind: Kind, variant: HistogramVariant, asked: Asked) {
    let question = Question::new(asked);
    let samples = numbers::<T>(32, 50_001);
    let (first, second) = samples.split_at(17_003);
    let options = HistogramOptions { accumulate: 1, ..question.options::<T>(variant) };
    let mut counts = Placed::holding(ctx, kind, &vec![5u64; question.bins()]);
    let what = question.what::<T>(ctx, variant, samples.len());
    for part in [first, second] {
        let mut part_there = Placed::holding(ctx, kind, part);
        let (from, to, bins) = (part_there.as_ptr(), counts.as_mut_ptr(), question.bins());
        // SAFETY: as many samples as the part has, a counter a bin.
        ok(unsafe { gpumex_histogram(ctx.handle, &options, from, part.len(), to, bins) }, &what);
    }
    let want: Vec<u64> = question.counts(&samples).iter().map(|count| count + 5).collect();
    assert_same(&counts.written(), &want, format!("{what}, added to 5 at {kind:?}"));
}

#[test]
fn counts_are_added_to_what_is_there() {
    for ctx in backends() {
        for kind in places(&ctx) {
            for variant in ctx.variants() {
                accumulates::<u8>(&ctx, kind, variant, Asked::Values(256));
            }
            for variant in general_variants(&ctx) {
                accumulates::<u8>(&ctx, kind, variant, Asked::Range(0.0, 256.0, 7));
                accumulates::<u16>(&ctx, kind, variant, Asked::Values(100));
                accumulates::<i32>(&ctx, kind, variant, Asked::Values(10));
                accumulates::<f64>(&ctx, kind, variant, Asked::Range(-1.0, 100.0, 31));
            }
        }
    }
}

/// The caller's counters may hold any number: of few samples and of many, by values and in bins of every way.
#[test]
fn counters_that_are_added_to_wrap() {
    for ctx in backends() {
        for variant in [HistogramVariant::Auto, HistogramVariant::Sequential] {
            if variant == HistogramVariant::Sequential && ctx.backend == Backend::Cuda {
                continue;
            }
            for (count, hi, bins) in [(5, 0.0, 256), (5, 256.0, 7), (300_000, 0.0, 256), (300_000, 256.0, 7)]
            {
                let data = vec![1u8; count];
                wraps(&ctx, variant, &data, hi, bins);
                wraps(
                    &ctx,
                    variant,
                    &data.iter().map(|&x| f32::from(x)).collect::<Vec<_>>(),
                    hi.max(2.0),
                    bins,
                );
            }
            let many = vec![1f32; 300_000];
            wraps(&ctx, variant, &many, 2.0, 1 << 20);
        }
    }
}

/// Samples of 1 alone.
fn wraps<T: Sample>(ctx: &Context, variant: HistogramVariant, data: &[T], hi: f64, bins: usize) {
    let options = HistogramOptions {
        accumulate: 1,
        dtype: T::DTYPE as i32,
        variant: variant as i32,
        hi,
        ..HistogramOptions::default()
    };
    let mut counts = vec![u64::MAX; bins];
    let (from, to) = (data.as_ptr().cast(), counts.as_mut_ptr().cast());
    let what = format!("{:?}, {variant:?}, {} samples in {bins} bins of {hi}", T::DTYPE, data.len());
    // SAFETY: a slice, and as many counters as bins.
    ok(unsafe { gpumex_histogram(ctx.handle, &options, from, data.len(), to, bins) }, &what);
    let bin = if hi == 0.0 { 1 } else { (bins as f64 / hi) as usize };
    let want = |i: usize| if i == bin { data.len() as u64 - 1 } else { u64::MAX };
    assert_same(&counts, &(0..bins).map(want).collect::<Vec<_>>(), &what);
}

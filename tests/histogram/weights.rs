//! Sums of weights, one a pixel.

use std::ffi::c_void;

use gpumex::ffi::*;
use gpumex::model::dtype::Dtype;
use gpumex::ops::histogram::HistogramVariant;

use super::oracle::*;
use crate::common::*;

#[track_caller]
fn weighed<T: Sample>(
    question: &Question,
    ctx: &Context,
    variant: HistogramVariant,
    samples: &[T],
    weights: (*const c_void, Dtype),
    before: Option<&[f64]>,
) -> Vec<f64> {
    let what = question.what::<T>(ctx, variant, samples.len());
    let mut sums = before.map_or_else(|| Output::<f64>::new(question.counters()), Output::holding);
    let options = HistogramOptions {
        weights: weights.0,
        weights_dtype: weights.1 as i32,
        accumulate: before.is_some().into(),
        ..question.options::<T>(variant)
    };
    let (from, to, bins) = (samples.as_ptr().cast(), sums.as_mut_ptr().cast(), question.bins());
    // SAFETY: samples is a slice with a weight a pixel, sums has the bins of each channel.
    ok(unsafe { gpumex_histogram(ctx.handle, &options, from, samples.len(), to, bins) }, &what);
    sums.written(&what)
}

/// The sums, and how far an addition in another order may be from them.
fn expected<T: Sample>(question: &Question, samples: &[T], weights: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let (mut sums, mut bounds) = (vec![0.0; question.counters()], vec![0.0; question.counters()]);
    for (i, at) in question.counters_of(samples).into_iter().enumerate() {
        let Some(at) = at else { continue };
        let weight = weights[i / question.channels];
        sums[at] += weight;
        bounds[at] += weight.abs() * samples.len() as f64 * f64::EPSILON;
    }
    (sums, bounds)
}

fn sums_are_right<T: Sample>(backends: &[Context], pixels: usize) {
    let mut random = random(21);
    let weights: Vec<f64> = (0..pixels).map(|_| random.random_range(-1.0..3.0)).collect();
    let single: Vec<f32> = weights.iter().map(|&weight| weight as f32).collect();
    let rounded: Vec<f64> = single.iter().map(|&weight| weight.into()).collect();
    for (asked, channels) in [
        (Asked::Range(-1.0, 200.0, 17), 1),
        (Asked::Edges(vec![0.0, 2.0, 2.0, 50.0, 120.0]), 3),
        (Asked::Range(0.0, 220.0, 30_000), 2),
    ] {
        let question = Question { channels, is_clamped: true, ..Question::new(asked) };
        let samples = numbers::<T>(22, pixels * channels);
        let double = (expected(&question, &samples, &weights), (weights.as_ptr().cast(), Dtype::F64));
        let single = (expected(&question, &samples, &rounded), (single.as_ptr().cast(), Dtype::F32));
        for ((want, bounds), given) in [&double, &single] {
            for ctx in backends {
                for variant in general_variants(ctx) {
                    let got = weighed(&question, ctx, variant, &samples, *given, None);
                    let is_near = |k: usize| (got[k] - want[k]).abs() <= bounds[k];
                    let what = question.what::<T>(ctx, variant, samples.len());
                    let far = (0..got.len()).find(|&k| !is_near(k));
                    assert!(far.is_none(), "{what}: bin {far:?}: got {got:?}, want {want:?}");
                }
            }
        }
    }
}

#[test]
fn weights_are_summed_up() {
    let backends = backends();
    for pixels in [0, 1, 17, 1000, 100_003] {
        sums_are_right::<u8>(&backends, pixels);
        sums_are_right::<u16>(&backends, pixels);
        sums_are_right::<f32>(&backends, pixels);
    }
    sums_are_right::<u32>(&backends, 5000);
    sums_are_right::<i32>(&backends, 5000);
    sums_are_right::<f64>(&backends, 5000);
}

/// Whole numbers are added exactly, in whatever order, to what is there.
#[test]
fn weights_are_added_to_what_is_there() {
    let samples = random_bytes(23, 3 * 40_000);
    let weights: Vec<f64> = (0..40_000).map(|i| f64::from(i % 100)).collect();
    let question = Question { channels: 3, ..Question::new(Asked::Values(256)) };
    let before: Vec<f64> = (0..768).map(f64::from).collect();
    let (sums, _) = expected(&question, &samples, &weights);
    let want: Vec<f64> = before.iter().zip(sums).map(|(before, sum)| before + sum).collect();
    for ctx in backends() {
        for variant in general_variants(&ctx) {
            let given = (weights.as_ptr().cast(), Dtype::F64);
            let got = weighed(&question, &ctx, variant, &samples, given, Some(&before));
            assert_same(&got, &want, question.what::<u8>(&ctx, variant, samples.len()));
        }
    }
}

#[test]
fn the_cpu_adds_in_the_order_of_the_samples() {
    let ctx = Context::cpu();
    let weights: Vec<f64> = (0..200_001).map(|i| 1.0 / f64::from(i + 3)).collect();
    let samples = numbers::<f32>(24, weights.len());
    let question = Question::new(Asked::Range(0.0, 200.0, 9));
    let given = (weights.as_ptr().cast(), Dtype::F64);
    let [auto, plain] = [HistogramVariant::Auto, HistogramVariant::Sequential]
        .map(|variant| weighed(&question, &ctx, variant, &samples, given, None));
    assert_same_bits(&auto, &plain, "AUTO and the plain loop");
}

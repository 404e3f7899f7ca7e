//! Transposes, leading dimensions, batches, alpha and beta.

use gpumex::ops::matmul::{MatmulOrder, MatmulVariant};
use gpumex::platform::settings::Backend;

use super::problem::{Problem, Storage, kinds_of};
use super::ways::variants_of;
use crate::common::*;

/// The variants that differ: the CPU computes all but SEQUENTIAL as AUTO.
fn variants_that_differ<T: Real>(ctx: &Context) -> Vec<MatmulVariant> {
    match ctx.backend {
        Backend::Cuda => variants_of::<T>(ctx),
        _ => vec![MatmulVariant::Auto, MatmulVariant::Sequential],
    }
}

#[track_caller]
fn each_is_right<T: Real>(problems: impl Fn(&Context) -> Vec<Problem>) {
    for ctx in backends() {
        for problem in problems(&ctx) {
            if is_not_in_small_share() {
                continue;
            }
            for variant in variants_that_differ::<T>(&ctx) {
                problem.check::<T>(&ctx, variant);
            }
        }
    }
}

/// Products of any shape, layout and scale, with extents of at most `longest`.
fn any_problems(seed: u64, count: usize, longest: usize) -> impl Fn(&Context) -> Vec<Problem> {
    move |ctx| {
        let mut random = random(seed);
        (0..count).map(|_| Problem::any(&mut random, longest, kinds_of(ctx))).collect()
    }
}

#[test]
fn a_thousand_random_products_of_float_are_within_the_bound() {
    each_is_right::<f32>(any_problems(30, 1000, 40));
    each_is_right::<f32>(any_problems(31, 60, 300));
}

#[test]
fn a_thousand_random_products_of_double_are_within_the_bound() {
    each_is_right::<f64>(any_problems(32, 1000, 40));
    each_is_right::<f64>(any_problems(33, 60, 300));
}

#[test]
fn transposes_of_sizes_around_tiles_are_within_the_bound() {
    let problems = |_: &Context| {
        let mut problems = Vec::new();
        for size in [[127, 129, 65], [128, 256, 64], [130, 2, 255], [3, 260, 31], [257, 129, 128]] {
            for order in [MatmulOrder::Row, MatmulOrder::Column] {
                for (of_a, of_b) in [(false, true), (true, false), (true, true)] {
                    let a = Storage { transposed: of_a, ..Storage::TIGHT };
                    let b = Storage { transposed: of_b, ..Storage::TIGHT };
                    problems.push(Problem { order, a, b, ..Problem::plain(size) });
                }
            }
        }
        problems
    };
    each_is_right::<f32>(problems);
    each_is_right::<f64>(problems);
}

#[test]
fn large_batches_of_small_products_are_within_the_bound() {
    let problems = |_: &Context| {
        let batch_of = |batch, size| Problem { batch, scale: Some([2.0, -0.5]), ..Problem::plain(size) };
        vec![batch_of(3000, [2, 3, 4]), batch_of(700, [8, 8, 8]), batch_of(70_000, [1, 1, 2])]
    };
    each_is_right::<f32>(problems);
    each_is_right::<f64>(problems);
}

#[test]
fn alpha_and_beta_are_those_of_the_blas() {
    let problems = |_: &Context| {
        let scales = [[0.0, 0.0], [0.0, 1.0], [0.0, -1.5], [1.0, 0.0], [1.0, 1.0], [-0.3, 2.0], [1e-60, 1.0]];
        let sizes = [[5, 7, 9], [33, 65, 17], [64, 64, 64], [6, 5, 0]];
        let of = |size| scales.map(|scale| Problem { scale: Some(scale), ..Problem::plain(size) });
        sizes.into_iter().flat_map(of).collect()
    };
    each_is_right::<f32>(problems);
    each_is_right::<f64>(problems);
}

//! Awkward contents: NaN and infinities, equal and sorted samples, edges that do not ascend.

use gpumex::ops::histogram::HistogramVariant;

use super::oracle::*;
use crate::common::*;

#[test]
fn nan_falls_nowhere_and_infinities_where_outliers_do() {
    let backends = backends();
    let awkward = [
        f64::NAN,
        -f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        0.0,
        -0.0,
        5e-324,
        -5e-324,
        f64::MAX,
        f64::MIN,
        1.0,
        1.0f64.next_down(),
        1.0f64.next_up(),
    ];
    let many: Vec<f64> = awkward.iter().copied().cycle().take(70_001).collect();
    let single: Vec<f32> = many.iter().map(|&x| x as f32).collect();
    for asked in [
        Asked::Range(0.0, 1.0, 7),
        Asked::Range(-1e300, 1e300, 4),
        Asked::Edges(vec![-0.0, 5e-324, 1.0]),
        Asked::Edges(vec![f64::NEG_INFINITY, -0.0, f64::INFINITY]),
    ] {
        for question in Question::policies(asked) {
            question.is_answered(&backends, &many);
            question.is_answered(&backends, &many[..13]);
            question.is_answered(&backends, &single);
        }
    }
}

#[test]
fn an_edge_belongs_to_the_bin_that_it_begins() {
    let backends = backends();
    for (lo, hi, bins) in [(0.0, 1.0, 10), (-0.3, 0.9, 36), (1e6, 1e6 + 1.0, 1000), (-7.0, 11.0, 513)] {
        let width = (hi - lo) / bins as f64;
        let edges = (0..=bins).map(|k| lo + k as f64 * width).chain([hi]);
        let around: Vec<f64> = edges.flat_map(|edge| [edge.next_down(), edge, edge.next_up()]).collect();
        for question in Question::policies(Asked::Range(lo, hi, bins)) {
            question.is_answered(&backends, &around);
        }
    }
}

#[test]
fn equal_alternating_and_sorted_samples_are_counted() {
    let backends = backends();
    let len = 200_003;
    let kinds: [Vec<f32>; 4] = [
        vec![3.5; len],
        (0..len).map(|i| [1.0, 199.0][i % 2]).collect(),
        (0..len).map(|i| i as f32 / 1000.0).collect(),
        (0..len).map(|i| (len - i) as f32 / 1000.0).collect(),
    ];
    for asked in [Asked::Range(0.0, 200.0, 64), Asked::Edges((0..40).map(|k| f64::from(k) * 5.0).collect())] {
        for samples in &kinds {
            Question::new(asked.clone()).is_answered(&backends, samples);
        }
    }
}

/// Some bin or none: nothing is counted twice, and nothing is read or written outside.
#[test]
fn edges_that_do_not_ascend_do_no_harm() {
    let samples = numbers::<f64>(1, 30_000);
    let mut random = random(2);
    for ctx in backends() {
        for round in 0..20 {
            let mut edges: Vec<f64> =
                (0..1 + round * 7 % 40 + 1).map(|_| random.random_range(-9.0..230.0)).collect();
            if round % 3 == 0 {
                let at = random.random_range(0..edges.len());
                edges[at] = f64::NAN;
            }
            for question in Question::policies(Asked::Edges(edges)) {
                for variant in general_variants(&ctx) {
                    let counts = question.asked_of(&ctx, variant, &samples);
                    assert!(counts.iter().sum::<u64>() <= 30_000, "{question:?}");
                }
            }
        }
        let nothing = Question::new(Asked::Edges(vec![f64::NAN; 9]));
        let counts = nothing.asked_of(&ctx, HistogramVariant::Auto, &random_bytes(3, 5000));
        assert!(counts.iter().sum::<u64>() <= 5000);
    }
}

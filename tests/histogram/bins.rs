//! Every type of samples, every rule of bins, every policy, every number of channels.

use super::oracle::*;
use crate::common::*;

/// Ranges and edges that awkward numbers fall into.
fn rules() -> Vec<Asked> {
    vec![
        Asked::Range(0.0, 10.0, 10),
        Asked::Range(-1.5, 200.25, 97),
        Asked::Range(0.1, 0.7, 3),
        Asked::Range(5.0, 6.0, 1),
        Asked::Edges(vec![1.0, 2.0]),
        Asked::Edges(vec![0.0, 0.0, 1.0, 1.0, 1.0, 5.5, 100.0, 100.0]),
        Asked::Edges((0..300).map(|k| f64::from(k * k) / 400.0 - 2.0).collect()),
        Asked::Edges(vec![f64::NEG_INFINITY, 0.0, f64::INFINITY]),
    ]
}

fn every_rule<T: Sample>(backends: &[Context]) {
    for (k, asked) in rules().into_iter().enumerate() {
        for question in Question::policies(asked) {
            for channels in [1, 3, 4] {
                if is_not_in_share() {
                    continue;
                }
                let question = Question { channels, ..question.clone() };
                question.is_answered(backends, &numbers::<T>(k as u64, 12 * 421));
            }
        }
    }
}

#[test]
fn every_type_falls_into_every_kind_of_bins() {
    let backends = backends();
    every_rule::<u8>(&backends);
    every_rule::<u16>(&backends);
    every_rule::<u32>(&backends);
    every_rule::<i32>(&backends);
    every_rule::<f32>(&backends);
    every_rule::<f64>(&backends);
}

#[test]
fn integers_are_bins_of_their_own() {
    let backends = backends();
    for bins in [1, 2, 10, 255, 256, 257, 1000, 65536, 65537] {
        for question in Question::policies(Asked::Values(bins)) {
            let question = Question { channels: 1 + bins % 4, ..question };
            let len = 480 * question.channels;
            if bins <= 1000 {
                question.is_answered(&backends, &numbers::<u8>(1, len));
            }
            question.is_answered(&backends, &numbers::<u16>(2, len.min(60)));
            question.is_answered(&backends, &numbers::<u32>(3, len.min(60)));
            question.is_answered(&backends, &numbers::<i32>(4, len.min(60)));
        }
    }
}

#[test]
fn every_short_length_and_some_long_ones_are_counted() {
    let backends = backends();
    let range = Question { is_clamped: true, ..Question::new(Asked::Range(-1.0, 200.0, 5)) };
    for channels in 1..=4 {
        let question = Question { channels, ..range.clone() };
        for len in [0, 1, 15, 16, 17, (1 << 20) - 1, 1 << 20, (1 << 20) + 1] {
            let whole = len / channels * channels;
            question.is_answered(&backends, &numbers::<u8>(5, whole));
            question.is_answered(&backends, &numbers::<f32>(6, whole));
        }
    }
    for len in [131_072, 600_000] {
        range.is_answered(&backends, &numbers::<u16>(7, len));
        Question { channels: 2, ..range.clone() }.is_answered(&backends, &numbers::<u16>(8, 2 * len));
    }
}

#[test]
fn channels_of_bytes_have_counts_of_their_own() {
    let backends = backends();
    for channels in 1..=4 {
        let question = Question { channels, ..Question::new(Asked::Values(256)) };
        for pixels in [0, 1, 5, 8, 1000, 100_003] {
            question.is_answered(&backends, &random_bytes(9, pixels * channels));
            question.is_answered(&backends, &vec![7u8; pixels * channels]);
        }
    }
}

/// More bins than any table of one block or core holds, each with a sample or none.
/// The GPU counts in words of shared memory, in fields of 16 or 8 bits, in slices of them, or in a cache of global memory.
#[test]
fn every_kind_of_counter_counts() {
    let backends = backends();
    let edges = |bins| Asked::Edges((0..=bins).map(|k| 220.0 * f64::from(k) / f64::from(bins)).collect());
    for bins in [10, 1000, 60_000, 100_003, 400_000] {
        for asked in [Asked::Range(0.0, 200.0, bins as usize), edges(bins)] {
            let question = Question::new(asked);
            question.is_answered(&backends, &numbers::<u16>(14, 9001));
            question.is_answered(&backends, &numbers::<i32>(15, 9001));
            question.is_answered(&backends, &numbers::<f32>(16, 9001));
            question.is_answered(&backends, &numbers::<f64>(17, 9001));
        }
    }
}

#[test]
fn a_million_bins_are_counted() {
    let bins = 1_000_003;
    let mut random = random(10);
    let samples: Vec<u32> = (0..1 << 20).map(|_| random.random_range(0..bins as u32 + 1000)).collect();
    let mut want = vec![0u64; 2 * bins];
    for (i, &x) in samples.iter().enumerate().filter(|(_, x)| (**x as usize) < bins) {
        want[i % 2 * bins + x as usize] += 1;
    }
    let question = Question { channels: 2, ..Question::new(Asked::Values(bins)) };
    for ctx in backends() {
        for variant in general_variants(&ctx) {
            let what = question.what::<u32>(&ctx, variant, samples.len());
            assert_same(&question.asked_of(&ctx, variant, &samples), &want, what);
        }
    }
}

#[test]
fn samples_at_odd_addresses_are_counted() {
    let backends = backends();
    let question = Question { channels: 3, ..Question::new(Asked::Range(0.0, 256.0, 10)) };
    let (bytes, words, floats) = (random_bytes(11, 9100), numbers::<u16>(12, 9100), numbers::<f32>(13, 9100));
    for offset in 1..17 {
        question.is_answered(&backends, &bytes[offset..offset + 9000]);
        question.is_answered(&backends, &words[offset..offset + 9000]);
        question.is_answered(&backends, &floats[offset..offset + 9000]);
    }
}

fn values_are_counted<T: Sample>(seed: u64) {
    for bins in [1, 7, 255, 256, 257, 5000] {
        let (question, samples) = (Question::new(Asked::Values(bins)), numbers::<T>(seed, 50_007));
        let want = question.counts(&samples);
        for ctx in backends() {
            for variant in ctx.variants() {
                let what = question.what::<T>(&ctx, variant, samples.len());
                assert_same(&question.asked_of(&ctx, variant, &samples), &want, what);
            }
        }
    }
}

#[test]
fn every_variant_counts_integers_by_value() {
    values_are_counted::<u8>(41);
    values_are_counted::<u16>(42);
    values_are_counted::<u32>(43);
    values_are_counted::<i32>(44);
}

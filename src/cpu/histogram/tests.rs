#![forbid(unsafe_code)]

use super::*;
use crate::cpu::workers::workers;
use crate::histogram::{HistogramOutliers, Rule};

fn bins(count: usize) -> Bins<&'static [f64]> {
    let rule = Rule::even(-10.0, 10.0, count).unwrap();
    Bins { count, rule, outliers: HistogramOutliers::Ignore, has_right_edge: true }
}

fn wave(len: usize) -> Vec<f32> {
    (0..len).map(|i| (i as f32 * 0.37).sin() * 11.0).collect()
}

#[test]
fn every_way_counts_as_the_plain_loop() {
    let samples = wave(12 * 40_000);
    for (count, channels) in [(7, 1), (1000, 3), (OWN_TABLE + 1, 1), (OWN_TABLE, 4)] {
        let (mut got, mut want) = (vec![3; channels * count], vec![3; channels * count]);
        super::count(&workers(), &samples, channels, &bins(count), &mut got).unwrap();
        sequential(&workers(), &samples, channels, &bins(count), &mut want).unwrap();
        assert!(got == want, "{count} bins, {channels} channels");
    }
}

#[test]
fn sums_of_weights_have_the_bits_of_the_plain_loop() {
    let samples = wave(3 * 100_001);
    let weights: Vec<f64> = (0..100_001).map(|i| 1.0 / f64::from(i + 1)).collect();
    let (mut got, mut want) = (vec![0.5; 300], vec![0.5; 300]);
    weigh(&workers(), &samples, &weights, 3, &bins(100), &mut got).unwrap();
    weigh_sequential(&workers(), &samples, &weights, 3, &bins(100), &mut want).unwrap();
    assert_eq!(got, want);
}

#[test]
fn bytes_and_words_are_counted_by_value() {
    let words: Vec<u16> = (0..600_000u32).map(|i| (i * i >> 3) as u16).collect();
    let low: Vec<u8> = words.iter().map(|&word| word as u8).collect();
    for channels in 1..=4 {
        let whole = words.len() / channels * channels;
        let (mut got, mut want) = (vec![0; channels * 50], vec![0; channels * 50]);
        let even = Bins { rule: Rule::even(0.0, 60_000.0, 50).unwrap(), ..bins(50) };
        super::count(&workers(), &words[..whole], channels, &even, &mut got).unwrap();
        sequential(&workers(), &words[..whole], channels, &even, &mut want).unwrap();
        assert_eq!(got, want, "words, {channels} channels");

        let values = Bins { count: 256, rule: Rule::Values, ..bins(50) };
        let (mut got, mut want) = (vec![0; channels * 256], vec![0; channels * 256]);
        super::count(&workers(), &low[..whole], channels, &values, &mut got).unwrap();
        sequential(&workers(), &low[..whole], channels, &values, &mut want).unwrap();
        assert_eq!(got, want, "bytes, {channels} channels");
    }
}

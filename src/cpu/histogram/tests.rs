#![forbid(unsafe_code)]

use super::*;
use crate::cpu::parallel::workers::workers;
use crate::model::histogram::{HistogramOutliers, Rule};

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
    let words: Vec<u16> = (0..600_000u32).map(|i| (i.wrapping_mul(i) >> 3) as u16).collect();
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

#[test]
fn bytes_of_every_kind_are_counted_as_by_the_plain_loop() {
    let mut state = 1u64;
    let mut random = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 40) as u8
    };
    let len = 3 * (1 << 20) + 77;
    let noise: Vec<u8> = (0..len).map(|_| random()).collect();
    let patches =
        noise.iter().enumerate().map(|(i, &byte)| if i >> 13 & 1 == 0 { byte } else { 200 }).collect();
    let skewed = noise.iter().map(|&byte| if byte < 240 { 0 } else { byte }).collect();
    let in_turn = (0..len).map(|i| [3, 200, 17][i % 3]).collect();
    // The sample of each chunk is noise, the rest is one value: counters of rows wrap.
    let misleading =
        noise.iter().enumerate().map(|(i, &byte)| if i % (1 << 17) < 130 { byte } else { 9 }).collect();
    let letters = noise.iter().map(|&byte| b'a' + byte % 16).collect();
    for data in [noise.clone(), vec![255; len], patches, skewed, in_turn, misleading, letters] {
        for part in [&data[..], &data[1..4097], &data[5..5 + 70_000]] {
            let mut want = vec![0u64; 256];
            part.iter().for_each(|&byte| want[usize::from(byte)] += 1);
            let values = Bins { count: 256, rule: Rule::Values, ..bins(1) };
            let mut got = vec![0; 256];
            super::count(&workers(), part, 1, &values, &mut got).unwrap();
            assert_eq!(got, want, "{} bytes", part.len());
        }
    }
}

#[test]
fn a_sample_chooses_the_way() {
    use bytes::{CHUNK, Way, way};
    let noise: Vec<u8> =
        (0..CHUNK as u64).map(|i| (i.wrapping_mul(0x9e3779b97f4a7c15) >> 56) as u8).collect();
    let letters = noise.iter().map(|&byte| b'a' + byte % 16).collect();
    let often_zero = noise.iter().enumerate().map(|(i, &byte)| if i % 3 == 0 { 0 } else { byte }).collect();
    let cases = [
        (noise, Way::Rows, Way::Rows),
        (letters, Way::Pairs, Way::Pairs),
        (often_zero, Way::Pairs, Way::Tables),
        (vec![7; CHUNK], Way::Tables, Way::Tables),
    ];
    for (data, want, want_with_mixed) in cases {
        let chunk = data.first_chunk().unwrap();
        assert_eq!([way(chunk, false), way(chunk, true)], [want, want_with_mixed]);
    }
}

/// Prints how fast one core counts bytes: cargo test --release --lib bytes_a_second -- --ignored --nocapture
#[test]
#[ignore = "a measurement"]
fn bytes_a_second() {
    let mut state = 1u64;
    let mut random = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 40) as u8
    };
    let len = 64 << 20;
    let noise: Vec<u8> = (0..len).map(|_| random()).collect();
    let text = noise.iter().map(|&byte| b"  etaoinshrdlu cmfwypvbgk, e"[usize::from(byte) % 28]).collect();
    let skewed = noise.iter().map(|&byte| if byte < 240 { 0 } else { byte }).collect();
    let in_turn = (0..len).map(|i| [3, 200][i % 2]).collect();
    let kinds =
        [("random", noise), ("text", text), ("skewed", skewed), ("one", vec![7; len]), ("two", in_turn)];
    for (kind, data) in kinds {
        let once = || {
            let start = std::time::Instant::now();
            let mut counts = [0; 256];
            bytes::count_part(&data, 1, &mut counts).unwrap();
            let took = start.elapsed().as_secs_f64();
            assert_eq!(counts.iter().sum::<u64>(), len as u64);
            took
        };
        let best = (0..11).map(|_| once()).fold(f64::MAX, f64::min);
        println!("{kind}: {:.2} GB/s", len as f64 / best / 1e9);
    }
}

#![forbid(unsafe_code)]

use super::*;
use crate::cpu::parallel::workers::workers;
use crate::model::order::SortOrder;

/// Keys of many kinds: spread evenly, few of them, in order, close together, with bits in common, most of them equal.
fn kinds(count: usize) -> Vec<(&'static str, Vec<u64>)> {
    let random = |i: usize| {
        (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ (i as u64).wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(31)
    };
    let made = |key: &dyn Fn(usize) -> u64| (0..count).map(key).collect();
    vec![
        ("even", made(&random)),
        ("below 1000", made(&|i| random(i) % 1000)),
        ("two", made(&|i| random(i) >> 63 << 40)),
        ("equal", made(&|_| 7)),
        ("ascending", made(&|i| i as u64 / 3)),
        ("descending", made(&|i| (count - i) as u64 / 3)),
        ("ascending but the last", made(&|i| if i + 1 < count { i as u64 } else { 0 })),
        ("by magnitude", made(&|i| random(i) >> (random(i + count) % 64))),
        ("halves with a gap", made(&|i| random(i) & 0xfff0_0000_0000_0fff)),
        ("most in a thousandth", made(&|i| if i % 50 == 0 { random(i) } else { random(i) >> 12 })),
        ("most equal", made(&|i| if i % 50 == 0 { random(i) } else { 1 << 50 })),
        ("most unseen by a sample", made(&|i| if i % 30 == 0 { u64::MAX } else { random(i) >> 40 })),
        ("low bits alone", made(&|i| random(i) & 0x7f | 0xabc << 48)),
    ]
}

fn agrees<K: Key>(name: &str, keys: &[K]) {
    for order in [SortOrder::Ascending, SortOrder::Descending].map(KeyOrder::from) {
        let mut want: Vec<u32> = (0..keys.len() as u32).collect();
        want.sort_by_key(|&place| keys[place as usize].rank(order)); // stable
        for threads in [1, 3, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let (mut sorted, mut places) = (vec![K::from_f64(7.0); keys.len()], vec![7u32; keys.len()]);
            pool.install(|| radix::sort(order, keys, Values::Positions(0), &mut sorted, &mut places))
                .unwrap();
            let case = format!("{} {name}, {order:?}, {threads} threads", keys.len());
            assert!(places == want, "places of {case}");
            let is_there = |(&place, key): (&u32, &K)| wide(order, keys[place as usize]) == wide(order, *key);
            assert!(want.iter().zip(&sorted).all(is_there), "keys of {case}");
            let mut alone = vec![K::from_f64(7.0); keys.len()];
            pool.install(|| {
                radix::sort::<K, ()>(order, keys, Values::Positions(0), &mut alone, &mut zeros(keys.len())?)
            })
            .unwrap();
            assert!(
                alone.iter().zip(&sorted).all(|(a, b)| wide(order, *a) == wide(order, *b)),
                "without places, {case}"
            );
        }
    }
}

#[test]
fn radix_sorts_keys_of_any_kind_on_any_number_of_threads() {
    for count in [
        0,
        1,
        2,
        24,
        25,
        100,
        3000,
        radix::ALONE,
        radix::ALONE + 1,
        bucket::LARGEST,
        bucket::LARGEST + 1,
        500_000,
    ] {
        for (name, keys) in kinds(count) {
            agrees(name, &keys);
        }
    }
    for (name, keys) in kinds(100_000) {
        agrees(name, &keys.iter().map(|&key| (key >> 32) as u32).collect::<Vec<_>>());
        agrees(name, &keys.iter().map(|&key| key as i64).collect::<Vec<_>>());
        agrees(name, &keys.iter().map(|&key| key as i64 as f64).collect::<Vec<_>>());
        let not_all: Vec<f64> =
            keys.iter().map(|&key| if key % 64 == 5 { f64::NAN } else { key as f64 }).collect();
        agrees(name, &not_all);
        agrees(name, &keys.iter().map(|&key| f32::from_bits(key as u32)).collect::<Vec<_>>()); // NaN and -0 among them
    }
}

#[test]
fn bits_that_all_keys_share_are_left_out() {
    fn bits<K: Key>(order: KeyOrder, keys: &[K]) -> u64 {
        radix::look_at(order, keys).unwrap().span.bits
    }
    let descending = KeyOrder::from(SortOrder::Descending);
    assert_eq!(bits(KeyOrder::ASCENDING, &[5u32; 3]), 0);
    assert_eq!(bits(descending, &[0x0100_0000u32, 0x0101_0000, 0x0101_0000]), 1 << 16);
    assert_eq!(bits(KeyOrder::ASCENDING, &[-0.0f64, 0.0]), 0);
    assert_eq!(bits(KeyOrder::ASCENDING, &[1i64, -1]), u64::MAX - 1);
    let known = radix::look_at(KeyOrder::ASCENDING, &[1.0f32, -0.0]).unwrap();
    assert!(!known.are_exact && known.span.bits == u32::MAX.into());
}

#[test]
fn floats_are_sorted_with_and_without_zeros_and_nan_of_either_sign() {
    let numbers: Vec<f64> = (0..3000u64).map(|i| (i as f64 - 1500.0) * (i % 37) as f64 + 0.5).collect();
    let special = [-0.0, f64::NAN, 0.0, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0];
    for count in [0, 4, 5, special.len()] {
        let mut keys = numbers.clone();
        keys.splice(1000..1000, special[special.len() - count..].iter().copied());
        for order in [SortOrder::Ascending, SortOrder::Descending].map(KeyOrder::from) {
            let mut want: Vec<(usize, f64)> = keys.iter().copied().enumerate().collect();
            want.sort_by_key(|(_, key)| key.rank(order));
            let (mut sorted, mut places) = (vec![7.0; keys.len()], vec![7u32; keys.len()]);
            let both = (Values::Positions(0), Some(&mut sorted[..]));
            sort_with_values(&workers(), order, &keys, both.0, both.1, &mut places).unwrap();
            let is_same = |((key, place), want): ((&f64, &u32), &(usize, f64))| {
                key.to_bits() == want.1.to_bits() && *place as usize == want.0
            };
            assert!(sorted.iter().zip(&places).zip(&want).all(is_same), "{count} special ones, {order:?}");
        }
    }
}

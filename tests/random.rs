//! Random numbers: those of an own Philox, mapped by an own formula, whatever the number type, the kind of memory
//! and the backend.

use gpumex::array::Element;
use gpumex::ffi::{gpumex_random, gpumex_random_sorted};
use gpumex::memory::MemoryKind;
use gpumex::platform::settings::Backend;

use crate::common::*;

const SIZES: [usize; 12] = [0, 1, 2, 3, 33, 127, 129, 1025, 4099, 65_535, 65_537, 200_003];

// ------------------------------------------------------------------------------------------------------------ the oracle

/// Philox4x32-10 as its paper has it: ten rounds of a Feistel-like network, and the key bumped between them.
fn philox(mut counter: [u32; 4], key: [u32; 2]) -> [u32; 4] {
    for round in 0..10u32 {
        let bumped = |k: u32, weyl: u32| k.wrapping_add(weyl.wrapping_mul(round));
        let (left, right) = (u64::from(counter[0]) * 0xD251_1F53, u64::from(counter[2]) * 0xCD9E_8D57);
        counter = [
            (right >> 32) as u32 ^ counter[1] ^ bumped(key[0], 0x9E37_79B9),
            right as u32,
            (left >> 32) as u32 ^ counter[3] ^ bumped(key[1], 0xBB67_AE85),
            left as u32,
        ];
    }
    counter
}

/// The 64 bits of one element.
pub fn key(seed: u64, element: u64) -> u64 {
    let block = element / 2;
    let words = philox([block as u32, (block >> 32) as u32, 0, 0], [seed as u32, (seed >> 32) as u32]);
    let half = if element.is_multiple_of(2) { [words[0], words[1]] } else { [words[2], words[3]] };
    u64::from(half[0]) + (u64::from(half[1]) << 32)
}

/// A number type with a mapping of keys to an interval.
trait Uniform: Number {
    fn of(key: u64, lo: f64, hi: f64) -> Self;
}

macro_rules! integers {
    ($($integer:ty),*) => {
        $(impl Uniform for $integer {
            fn of(key: u64, lo: f64, hi: f64) -> $integer {
                let values = hi as i128 - lo as i128 + 1;
                let share = (u128::from(key) * values as u128) >> 64;
                <$integer>::try_from(lo as i128 + share as i128).expect("a value between lo and hi")
            }
        })*
    };
}

integers!(i8, i16, i32, i64, u8, u16, u32, u64);

impl Uniform for f32 {
    fn of(key: u64, lo: f64, hi: f64) -> f32 {
        let (lo, hi) = (lo as f32, hi as f32);
        let u = (key >> 40) as f32 / 16_777_216.0;
        let part = u * (hi - lo);
        let value = lo + part;
        if value < hi { value } else { hi.next_down() }
    }
}

impl Uniform for f64 {
    fn of(key: u64, lo: f64, hi: f64) -> f64 {
        let u = (key >> 11) as f64 / 9_007_199_254_740_992.0;
        let part = u * (hi - lo);
        let value = lo + part;
        if value < hi { value } else { hi.next_down() }
    }
}

fn expected<T: Uniform>(len: usize, seed: u64, lo: f64, hi: f64) -> Vec<T> {
    (0..len as u64).map(|i| T::of(key(seed, i), lo, hi)).collect()
}

fn sorted<T: Number>(mut values: Vec<T>) -> Vec<T> {
    values.sort_by(|a, b| a.partial_cmp(b).expect("no NaN"));
    values
}

// ------------------------------------------------------------------------------------------------------------ the calls

type Function = unsafe extern "C" fn(Handle, i32, *mut std::ffi::c_void, usize, u64, f64, f64) -> i32;

#[track_caller]
fn call<T: Number>(
    function: Function,
    ctx: &Context,
    kind: Kind,
    len: usize,
    seed: u64,
    [lo, hi]: [f64; 2],
) -> Vec<T> {
    let what = format!("{:?}, {:?}, {len} numbers from {lo} to {hi}, {kind:?} memory", ctx.backend, T::DTYPE);
    let mut array = Placed::<T>::new(ctx, kind, len);
    // SAFETY: len elements of the dtype.
    ok(unsafe { function(ctx.handle, T::DTYPE as i32, array.as_mut_ptr(), len, seed, lo, hi) }, what);
    array.written()
}

fn random<T: Number>(ctx: &Context, kind: Kind, len: usize, seed: u64, interval: [f64; 2]) -> Vec<T> {
    call(gpumex_random, ctx, kind, len, seed, interval)
}

fn random_sorted<T: Number>(ctx: &Context, kind: Kind, len: usize, seed: u64, interval: [f64; 2]) -> Vec<T> {
    call(gpumex_random_sorted, ctx, kind, len, seed, interval)
}

/// Intervals of a number type: a small one, one value where it may be one, and the widest that doubles name.
fn intervals<T: Number>() -> Vec<[f64; 2]> {
    match T::DTYPE.integers() {
        None => vec![[0.0, 1.0], [-1.0, 1.0], [0.1, 0.3], [-3e38, 1e37]],
        Some(range) => {
            let exact = |value: i128| value as f64 as i128 == value;
            let (low, high) = (*range.start(), *range.end());
            let high = if exact(high) { high as f64 } else { (high as f64).next_down() };
            vec![[3.0, 100.0], [7.0, 7.0], [low as f64, high]]
        }
    }
}

// ------------------------------------------------------------------------------------------------------------- the bits

fn agrees<T: Uniform>(ctx: &Context) {
    for kind in EVERYWHERE {
        for (len, interval) in SIZES.into_iter().zip(intervals::<T>().into_iter().cycle()) {
            let seed = 0x1234_5678_9ABC_DEF0 + len as u64;
            let [lo, hi] = interval;
            let want = expected::<T>(len, seed, lo, hi);
            let what = format!("{:?}, {:?}, [{lo}, {hi}], {kind:?}", ctx.backend, T::DTYPE);
            assert_same(&random(ctx, kind, len, seed, interval), &want, format!("random, {what}"));
            let got = random_sorted(ctx, kind, len, seed, interval);
            assert_same(&got, &sorted(want), format!("random_sorted, {what}"));
        }
    }
}

#[test]
fn every_number_type_has_the_numbers_of_its_seed_in_every_kind_of_memory() {
    for ctx in backends() {
        for_every_dtype!(agrees(&ctx));
    }
}

fn agrees_on_every_interval<T: Uniform>(ctx: &Context) {
    for interval in intervals::<T>() {
        let want = expected::<T>(10_007, 5, interval[0], interval[1]);
        let what = format!("{:?}, {:?}, {interval:?}", ctx.backend, T::DTYPE);
        assert_same(&random(ctx, None, 10_007, 5, interval), &want, &what);
        assert_same(&random_sorted(ctx, None, 10_007, 5, interval), &sorted(want), format!("{what}, sorted"));
    }
}

#[test]
fn every_interval_of_every_number_type_agrees() {
    for ctx in backends() {
        for_every_dtype!(agrees_on_every_interval(&ctx));
    }
}

/// Of the known answers of Random123 for counter 0 and key 0: 6627e8d5 e169c58d bc57ac4c 9b00dbd8.
fn starts_anywhere<T: Uniform>(ctx: &Context) {
    for off in [1, 3] {
        let mut array = Placed::<T>::new(ctx, EVERYWHERE[1], off + 4099);
        // SAFETY: 4099 elements of the dtype.
        let status =
            unsafe { gpumex_random(ctx.handle, T::DTYPE as i32, array.at(off), 4099, 5, 3.0, 100.0) };
        ok(status, "random numbers behind the start of an allocation");
        let want = [vec![T::POISON; off], expected(4099, 5, 3.0, 100.0)].concat();
        assert_same_bits(&array.written(), &want, format!("{:?}, {off} elements before", ctx.backend));
    }
}

#[test]
fn arrays_of_every_type_start_anywhere() {
    for ctx in backends() {
        for_every_dtype!(starts_anywhere(&ctx));
    }
}

#[test]
fn the_widest_u32_is_the_upper_half_of_the_known_answer() {
    for ctx in backends() {
        let got: Vec<u32> = random(&ctx, None, 2, 0, [0.0, 4_294_967_295.0]);
        assert_same(&got, &[0xe169_c58d, 0x9b00_dbd8], format!("{:?}, seed 0", ctx.backend));
    }
}

#[test]
fn a_million_numbers_agree() {
    for ctx in backends() {
        let len = (1 << 20) + 7;
        let want = expected::<f64>(len, 11, -2.0, 5.0);
        assert_same(&random(&ctx, None, len, 11, [-2.0, 5.0]), &want, "f64, seed 11");
        assert_same(&random_sorted(&ctx, None, len, 11, [-2.0, 5.0]), &sorted(want), "f64 sorted, seed 11");
        let want = expected::<u8>(len, 12, 0.0, 255.0);
        assert_same(&random_sorted(&ctx, None, len, 12, [0.0, 255.0]), &sorted(want), "u8 sorted, seed 12");
    }
}

/// The last numbers of more than 2^32, in memory of a device that has the memory for them.
#[test]
fn numbers_beyond_the_first_2_to_the_32_agree() {
    let len = (1usize << 32) + 77;
    for ctx in backends().iter().filter(|ctx| ctx.backend == Backend::Cuda) {
        let _turn = much_memory_is_mine();
        if info_of(ctx.handle).free_memory < 2 * len as u64 {
            leave_out(&format!("memory: the device has not {} GiB more", len >> 29));
            continue;
        }
        let mut block = std::ptr::null_mut();
        let mut tail = Output::<u8>::new(100);
        let status = |status| ok(status, "2^32 + 77 bytes of device memory");
        // SAFETY: a pointer to write to; len bytes of the block; 100 bytes of its end.
        unsafe {
            status(gpumex::ffi::gpumex_malloc(ctx.handle, MemoryKind::Device as i32, len, &mut block));
            status(gpumex_random(ctx.handle, u8::DTYPE as i32, block, len, 13, 0.0, 255.0));
            let from = block.wrapping_byte_add(len - 100);
            status(gpumex::ffi::gpumex_copy(ctx.handle, tail.as_mut_ptr().cast(), from, 100));
        }
        status(gpumex::ffi::gpumex_free(block));
        let want: Vec<u8> = (len - 100..len).map(|i| u8::of(key(13, i as u64), 0.0, 255.0)).collect();
        assert_same(&tail.written("the tail"), &want, "the last 100 of 2^32 + 77 numbers");
    }
}

// ----------------------------------------------------------------------------------------------------------- the meaning

fn lies_inside<T: Number>(ctx: &Context) {
    for [lo, hi] in intervals::<T>() {
        let (low, high) = (T::from_f64(lo), T::from_f64(hi));
        let is_float = T::DTYPE.integers().is_none();
        let is_inside = |value: &T| *value >= low && (*value < high || (!is_float && *value == high));
        let values = random::<T>(ctx, None, 50_000, 21, [lo, hi]);
        let outside = values.iter().find(|value| !is_inside(value));
        assert!(outside.is_none(), "{:?}, {:?}: {outside:?} is not in [{lo}, {hi}]", ctx.backend, T::DTYPE);
    }
}

#[test]
fn every_number_lies_in_its_interval() {
    for ctx in backends() {
        for_every_dtype!(lies_inside(&ctx));
    }
}

#[test]
fn a_longer_array_begins_with_the_shorter_one() {
    for ctx in backends() {
        let long: Vec<u64> = random(&ctx, None, 100_001, 31, [0.0, 1e18]);
        for len in [1, 2, 77, 4097, 65_536] {
            let short = random(&ctx, None, len, 31, [0.0, 1e18]);
            assert_same(&short, &long[..len], format!("{:?}, the first {len}", ctx.backend));
        }
    }
}

#[test]
fn every_value_is_as_likely_as_another() {
    for ctx in backends() {
        let mut counts = [0u32; 1000];
        random::<i32>(&ctx, None, 1 << 20, 41, [-500.0, 499.0])
            .iter()
            .for_each(|&value| counts[(value + 500) as usize] += 1);
        let mean = f64::from(1 << 20) / 1000.0;
        let chi_squared: f64 = counts.iter().map(|&count| (f64::from(count) - mean).powi(2) / mean).sum();
        assert!((800.0..1200.0).contains(&chi_squared), "χ² of 999 degrees of freedom: {chi_squared}");
    }
}

#[test]
fn mean_and_variance_are_those_of_the_uniform_distribution() {
    for ctx in backends() {
        let values: Vec<f64> = random(&ctx, None, 1 << 20, 51, [0.0, 1.0]);
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / n;
        assert!((mean - 0.5).abs() < 0.002, "mean {mean}"); // seven standard deviations
        assert!((variance - 1.0 / 12.0).abs() < 0.001, "variance {variance}");
    }
}

//! Expressions that are associative, with what they are in Rust; and their reductions.

use std::ffi::CString;
use std::fmt::Debug;

use gpumex::model::variant::Variant;

use super::calls::{accumulate, reduce};
use crate::common::*;
use crate::operands::samples::{Sample, numbers};

pub const SIZES: [usize; 15] =
    [1, 2, 3, 31, 33, 255, 1000, 2047, 2049, 4097, 16_384, 16_385, 33_000, 135_000, 400_003];

/// An expression, and the same in Rust.
pub struct Join<T> {
    pub text: CString,
    pub apply: fn(T, T) -> T,
}

impl<T: Copy> Join<T> {
    pub fn new(text: &str, apply: fn(T, T) -> T) -> Join<T> {
        Join { text: CString::new(text).unwrap(), apply }
    }

    pub fn fold(&self, data: &[T]) -> Option<T> {
        data.iter().copied().reduce(self.apply)
    }
}

/// Those that depend on the order of the elements, and are exact, for every dtype.
pub fn ordered<T: Sample>() -> Vec<Join<T>> {
    let mut joins = vec![
        Join::new("a", |a, _| a),
        Join::new("b", |_, b| b),
        Join::new("b == 0 ? a : b", |a: T, b: T| if b.wide() == 0.0 { a } else { b }),
        Join::new("a == 0 ? b : a", |a: T, b: T| if a.wide() == 0.0 { b } else { a }),
    ];
    if T::DTYPE.is_float() {
        joins.push(Join::new("abs (a) >= abs (b) ? a : b", |a: T, b: T| {
            if a.wide().abs() >= b.wide().abs() { a } else { b }
        }));
    }
    joins
}

/// Compositions of x -> m·x + c, of which integers have both halves: first a, then b.
pub fn affine32() -> Join<u32> {
    let text = "bitshift (bitshift (a, -16) * bitshift (b, -16), 16) + \
                bitand (bitshift (b, -16) * bitand (a, 0xFFFF) + bitand (b, 0xFFFF), 0xFFFF)";
    Join::new(text, |a, b| {
        let ([m, c], [n, d]) = ([a >> 16, a & 0xFFFF], [b >> 16, b & 0xFFFF]);
        (n.wrapping_mul(m) << 16) | (n.wrapping_mul(c).wrapping_add(d) & 0xFFFF)
    })
}

pub fn affine64() -> Join<u64> {
    let text = "bitshift (bitshift (a, -32) * bitshift (b, -32), 32) + \
                bitand (bitshift (b, -32) * bitand (a, 0xFFFFFFFF) + bitand (b, 0xFFFFFFFF), 0xFFFFFFFF)";
    Join::new(text, |a, b| {
        let (low, [m, n]) = (u64::from(u32::MAX), [a >> 32, b >> 32]);
        (n.wrapping_mul(m) << 32) | (n.wrapping_mul(a & low).wrapping_add(b & low) & low)
    })
}

/// Runs `check` with each expression of each dtype.
macro_rules! for_every_join {
    ($check:ident($($argument:expr),*)) => {{
        $check::<f32>($($argument,)* ordered());
        $check::<f64>($($argument,)* ordered());
        $check::<i32>($($argument,)* ordered().into_iter().chain([Join::new("a + b", i32::wrapping_add)]).collect());
        $check::<i64>($($argument,)* ordered().into_iter().chain([Join::new("a * b", i64::wrapping_mul)]).collect());
        $check::<u32>($($argument,)* ordered().into_iter().chain([affine32(), Join::new("a + b", u32::wrapping_add)]).collect());
        $check::<u64>($($argument,)* ordered().into_iter().chain([affine64()]).collect());
    }};
}
pub(super) use for_every_join;

fn every_length<T: Sample + Debug>(ctx: &Context, joins: Vec<Join<T>>) {
    for (join, len) in joins.iter().flat_map(|join| SIZES.map(|len| (join, len))) {
        if is_long_for_share(len) || is_not_in_share() {
            continue;
        }
        let data = numbers::<T>(len as u64, len);
        for variant in ctx.variants() {
            let got = reduce(ctx, (variant, &join.text), [None; 2], &data, None);
            let what = format!("{:?}, {variant:?}, {:?}, {len} of {:?}", ctx.backend, join.text, T::DTYPE);
            assert_same_bits(&[got], &[join.fold(&data).unwrap()], what);
        }
    }
}

#[test]
fn every_expression_agrees_with_the_plain_loop_at_every_length() {
    for ctx in backends() {
        for_every_join!(every_length(&ctx));
    }
}

#[test]
fn every_kind_of_memory_is_reduced() {
    let (join, data) = (affine64(), numbers::<u64>(5, 20_001));
    for ctx in backends() {
        for kinds in EVERYWHERE.into_iter().flat_map(|data| EVERYWHERE.map(|result| [data, result])) {
            let got = reduce(&ctx, (Variant::Auto, &join.text), kinds, &data, None);
            assert_eq!(got, join.fold(&data).unwrap(), "{:?}, {kinds:?}", ctx.backend);
        }
    }
}

#[test]
fn arrays_of_any_alignment_are_reduced() {
    let (join, data) = (affine32(), numbers::<u32>(6, 60_000));
    for ctx in backends() {
        for (off, len) in (0..5).flat_map(|off| [(off, 1), (off, 4900), (off, 59_000)]) {
            let got = super::calls::reduce_from(&ctx, &join.text, &data, off, len);
            assert_eq!(got, join.fold(&data[off..off + len]).unwrap(), "{:?}, {off}, {len}", ctx.backend);
        }
    }
}

#[test]
fn nothing_gives_the_identity_of_the_caller() {
    for ctx in backends() {
        for variant in ctx.variants() {
            assert_eq!(reduce::<f32>(&ctx, (variant, c"hypot (a, b)"), [None; 2], &[], Some(0.25)), 0.25);
            assert_eq!(reduce(&ctx, (variant, c"a + b"), [None; 2], &[5u64], Some(7)), 5, "it is not joined");
        }
    }
}

#[test]
fn small_integers_are_joined_in_the_accumulator() {
    let data: Vec<u8> = (0..100_000u32).map(|i| (i.wrapping_mul(2_654_435_769) >> 24) as u8).collect();
    let signed: Vec<i8> = data.iter().map(|&x| x as i8).collect();
    let sum = |wide: fn(u8) -> i64| data.iter().map(|&x| wide(x)).sum::<i64>();
    for ctx in backends() {
        for variant in ctx.variants() {
            let how = (variant, c"a + b");
            assert_eq!(accumulate::<u8, u64>(&ctx, how, &data), sum(i64::from) as u64);
            assert_eq!(accumulate::<u8, i32>(&ctx, how, &data), sum(i64::from) as i32);
            assert_eq!(accumulate::<i8, i64>(&ctx, how, &signed), sum(|x| i64::from(x as i8)));
            assert_eq!(accumulate::<u8, u8>(&ctx, how, &data), sum(i64::from) as u8, "they wrap");
            assert_eq!(accumulate::<i8, i8>(&ctx, (variant, c"max (a, b)"), &signed), 127);
            assert_eq!(accumulate::<i8, i16>(&ctx, how, &signed), sum(|x| i64::from(x as i8)) as i16);
        }
    }
}

#[test]
fn sums_and_lengths_of_floats_are_within_their_bounds() {
    let data: Vec<f32> = numbers::<f32>(9, 300_007).iter().map(|x| x.abs() / 1e3).collect();
    let wide = |x: &f32| f64::from(*x);
    let (sum, squares) =
        (data.iter().map(wide).sum::<f64>(), data.iter().map(|x| wide(x).powi(2)).sum::<f64>());
    let missing: f64 = data.iter().map(|x| (1.0 - wide(x)).ln()).sum();
    for ctx in backends() {
        let all = |text| f64::from(reduce(&ctx, (Variant::Auto, text), [None; 2], &data, None));
        assert!((all(c"a + b") / sum - 1.0).abs() < 1e-5);
        assert!((all(c"hypot (a, b)") / squares.sqrt() - 1.0).abs() < 1e-4);
        assert!((all(c"a + b - a*b") - (1.0 - missing.exp())).abs() < 1e-4);
    }
}

#[test]
fn the_same_array_gives_the_same_bits() {
    let data = numbers::<f32>(21, 300_007);
    for ctx in backends() {
        let all = || reduce(&ctx, (Variant::Auto, c"a + b"), [None; 2], &data, None).to_bits();
        let once = all();
        assert!((0..5).all(|_| all() == once), "{:?}", ctx.backend);
    }
}

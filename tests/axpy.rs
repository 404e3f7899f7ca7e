//! gpumex_axpy gives the fused multiply-adds of its definition, bit for bit, wherever its vectors and its numbers lie.

use std::ffi::c_void;
use std::ptr::null;

use gpumex::error::Status;
use gpumex::ffi::{AxpyOptions, gpumex_axpy};
use gpumex::model::dtype::Dtype;
use gpumex::model::variant::Variant;

use crate::common::*;

trait Float: Number {
    /// fma (alpha, x, beta·y)
    fn combined(alpha: Self, x: Self, beta: Self, y: Self) -> Self;
    fn times(self, x: Self) -> Self;
}

macro_rules! floats {
    ($($float:ty),*) => {
        $(impl Float for $float {
            fn combined(alpha: Self, x: Self, beta: Self, y: Self) -> Self {
                alpha.mul_add(x, beta * y)
            }
            fn times(self, x: Self) -> Self {
                self * x
            }
        })*
    };
}

floats!(f32, f64);

/// Numbers of both signs and of many magnitudes.
fn numbers<T: Float>(seed: u64, len: usize) -> Vec<T> {
    let mut random = random(seed);
    let mut number = || random.random_range(-1.0..1.0) * 2f64.powi(random.random_range(-20..20));
    (0..len).map(|_| T::from_f64(number())).collect()
}

/// Where x, y, alpha and beta lie.
type Kinds = [Kind; 4];

/// y after the call; alpha and beta None are NULL.
#[track_caller]
fn axpy<T: Float>(
    ctx: &Context,
    variant: Variant,
    kinds: Kinds,
    [alpha, beta]: [Option<T>; 2],
    x: &[T],
    y: &[T],
) -> Vec<T> {
    let what =
        format!("{:?}, {variant:?}, {alpha:?}, {beta:?}, {kinds:?}, {} elements", ctx.backend, x.len());
    let mut numbers = [(alpha, kinds[2]), (beta, kinds[3])]
        .map(|(number, kind)| number.map(|number| Placed::holding(ctx, kind, &[number])));
    let [alpha, beta] =
        numbers.each_mut().map(|number| number.as_mut().map_or(null::<c_void>(), Placed::as_ptr));
    let (variant, dtype) = (variant as i32, T::DTYPE as i32);
    let options = AxpyOptions { variant, dtype, alpha, beta, ..AxpyOptions::default() };
    let [mut from, mut to] = [Placed::holding(ctx, kinds[0], x), Placed::holding(ctx, kinds[1], y)];
    // SAFETY: x.len() elements of the dtype each.
    ok(unsafe { gpumex_axpy(ctx.handle, &options, from.as_ptr(), to.as_mut_ptr(), x.len()) }, &what);
    assert_same_bits(&from.written(), x, format!("{what}: x"));
    to.written()
}

#[track_caller]
fn agrees<T: Float>(ctx: &Context, kinds: Kinds, scalars: [Option<T>; 2], x: &[T], y: &[T]) {
    let [alpha, beta] = scalars.map(|number| number.unwrap_or(T::from_f64(1.0)));
    let one = |(&x, &y)| if beta == T::default() { alpha.times(x) } else { T::combined(alpha, x, beta, y) };
    let want: Vec<T> = x.iter().zip(y).map(one).collect();
    for variant in ctx.variants() {
        let what = format!("{:?}, {variant:?}, {scalars:?}, {kinds:?}", ctx.backend);
        assert_same_bits(&axpy(ctx, variant, kinds, scalars, x, y), &want, what);
    }
}

fn every_length<T: Float>() {
    let scalars = [None, Some(0.0), Some(-0.0), Some(-1.0), Some(0.1)].map(|number| number.map(T::from_f64));
    for ctx in backends() {
        for len in [0, 1, 2, 3, 5, 33, 255, 4097, 65_537, (1 << 19) + 3] {
            let (x, y) = (numbers::<T>(1, len), numbers::<T>(2, len));
            for alpha in scalars {
                scalars.iter().for_each(|&beta| agrees(&ctx, [None; 4], [alpha, beta], &x, &y));
            }
        }
    }
}

#[test]
fn every_length_has_the_bits_of_the_definition() {
    every_length::<f32>();
    every_length::<f64>();
}

#[test]
fn vectors_and_numbers_may_lie_in_every_kind_of_memory() {
    let (x, y) = (numbers::<f32>(3, 10_007), numbers::<f32>(4, 10_007));
    for ctx in backends() {
        for kinds in EVERYWHERE.into_iter().flat_map(|a| EVERYWHERE.map(|b| [a, b])) {
            for scalars in [[Some(0.3), Some(-1.7)], [Some(0.3), Some(0.0)]] {
                agrees::<f32>(&ctx, [kinds[0], kinds[1], None, None], scalars, &x, &y);
                agrees::<f32>(&ctx, [EVERYWHERE[1], EVERYWHERE[1], kinds[0], kinds[1]], scalars, &x, &y);
            }
        }
    }
}

#[test]
fn beta_of_zero_does_not_read_y() {
    for ctx in backends() {
        for kind in EVERYWHERE {
            let got = axpy(
                &ctx,
                Variant::Auto,
                [None, None, None, kind],
                [None, Some(0.0)],
                &[1.5f32, -0.0],
                &[f32::NAN; 2],
            );
            assert_same_bits(&got, &[1.5, -0.0], format!("{:?}, beta in {kind:?}", ctx.backend));
        }
    }
}

#[test]
fn bad_input_is_refused() {
    let (x, mut y, number) = ([1.0f32; 4], [2.0f32; 4], [3.0f32]);
    for ctx in backends() {
        let good = AxpyOptions { dtype: Dtype::F32 as i32, ..AxpyOptions::default() };
        let to = y.as_mut_ptr();
        let call = |options: &AxpyOptions, x: *const f32, y: *mut f32| {
            // SAFETY: four floats each, or what is refused.
            unsafe { gpumex_axpy(ctx.handle, options, x.cast(), y.cast(), 4) }
        };
        let invalid = |status, words: &[&str]| refused(status, Status::InvalidArgument, words, words[0]);
        refused(call(&good, null(), to), Status::NullPointer, &["gpumex_axpy", "x is NULL"], "x");
        refused(call(&good, x.as_ptr(), std::ptr::null_mut()), Status::NullPointer, &["y is NULL"], "y");
        invalid(call(&good, to.wrapping_sub(1), to), &["y overlaps x"]);
        let inside = AxpyOptions { alpha: to.wrapping_add(3).cast(), ..good };
        invalid(call(&inside, x.as_ptr(), to), &["y overlaps options.alpha"]);
        let odd = AxpyOptions { beta: number.as_ptr().wrapping_byte_add(1).cast(), ..good };
        invalid(call(&odd, x.as_ptr(), to), &["options.beta", "multiple of 4"]);
        invalid(call(&AxpyOptions { dtype: 0, ..good }, x.as_ptr(), to), &["options.dtype", "not set"]);
        let bytes = AxpyOptions { dtype: Dtype::I32 as i32, ..good };
        refused(
            call(&bytes, x.as_ptr(), to),
            Status::Unsupported,
            &["GPUMEX_DTYPE_I32", "F32 and F64"],
            "I32",
        );
    }
    assert_eq!(y, [2.0; 4], "a call that is refused writes nothing");
}

//! Sum of two vectors: every variant on every backend, in every kind of memory, gives the rounded sums.

use gpumex::ffi::{AddOptions, gpumex_add};
use gpumex::model::dtype::Dtype;
use gpumex::ops::add::AddVariant;

use crate::common::*;

const SIZES: [usize; 15] = [0, 1, 2, 3, 5, 31, 33, 127, 255, 257, 1023, 4097, 65_535, 65_537, (1 << 20) + 3];

/// y after y ← x + y; x stays as it was.
#[track_caller]
fn add<T: Number>(ctx: &Context, variant: AddVariant, kinds: [Kind; 2], x: &[T], y: &[T]) -> Vec<T> {
    let (dtype, len) = (T::DTYPE as i32, x.len());
    let what = format!("gpumex_add on {:?}, {variant:?}, {:?}, {len}, {kinds:?}", ctx.backend, T::DTYPE);
    let options = AddOptions { variant: variant as i32, dtype, ..AddOptions::default() };
    let [mut from, mut to] = [Placed::holding(ctx, kinds[0], x), Placed::holding(ctx, kinds[1], y)];
    // SAFETY: both hold len elements of the dtype.
    ok(unsafe { gpumex_add(ctx.handle, &options, from.as_ptr(), to.as_mut_ptr(), len) }, &what);
    assert_same_bits(&from.written(), x, format!("{what}: x"));
    to.written()
}

trait Float: Number + std::ops::Add<Output = Self> {}
impl Float for f32 {}
impl Float for f64 {}

/// Numbers of both signs and of many magnitudes.
fn numbers<T: Float>(seed: u64, len: usize) -> Vec<T> {
    let mut random = random(seed);
    let mut number = || random.random_range(-1.0..1.0) * 2f64.powi(random.random_range(-20..20));
    (0..len).map(|_| T::from_f64(number())).collect()
}

#[track_caller]
fn agrees<T: Float>(ctx: &Context, kinds: [Kind; 2], x: &[T], y: &[T]) {
    let want: Vec<T> = (0..x.len()).map(|i| x[i] + y[i]).collect();
    for variant in ctx.variants() {
        let what = format!("{:?}, {variant:?}, {:?}, {kinds:?}", ctx.backend, T::DTYPE);
        assert_same(&add(ctx, variant, kinds, x, y), &want, what);
    }
}

#[test]
fn every_length_is_added() {
    for ctx in backends() {
        for len in SIZES {
            agrees::<f32>(&ctx, [None; 2], &numbers(1, len), &numbers(2, len));
            agrees::<f64>(&ctx, [None; 2], &numbers(3, len), &numbers(4, len));
        }
    }
}

#[test]
fn every_kind_of_memory_is_added_to_every_other() {
    for ctx in backends() {
        for kinds in EVERYWHERE.into_iter().flat_map(|x| EVERYWHERE.map(|y| [x, y])) {
            agrees::<f32>(&ctx, kinds, &numbers(5, 10_007), &numbers(6, 10_007));
            agrees::<f64>(&ctx, kinds, &numbers(7, 10_007), &numbers(8, 10_007));
        }
    }
}

#[test]
fn vectors_of_any_alignment_are_added() {
    for ctx in backends() {
        let (x, y) = (numbers::<f32>(9, 5000), numbers::<f32>(10, 5000));
        for (from, to) in (0..5).flat_map(|from| (0..5).map(move |to| (from, to))) {
            let mut sum = Placed::holding(&ctx, Some(gpumex::memory::MemoryKind::Device), &y);
            let mut other = Placed::holding(&ctx, Some(gpumex::memory::MemoryKind::Device), &x);
            let x_at = other.as_ptr::<f32>().wrapping_add(from).cast();
            let y_at = sum.as_mut_ptr::<f32>().wrapping_add(to).cast();
            let what = format!("{:?}, x {from} and y {to} elements off", ctx.backend);
            let options = AddOptions { dtype: Dtype::F32 as i32, ..AddOptions::default() };
            // SAFETY: 4900 elements from there on.
            ok(unsafe { gpumex_add(ctx.handle, &options, x_at, y_at, 4900) }, &what);
            let mut want = y.clone();
            (0..4900).for_each(|i| want[to + i] += x[from + i]);
            assert_same(&sum.written(), &want, what);
        }
    }
}

#[test]
fn what_is_not_finite_is_added_as_ieee_754_has_it() {
    let x = [f32::INFINITY, f32::NEG_INFINITY, f32::MAX, -0.0, f32::from_bits(1), f32::MIN_POSITIVE];
    let y = [1.0, f32::NEG_INFINITY, f32::MAX, -0.0, f32::from_bits(1), -f32::from_bits(0x7F_FFFF)];
    for ctx in backends() {
        for variant in ctx.variants() {
            let sums = add(&ctx, variant, [None; 2], &x, &y);
            let want =
                [f32::INFINITY, f32::NEG_INFINITY, f32::INFINITY, -0.0, f32::from_bits(2), f32::from_bits(1)];
            assert_same_bits(&sums, &want, format!("{:?}, {variant:?}", ctx.backend));
            let nans = add(&ctx, variant, [None; 2], &[f64::NAN, f64::INFINITY], &[1.0, f64::NEG_INFINITY]);
            assert!(nans.iter().all(|value| value.is_nan()), "{:?}, {variant:?}: {nans:?}", ctx.backend);
        }
    }
}

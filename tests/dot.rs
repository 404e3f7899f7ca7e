//! Inner product: every variant on every backend, in every kind of memory, meets the error bound.

use gpumex::ffi::{DotOptions, gpumex_dot};
use gpumex::model::dtype::Dtype;
use gpumex::ops::dot::DotVariant;
use gpumex::platform::settings::Backend;

use crate::common::*;

const SIZES: [usize; 17] =
    [0, 1, 2, 3, 31, 33, 127, 255, 257, 1023, 4095, 4097, 32_769, 65_537, 135_000, 1 << 20, (1 << 20) + 3];

// -------------------------------------------------------------------------------------------------------------- the call

#[track_caller]
fn dot<T: Number>(ctx: &Context, variant: DotVariant, kinds: [Kind; 3], x: &[T], y: &[T]) -> T {
    let (dtype, len) = (T::DTYPE as i32, x.len());
    let what = format!("gpumex_dot on {:?}, {variant:?}, {:?}, {len}, {kinds:?}", ctx.backend, T::DTYPE);
    let options = DotOptions { variant: variant as i32, dtype, ..DotOptions::default() };
    let mut from = [Placed::holding(ctx, kinds[0], x), Placed::holding(ctx, kinds[1], y)];
    let mut result = Placed::<T>::new(ctx, kinds[2], 1);
    let ([x_at, y_at], to) = (from.each_mut().map(Placed::as_ptr), result.as_mut_ptr());
    // SAFETY: both hold len elements of the dtype, the result one.
    ok(unsafe { gpumex_dot(ctx.handle, &options, x_at, y_at, len, to) }, &what);
    result.written()[0]
}

// ------------------------------------------------------------------------------------------------------------ the oracle

/// A sum of products with what rounding left out of it: T. Ogita, S. Rump, S. Oishi, "Accurate Sum and Dot
/// Product", 2005, Dot2.
fn compensated(x: &[f64], y: &[f64]) -> f64 {
    let (mut sum, mut rest) = (0.0f64, 0.0f64);
    for (x, y) in x.iter().zip(y) {
        let product = x * y;
        let product_rest = x.mul_add(*y, -product);
        let next = sum + product;
        let part = next - sum;
        let sum_rest = (sum - (next - part)) + (product - part);
        (sum, rest) = (next, rest + (product_rest + sum_rest));
    }
    sum + rest
}

/// |got - want| ≤ γ_d Σ|x·y|, with as many roundings d as the documentation states.
#[track_caller]
fn agrees<T: Real>(ctx: &Context, variant: DotVariant, kinds: [Kind; 3], x: &[T], y: &[T]) {
    let wide = |values: &[T]| values.iter().map(|value| value.to_f64()).collect::<Vec<f64>>();
    let (wide_x, wide_y) = (wide(x), wide(y));
    let sizes: f64 = wide_x.iter().zip(&wide_y).map(|(x, y)| (x * y).abs()).sum();
    let tree = 134 + x.len().div_ceil(4096).max(1).next_power_of_two().ilog2() as usize;
    let roundings = match (ctx.backend, variant) {
        (Backend::Cpu, DotVariant::Auto | DotVariant::Atomic | DotVariant::TwoPass) => x.len().min(tree),
        _ => x.len(),
    };
    let nu = roundings as f64 * T::UNIT_ROUNDOFF;
    let bound = nu / (1.0 - nu) * sizes * (1.0 + 1e-10);
    let got = dot(ctx, variant, kinds, x, y).to_f64();
    let want = compensated(&wide_x, &wide_y);
    assert!(
        (got - want).abs() <= bound,
        "{:?}, {variant:?}, {} elements, {kinds:?}: got {got:e}, want {want:e}, within {bound:e}",
        ctx.backend,
        x.len()
    );
}

fn numbers<T: Real>(seed: u64, len: usize) -> Vec<T> {
    let mut random = random(seed);
    (0..len).map(|_| T::from_f64(random.random_range(-1.0..1.0))).collect()
}

// ---------------------------------------------------------------------------------------------------------------- sizes

#[test]
fn every_length_meets_the_bound() {
    for ctx in backends() {
        for (len, variant) in
            SIZES.into_iter().flat_map(|len| ctx.variants().into_iter().map(move |v| (len, v)))
        {
            agrees::<f32>(&ctx, variant, [None; 3], &numbers(1, len), &numbers(2, len));
            agrees::<f64>(&ctx, variant, [None; 3], &numbers(3, len), &numbers(4, len));
        }
    }
}

#[test]
fn whole_numbers_are_exact_at_every_length() {
    for ctx in backends() {
        for variant in ctx.variants() {
            for len in (0..300).chain(SIZES) {
                let x: Vec<f64> = (0..len).map(|i| (i % 1021) as f64 - 300.0).collect();
                let y: Vec<f64> = (0..len).map(|i| (i % 17) as f64).collect();
                let want: i64 = (0..len as i64).map(|i| (i % 1021 - 300) * (i % 17)).sum();
                let got = dot(&ctx, variant, [None; 3], &x, &y);
                assert!(got == want as f64, "{:?}, {variant:?}, {len}: got {got}, want {want}", ctx.backend);
            }
        }
    }
}

#[test]
fn every_kind_of_memory_meets_the_bound() {
    for ctx in backends() {
        let kinds = EVERYWHERE.into_iter().flat_map(|x| EVERYWHERE.map(|y| [x, y]));
        for kinds in kinds.flat_map(|[x, y]| EVERYWHERE.map(|result| [x, y, result])) {
            for variant in ctx.variants() {
                agrees::<f32>(&ctx, variant, kinds, &numbers(5, 5003), &numbers(6, 5003));
                agrees::<f64>(&ctx, variant, kinds, &numbers(7, 5003), &numbers(8, 5003));
            }
        }
    }
}

#[test]
fn vectors_of_any_alignment_are_multiplied() {
    for ctx in backends() {
        let [x, y] = [11, 12]
            .map(|seed| numbers::<f32>(seed, 5000).iter().map(|v| (v * 9.0).round()).collect::<Vec<_>>());
        for (from_x, from_y) in (0..5).flat_map(|x| (0..5).map(move |y| (x, y))) {
            let device = Some(gpumex::memory::MemoryKind::Device);
            let mut arrays = [Placed::holding(&ctx, device, &x), Placed::holding(&ctx, device, &y)];
            let [x_at, y_at] = arrays.each_mut().map(Placed::as_ptr::<f32>);
            let (x_at, y_at) = (x_at.wrapping_add(from_x).cast(), y_at.wrapping_add(from_y).cast());
            let mut result = Output::<f32>::new(1);
            let what = format!("{:?}, x {from_x} and y {from_y} elements off", ctx.backend);
            let to = result.as_mut_ptr().cast();
            let options = DotOptions { dtype: Dtype::F32 as i32, ..DotOptions::default() };
            // SAFETY: 4900 elements from there on, one result.
            ok(unsafe { gpumex_dot(ctx.handle, &options, x_at, y_at, 4900, to) }, &what);
            let want: f32 = (0..4900).map(|i| x[from_x + i] * y[from_y + i]).sum();
            assert_same(&result.written(&what), &[want], what);
        }
    }
}

// -------------------------------------------------------------------------------------------------------------- meaning

#[test]
fn the_same_arrays_give_the_same_bits() {
    let (x, y) = (numbers::<f32>(21, 300_007), numbers::<f32>(22, 300_007));
    for ctx in backends() {
        let is_fixed = |variant: &DotVariant| !matches!(variant, DotVariant::Atomic | DotVariant::Shared);
        for variant in ctx.variants().into_iter().filter(is_fixed) {
            let once = dot(&ctx, variant, [None; 3], &x, &y);
            for _ in 0..10 {
                let again = dot(&ctx, variant, [None; 3], &x, &y);
                assert_eq!(again.to_bits(), once.to_bits(), "{:?}, {variant:?}", ctx.backend);
            }
        }
    }
}

#[test]
fn a_vector_with_itself_is_its_length_squared() {
    let x: Vec<f32> = (0..1001).map(|i| (i % 5) as f32).collect();
    for ctx in backends() {
        for variant in ctx.variants::<DotVariant>() {
            let what = format!("{:?}, {variant:?}, x is y", ctx.backend);
            let options =
                DotOptions { variant: variant as i32, dtype: Dtype::F32 as i32, ..DotOptions::default() };
            let mut result = Output::<f32>::new(1);
            let (from, to) = (x.as_ptr().cast(), result.as_mut_ptr().cast());
            // SAFETY: 1001 elements to read, one to write.
            ok(unsafe { gpumex_dot(ctx.handle, &options, from, from, 1001, to) }, &what);
            assert_same(&result.written(&what), &[6000.0], what);
        }
    }
}

#[test]
fn what_is_not_finite_shows() {
    for ctx in backends() {
        for variant in ctx.variants() {
            let with = |value: f64| {
                let mut x = vec![1.0; 9000];
                x[8123] = value;
                dot(&ctx, variant, [None; 3], &x, &vec![2.0; 9000])
            };
            assert!(with(f64::NAN).is_nan(), "{:?}, {variant:?}: NaN", ctx.backend);
            assert_eq!(with(f64::INFINITY), f64::INFINITY, "{:?}, {variant:?}", ctx.backend);
            assert_eq!(with(3.0), 18_004.0, "{:?}, {variant:?}", ctx.backend);
        }
    }
}

//! Products of F16 and BF16: within the documented bound of the product of the numbers that their bits stand for.

use std::ffi::CString;

use gpumex::context::KernelTuning;
use gpumex::ffi::{MatmulOptions, gpumex_matmul, gpumex_tuning_get, gpumex_tuning_set};
use gpumex::model::dtype::Dtype;
use gpumex::ops::matmul::{MatmulOrder, MatmulVariant};

use super::oracle::Exact;
use super::problem::{Places, Problem, Storage, kinds_of};
use super::ways::variants_of;
use crate::common::*;

const HALVES: [Dtype; 2] = [Dtype::F16, Dtype::Bf16];

/// A quiet NaN of either dtype.
const POISON: u16 = 0x7FFF;

/// Of a 16-bit float: the bits behind the point, the bias of the exponent.
fn format_of(dtype: Dtype) -> (u32, i32) {
    if dtype == Dtype::F16 { (10, 15) } else { (7, 127) }
}

/// The number, by the definition of the format.
fn value_of(dtype: Dtype, bits: u16) -> f64 {
    let (digits, bias) = format_of(dtype);
    let (fraction, exponent) = (bits & ((1 << digits) - 1), bits >> digits & ((1 << (15 - digits)) - 1));
    let sign = if bits >> 15 == 0 { 1.0 } else { -1.0 };
    let fraction = f64::from(fraction) / f64::from(1 << digits);
    let is_special = exponent == (1 << (15 - digits)) - 1;
    sign * match (is_special, exponent) {
        (true, _) if fraction == 0.0 => f64::INFINITY,
        (true, _) => f64::NAN,
        (_, 0) => fraction * 2f64.powi(1 - bias),
        (_, exponent) => (1.0 + fraction) * 2f64.powi(i32::from(exponent) - bias),
    }
}

/// The bits of a number that the format has.
fn bits_of(dtype: Dtype, value: f64) -> u16 {
    let found = (0..=u16::MAX).find(|&bits| value_of(dtype, bits) == value);
    found.unwrap_or_else(|| panic!("{value} is no {dtype:?}"))
}

/// Numbers from 2^-8 to 1 of either sign, 0 now and then.
fn random_half(dtype: Dtype, random: &mut impl RngExt) -> u16 {
    let (digits, bias) = format_of(dtype);
    let exponent = (bias - random.random_range(1..9)) as u16;
    let (sign, fraction) = (random.random_range(0..2u16), random.random_range(0..1u16 << digits));
    if random.random_range(0..20) == 0 { sign << 15 } else { sign << 15 | exponent << digits | fraction }
}

/// C as what holds it.
enum Target {
    Half(Placed<u16>),
    Float(Placed<f32>),
}

/// Every element of every product is within the bound, and nothing else of C is written.
#[track_caller]
fn check(ctx: &Context, variant: MatmulVariant, dtype: Dtype, of_c: Dtype, problem: &Problem) {
    let [m, n, k] = problem.size;
    let what = format!("{:?}, {variant:?}, {dtype:?}, C {of_c:?}, {problem:?}", ctx.backend);
    let places = |storage, size| Places::new(problem.order, storage, size, problem.batch);
    let (in_a, in_b) = (places(problem.a, [m, k]), places(problem.b, [k, n]));
    let in_c = places(problem.c, [m, n]);
    let [alpha, beta] = problem.scale.unwrap_or([1.0, 0.0]).map(|factor| f64::from(factor as f32));
    let mut random = random(problem.seed);
    let mut filled = |places: &Places| {
        let mut bits = vec![POISON; places.extent()];
        places.each(|place| bits[place] = random_half(dtype, &mut random));
        bits
    };
    let (a, b) = (filled(&in_a), filled(&in_b));
    let c = if beta == 0.0 { vec![POISON; in_c.extent()] } else { filled(&in_c) };
    let numbers = |bits: &[u16]| bits.iter().map(|&bits| value_of(dtype, bits)).collect::<Vec<f64>>();

    let mut from_a = Placed::holding(ctx, problem.kinds[0], &a);
    let mut from_b = Placed::holding(ctx, problem.kinds[1], &b);
    let (a, b, before) = (numbers(&a), numbers(&b), numbers(&c));
    let mut to = match of_c {
        Dtype::F32 => {
            let floats: Vec<f32> = before.iter().map(|&value| value as f32).collect();
            Target::Float(Placed::holding(ctx, problem.kinds[2], &floats))
        }
        _ => Target::Half(Placed::holding(ctx, problem.kinds[2], &c)),
    };
    let given = if of_c == dtype { Dtype::None } else { of_c };
    let options =
        MatmulOptions { dtype_c: given as i32, ..problem.options(variant, dtype, &in_a, &in_b, &in_c) };
    let address = match &mut to {
        Target::Half(placed) => placed.as_mut_ptr(),
        Target::Float(placed) => placed.as_mut_ptr(),
    };
    // SAFETY: the arrays reach from the first to the last element that the options describe.
    let status =
        unsafe { gpumex_matmul(ctx.handle, &options, m, n, k, from_a.as_ptr(), from_b.as_ptr(), address) };
    ok(status, &what);
    let after: Vec<f64> = match to {
        Target::Half(placed) => numbers(&placed.written()),
        Target::Float(placed) => placed.written().into_iter().map(f64::from).collect(),
    };

    let mut untouched: Vec<bool> = vec![true; after.len()];
    in_c.each(|place| untouched[place] = false);
    for (place, _) in untouched.iter().enumerate().filter(|(_, untouched)| **untouched) {
        let (after, before) = (after[place], before[place]);
        assert!(
            after == before || after.is_nan() && before.is_nan(),
            "{what}: element {place} lies between rows of C"
        );
    }
    let ju = (2.0 * k as f64 + 10.0) * 2f64.powi(-24);
    let (digits, bias) = format_of(dtype);
    let (unit, least) = match of_c {
        Dtype::F32 => (0.0, 0.0),
        _ => (2f64.powi(-1 - digits as i32), 2f64.powi(-bias - digits as i32)),
    };
    for product in 0..problem.batch {
        for (i, j) in (0..m * n).map(|index| (index / n, index % n)) {
            let terms = if alpha == 0.0 { 0 } else { k };
            let sum = (0..terms).fold(Exact::default(), |sum, l| {
                sum.add(a[in_a.of(product, i, l)], b[in_b.of(product, l, j)])
            });
            let place = in_c.of(product, i, j);
            let old = if beta == 0.0 { 0.0 } else { before[place] };
            let want = sum.times(alpha).add(beta, old);
            let error = ((after[place] - want.high) - want.low).abs();
            let bound = ju / (1.0 - ju) * want.magnitude;
            let bound = (bound + unit * (want.high.abs() + bound) + least) * (1.0 + 1e-9);
            assert!(
                error <= bound,
                "{what}: product {product}, row {i}, column {j}: got {:e}, want {:e}, bound {bound:e}",
                after[place],
                want.high
            );
        }
    }
}

/// The variants that there are, with both dtypes and both of C.
fn each(ctx: &Context, mut check: impl FnMut(MatmulVariant, Dtype, Dtype)) {
    for variant in variants_of::<f64>(ctx) {
        for dtype in HALVES {
            for of_c in [dtype, Dtype::F32] {
                check(variant, dtype, of_c);
            }
        }
    }
}

#[test]
fn random_products_of_halves_are_within_the_bound() {
    let mut random = random(61);
    for ctx in &backends() {
        each(ctx, |variant, dtype, of_c| {
            for _ in 0..40 {
                if !is_not_in_small_share() {
                    check(ctx, variant, dtype, of_c, &Problem::any(&mut random, 90, kinds_of(ctx)));
                }
            }
        });
    }
}

#[test]
fn products_of_halves_of_every_size_are_within_the_bound() {
    const SIZES: [[usize; 3]; 9] = [
        [1, 1, 1],
        [1, 300, 700],
        [300, 1, 129],
        [64, 130, 64],
        [65, 64, 200],
        [129, 257, 72],
        [300, 300, 64],
        [17, 520, 1031],
        [260, 130, 0],
    ];
    for ctx in &backends() {
        each(ctx, |variant, dtype, of_c| {
            for size in SIZES {
                if !is_not_in_small_share() {
                    check(ctx, variant, dtype, of_c, &Problem::plain(size));
                }
            }
        });
    }
}

/// Parts of k that a second kernel adds up, with a C that is along either edge.
#[test]
fn halves_with_few_elements_of_c_and_a_long_k_are_within_the_bound() {
    for ctx in &backends() {
        for (dtype, size) in
            HALVES.into_iter().flat_map(|dtype| [[37, 71, 9000], [71, 40, 6500]].map(|size| (dtype, size)))
        {
            for (of_c, scale) in [(dtype, None), (Dtype::F32, Some([1.7, -0.5]))] {
                if !is_not_in_small_share() {
                    check(ctx, MatmulVariant::Auto, dtype, of_c, &Problem { scale, ..Problem::plain(size) });
                }
            }
        }
    }
}

/// Sets a tuning of the context.
fn tune(ctx: &Context, name: &str, values: i32) {
    let name = CString::new(name).unwrap();
    let mut tuning = KernelTuning { size: size_of::<KernelTuning>(), ..KernelTuning::default() };
    // SAFETY: a live context, a text, a struct to read and write.
    ok(unsafe { gpumex_tuning_get(ctx.handle, name.as_ptr(), &mut tuning) }, "gpumex_tuning_get");
    tuning.values = values;
    // SAFETY: likewise.
    ok(unsafe { gpumex_tuning_set(ctx.handle, name.as_ptr(), &tuning) }, "gpumex_tuning_set");
}

/// Storage of which TMA loads every element, one that is copied first, and one along the edges of tiles.
#[test]
fn every_tile_of_halves_is_within_the_bound_on_cuda() {
    let Some(ctx) = Context::cuda() else { return };
    let gap = |gap| Storage { line_gap: Some(gap), ..Storage::TIGHT };
    for values in [1, 2, 4, 8, 128, 256] {
        tune(&ctx, "matmul_half", values);
        for (dtype, trans) in HALVES.into_iter().flat_map(|dtype| (0..4).map(move |trans| (dtype, trans))) {
            for (size, line_gap) in [([256, 512, 192], 0), ([200, 328, 136], 8), ([131, 259, 67], 1)] {
                if is_not_in_small_share() {
                    continue;
                }
                let storage = |transposed| Storage { transposed, ..gap(line_gap) };
                let problem = Problem {
                    a: storage(trans % 2 == 1),
                    b: storage(trans / 2 == 1),
                    c: gap(line_gap),
                    scale: (line_gap == 8).then_some([1.7, -0.5]),
                    ..Problem::plain(size)
                };
                let of_c = if trans == 1 { Dtype::F32 } else { dtype };
                check(&ctx, MatmulVariant::Auto, dtype, of_c, &problem);
            }
        }
    }
}

/// One product of row-major bits.
fn product(ctx: &Context, dtype: Dtype, [m, n, k]: [usize; 3], a: &[u16], b: &[u16]) -> Vec<f64> {
    let options = MatmulOptions { dtype: dtype as i32, ..MatmulOptions::default() };
    let mut c = vec![POISON; m * n];
    let (from_a, from_b, to) = (a.as_ptr().cast(), b.as_ptr().cast(), c.as_mut_ptr().cast());
    // SAFETY: the arrays hold the matrices.
    ok(unsafe { gpumex_matmul(ctx.handle, &options, m, n, k, from_a, from_b, to) }, format!("{dtype:?}"));
    c.into_iter().map(|bits| value_of(dtype, bits)).collect()
}

#[test]
fn whole_numbers_of_halves_are_exact() {
    let mut random = random(62);
    for ctx in &backends() {
        for dtype in HALVES {
            for [m, n, k] in [[3, 4, 5], [64, 64, 64], [130, 70, 120]] {
                let whole: Vec<u16> = (-2..=2).map(|number| bits_of(dtype, f64::from(number))).collect();
                let mut matrix =
                    |len: usize| (0..len).map(|_| random.random_range(0..5usize)).collect::<Vec<_>>();
                let (a, b) = (matrix(m * k), matrix(k * n));
                let bits = |matrix: &[usize]| matrix.iter().map(|&at| whole[at]).collect::<Vec<u16>>();
                let got = product(ctx, dtype, [m, n, k], &bits(&a), &bits(&b));
                for (index, got) in got.into_iter().enumerate() {
                    let (i, j) = (index / n, index % n);
                    let want: i64 =
                        (0..k).map(|l| (a[i * k + l] as i64 - 2) * (b[l * n + j] as i64 - 2)).sum();
                    let is_held = want.unsigned_abs() <= 256; // a whole number of BF16
                    assert!(
                        !is_held || got == want as f64,
                        "{:?}, {dtype:?}, ({i}, {j}): {got}, {want}",
                        ctx.backend
                    );
                }
            }
        }
    }
}

#[test]
fn halves_that_are_no_numbers_and_sums_that_are_too_large() {
    for ctx in &backends() {
        for dtype in HALVES {
            let what = format!("{:?}, {dtype:?}", ctx.backend);
            let (digits, _) = format_of(dtype);
            let infinity = ((1u16 << (15 - digits)) - 1) << digits;
            let [zero, one, minus] = [0.0, 1.0, -1.0].map(|value| bits_of(dtype, value));
            let largest = infinity - 1; // the number before it
            let of = |a: [u16; 2], b: [u16; 2]| product(ctx, dtype, [1, 1, 2], &a, &b)[0];
            assert_eq!(of([infinity, one], [one, one]), f64::INFINITY, "{what}");
            assert_eq!(of([infinity, one], [minus, one]), f64::NEG_INFINITY, "{what}");
            assert!(of([infinity, one], [zero, one]).is_nan(), "{what}");
            assert!(of([infinity, infinity], [one, minus]).is_nan(), "{what}");
            assert!(of([POISON, one], [one, one]).is_nan(), "{what}");
            assert_eq!(of([largest, largest], [one, minus]), 0.0, "{what}: sums are in float");
            assert_eq!(of([largest, largest], [one, one]), f64::INFINITY, "{what}: rounded to the dtype");
            let smallest = 1u16; // a subnormal number
            if dtype == Dtype::F16 {
                assert_eq!(of([smallest, zero], [one, one]), value_of(dtype, smallest), "{what}");
            }
        }
    }
}

#[test]
fn halves_in_column_order_are_the_transpose() {
    let problem = Problem { order: MatmulOrder::Column, ..Problem::plain([70, 33, 50]) };
    for ctx in &backends() {
        each(ctx, |variant, dtype, of_c| check(ctx, variant, dtype, of_c, &problem));
    }
}

//! Matrix product: every variant on every backend is within the documented bound of a product in twice the precision.

mod common;

use common::*;
use gpumex::ops::matmul::{MatmulOrder, MatmulVariant};

const ORDERS: [MatmulOrder; 2] = [MatmulOrder::Row, MatmulOrder::Column];

// -------------------------------------------------------------------------------------------------------- the oracle

/// An element of the exact product as high + low part, and of |A||B|.
#[derive(Clone, Copy)]
struct Exact {
    high: f64,
    low: f64,
    magnitude: f64,
}

/// A·B of row-major matrices: T. Ogita, S. Rump, S. Oishi, "Accurate sum and dot product", 2005, algorithm 5.3 (Dot2).
fn exact_product<T: Real>([m, n, k]: [usize; 3], a: &[T], b: &[T]) -> Vec<Exact> {
    let element = |i: usize, j: usize| {
        let mut sum = Exact { high: 0.0, low: 0.0, magnitude: 0.0 };
        for l in 0..k {
            let (x, y) = (a[i * k + l].to_f64(), b[l * n + j].to_f64());
            let product = x * y;
            let product_error = x.mul_add(y, -product);
            let high = sum.high + product;
            let part = high - sum.high;
            let sum_error = (sum.high - (high - part)) + (product - part);
            let low = sum.low + (product_error + sum_error);
            sum = Exact { high, low, magnitude: sum.magnitude + product.abs() };
        }
        sum
    };
    (0..m * n).map(|index| element(index / n, index % n)).collect()
}

/// |C - AB| ≤ k·u/(1 - k·u)·|A||B|, element by element.
#[track_caller]
fn assert_within_bound<T: Real>(got: &[T], exact: &[Exact], n: usize, k: usize, what: &str) {
    let ku = k as f64 * T::UNIT_ROUNDOFF;
    let gamma = ku / (1.0 - ku) * (1.0 + 1e-9); // the oracle's own rounding
    for (index, (got, exact)) in got.iter().zip(exact).enumerate() {
        let error = ((got.to_f64() - exact.high) - exact.low).abs();
        let bound = gamma * exact.magnitude;
        let (i, j, want) = (index / n, index % n, exact.high + exact.low);
        assert!(
            error <= bound,
            "{what}: index {index}, row {i}, column {j}: got {got:?}, want {want:e}, error {error:e}, bound {bound:e}"
        );
    }
}

// ------------------------------------------------------------------------------------------------------------ helpers

/// Which of the ways to compute a product.
struct Way<'a> {
    ctx: &'a Context,
    variant: MatmulVariant,
    order: MatmulOrder,
}

impl Way<'_> {
    /// The product of row-major A and B as row-major C, whatever the order on the way.
    #[track_caller]
    fn product<T: Real>(&self, [m, n, k]: [usize; 3], a: &[T], b: &[T]) -> Vec<T> {
        match self.order {
            MatmulOrder::Row => matmul(self.ctx, self.variant, self.order, [m, n, k], a, b),
            MatmulOrder::Column => {
                let (a, b) = (transposed(a, m, k), transposed(b, k, n));
                transposed(&matmul(self.ctx, self.variant, self.order, [m, n, k], &a, &b), n, m)
            }
        }
    }
}

/// Runs a check for every backend, variant and order.
#[track_caller]
fn each_way(backends: &[Context], mut check: impl FnMut(&Way, String)) {
    for ctx in backends {
        for variant in ctx.variants() {
            for order in ORDERS {
                check(&Way { ctx, variant, order }, format!("{:?}, {variant:?}, {order:?}", ctx.backend));
            }
        }
    }
}

fn transposed<T: Copy>(matrix: &[T], rows: usize, cols: usize) -> Vec<T> {
    (0..rows * cols).map(|index| matrix[index % rows * cols + index / rows]).collect()
}

fn random_matrix<T: Real>(seed: u64, len: usize) -> Vec<T> {
    let mut random = random(seed);
    (0..len).map(|_| T::from_f64(random.random_range(-1.0..1.0))).collect()
}

/// Whole numbers from -8 to 8: products of them are exact.
fn random_integers<T: Real>(seed: u64, len: usize) -> Vec<T> {
    let mut random = random(seed);
    (0..len).map(|_| T::from_f64(f64::from(random.random_range(-8..=8)))).collect()
}

/// Random matrices of this size: each way is within the bound.
#[track_caller]
fn product_is_within_bound<T: Real>(backends: &[Context], [m, n, k]: [usize; 3]) {
    let seed = (m * 1_000_000 + n * 1000 + k) as u64;
    let (a, b) = (random_matrix::<T>(seed, m * k), random_matrix::<T>(seed + 1, k * n));
    let exact = exact_product([m, n, k], &a, &b);
    each_way(backends, |way, what| {
        let c = way.product([m, n, k], &a, &b);
        let what = format!("{what}, {:?}, m {m} n {n} k {k}, seed {seed}", T::MATMUL);
        assert_within_bound(&c, &exact, n, k, &what);
    });
}

// -------------------------------------------------------------------------------------------------------------- sizes

#[test]
fn products_of_every_small_size_are_within_the_bound() {
    let lengths = [0, 1, 2, 7, 16, 17, 33];
    let backends = backends();
    for m in lengths {
        for n in lengths {
            for k in lengths {
                product_is_within_bound::<f32>(&backends, [m, n, k]);
                product_is_within_bound::<f64>(&backends, [m, n, k]);
            }
        }
    }
}

#[test]
fn square_products_around_block_sizes_are_within_the_bound() {
    let backends = backends();
    for n in [8, 15, 31, 32, 33, 63, 64, 65, 127, 128] {
        product_is_within_bound::<f32>(&backends, [n, n, n]);
        product_is_within_bound::<f64>(&backends, [n, n, n]);
    }
}

#[test]
fn products_of_129_65_and_257_are_within_the_bound() {
    let backends = backends();
    let (x, y, z) = (129, 65, 257);
    for size in [[x, y, z], [x, z, y], [y, x, z], [y, z, x], [z, x, y], [z, y, x]] {
        product_is_within_bound::<f32>(&backends, size);
        product_is_within_bound::<f64>(&backends, size);
    }
}

#[test]
fn products_of_500_are_within_the_bound() {
    let backends = backends();
    product_is_within_bound::<f32>(&backends, [500, 500, 500]);
    product_is_within_bound::<f64>(&backends, [500, 500, 500]);
}

#[test]
fn long_and_flat_products_are_within_the_bound() {
    let backends = backends();
    for size in [[1, 1, 70_001], [1, 3000, 40], [3000, 1, 40], [1, 70_001, 1], [70_001, 1, 1], [2, 2, 9999]] {
        product_is_within_bound::<f32>(&backends, size);
        product_is_within_bound::<f64>(&backends, size);
    }
}

// ------------------------------------------------------------------------------------------------------------ meaning

fn no_terms_give_zeros_in<T: Real>() {
    each_way(&backends(), |way, what| {
        for (m, n) in [(1, 1), (3, 5), (16, 16), (17, 33), (100, 70)] {
            let c = way.product::<T>([m, n, 0], &[], &[]);
            let zeros = vec![T::from_f64(0.0); m * n];
            assert_same(&c, &zeros, format!("{what}, {:?}, m {m} n {n} k 0", T::MATMUL));
        }
    });
}

#[test]
fn products_without_terms_are_zeros() {
    no_terms_give_zeros_in::<f32>();
    no_terms_give_zeros_in::<f64>();
}

fn identity_changes_nothing_in<T: Real>() {
    let identity = |n: usize| -> Vec<T> {
        (0..n * n).map(|index| T::from_f64(if index / n == index % n { 1.0 } else { 0.0 })).collect()
    };
    each_way(&backends(), |way, what| {
        for (rows, cols) in [(1, 1), (5, 9), (16, 16), (33, 17), (70, 129)] {
            let what = format!("{what}, {:?}, {rows} x {cols}, seed 1", T::MATMUL);
            let a = random_matrix::<T>(1, rows * cols);
            assert_same(&way.product([rows, cols, cols], &a, &identity(cols)), &a, format!("{what}, A I"));
            assert_same(&way.product([rows, cols, rows], &identity(rows), &a), &a, format!("{what}, I A"));
        }
    });
}

#[test]
fn a_matrix_times_the_identity_is_itself() {
    identity_changes_nothing_in::<f32>();
    identity_changes_nothing_in::<f64>();
}

fn integers_are_exact_in<T: Real>() {
    let backends = backends();
    for [m, n, k] in
        [[1, 1, 1], [3, 4, 5], [16, 16, 16], [33, 31, 17], [64, 64, 64], [129, 65, 257], [90, 110, 500]]
    {
        let (a, b) = (random_integers::<T>(2, m * k), random_integers::<T>(3, k * n));
        let whole = |x: T| x.to_f64() as i64;
        let element =
            |i: usize, j: usize| (0..k).map(|l| whole(a[i * k + l]) * whole(b[l * n + j])).sum::<i64>();
        let want: Vec<T> =
            (0..m * n).map(|index| T::from_f64(element(index / n, index % n) as f64)).collect();
        each_way(&backends, |way, what| {
            let what = format!("{what}, {:?}, m {m} n {n} k {k}, seeds 2 and 3", T::MATMUL);
            assert_same(&way.product([m, n, k], &a, &b), &want, what);
        });
    }
}

#[test]
fn products_of_small_integers_are_exact() {
    integers_are_exact_in::<f32>();
    integers_are_exact_in::<f64>();
}

fn column_order_swaps_operands_in<T: Real>() {
    for ctx in backends() {
        for variant in ctx.variants() {
            for [m, n, k] in [[1, 1, 1], [3, 4, 5], [16, 17, 33], [129, 65, 257]] {
                let (a, b) = (random_matrix::<T>(4, m * k), random_matrix::<T>(5, k * n));
                let column = matmul(&ctx, variant, MatmulOrder::Column, [m, n, k], &a, &b);
                let row = matmul(&ctx, variant, MatmulOrder::Row, [n, m, k], &b, &a);
                let bits = |c: Vec<T>| c.into_iter().map(Number::bits).collect::<Vec<u64>>();
                let what =
                    format!("{:?}, {variant:?}, {:?}, m {m} n {n} k {k}, seeds 4, 5", ctx.backend, T::MATMUL);
                assert_same(&bits(column), &bits(row), format!("bits of {what}"));
            }
        }
    }
}

#[test]
fn column_order_is_row_order_with_the_operands_swapped() {
    column_order_swaps_operands_in::<f32>();
    column_order_swaps_operands_in::<f64>();
}

fn wide_ranges_are_within_bound_in<T: Real>() {
    let backends = backends();
    let wide = |seed: u64, len: usize| -> Vec<T> {
        let mut random = random(seed);
        let mut number =
            || random.random_range(-1.0..1.0f64) * f64::from(random.random_range(-20.0..20.0f32)).exp2();
        (0..len).map(|_| T::from_f64(number())).collect()
    };
    for [m, n, k] in [[20, 30, 3], [33, 17, 65], [64, 64, 400]] {
        let (a, b) = (wide(6, m * k), wide(7, k * n));
        let exact = exact_product([m, n, k], &a, &b);
        each_way(&backends, |way, what| {
            let what = format!("{what}, {:?}, m {m} n {n} k {k}, seeds 6 and 7", T::MATMUL);
            assert_within_bound(&way.product([m, n, k], &a, &b), &exact, n, k, &what);
        });
    }
}

#[test]
fn products_of_numbers_of_many_magnitudes_are_within_the_bound() {
    wide_ranges_are_within_bound_in::<f32>();
    wide_ranges_are_within_bound_in::<f64>();
}

/// Row `row` of A holds `special` at column `l`; B has zeros, positive and negative numbers in its row l.
fn special_reaches_its_row_only<T: Real>(
    backends: &[Context],
    [m, n, k]: [usize; 3],
    special: f64,
    l: usize,
) {
    let row = m / 2;
    let mut a = random_integers::<T>(8, m * k);
    let mut b = random_integers::<T>(9, k * n);
    a[row * k + l] = T::from_f64(special);
    for j in 0..n {
        b[l * n + j] = T::from_f64([0.0, 2.0, -3.0][j % 3]);
    }
    let element = |i: usize, j: usize| {
        (0..k).map(|l| a[i * k + l].to_f64() * b[l * n + j].to_f64()).fold(0.0, |sum, product| sum + product)
    };
    each_way(backends, |way, what| {
        let c = way.product([m, n, k], &a, &b);
        for (index, got) in c.iter().enumerate() {
            let (i, j, got) = (index / n, index % n, got.to_f64());
            let want = element(i, j);
            assert!(
                got == want || (got.is_nan() && want.is_nan()),
                "{what}, {:?}, m {m} n {n} k {k}, A[{row}][{l}] = {special}, seeds 8 and 9: \
                 index {index}, row {i}, column {j}: got {got}, want {want}",
                T::MATMUL
            );
        }
    });
}

#[test]
fn infinities_and_nans_reach_their_row_and_nothing_else() {
    let backends = backends();
    for size in [[1, 3, 1], [4, 6, 5], [17, 19, 17], [33, 20, 32]] {
        for l in 0..size[2] {
            for special in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
                special_reaches_its_row_only::<f32>(&backends, size, special, l);
                special_reaches_its_row_only::<f64>(&backends, size, special, l);
            }
        }
    }
}

#[test]
fn infinity_times_zero_is_nan_in_b_as_well() {
    each_way(&backends(), |way, what| {
        let (a, b) = ([0.0f32, 1.0, 2.0, 3.0], [f32::INFINITY, 1.0, 4.0, 5.0]);
        let c = way.product([2, 2, 2], &a, &b);
        assert!(c[0].is_nan(), "{what}: C[0][0] = 0 inf + 1 4: got {}, want NaN", c[0]);
        assert_same(&c[1..], &[5.0, f32::INFINITY, 17.0], format!("{what}: the rest of C"));
    });
}

// -------------------------------------------------------------------------------------------------- the plain function

#[test]
fn the_plain_function_is_row_major_float32() {
    for [m, n, k] in [[1, 1, 1], [2, 3, 4], [33, 17, 16], [129, 65, 257], [5, 6, 0], [0, 6, 3], [4, 0, 3]] {
        let what = format!("matmul, m {m} n {n} k {k}, seeds 10 and 11");
        let (a, b) = (random_matrix::<f32>(10, m * k), random_matrix::<f32>(11, k * n));
        let mut c = Output::<f32>::new(m * n);
        // SAFETY: m*k, k*n and m*n elements.
        ok(unsafe { gpumex::ffi::matmul(m, n, k, a.as_ptr(), b.as_ptr(), c.as_mut_ptr()) }, &what);
        assert_within_bound(&c.written(&what), &exact_product([m, n, k], &a, &b), n, k, &what);
    }
}

#[test]
fn null_options_are_the_defaults() {
    for ctx in backends() {
        let (a, b) = (random_matrix::<f32>(12, 6 * 8), random_matrix::<f32>(13, 8 * 7));
        let mut c = Output::<f32>::new(6 * 7);
        let (from_a, from_b, to) = (a.as_ptr().cast(), b.as_ptr().cast(), c.as_mut_ptr().cast());
        // SAFETY: 6*8, 8*7 and 6*7 elements of float.
        let status =
            unsafe { gpumex::ffi::gpumex_matmul(ctx.token, std::ptr::null(), 6, 7, 8, from_a, from_b, to) };
        let what = format!("{:?}, options NULL, seeds 12 and 13", ctx.backend);
        ok(status, &what);
        assert_within_bound(&c.written(&what), &exact_product([6, 7, 8], &a, &b), 7, 8, &what);
    }
}

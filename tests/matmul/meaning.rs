//! What a product is: without terms, with the identity, of whole numbers, in column order, of many magnitudes.

use gpumex::ops::matmul::MatmulOrder;

use super::oracle::assert_within_bound;
use super::ways::*;
use crate::common::*;

fn no_terms_give_zeros_in<T: Real>() {
    each_way::<T>(&backends(), |way, what| {
        for (m, n) in [(1, 1), (3, 5), (16, 16), (17, 33), (100, 70)] {
            let c = way.product::<T>([m, n, 0], &[], &[]);
            let zeros = vec![T::from_f64(0.0); m * n];
            assert_same(&c, &zeros, format!("{what}, m {m} n {n} k 0"));
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
    each_way::<T>(&backends(), |way, what| {
        if !way.keeps_all_bits() {
            return;
        }
        for (rows, cols) in [(1, 1), (5, 9), (16, 16), (33, 17), (70, 129)] {
            let what = format!("{what}, {rows} x {cols}, seed 1");
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
        each_way::<T>(&backends, |way, what| {
            let what = format!("{what}, m {m} n {n} k {k}, seeds 2 and 3");
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
        for variant in variants_of::<T>(&ctx) {
            for [m, n, k] in [[1, 1, 1], [3, 4, 5], [16, 17, 33], [129, 65, 257]] {
                let (a, b) = (random_matrix::<T>(4, m * k), random_matrix::<T>(5, k * n));
                let column = matmul(&ctx, variant, MatmulOrder::Column, [m, n, k], &a, &b);
                let row = matmul(&ctx, variant, MatmulOrder::Row, [n, m, k], &b, &a);
                let bits = |c: Vec<T>| c.into_iter().map(Number::bits).collect::<Vec<u64>>();
                let what =
                    format!("{:?}, {variant:?}, {:?}, m {m} n {n} k {k}, seeds 4, 5", ctx.backend, T::DTYPE);
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
        each_way::<T>(&backends, |way, what| {
            let what = format!("{what}, m {m} n {n} k {k}, seeds 6 and 7");
            assert_within_bound(&way.product([m, n, k], &a, &b), &exact, n, &way.bound::<T>(k), &what);
        });
    }
}

#[test]
fn products_of_numbers_of_many_magnitudes_are_within_the_bound() {
    wide_ranges_are_within_bound_in::<f32>();
    wide_ranges_are_within_bound_in::<f64>();
}

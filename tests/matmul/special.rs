//! Infinity, NaN, and numbers at the ends of the range.

use gpumex::ffi::*;
use gpumex::model::dtype::Dtype;

use super::ways::*;
use crate::common::*;

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
    each_way::<T>(backends, |way, what| {
        let c = way.product([m, n, k], &a, &b);
        for (index, got) in c.iter().enumerate() {
            let (i, j, got) = (index / n, index % n, got.to_f64());
            let want = element(i, j);
            assert!(
                got == want || (got.is_nan() && want.is_nan()),
                "{what}, {:?}, m {m} n {n} k {k}, A[{row}][{l}] = {special}, seeds 8 and 9: \
                 index {index}, row {i}, column {j}: got {got}, want {want}",
                T::DTYPE
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
    each_way::<f32>(&backends(), |way, what| {
        let (a, b) = ([0.0f32, 1.0, 2.0, 3.0], [f32::INFINITY, 1.0, 4.0, 5.0]);
        let c = way.product([2, 2, 2], &a, &b);
        assert!(c[0].is_nan(), "{what}: C[0][0] = 0 inf + 1 4: got {}, want NaN", c[0]);
        assert_same(&c[1..], &[5.0, f32::INFINITY, 17.0], format!("{what}: the rest of C"));
    });
}

/// A and B of whole numbers but for one pair of elements that meet in C[row][col].
fn a_pair<T: Real>([m, n, k]: [usize; 3], x: f64, y: f64) -> ([usize; 2], Vec<T>, Vec<T>) {
    let (row, col, l) = (m / 2, n / 3, k - 1);
    let mut a = random_integers::<T>(14, m * k);
    let mut b = random_integers::<T>(15, k * n);
    (0..m).for_each(|i| a[i * k + l] = T::from_f64(0.0));
    (0..n).for_each(|j| b[l * n + j] = T::from_f64(0.0));
    a[row * k + l] = T::from_f64(x);
    b[l * n + col] = T::from_f64(y);
    ([row, col], a, b)
}

/// Numbers at the ends of the range multiply as IEEE 754 has it: the element where they meet is that of one operation, since
/// the rest is nothing beside it, and the others are whole numbers.
fn ends_of_the_range_are_exact_in<T: Real>(pairs: &[[f64; 3]], sizes: &[[usize; 3]]) {
    let backends = backends();
    for &[x, y, want] in pairs {
        for &[m, n, k] in sizes {
            let ([row, col], a, b) = a_pair::<T>([m, n, k], x, y);
            let exact = exact_product([m, n, k], &a, &b);
            each_way::<T>(&backends, |way, what| {
                if !way.keeps_all_bits() && !way.is_split() {
                    return;
                }
                let c = way.product([m, n, k], &a, &b);
                for (index, got) in c.iter().enumerate() {
                    let want = if index == row * n + col { want } else { exact[index].high };
                    assert!(
                        got.to_f64() == want,
                        "{what}, m {m} n {n} k {k}, {x:e} * {y:e} at row {row}, column {col}, seeds 14 and 15: index \
                         {index}: got {got:?}, want {want:e}"
                    );
                }
            });
        }
    }
}

#[test]
fn numbers_at_the_ends_of_the_range_multiply_as_a_plain_product_has_them() {
    let sizes = [[3, 4, 2], [33, 20, 32], [130, 260, 128]];
    let largest = f64::from(f32::MAX);
    ends_of_the_range_are_exact_in::<f32>(
        &[
            [largest, 1.0, largest],
            [largest, -1.0, -largest],
            [largest, 2.0, f64::INFINITY],
            [2.0f64.powi(127), 2.0f64.powi(-65), 2.0f64.powi(62)],
            [2.0f64.powi(126), 2.0, 2.0f64.powi(127)],
            [f64::from(f32::from_bits(0x7F00_0001)), 1.0, f64::from(f32::from_bits(0x7F00_0001))],
        ],
        &sizes,
    );
    ends_of_the_range_are_exact_in::<f64>(
        &[[f64::MAX, 1.0, f64::MAX], [f64::MAX, -2.0, f64::NEG_INFINITY], [1e300, 1e-200, 1e300 * 1e-200]],
        &sizes,
    );
}

/// Products of subnormal numbers with whole ones, and sums that are subnormal.
#[test]
fn subnormal_numbers_are_not_lost() {
    let least = f32::from_bits(1);
    each_way::<f32>(&backends(), |way, what| {
        if !way.keeps_all_bits() && !way.is_split() {
            return;
        }
        for n in [2, 40, 130] {
            let a: Vec<f32> =
                (0..n * n).map(|index| if index % n == index / n { least } else { 0.0 }).collect();
            let b = random_integers::<f32>(16, n * n);
            let want: Vec<f32> = b.iter().map(|x| x * least).collect();
            assert_same(
                &way.product([n, n, n], &a, &b),
                &want,
                format!("{what}, {n} x {n}, 2^-149 times B, seed 16"),
            );
        }
    });
}

/// A product of f32 with alpha by the C function.
fn scaled(ctx: &Context, [m, n, k]: [usize; 3], a: &[f32], b: &[f32], alpha: f64) -> Vec<f32> {
    let mut c = vec![f32::NAN; m * n];
    let options =
        MatmulOptions { dtype: Dtype::F32 as i32, alpha: &raw const alpha, ..MatmulOptions::default() };
    let (from_a, from_b, to) = (a.as_ptr().cast(), b.as_ptr().cast(), c.as_mut_ptr().cast());
    // SAFETY: m k, k n and m n elements, one alpha.
    ok(unsafe { gpumex_matmul(ctx.handle, &options, m, n, k, from_a, from_b, to) }, "gpumex_matmul");
    c
}

#[test]
fn alpha_is_applied_to_the_product() {
    for ctx in backends() {
        for [m, n, k] in [
            [1, 1, 1],
            [1, 2, 1],
            [2, 1, 1],
            [1, 5, 7],
            [6, 1, 9],
            [5, 4, 1],
            [5, 4, 2],
            [17, 33, 3],
            [64, 17, 40],
        ] {
            // The product is within the range; alpha A or alpha B would not be.
            for [a, b, alpha, want] in
                [[1e20f32, 1e-30, 1e30, 1e20], [3e38, 0.0, 2.25, 0.0], [1e-20, 1e25, 1e-25, 1e-20]]
            {
                let (a, b) = (vec![a / k as f32; m * k], vec![b; k * n]);
                for got in scaled(&ctx, [m, n, k], &a, &b, f64::from(alpha)) {
                    let error = f64::from(got) - f64::from(want);
                    assert!(
                        error.abs() <= 1e-5 * f64::from(want),
                        "{:?}, m {m} n {n} k {k}, alpha {alpha}: got {got}, want {want}",
                        ctx.backend
                    );
                }
            }
        }
    }
}

#[test]
fn a_leading_dimension_that_is_never_stepped_may_be_any_number() {
    for ctx in backends() {
        for ld in [usize::MAX, 1 << 63, (1 << 63) - 1, 1 << 62] {
            let options =
                MatmulOptions { dtype: Dtype::F64 as i32, lda: ld, ldc: ld, ..MatmulOptions::default() };
            let (a, b, mut c) = ([1.0f64, 2.0, 3.0, 4.0], [1.0f64; 8], [0.0f64; 2]);
            let (from_a, from_b, to) = (a.as_ptr().cast(), b.as_ptr().cast(), c.as_mut_ptr().cast());
            // SAFETY: one row each of A and C.
            ok(
                unsafe { gpumex_matmul(ctx.handle, &options, 1, 2, 4, from_a, from_b, to) },
                format!("ld {ld:#x}"),
            );
            assert_eq!(c, [10.0, 10.0]);
        }
    }
}

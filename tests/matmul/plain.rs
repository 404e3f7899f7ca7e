//! The function without options, and the one with none.

use super::oracle::{Bound, assert_within_bound};
use super::ways::*;
use crate::common::*;

#[test]
fn the_plain_function_is_row_major_float32() {
    for [m, n, k] in [[1, 1, 1], [2, 3, 4], [33, 17, 16], [129, 65, 257], [5, 6, 0], [0, 6, 3], [4, 0, 3]] {
        let what = format!("matmul, m {m} n {n} k {k}, seeds 10 and 11");
        let (a, b) = (random_matrix::<f32>(10, m * k), random_matrix::<f32>(11, k * n));
        let mut c = Output::<f32>::new(m * n);
        // SAFETY: m*k, k*n and m*n elements.
        ok(unsafe { gpumex::ffi::matmul(m, n, k, a.as_ptr(), b.as_ptr(), c.as_mut_ptr()) }, &what);
        assert_within_bound(
            &c.written(&what),
            &exact_product([m, n, k], &a, &b),
            n,
            &Bound::of::<f32>(k),
            &what,
        );
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
            unsafe { gpumex::ffi::gpumex_matmul(ctx.handle, std::ptr::null(), 6, 7, 8, from_a, from_b, to) };
        let what = format!("{:?}, options NULL, seeds 12 and 13", ctx.backend);
        ok(status, &what);
        assert_within_bound(
            &c.written(&what),
            &exact_product([6, 7, 8], &a, &b),
            7,
            &Bound::of::<f32>(8),
            &what,
        );
    }
}

//! The one call out of plain Rust: the `gemm` crate takes raw pointers.
#![allow(unsafe_code)]

use std::ops::{Add, Mul};

use gemm::Parallelism;

/// The element types of a product.
pub trait Float: Copy + Default + Send + Sync + Add<Output = Self> + Mul<Output = Self> + 'static {
    const ONE: Self;
}

impl Float for f32 {
    const ONE: f32 = 1.0;
}

impl Float for f64 {
    const ONE: f64 = 1.0;
}

/// c (m, n) ← a (m, k) · b (k, n), row-major, on the threads of the current pool.
pub fn product<T: Float>(dims: [usize; 3], a: &[T], b: &[T], c: &mut [T]) {
    multiply(dims, a, b, c, Parallelism::Rayon(0));
}

/// A product so small that nobody sees it, on this thread: at its first one the crate reads what caches the
/// machine has.
pub fn prepare() {
    multiply([4, 4, 4], &[1.0f32; 16], &[1.0; 16], &mut [0.0; 16], Parallelism::None);
}

fn multiply<T: Float>([m, n, k]: [usize; 3], a: &[T], b: &[T], c: &mut [T], threads: Parallelism) {
    assert!(a.len() == m * k && b.len() == k * n && c.len() == m * n, "ops::matmul checks the sizes");
    let stride = |n: usize| isize::try_from(n).expect("a slice is shorter than isize::MAX");
    // SAFETY: the lengths are those of the dimensions, asserted above; c is exclusive, and not read since read_dst
    // is false.
    unsafe {
        gemm::gemm(
            m,
            n,
            k,
            c.as_mut_ptr(),
            1,
            stride(n),
            false,
            a.as_ptr(),
            1,
            stride(k),
            b.as_ptr(),
            1,
            stride(n),
            T::default(),
            T::ONE,
            false,
            false,
            false,
            threads,
        )
    }
}

//! The one call out of plain Rust: the `gemm` crate takes raw pointers.
#![allow(unsafe_code)]

use std::ops::{Add, Mul};

use gemm::Parallelism;

/// The element types of a product.
pub trait Float:
    Copy + Default + PartialEq + Send + Sync + Add<Output = Self> + Mul<Output = Self> + 'static
{
    const ONE: Self;
    fn rounded(value: f64) -> Self;
}

impl Float for f32 {
    const ONE: f32 = 1.0;

    fn rounded(value: f64) -> f32 {
        value as f32
    }
}

impl Float for f64 {
    const ONE: f64 = 1.0;

    fn rounded(value: f64) -> f64 {
        value
    }
}

/// A matrix to read: element (i, j) is `elements[i * row + j * col]`.
#[derive(Clone, Copy)]
pub struct Factor<'a, T> {
    pub elements: &'a [T],
    pub row: usize,
    pub col: usize,
}

/// What one matrix C becomes: alpha·A·B + beta·C. All of m, n, k are at least 1, and beta = 0 does not read C.
#[derive(Clone, Copy)]
pub struct Task<'a, T> {
    pub m: usize,
    pub n: usize,
    pub k: usize,
    pub a: Factor<'a, T>,
    pub b: Factor<'a, T>,
    pub alpha: T,
    pub beta: T,
    /// Elements from one row of C to the next.
    pub ld: usize,
    /// 1: on this thread; else on those of the current pool.
    pub threads: usize,
}

impl<T: Float> Factor<'_, T> {
    fn reaches(&self, rows: usize, cols: usize) -> bool {
        (rows - 1) * self.row + (cols - 1) * self.col < self.elements.len()
    }
}

impl<T: Float> Task<'_, T> {
    /// `c`: the first element of C to the last.
    pub fn run(&self, c: &mut [T]) {
        let Task { m, n, k, a, b, alpha, beta, ld, threads } = *self;
        assert!(
            a.reaches(m, k) && b.reaches(k, n) && (m - 1) * ld + n <= c.len(),
            "ops::matmul checks the sizes"
        );
        let step = |step: usize| isize::try_from(step).expect("a slice is shorter than isize::MAX");
        let parallelism = if threads == 1 { Parallelism::None } else { Parallelism::Rayon(0) };
        // SAFETY: every element of the three matrices lies within its slice, asserted above; c is exclusive, and not read
        // where beta is 0. The crate's alpha is the factor of C.
        unsafe {
            gemm::gemm(
                m,
                n,
                k,
                c.as_mut_ptr(),
                1,
                step(ld),
                beta != T::default(),
                a.elements.as_ptr(),
                step(a.col),
                step(a.row),
                b.elements.as_ptr(),
                step(b.col),
                step(b.row),
                beta,
                alpha,
                false,
                false,
                false,
                parallelism,
            )
        }
    }
}

/// A product so small that nobody sees it, on this thread: at its first one the crate reads what caches the
/// machine has.
pub fn prepare() {
    let ones = Factor { elements: &[1.0f32; 16], row: 4, col: 1 };
    Task { m: 4, n: 4, k: 4, a: ones, b: ones, alpha: 1.0, beta: 0.0, ld: 4, threads: 1 }.run(&mut [0.0; 16]);
}

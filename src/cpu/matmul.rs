//! Matrix product on the CPU.
//!
//! The fast path is the `gemm` crate (S. El Kazdadi): packed panels and register tiles, AVX2 or AVX-512 chosen at
//! run time.
#![forbid(unsafe_code)]

use super::{Workers, gemm};
use crate::error::Result;

use super::Float;
pub use super::gemm::prepare;

/// c (m, n) ← a (m, k) · b (k, n), row-major.
pub fn matmul<T: Float>(
    workers: &Workers,
    [m, n, k]: [usize; 3],
    a: &[T],
    b: &[T],
    c: &mut [T],
) -> Result<()> {
    workers.run(|| gemm::product([m, n, k], a, b, c))
}

/// The plain triple loop, accumulated in the order of k.
pub fn sequential<T: Float>(
    workers: &Workers,
    [m, n, k]: [usize; 3],
    a: &[T],
    b: &[T],
    c: &mut [T],
) -> Result<()> {
    workers.run_sequential(|| {
        for i in 0..m {
            for j in 0..n {
                let mut sum = T::default();
                for l in 0..k {
                    sum = sum + a[i * k + l] * b[l * n + j];
                }
                c[i * n + j] = sum;
            }
        }
    });
    Ok(())
}

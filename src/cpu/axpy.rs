//! A vector plus a multiple of another one, on the CPU.
//!
//!   y\[i\] = fma (alpha, x\[i\], beta · y\[i\]), and alpha · x\[i\] where beta is 0        x, y (n) f32 or f64
//!
//! Algorithm  Chunks in parallel, in loops that the compiler turns into SIMD for the best instruction set of the machine (pulp).
//! Cost       Reads x and y and writes y once: three streams of memory. A machine without fused multiply-add calls a function for
//!            each element: slow, and the same bits.
#![forbid(unsafe_code)]

use pulp::Arch;

use super::Execution;
use super::Float;
use super::parallel::chunks;
use crate::error::Result;

/// y ← alpha·x + beta·y.
pub fn axpy<T: Float>(how: Execution, alpha: T, beta: T, x: &[T], y: &mut [T]) -> Result<()> {
    let arch = Arch::new();
    chunks::compute(how, y, &|first, y| compute(arch, alpha, beta, &x[first..], y))
}

fn compute<T: Float>(arch: Arch, alpha: T, beta: T, x: &[T], y: &mut [T]) {
    arch.dispatch(
        #[inline(always)]
        || {
            if beta == T::default() {
                y.iter_mut().zip(x).for_each(|(y, &x)| *y = alpha * x);
            } else {
                y.iter_mut().zip(x).for_each(|(y, &x)| *y = alpha.fused(x, beta * *y));
            }
        },
    );
}

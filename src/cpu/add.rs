//! Sum of two vectors on the CPU.
//!
//!   y[i] = x[i] + y[i]        x, y (n) f32 or f64; one rounding an element: the same bits on every backend
//!
//! Algorithm  Chunks in parallel, in loops that the compiler turns into SIMD.
//! Cost       Reads x and y and writes y once: three streams of memory.
#![forbid(unsafe_code)]

use super::Float;
use super::Workers;
use super::parallel::chunks;
use crate::error::Result;
use crate::interrupt::in_pieces;

/// y ← x + y.
pub fn add<T: Float>(workers: &Workers, x: &[T], y: &mut [T]) -> Result<()> {
    let add = |first: usize, y: &mut [T]| {
        for (x, y) in x[first..].iter().zip(y) {
            *y = *x + *y;
        }
    };
    chunks::on_pool(workers, y, &add)
}

/// The plain loop.
pub fn sequential<T: Float>(workers: &Workers, x: &[T], y: &mut [T]) -> Result<()> {
    workers.run_sequential(|| {
        in_pieces(y.len(), |range| {
            for i in range {
                y[i] = x[i] + y[i];
            }
        });
    });
    Ok(())
}

//! A vector times a number, on the CPU.
//!
//!   x\[i\] = alpha · x\[i\],  x\[i\] / alpha  or  x\[i\] / √alpha        x (n) f32 or f64
//!
//! Algorithm  Chunks in parallel, in loops that the compiler turns into SIMD.
//! Cost       Reads and writes x once.
#![forbid(unsafe_code)]

use super::Execution;
use super::Float;
use super::parallel::chunks;
use crate::error::Result;
use crate::model::scale::ScaleFactor;

/// x ← x times what `factor` makes of alpha.
pub fn scale<T: Float>(how: Execution, factor: ScaleFactor, alpha: T, x: &mut [T]) -> Result<()> {
    let divisor = if factor == ScaleFactor::ReciprocalRoot { alpha.root() } else { alpha };
    chunks::compute(how, x, &|_, x| match factor {
        ScaleFactor::Alpha => x.iter_mut().for_each(|x| *x = alpha * *x),
        ScaleFactor::Reciprocal | ScaleFactor::ReciprocalRoot => x.iter_mut().for_each(|x| *x = *x / divisor),
    })
}

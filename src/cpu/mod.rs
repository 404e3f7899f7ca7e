//! The operations in plain Rust on all cores, and the oracle of the GPU. Each has the plain loop of the teaching material beside
//! it, `sequential`.
#![deny(unsafe_code)]

pub mod copy;
mod gemm;
pub mod histogram;
pub mod life;
pub mod matmul;
pub mod raytrace;
mod workers;

pub use workers::Workers;

use crate::error::{Error, Result};

/// An empty vector with room for `len`; a size that came from a caller must not abort the process.
fn reserved<T>(len: usize) -> Result<Vec<T>> {
    let mut vec = Vec::new();
    let bytes = len.saturating_mul(size_of::<T>());
    vec.try_reserve_exact(len).map_err(|_| Error::out_of_memory("host memory", bytes))?;
    Ok(vec)
}

/// `len` zeros.
fn zeros<T: Copy + Default>(len: usize) -> Result<Vec<T>> {
    let mut vec = reserved(len)?;
    vec.resize(len, T::default());
    Ok(vec)
}

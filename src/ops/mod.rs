//! The meaning of each operation: documents, validates, dispatches. One file an operation.
#![forbid(unsafe_code)]

pub mod copy;
pub mod histogram;
pub mod life;
pub mod matmul;
pub mod prefetch;
pub mod print;
pub mod raytrace;

use crate::error::{Error, Result};

/// The plain loops of the teaching material are the CPU's; a CUDA context does not run them.
fn sequential_is_for_the_cpu<T>() -> Result<T> {
    Err(Error::unsupported(
        "variant SEQUENTIAL is the plain loop of the CPU backend; this context runs on CUDA",
    ))
}

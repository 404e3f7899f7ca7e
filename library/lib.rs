//! gpumex — GPU kernels behind a C ABI, for people who work in MATLAB, GNU Octave and C. The same binary runs
//! without a GPU.
//!
//! This crate is libgpumex.so and libgpumex.a: all of [`gpumex_core`] (src/), linked with the kernels, and the five C functions without a
//! prefix. Its tests look at gpumex_core through it. Rust programs take the crate gpumex (rust/).

pub use gpumex_core::*;
use gpumex_kernels as _; // to be linked

#[cfg(feature = "plain-names")]
mod plain_names;

#[cfg(feature = "allocator")]
#[global_allocator]
static ALLOCATOR: global_allocator::Allocator = global_allocator::Allocator;

/// The C functions.
pub mod ffi {
    #[cfg(feature = "plain-names")]
    pub use crate::plain_names::*;
    pub use gpumex_core::ffi::*;
}

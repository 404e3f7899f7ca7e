//! gpumex — GPU kernels behind a C ABI, for people who work in MATLAB, GNU Octave and C. The same binary runs
//! without a GPU.
//!
//! This crate is what is handed out: all of [`gpumex_core`] (src/), linked with the kernels, and the five C functions without a
//! prefix.
//!
//! ```
//! use gpumex::array::{Input, Output};
//! use gpumex::context::Context;
//! use gpumex::ops::histogram::{BYTE_VALUES, Options, histogram};
//! use gpumex::platform::settings::Backend;
//!
//! let mut ctx = Context::new(Backend::Cpu, None)?;
//! let (data, mut counts) = (b"hello", [0u64; 256]);
//! let (input, output) = (Input::new("data", data), Output::new("counts", &mut counts));
//! histogram(&mut ctx, &Options::default(), input, data.len(), output, BYTE_VALUES)?;
//! assert_eq!(counts[usize::from(b'l')], 2);
//! # Ok::<(), gpumex::error::Error>(())
//! ```

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

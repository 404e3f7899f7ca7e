//! gpumex — GPU kernels behind a C ABI, for people who work in MATLAB, GNU Octave and C. The same binary runs
//! without a GPU.
//!
//! | module | what it holds |
//! |---|---|
//! | [`ffi`] | entry points: `extern "C"`, conversion only; include/gpumex.h is generated from it |
//! | [`ops`] | each operation: documents, validates, dispatches |
//! | `cpu` | one file an operation, plain Rust, the oracle of the GPU; `cpu::parallel`: threads and loops |
//! | `gpu` | one file an operation, one launch each; `gpu::runtime`: driver, device, streams, staging, tuning |
//! | [`model`] | what both backends know: dtypes, operators, orders, Life's rule, a histogram's bins, patterns |
//! | [`array`](mod@array) | one argument: pointer, place, length; the only module where a raw pointer becomes a slice |
//! | [`context`] | backend, device, stream and allocator of a call; `handle` maps C's handles to contexts |
//! | [`memory`] | allocators, and the registry of all allocations |
//! | [`platform`] | settings, log, panics, threads, forked children |
//! | [`error`] | statuses and their sentences; `vector`: vectors whose allocation may fail |
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
#![cfg_attr(test, allow(dead_code))] // what src/ffi alone calls

pub mod array;
pub mod context;
mod cpu;
pub mod error;
#[cfg(not(test))] // every function of it would be compiled once more for the unit tests, which call none
pub mod ffi;
mod gpu;
mod handle;
pub mod memory;
pub mod model;
pub mod ops;
pub mod platform;
mod vector;

//! gpumex — GPU kernels behind a C ABI, for people who work in MATLAB, GNU Octave and C. The same binary runs
//! without a GPU.
//!
//! | room | what it holds |
//! |---|---|
//! | [`ffi`] | the doors: `extern "C"`, conversion only; include/gpumex.h is generated from it |
//! | [`ops`] | the meaning of each operation: documents, validates, dispatches |
//! | `cpu` | plain Rust on all cores, the oracle of the GPU |
//! | `gpu` | device, memory and one launch an operation; the kernels are in kernels/ |
//! | [`context`] | which backend and which device a call runs on; `tokens` are C's names of contexts |
//! | [`memory`] | allocators: where memory comes from, how it is recycled, who holds it |
//! | [`array`](mod@array) | one argument: pointer, length and place; the only room where a raw pointer becomes a slice |
//! | [`histogram`], [`life`], [`raytrace`], [`words`] | what the rooms of an operation share: bins; Life's game, its rule, patterns; the ray caster's picture; what a word is |
//! | [`primitives`] | what the parallel primitives share: operators, the order of keys, the type of indices |
//! | [`print`](mod@print) | arrays as text: rows of numbers in a printf format |
//! | [`error`], [`choice`], [`dtype`], [`settings`], [`log`] | statuses and sentences, numbered choices, number types, environment, log; `panic` keeps panics in, `thread` sets threads up, `vector` has vectors that may find no memory |
//! | `fork` | what a forked child finds: locks that are free, and `pool`, the CPU's threads, anew |
//!
//! ```
//! use gpumex::array::{Input, Output};
//! use gpumex::context::Context;
//! use gpumex::ops::histogram::{BYTE_VALUES, Options, histogram};
//! use gpumex::settings::Backend;
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
pub mod choice;
pub mod context;
mod cpu;
pub mod dtype;
pub mod error;
#[cfg(not(test))] // every function of it would be compiled once more for the unit tests, which call none
pub mod ffi;
mod fork;
mod gpu;
pub mod histogram;
pub mod life;
pub mod log;
mod matmul;
pub mod memory;
pub mod ops;
mod panic;
mod pool;
pub mod primitives;
pub mod print;
pub mod raytrace;
pub mod settings;
mod thread;
mod tokens;
mod vector;
pub mod words;

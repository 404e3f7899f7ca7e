//! The library but for its kernels: they are linked by the crate `gpumex` (library/), which also has the five C functions without
//! a prefix, so that a changed kernel compiles nothing of this crate again.
//!
//! | module | what it holds |
//! |---|---|
//! | [`ffi`] | entry points: `extern "C"`, conversion only; include/gpumex.h is generated from it |
//! | [`ops`] | each operation: documents, validates, dispatches |
//! | `cpu` | one file an operation, Rust on all cores; its `sequential` is the GPU's reference; `cpu::parallel`: threads and loops |
//! | `gpu` | one file an operation, its launches; `gpu::runtime`: driver, device, streams, staging, tuning |
//! | [`model`] | what both backends know: dtypes, operators, orders, Life's rule, a histogram's bins, patterns |
//! | [`array`](mod@array) | one argument: pointer, place, length; the only module where a raw pointer becomes a slice |
//! | [`comm`] | communicators: what ranks agree on, and how bytes cross between them |
//! | [`context`] | backend, device, stream and allocator of a call; `handle` maps C's handles to contexts |
//! | [`memory`] | allocators, and the registry of all allocations |
//! | [`platform`] | settings, log, panics, threads, forked children |
//! | [`error`] | statuses and their messages; `interrupt`: cancelling a call; `vector`: vectors whose allocation may fail; `prefetch`, `stream_copy`: loads ahead, stores past the caches; [`mod@global_allocator`]: the rest of it |
#![cfg_attr(test, allow(dead_code))] // what src/ffi alone calls

#[cfg(test)]
use gpumex_kernels as _; // to be linked

pub mod array;
pub mod comm;
pub mod context;
mod cpu;
pub mod error;
#[cfg(not(test))] // every function of it would be compiled once more for the unit tests, which call none
pub mod ffi;
pub mod global_allocator;
mod gpu;
pub mod handle;
mod interrupt;
pub mod memory;
pub mod model;
pub mod ops;
pub mod platform;
mod prefetch;
mod stream_copy;
mod vector;

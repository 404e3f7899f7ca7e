//! The operations in Rust on all cores. Each has the plain loop of the teaching material beside it, `sequential`, the
//! reference of the GPU.
#![forbid(unsafe_code)]

pub mod add;
pub mod axpy;
pub mod bulk_insert;
pub mod bulk_remove;
pub mod check_indices;
pub mod check_sorted;
pub mod compact;
pub mod convert;
pub mod convolve;
pub mod copy;
pub mod dot;
pub mod fill;
mod float;
pub mod fold;
pub mod functor;
mod gallop;
pub mod gather;
pub mod gather_nd;
mod gemm;
pub mod histogram;
pub mod indexing;
pub mod interval_expand;
pub mod interval_move;
mod intervals;
pub mod join;
pub mod life;
pub mod load_balance_search;
pub mod locality_sort;
pub mod map;
pub mod map_reduce;
pub mod map_scan;
pub mod matmul;
pub mod median_filter;
pub mod merge;
mod parallel;
pub mod permute;
mod philox;
pub mod random;
pub mod random_normal;
pub mod raytrace;
pub mod reduce;
pub mod reduce_by_key;
pub mod reduce_dim;
pub mod scale;
pub mod scan;
pub mod scan_dim;
pub mod scatter;
pub mod scatter_nd;
pub mod segmented_reduce;
pub mod segmented_sort;
pub mod segments;
pub mod set_operation;
pub mod sort;
pub mod sorted_equality_count;
pub mod sorted_search;
pub mod spmv;
pub mod stencil;
pub mod window;
pub mod words;

pub use float::Float;
pub use parallel::workers::Workers;

use crate::error::Result;
use crate::model::variant::Variant;
use crate::vector::{collected, reserved, zeros};
use parallel::tree;

/// How an operation runs: on all threads of the pool, or with SEQUENTIAL as the plain loop on the caller's.
pub type Execution<'a> = (&'a Workers, Variant);

/// Whether work on these elements, a few operations each, is done sooner than a pool of threads wakes up: 20 to 50 us on 16 cores.
fn is_small<T>(elements: &[T]) -> bool {
    const SMALL: usize = 1 << 17; // bytes
    size_of_val(elements) < SMALL && elements.len() <= tree::TASK
}

/// The same of work that takes some nanoseconds an element.
fn is_small_for_long_work<T>(elements: &[T]) -> bool {
    const SMALL: usize = 1 << 15;
    size_of_val(elements) < SMALL
}

/// Runs `body` on the pool, or on the caller's thread when there is but a small array to work on.
fn run<T: Send>(workers: &Workers, is_small: bool, body: impl FnOnce() -> T + Send) -> Result<T> {
    let (mut body, mut value) = (Some(body), None);
    workers.run_body(is_small, &mut || value = body.take().map(|body| body()))?;
    Ok(value.expect("it ran"))
}

//! The CUDA backend: the driver (loaded at run time), a device with its stream, its memory, and one file an
//! operation.

pub mod add;
pub mod allreduce;
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
pub mod functor;
pub mod gather;
pub mod gather_nd;
pub mod histogram;
pub mod indexing;
pub mod interval_expand;
pub mod interval_move;
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
pub mod nccl;
pub mod peer;
pub mod permute;
pub mod prefetch;
pub mod random;
pub mod random_normal;
pub mod raytrace;
pub mod reduce;
pub mod reduce_by_key;
pub mod reduce_dim;
mod runtime;
pub mod scale;
pub mod scan;
pub mod scan_dim;
pub mod scatter;
pub mod scatter_nd;
pub mod segmented_reduce;
mod segments;
pub mod segments_prepare;
pub mod set_operation;
pub mod sort;
pub mod sorted_equality_count;
pub mod sorted_search;
pub mod spmv;
pub mod stencil;
pub mod windows;
pub mod words;

pub use runtime::device::{Device, count};
pub use runtime::driver::{current_device, locate};
pub use runtime::event::SharedEvent;
pub use runtime::tuning::{Kernel, Tuning};

use crate::array::Element;

/// The floating types that kernels are compiled for.
pub trait Float: Element + Into<f64> {}
impl Float for f32 {}
impl Float for f64 {}

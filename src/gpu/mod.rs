//! The CUDA backend: the driver (loaded at run time), a device with its stream, its memory, and one file an
//! operation.

pub mod add;
pub mod bulk_insert;
pub mod bulk_remove;
pub mod check_sorted;
pub mod compact;
pub mod copy;
mod device;
pub mod dot;
mod driver;
pub mod fill;
mod found;
pub mod histogram;
pub mod interval_expand;
pub mod interval_move;
pub mod join;
mod kernels;
pub mod life;
pub mod load_balance_search;
pub mod locality_sort;
mod mailbox;
pub mod matmul;
mod memory;
pub mod merge;
mod pieces;
mod pitched;
pub mod prefetch;
mod primary;
pub mod random;
pub mod raytrace;
pub mod reduce;
pub mod reduce_by_key;
pub mod scan;
pub mod segmented_reduce;
mod segments;
pub mod segments_prepare;
pub mod set_operation;
pub mod sort;
pub mod sorted_equality_count;
pub mod sorted_search;
mod source;
pub mod spmv;
mod staging;
mod stream;
mod tuning;
pub mod words;

pub use device::{Device, count};
pub use driver::{current_device, locate};
pub use tuning::{Kernel, Tuning};

use crate::array::Element;

/// The floating types that kernels are compiled for.
pub trait Float: Element {}
impl Float for f32 {}
impl Float for f64 {}

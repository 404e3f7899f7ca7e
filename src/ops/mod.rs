//! The meaning of each operation: documents, validates, dispatches. One file an operation.
#![forbid(unsafe_code)]

#[macro_use]
mod dispatch;

pub mod add;
pub mod axpy;
pub mod bulk_insert;
pub mod bulk_remove;
mod capacity;
mod check_indices;
pub mod check_sorted;
pub mod comm_dot;
pub mod comm_histogram;
pub mod comm_life;
pub mod comm_matmul;
pub mod comm_reduce;
pub mod comm_scan;
pub mod comm_sort;
pub mod comm_words;
pub mod compact;
pub mod complex_matmul;
pub mod complex_product;
pub mod convolve;
pub mod copy;
mod cost;
mod crossing;
pub mod dot;
mod dtypes;
pub mod fill;
pub mod functor;
pub mod gather;
pub mod gather_nd;
mod half_matmul;
pub mod histogram;
pub mod indexing;
pub mod interval_expand;
pub mod interval_move;
pub mod join;
pub mod life;
pub mod load_balance_search;
pub mod locality_sort;
mod mailboxes;
pub mod map;
pub mod map_reduce;
pub mod map_scan;
pub mod matmul;
pub mod median_filter;
pub mod merge;
pub mod pattern;
mod payload;
pub mod permute;
pub mod prefetch;
mod prelude;
pub mod print;
pub mod random;
pub mod random_normal;
mod ranks;
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
mod segments;
pub mod segments_prepare;
pub mod set_operation;
pub mod sort;
pub mod sorted_equality_count;
pub mod sorted_search;
pub mod spmv;
pub mod stencil;
mod text;
mod widen;
pub mod words;
mod workspace;

use crate::error::{Error, Result};
use crate::memory::Place;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;

/// Texts, and what is read from them, are no work for a device.
fn require_host(name: &str, place: Place) -> Result<()> {
    match place {
        Place::Device(ordinal) => Err(Error::unsupported(format!(
            "{name} is memory of CUDA device {ordinal}; it has to be the host's"
        ))),
        _ => Ok(()),
    }
}

/// A number of the caller's as the whole number that an integer dtype needs.
fn whole(name: &str, value: f64, dtype: Dtype) -> Result<i128> {
    match value.fract() == 0.0 {
        true => Ok(value as i128), // saturates far beyond every dtype
        false => {
            Err(Error::invalid(format!("{name} is {value}; for {} it is a whole number", dtype.c_name())))
        }
    }
}

/// Refuses a number that is no value of an integer dtype.
fn held(what: &str, value: i128, dtype: Dtype) -> Result<()> {
    match dtype.integers() {
        Some(range) if !range.contains(&value) => {
            let (low, high) = range.into_inner();
            Err(Error::invalid(format!("{what} is {value}; {} holds {low} to {high}", dtype.c_name())))
        }
        _ => Ok(()),
    }
}

//! The entry points: `extern "C"`, conversion only. Every body is one `guard`, which keeps panics in, turns an error
//! into a status and keeps its message for `gpumex_last_error`. Nothing here dereferences an array.
//!
//! The doc comments are written for the C reader (cbindgen prints them into include/gpumex.h), and they are the
//! safety contract of these functions: a C caller promises what they say about sizes and pointers.
#![allow(clippy::missing_safety_doc)]
#![allow(rustdoc::broken_intra_doc_links)] // counts[d] is C, not a link

mod add;
mod allocator;
mod arguments;
mod axpy;
mod bulk_insert;
mod bulk_remove;
mod cancel;
mod check_sorted;
mod comm;
mod comm_dot;
mod comm_histogram;
mod comm_life;
mod comm_matmul;
mod comm_nccl;
mod comm_reduce;
mod comm_scan;
mod comm_sort;
mod comm_words;
mod compact;
mod context;
mod convolve;
mod diagnostics;
mod dot;
mod event;
mod fill;
mod gather;
mod gather_nd;
mod histogram;
mod indexing;
mod interval_expand;
mod interval_move;
mod join;
mod life;
mod load_balance_search;
mod locality_sort;
mod map;
mod map_reduce;
mod map_scan;
mod matmul;
mod median_filter;
mod memory;
mod merge;
mod options;
mod pattern;
mod permute;
mod prelude;
mod print;
mod progress;
mod random;
mod random_normal;
mod raytrace;
mod reduce;
mod reduce_by_key;
mod reduce_dim;
mod scale;
mod scan;
mod scan_dim;
mod scatter;
mod scatter_nd;
mod segmented_reduce;
mod segmented_sort;
mod segments_prepare;
mod set_operation;
mod settings;
mod sort;
mod sorted_equality_count;
mod sorted_search;
mod spmv;
mod stencil;
mod tuning;
mod words;

pub use add::*;
pub use allocator::*;
pub use axpy::*;
pub use bulk_insert::*;
pub use bulk_remove::*;
pub use cancel::*;
pub use check_sorted::*;
pub use comm::*;
pub use comm_dot::*;
pub use comm_histogram::*;
pub use comm_life::*;
pub use comm_matmul::*;
pub use comm_nccl::*;
pub use comm_reduce::*;
pub use comm_scan::*;
pub use comm_sort::*;
pub use comm_words::*;
pub use compact::*;
pub use context::*;
pub use convolve::*;
pub use diagnostics::*;
pub use dot::*;
pub use event::*;
pub use fill::*;
pub use gather::*;
pub use gather_nd::*;
pub use histogram::*;
pub use interval_expand::*;
pub use interval_move::*;
pub use join::*;
pub use life::*;
pub use load_balance_search::*;
pub use locality_sort::*;
pub use map::*;
pub use map_reduce::*;
pub use map_scan::*;
pub use matmul::*;
pub use median_filter::*;
pub use memory::*;
pub use merge::*;
pub use pattern::*;
pub use permute::*;
pub use print::*;
pub use progress::*;
pub use random::*;
pub use random_normal::*;
pub use raytrace::*;
pub use reduce::*;
pub use reduce_by_key::*;
pub use reduce_dim::*;
pub use scale::*;
pub use scan::*;
pub use scan_dim::*;
pub use scatter::*;
pub use scatter_nd::*;
pub use segmented_reduce::*;
pub use segmented_sort::*;
pub use segments_prepare::*;
pub use set_operation::*;
pub use settings::*;
pub use sort::*;
pub use sorted_equality_count::*;
pub use sorted_search::*;
pub use spmv::*;
pub use stencil::*;
pub use tuning::*;
pub use words::*;

use crate::context::Context;
use crate::error::{Error, Result, Status};
use crate::handle;
use crate::platform::{fence, log};

/// Runs the body of one entry point. `operation` is the C name, which opens the error message.
#[inline]
fn guard(operation: &str, body: impl FnOnce() -> Result<()>) -> i32 {
    fence::around(body, |failure| match failure {
        None => {
            log::debug(|| format!("{operation}: done"));
            Status::Ok as i32
        }
        Some(error) => {
            diagnostics::keep(operation, &error);
            error.status() as i32
        }
    })
}

/// Like [`guard`] for the entry points that return a value: `None` after an error.
fn guard_value<T>(operation: &str, body: impl FnOnce() -> Result<T>) -> Option<T> {
    let mut value = None;
    guard(operation, || {
        value = Some(body()?);
        Ok(())
    });
    value
}

/// Like [`guard_value`] for the entry points that make a context: NULL after an error, which the next call that is handed NULL names.
fn context_or_null(operation: &str, make: impl FnOnce() -> Result<*mut Context>) -> *mut Context {
    guard_value(operation, || handle::absent::keep(operation, make())).unwrap_or(std::ptr::null_mut())
}

/// Writes an answer that a caller may leave out.
///
/// # Safety
/// `target` is NULL or points to a T.
unsafe fn write_optional<T>(target: *mut T, value: T) {
    if !target.is_null() {
        // SAFETY: not NULL, so a T by the caller's promise.
        unsafe { target.write_unaligned(value) };
    }
}

/// An entry point of the default context, which is made when it is not there: what library/plain_names.rs is made of.
pub fn on_default_context(operation: &str, body: impl FnOnce(&mut Context) -> Result<()>) -> i32 {
    guard(operation, || handle::with_default(body))
}

/// # Safety
/// `target` is NULL or points to a T.
unsafe fn write<T>(name: &str, target: *mut T, value: T) -> Result<()> {
    if target.is_null() {
        return Err(Error::new(Status::NullPointer, format!("{name} is NULL")));
    }
    // SAFETY: not NULL, so a T by the caller's promise.
    unsafe { target.write_unaligned(value) };
    Ok(())
}

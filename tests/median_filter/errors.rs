//! What is refused, and arrays without elements.

use std::ptr::{null, null_mut};

use gpumex::error::Status::*;
use gpumex::ffi::{MedianFilterOptions, gpumex_median_filter};
use gpumex::model::dtype::Dtype;

use crate::common::*;

fn options() -> MedianFilterOptions {
    MedianFilterOptions { dtype: Dtype::F32 as i32, ..MedianFilterOptions::default() }
}

#[test]
fn wrong_arguments_are_named() {
    for ctx in backends() {
        let mut values = [1.0f32; 64];
        let array = values.as_mut_ptr();
        let call = |options: &MedianFilterOptions, rows: usize, [m, n]: [usize; 2], to: *mut f32| {
            // SAFETY: arrays that reach as far as documented, or a call that is refused.
            unsafe { gpumex_median_filter(ctx.handle, options, array.cast(), rows, 4, m, n, to.cast()) }
        };
        let to = array.wrapping_add(32);
        ok(call(&options(), 2, [3, 3], to), "apart");
        for window in [[0, 3], [3, 0], [32, 3], [3, 32], [usize::MAX, 1]] {
            let words = ["the window has", "each is at least 1 and at most 31"];
            refused(call(&options(), 2, window, to), InvalidArgument, &words, format!("{window:?}"));
        }
        refused(call(&options(), usize::MAX, [3, 3], to), InvalidArgument, &["gpumex_median_filter"], "size");
        refused(call(&options(), 2, [3, 3], array.wrapping_add(7)), InvalidArgument, &["overlap"], "overlap");
        for (bad, status, words) in [
            (MedianFilterOptions { boundary: 6, ..options() }, InvalidArgument, "options.boundary is 6"),
            (MedianFilterOptions { order: 2, ..options() }, InvalidArgument, "options.order is 2"),
            (MedianFilterOptions { dtype: 0, ..options() }, InvalidArgument, "the dtype is not set"),
            (MedianFilterOptions { dtype: Dtype::F16 as i32, ..options() }, Unsupported, "does not serve"),
        ] {
            refused(call(&bad, 2, [3, 3], to), status, &[words], words);
        }
        // SAFETY: no array.
        let status = unsafe { gpumex_median_filter(ctx.handle, &options(), null(), 2, 4, 3, 3, null_mut()) };
        refused(status, NullPointer, &["data is NULL"], "data");
        // SAFETY: empty arrays.
        let status = unsafe { gpumex_median_filter(ctx.handle, &options(), null(), 0, 4, 3, 3, null_mut()) };
        ok(status, "no elements");
    }
}

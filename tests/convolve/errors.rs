//! What is refused, and arrays without elements.

use std::ffi::c_void;
use std::ptr::null;

use gpumex::error::Status::*;
use gpumex::ffi::{ConvolveOptions, gpumex_convolve};
use gpumex::model::dtype::Dtype;

use crate::common::*;

fn options() -> ConvolveOptions {
    ConvolveOptions { dtype: Dtype::F32 as i32, ..ConvolveOptions::default() }
}

#[test]
fn wrong_arguments_are_named() {
    for ctx in backends() {
        let mut values = [1.0f32; 64];
        let array = values.as_mut_ptr();
        let call =
            |options: &ConvolveOptions, data: *const c_void, [rows, m, n]: [usize; 3], to: *mut f32| {
                let filter = array.wrapping_add(32).cast();
                // SAFETY: arrays that reach as far as documented, or a call that is refused.
                unsafe { gpumex_convolve(ctx.handle, options, data, rows, 4, filter, m, n, to.cast()) }
            };
        let (from, to) = (array.cast_const().cast(), array.wrapping_add(48));
        ok(call(&options(), from, [2, 2, 2], to), "apart");
        let refusal = |options: ConvolveOptions, sizes, status, words: &[&str]| {
            refused(call(&options, from, sizes, to), status, words, words.concat());
        };
        refusal(options(), [2, 0, 2], InvalidArgument, &["the filter has 0 rows and 2 columns"]);
        refusal(options(), [usize::MAX, 3, 3], InvalidArgument, &["gpumex_convolve"]);
        refusal(options(), [1, usize::MAX, 3], InvalidArgument, &["gpumex_convolve"]);
        refusal(
            ConvolveOptions { boundary: 6, ..options() },
            [2, 2, 2],
            InvalidArgument,
            &["options.boundary is 6"],
        );
        refusal(
            ConvolveOptions { shape: 3, ..options() },
            [2, 2, 2],
            InvalidArgument,
            &["options.shape is 3"],
        );
        refusal(ConvolveOptions { kind: 2, ..options() }, [2, 2, 2], InvalidArgument, &["options.kind is 2"]);
        refusal(
            ConvolveOptions { order: 2, ..options() },
            [2, 2, 2],
            InvalidArgument,
            &["options.order is 2"],
        );
        refusal(
            ConvolveOptions { dtype: 0, ..options() },
            [2, 2, 2],
            InvalidArgument,
            &["the dtype is not set"],
        );
        for (accumulator_dtype, words) in
            [(Dtype::I32, "options.accumulator_dtype GPUMEX_DTYPE_I32"), (Dtype::U8, "GPUMEX_DTYPE_U8")]
        {
            let options = ConvolveOptions { accumulator_dtype: accumulator_dtype as i32, ..options() };
            refusal(options, [2, 2, 2], InvalidArgument, &[words]);
        }
        for bad in [
            ConvolveOptions { dtype: Dtype::F16 as i32, ..options() },
            ConvolveOptions { result_dtype: Dtype::Bf16 as i32, ..options() },
        ] {
            refusal(bad, [2, 2, 2], Unsupported, &["which this operation does not serve"]);
        }
        refused(call(&options(), null(), [2, 2, 2], to), NullPointer, &["data is NULL"], "data");
        let inside = array.wrapping_add(7);
        refused(call(&options(), from, [2, 2, 2], inside), InvalidArgument, &["overlap"], "overlap");
        let full = ConvolveOptions { shape: 1, ..options() };
        refused(
            call(&full, from, [2, 2, 2], array.wrapping_add(20)),
            InvalidArgument,
            &["overlap"],
            "3×5 results",
        );
    }
}

#[test]
fn nothing_is_read_for_no_result() {
    for ctx in backends() {
        let weight = 1.0f32;
        for (rows, cols, shape, m) in [(0, 5, 0, 3), (5, 0, 0, 3), (0, 0, 1, 3), (2, 4, 2, 3)] {
            let options = ConvolveOptions { shape, ..options() };
            let (data, filter) = ([1.0f32; 8], [weight; 9]);
            // SAFETY: rows·cols elements, m·m weights, no result.
            let status = unsafe {
                let (data, filter) = (data.as_ptr().cast(), filter.as_ptr().cast());
                gpumex_convolve(ctx.handle, &options, data, rows, cols, filter, m, m, std::ptr::null_mut())
            };
            ok(status, format!("{rows}×{cols}, shape {shape}"));
        }
    }
}

//! What is refused.

use std::ffi::{CString, c_void};
use std::ptr::null;

use gpumex::error::Status::*;
use gpumex::ffi::{MapOptions, StencilOptions, gpumex_map_dtype, gpumex_stencil, gpumex_stencil_dtype};
use gpumex::model::dtype::Dtype;

use crate::common::*;

#[test]
fn a_wrong_offset_is_named_with_its_place() {
    for (text, words) in [
        ("a(8, 0)", "at 3: an offset, an integer from -7 to 7, expected, found 8"),
        ("a + a(0, 0.5)", "at 10: an offset, an integer from -7 to 7, expected"),
        ("a(0)", "at 4: \",\" expected"),
        ("a(0, 0", "at 7: \")\" expected, found end of text"),
        ("b(0, 0)", "at 1: unknown name \"b\""),
    ] {
        let (options, expression) = (options(), CString::new(text).unwrap());
        let mut dtype = 0;
        // SAFETY: a dtype, a text, a number to write to.
        let status = unsafe { gpumex_stencil_dtype(&options, expression.as_ptr(), 1, &mut dtype) };
        refused(status, InvalidArgument, &["gpumex_stencil_dtype: expression, ", words], text);
    }
    let options = MapOptions { dtypes: DTYPES.as_ptr(), ..MapOptions::default() };
    let mut dtype = 0;
    // SAFETY: as above.
    let status = unsafe { gpumex_map_dtype(&options, c"a(0, 0)".as_ptr(), 1, &mut dtype) };
    refused(
        status,
        InvalidArgument,
        &["at 2: an operator expected, found \"(\""],
        "gpumex_map has no neighbours",
    );
}

static DTYPES: [i32; 1] = [Dtype::F32 as i32];

fn options() -> StencilOptions {
    StencilOptions { dtype: Dtype::F32 as i32, dtypes: DTYPES.as_ptr(), ..StencilOptions::default() }
}

#[test]
fn wrong_arguments_are_named() {
    for ctx in backends() {
        let mut values = [1.0f32; 24];
        let array = values.as_mut_ptr();
        let call = |options: &StencilOptions,
                    text: *const i8,
                    inputs: *const *const c_void,
                    cols: usize,
                    to: *mut f32| {
            // SAFETY: arrays that reach as far as documented, or a call that is refused.
            unsafe { gpumex_stencil(ctx.handle, options, text.cast(), inputs, 1, 2, cols, to.cast()) }
        };
        let text = c"a(0,1)".as_ptr().cast();
        let inputs: [*const c_void; 1] = [array.cast()];
        let to = array.wrapping_add(8);
        ok(call(&options(), text, inputs.as_ptr(), 4, to), "apart");
        refused(
            call(&options(), text, inputs.as_ptr(), 5, to),
            InvalidArgument,
            &["overlap"],
            "2×5 and 8 behind",
        );
        refused(
            call(&options(), null(), inputs.as_ptr(), 4, to),
            NullPointer,
            &["expression is NULL"],
            "text",
        );
        refused(call(&options(), text, null(), 4, to), NullPointer, &["inputs is NULL"], "inputs");
        refused(call(&options(), text, [null()].as_ptr(), 4, to), NullPointer, &["NULL"], "an input");
        refused(call(&options(), text, inputs.as_ptr(), usize::MAX, to), InvalidArgument, &[""], "size");
        for (bad, words) in [
            (StencilOptions { boundary: 6, ..options() }, "options.boundary is 6"),
            (StencilOptions { order: 2, ..options() }, "options.order is 2"),
            (StencilOptions { dtype: 0, ..options() }, "the dtype is not set"),
        ] {
            refused(call(&bad, text, inputs.as_ptr(), 4, to), InvalidArgument, &[words], words);
        }
    }
}

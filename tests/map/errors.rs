//! Texts and options that are refused, with the place.

use std::ffi::CString;
use std::ptr::null;

use gpumex::error::Status::{self, *};
use gpumex::ffi::{MapOptions, gpumex_map, gpumex_map_dtype};
use gpumex::model::dtype::Dtype;
use gpumex::model::expression::Rules;

use crate::common::*;

/// Of two inputs: an int8 a and a double b.
#[track_caller]
fn is_refused(rules: Rules, text: &str, status: Status, words: &str) {
    let dtypes = [Dtype::I8 as i32, Dtype::F64 as i32];
    let options = MapOptions {
        rules: rules as i32,
        dtypes: dtypes.as_ptr(),
        dtype: 2,
        shape: &1,
        ..MapOptions::default()
    };
    let (expression, mut dtype) = (CString::new(text).unwrap(), 0);
    // SAFETY: two dtypes, a text, a number to write to.
    let got = unsafe { gpumex_map_dtype(&options, expression.as_ptr(), 2, &mut dtype) };
    refused(got, status, &["gpumex_map_dtype: expression", words], text);
}

#[test]
fn a_wrong_text_is_named_with_its_place() {
    is_refused(Rules::C, "(a + b", InvalidArgument, ", at 7: \")\" expected, found end of text");
    is_refused(
        Rules::C,
        "a ' b",
        InvalidArgument,
        ", at 3: a name, a number or an operator expected, found '\\''",
    );
    is_refused(
        Rules::C,
        "a + gamm (b)",
        InvalidArgument,
        ", at 5: unknown name \"gamm\"; the inputs are a, b",
    );
    is_refused(Rules::C, "bitand (a, b)", InvalidArgument, ", at 1: bitand: double is not an integer type");
    is_refused(
        Rules::Matlab,
        "1 + sin (a)",
        InvalidArgument,
        ", at 5: sin: int8 is not a floating-point class",
    );
    is_refused(Rules::Matlab, "b + a * int16 (a)", InvalidArgument, ", at 7: int8 and int16 are different");
    is_refused(Rules::C, "1 + half (b)", InvalidArgument, ", at 3: the result of half is an operand");
    is_refused(Rules::C, &format!("{}a{}", "(".repeat(65), ")".repeat(65)), Unsupported, "deeper than 64");
    is_refused(Rules::C, &format!("a{}", "+a".repeat(600)), Unsupported, "more than 1024");
}

#[test]
fn programs_have_limits_of_steps_literals_and_intermediate_results() {
    let longs = (0..70).map(|i| format!(" + a * {i}.25")).collect::<String>();
    let sums: Vec<String> = (0..12).map(|i| format!("sin (a + {i})")).collect();
    let shared = format!("({}) * ({})", sums.join(" + "), sums.join(" - "));
    for ctx in backends() {
        for (text, words) in [
            (format!("a{}", " * b / a".repeat(85)), "160 steps"),
            (format!("a{longs}"), "64 literals"),
            (shared.clone(), "more than 8 intermediate results"),
        ] {
            let (dtypes, text, mut result) = ([2; 2], CString::new(text).unwrap(), 7.0f64);
            let options =
                MapOptions { dtype: 2, dtypes: dtypes.as_ptr(), shape: &1, ..MapOptions::default() };
            let (a, to) = ((&raw const dtypes).cast(), (&raw mut result).cast());
            // SAFETY: a program that is refused reads and writes nothing.
            let got = unsafe { gpumex_map(ctx.handle, &options, text.as_ptr(), [a, a].as_ptr(), 2, to) };
            refused(got, Unsupported, &["gpumex_map: expression", words], format!("{text:?}"));
            assert_eq!(result, 7.0);
        }
    }
}

#[test]
fn wrong_options_are_named() {
    let (dtypes, shape, strides) = ([2; 17], [4usize, 3], [1i64, 2]);
    let good = MapOptions {
        dtype: 2,
        rank: 2,
        dtypes: dtypes.as_ptr(),
        shape: shape.as_ptr(),
        ..MapOptions::default()
    };
    let (a, mut result) = ([0.5f64; 24], [7.0f64; 24]);
    let to = result.as_mut_ptr();
    for ctx in backends() {
        let call = |options: MapOptions, inputs: &[*const f64], to: *mut f64| {
            let text = if inputs.is_empty() { c"1" } else { c"a" };
            let at = if inputs.is_empty() { null() } else { inputs.as_ptr().cast() };
            // SAFETY: 24 elements each, or what is refused.
            unsafe { gpumex_map(ctx.handle, &options, text.as_ptr(), at, inputs.len(), to.cast()) }
        };
        let is_refused = |options: MapOptions, inputs: &[*const f64], status, words: &str| {
            refused(call(options, inputs, to), status, &["gpumex_map: ", words], words);
        };
        let at = a.as_ptr();
        ok(call(good, &[at], to), "what the others differ from");
        is_refused(
            MapOptions { dtype: 0, ..good },
            &[at],
            InvalidArgument,
            "options.dtype is GPUMEX_DTYPE_NONE",
        );
        is_refused(MapOptions { rank: 9, ..good }, &[at], InvalidArgument, "options.rank is 9; it is 0 to 8");
        is_refused(
            MapOptions { rules: 2, ..good },
            &[at],
            InvalidArgument,
            "GPUMEX_RULES_C or GPUMEX_RULES_MATLAB",
        );
        is_refused(MapOptions { dtypes: null(), ..good }, &[at], NullPointer, "options.dtypes is NULL");
        is_refused(
            MapOptions { dtypes: [0].as_ptr(), ..good },
            &[at],
            InvalidArgument,
            "options.dtypes[0] is GPUMEX_DTYPE_NONE",
        );
        is_refused(MapOptions { shape: null(), ..good }, &[at], NullPointer, "options.shape is NULL");
        is_refused(
            MapOptions { names: c"x y".as_ptr(), ..good },
            &[at],
            InvalidArgument,
            "2 names; there are 1 inputs",
        );
        is_refused(MapOptions { names: c"2x".as_ptr(), ..good }, &[at], InvalidArgument, "no digit first");
        is_refused(MapOptions { names: c"x,x".as_ptr(), ..good }, &[at, at], InvalidArgument, "\"x\" twice");
        is_refused(good, &[at; 17], InvalidArgument, "input_count is 17");
        is_refused(good, &[null()], NullPointer, "an input is NULL");
        is_refused(good, &[to.wrapping_add(1)], InvalidArgument, "result overlaps an input");
        let twice = MapOptions { result_strides: strides.as_ptr(), ..good };
        is_refused(
            twice,
            &[at],
            InvalidArgument,
            "has 2 for dimension 2; elements would be written twice, it has to be 4",
        );
        let below = [-1i64, 1];
        is_refused(
            MapOptions { strides: below.as_ptr(), ..good },
            &[at],
            InvalidArgument,
            "options.strides has -1",
        );
        // SAFETY: refused before anything is read.
        let got = unsafe { gpumex_map(ctx.handle, &good, null(), null(), 0, to.cast()) };
        refused(got, NullPointer, &["expression is NULL"], "no text");
    }
}

//! Calls that are refused, and outputs that stay as they were.

use std::ffi::{CStr, CString, c_void};
use std::ptr::{null, null_mut};

use gpumex::error::Status::{self, InvalidArgument, NullPointer, Unsupported};
use gpumex::ffi::{MapScanOptions, gpumex_map_scan};
use gpumex::memory::MemoryKind;
use gpumex::model::dtype::Dtype;
use gpumex::model::reduction::DimReduction;
use gpumex::platform::settings::Backend;

use crate::common::*;

const DTYPES: [i32; 17] = [Dtype::F32 as i32; 17];
const SHAPE: [usize; 2] = [3, 4];

fn good() -> MapScanOptions {
    MapScanOptions {
        dtype: Dtype::F32 as i32,
        rank: 2,
        dtypes: DTYPES.as_ptr(),
        shape: SHAPE.as_ptr(),
        ..MapScanOptions::default()
    }
}

/// The status for prefixes of 12 numbers, of which the output keeps what it has.
#[track_caller]
fn is_refused(ctx: &Context, options: MapScanOptions, text: &CStr, status: Status, words: &[&str]) {
    let (data, mut result) = ([1f32; 12], Output::<f32>::new(12));
    let inputs: [*const c_void; 1] = [data.as_ptr().cast()];
    let (text, to) = (text.as_ptr(), result.as_mut_ptr().cast());
    // SAFETY: 12 numbers, 12 results; a call that is refused touches none.
    let got = unsafe { gpumex_map_scan(ctx.handle, &options, text, inputs.as_ptr(), 1, to) };
    refused(got, status, &[&["gpumex_map_scan: "][..], words].concat(), format!("{words:?}"));
    assert_same_bits(&result.written("refused"), &[f32::POISON; 12], "refused");
}

#[test]
fn what_is_wrong_is_named() {
    let (huge, names, strides) = ([usize::MAX, 2], [c"x y", c"2x"], [-1i64, 3]);
    for ctx in backends() {
        let refuse = |change: &dyn Fn(&mut MapScanOptions), status, words: &[&str]| {
            let mut options = good();
            change(&mut options);
            is_refused(&ctx, options, c"2 * a", status, words);
        };
        refuse(&|o| o.dimension = 3, InvalidArgument, &["options.dimension is 3", "0 to 2, 0 means all"]);
        refuse(&|o| o.dimension = -1, InvalidArgument, &["options.dimension is -1"]);
        refuse(&|o| o.rank = 9, InvalidArgument, &["options.rank is 9"]);
        refuse(&|o| o.rank = -1, InvalidArgument, &["options.rank is -1"]);
        refuse(&|o| o.dtype = 0, InvalidArgument, &["dtype is not set"]);
        refuse(&|o| o.dtype = first_unknown::<Dtype>(), InvalidArgument, &["options.dtype is 16"]);
        for dtype in [Dtype::F16, Dtype::Bf16, Dtype::C64, Dtype::C128] {
            let name = format!("GPUMEX_DTYPE_{dtype:?}").to_uppercase();
            refuse(&|o| o.dtype = dtype as i32, Unsupported, &[&name]);
        }
        for op in [DimReduction::Any, DimReduction::All, DimReduction::Count, DimReduction::Mean] {
            let name = format!("GPUMEX_DIM_REDUCTION_{op:?}").to_uppercase();
            refuse(&|o| o.op = op as i32, Unsupported, &["options.op", &name]);
        }
        refuse(&|o| o.op = 8, InvalidArgument, &["options.op is 8"]);
        refuse(&|o| o.kind = 2, InvalidArgument, &["options.kind is 2"]);
        refuse(&|o| o.nan = 3, InvalidArgument, &["options.nan is 3"]);
        refuse(&|o| o.rules = 2, InvalidArgument, &["options.rules"]);
        refuse(&|o| o.variant = 2, InvalidArgument, &["options.variant is 2"]);
        refuse(&|o| o.reverse = 2, InvalidArgument, &["options.reverse"]);
        refuse(&|o| o.reverse = -1, InvalidArgument, &["options.reverse"]);
        refuse(&|o| o.dtype = Dtype::I8 as i32, InvalidArgument, &["options.accumulator_dtype"]);
        refuse(&|o| o.accumulator_dtype = Dtype::I32 as i32, InvalidArgument, &["accumulator_dtype"]);
        let extremum = |o: &mut MapScanOptions| (o.op, o.accumulator_dtype) = (2, Dtype::F64 as i32);
        refuse(&extremum, InvalidArgument, &["accumulator_dtype"]);
        let saturating = |o: &mut MapScanOptions| (o.dtype, o.accumulator_dtype, o.rules) = (7, 11, 1);
        refuse(&saturating, InvalidArgument, &["holds every value"]);
        refuse(&|o| o.shape = null(), NullPointer, &["options.shape is NULL"]);
        refuse(&|o| o.dtypes = null(), NullPointer, &["options.dtypes is NULL"]);
        refuse(&|o| o.dtypes = [0].as_ptr(), InvalidArgument, &["options.dtypes[0] is GPUMEX_DTYPE_NONE"]);
        refuse(&|o| o.shape = huge.as_ptr(), InvalidArgument, &["options.shape"]);
        refuse(&|o| o.strides = strides.as_ptr(), InvalidArgument, &["strides"]);
        refuse(&|o| o.names = names[0].as_ptr(), InvalidArgument, &["2 names; there are 1 inputs"]);
        refuse(&|o| o.names = names[1].as_ptr(), InvalidArgument, &["no digit first"]);
        if ctx.backend == Backend::Cuda {
            refuse(&|o| o.variant = 1, Unsupported, &["SEQUENTIAL"]);
        }
    }
}

#[test]
fn a_wrong_expression_is_named_with_its_place() {
    for ctx in backends() {
        let refuse = |text: &str, status, words: &[&str]| {
            is_refused(
                &ctx,
                good(),
                &CString::new(text).unwrap(),
                status,
                &[&["expression"][..], words].concat(),
            );
        };
        refuse("2 * ", InvalidArgument, &["found end of text"]);
        refuse("(a + 1", InvalidArgument, &[", at 7: \")\" expected, found end of text"]);
        refuse("a + gamm (a)", InvalidArgument, &[", at 5: unknown name \"gamm\"; the input is a"]);
        refuse("a + b", InvalidArgument, &[", at 5: unknown name \"b\""]);
        refuse(&format!("{}a{}", "(".repeat(65), ")".repeat(65)), Unsupported, &["deeper than 64"]);
        refuse(&format!("a{}", " * a / a".repeat(85)), Unsupported, &["160 steps"]);
        let longs = (0..70).map(|i| format!(" + a * {i}.25")).collect::<String>();
        refuse(&format!("a{longs}"), Unsupported, &["64 literals"]);
        let sums: Vec<String> = (0..12).map(|i| format!("sin (a + {i})")).collect();
        let shared = format!("({}) * ({})", sums.join(" + "), sums.join(" - "));
        refuse(&shared, Unsupported, &["more than 8 intermediate results"]);
    }
}

#[test]
fn null_pointers_and_counts_are_named() {
    for ctx in backends() {
        let (data, mut result, options) = ([1f32; 24], [7f32; 12], good());
        let (inputs, to) = ([data.as_ptr().cast::<c_void>(); 17], result.as_mut_ptr().cast::<c_void>());
        let (text, none) = (c"a".as_ptr(), [null()]);
        let all = inputs.as_ptr();
        let call = |ctx, options: *const MapScanOptions, text, inputs, count, to| {
            // SAFETY: 12 elements each, or what is refused.
            unsafe { gpumex_map_scan(ctx, options, text, inputs, count, to) }
        };
        refused(call(null_mut(), &options, text, all, 1, to), NullPointer, &["ctx is NULL"], "ctx");
        refused(call(ctx.handle, null(), text, all, 1, to), InvalidArgument, &["dtype"], "options");
        refused(call(ctx.handle, &options, null(), all, 1, to), NullPointer, &["expression"], "expression");
        refused(call(ctx.handle, &options, text, null(), 1, to), NullPointer, &["inputs"], "inputs");
        refused(
            call(ctx.handle, &options, text, none.as_ptr(), 1, to),
            NullPointer,
            &["an input"],
            "an input",
        );
        refused(call(ctx.handle, &options, text, all, 1, null_mut()), NullPointer, &["result"], "result");
        refused(call(ctx.handle, &options, text, all, 17, to), InvalidArgument, &["input_count is 17"], "17");
        let odd = [data.as_ptr().cast::<c_void>().wrapping_byte_add(2)];
        refused(
            call(ctx.handle, &options, text, odd.as_ptr(), 1, to),
            InvalidArgument,
            &["multiple of 4"],
            "odd",
        );
        let to_odd = to.wrapping_byte_add(2);
        refused(call(ctx.handle, &options, text, all, 1, to_odd), InvalidArgument, &["multiple of 4"], "odd");
        assert_eq!(result, [7.0; 12]);
    }
}

/// A pair of complex numbers counts as two inputs.
#[test]
fn nine_complex_inputs_are_too_many() {
    for ctx in backends() {
        let (data, dtypes) = ([1f32; 48], [Dtype::C64 as i32; 9]);
        let options = MapScanOptions { dtypes: dtypes.as_ptr(), ..good() };
        let text = c"real (a) + real (b) + real (c) + real (d) + real (e) + real (f) + real (g) + real (h) + real (i)";
        let (inputs, mut result) = ([data.as_ptr().cast::<c_void>(); 9], [7f32; 12]);
        let to = result.as_mut_ptr().cast();
        // SAFETY: 12 complex numbers each.
        let status = unsafe { gpumex_map_scan(ctx.handle, &options, text.as_ptr(), inputs.as_ptr(), 9, to) };
        refused(status, Unsupported, &["9 inputs, 9 of them complex, which count twice"], "nine");
        assert_eq!(result, [7.0; 12]);
    }
}

/// The result may lie in no input's place, and not in a part of it.
#[test]
fn a_result_that_overlaps_an_input_is_refused() {
    for ctx in backends() {
        for off in [0, 1, 11] {
            let (mut data, options) = ([1f32; 24], good());
            let (text, at) = (c"a + b".as_ptr(), data.as_mut_ptr());
            let apart = [2f32; 12];
            let inputs: [*const c_void; 2] = [apart.as_ptr().cast(), at.cast()];
            let to = at.wrapping_add(off).cast();
            // SAFETY: 24 numbers; the call is refused.
            let status = unsafe { gpumex_map_scan(ctx.handle, &options, text, inputs.as_ptr(), 2, to) };
            let words = ["result overlaps an input", "apart"];
            refused(status, InvalidArgument, &words, format!("{off} elements behind the input"));
            assert_eq!(data, [1.0; 24]);
        }
    }
}

/// Memory of the library is known with its length.
#[test]
fn arrays_that_are_too_short_are_refused() {
    for ctx in backends() {
        let (mut short, mut long, options) = (null_mut(), null_mut(), good());
        for (bytes, at) in [(47, &mut short), (48, &mut long)] {
            // SAFETY: writes one pointer.
            ok(
                unsafe { gpumex::ffi::gpumex_malloc(ctx.handle, MemoryKind::Device as i32, bytes, at) },
                "malloc",
            );
        }
        for (input, to, name) in [(short, long, "an input"), (long, short, "result")] {
            let inputs = [input.cast_const()];
            // SAFETY: 12 numbers, or fewer, which is refused.
            let status =
                unsafe { gpumex_map_scan(ctx.handle, &options, c"a".as_ptr(), inputs.as_ptr(), 1, to) };
            refused(status, InvalidArgument, &[name, "48"], name);
        }
        for memory in [short, long] {
            ok(gpumex::ffi::gpumex_free(memory), "gpumex_free");
        }
    }
}

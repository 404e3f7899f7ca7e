//! Refusals: texts, and results of nothing.

use std::ffi::CStr;
use std::ptr::null;

use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::model::dtype::Dtype;
use gpumex::model::operator::Operator;
use gpumex::model::variant::Variant;
use gpumex::ops::scan::ScanKind;

use super::calls::reduce_options;
use crate::common::*;

const BAD: Status = Status::InvalidArgument;

#[test]
fn a_bad_text_is_refused_with_its_place() {
    for ctx in backends() {
        let (data, mut to) = ([1f32; 4], [0f32; 2]);
        let (from, result) = (data.as_ptr().cast(), to.as_mut_ptr().cast());
        let call = |text: &CStr| {
            let options = reduce_options::<f32>((Variant::Auto, text));
            // SAFETY: 4 elements, one result.
            unsafe { gpumex_reduce(ctx.handle, &options, from, 4, result) }
        };
        refused(call(c"a + "), BAD, &["expression, at 5"], "an end");
        refused(call(c""), BAD, &["expression, at 1"], "no text");
        refused(call(c"a + c"), BAD, &["expression, at 5", "\"c\""], "a third variable");
        refused(call(c"a +* b"), BAD, &["expression, at 4"], "two operators");
        refused(call(c"bitand (a, b)"), BAD, &["expression, at"], "bits of floats");
        let text = c"a + \xFF";
        refused(call(text), BAD, &["UTF-8"], "no UTF-8");
        ok(call(c"a + b"), "a good one");
        assert_eq!(to[0], 4.0);
    }
}

#[test]
fn an_operator_beside_an_expression_is_refused() {
    for ctx in backends() {
        let (data, mut to) = ([1f32; 4], [0f32; 1]);
        let op = Operator::Sum as i32;
        let options = ReduceOptions { op, ..reduce_options::<f32>((Variant::Auto, c"a + b")) };
        // SAFETY: 4 elements, one result.
        let status =
            unsafe { gpumex_reduce(ctx.handle, &options, data.as_ptr().cast(), 4, to.as_mut_ptr().cast()) };
        refused(status, BAD, &["options.op is GPUMEX_OPERATOR_SUM", "options.expression"], "both");
    }
}

#[test]
fn a_result_of_nothing_needs_an_identity() {
    for ctx in backends() {
        let (data, offsets, mut to) = ([1f32; 4], [0u32, 4], [0f32; 4]);
        let (from, result) = (data.as_ptr().cast(), to.as_mut_ptr().cast());
        let options = reduce_options::<f32>((Variant::Auto, c"a + b"));
        // SAFETY: at most 4 elements, in each of the calls.
        let status = unsafe { gpumex_reduce(ctx.handle, &options, null(), 0, result) };
        refused(status, BAD, &["options.identity"], "a reduction");
        let scan = |kind: ScanKind, count: usize, total: *mut std::ffi::c_void| {
            let options = ScanOptions {
                dtype: Dtype::F32 as i32,
                kind: kind as i32,
                expression: c"a + b".as_ptr(),
                ..ScanOptions::default()
            };
            // SAFETY: as above.
            unsafe { gpumex_scan(ctx.handle, &options, from, count, result, total) }
        };
        let mut total = [0f32];
        let at = total.as_mut_ptr().cast();
        refused(scan(ScanKind::Exclusive, 4, at), BAD, &["options.identity"], "an exclusive scan");
        refused(scan(ScanKind::Inclusive, 0, at), BAD, &["options.identity"], "a total");
        ok(scan(ScanKind::Inclusive, 4, at), "an inclusive scan");
        ok(scan(ScanKind::Inclusive, 0, std::ptr::null_mut()), "nothing at all");
        let options = SegmentedReduceOptions {
            dtype: Dtype::F32 as i32,
            index_dtype: Dtype::U32 as i32,
            expression: c"a + b".as_ptr(),
            ..SegmentedReduceOptions::default()
        };
        let cuts = offsets.as_ptr().cast();
        // SAFETY: as above.
        let status =
            unsafe { gpumex_segmented_reduce(ctx.handle, &options, from, 4, cuts, 1, null(), result) };
        refused(status, BAD, &["options.identity"], "segments");
    }
}

#[test]
fn an_identity_serves_operators_as_well() {
    for ctx in backends() {
        let (identity, data, mut to) = (2.5f64, [1f64, 2.0], [0f64; 3]);
        let identity = std::ptr::from_ref(&identity).cast();
        let (from, result) = (data.as_ptr().cast(), to.as_mut_ptr().cast());
        let dtype = Dtype::F64 as i32;
        let options = ReduceOptions { dtype, identity, ..ReduceOptions::default() };
        // SAFETY: at most 2 elements and results.
        ok(unsafe { gpumex_reduce(ctx.handle, &options, null(), 0, result) }, "a reduction");
        assert_eq!(to[0], 2.5);
        let options = ScanOptions { dtype, identity, ..ScanOptions::default() };
        // SAFETY: as above.
        ok(
            unsafe { gpumex_scan(ctx.handle, &options, from, 2, result, to[2..].as_mut_ptr().cast()) },
            "a scan",
        );
        assert_eq!(to, [2.5, 1.0, 3.0]);
    }
}

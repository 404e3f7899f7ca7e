//! Calls that are refused, and outputs that stay as they were.

use std::ffi::c_void;
use std::ptr::null;

use gpumex::error::Status;
use gpumex::ffi::{MapReduceOptions, gpumex_map_reduce};
use gpumex::model::dtype::Dtype;
use gpumex::model::reduction::DimReduction;

use crate::common::*;

const DTYPES: [i32; 1] = [Dtype::F32 as i32];
const SHAPE: [usize; 2] = [3, 4];

fn good() -> MapReduceOptions {
    MapReduceOptions {
        dtype: Dtype::F32 as i32,
        rank: 2,
        dtypes: DTYPES.as_ptr(),
        shape: SHAPE.as_ptr(),
        ..MapReduceOptions::default()
    }
}

/// The status of sums of 12 numbers, of which the output keeps what it has.
#[track_caller]
fn refused(ctx: &Context, options: MapReduceOptions, text: &std::ffi::CStr, want: Status, message: &str) {
    let data = [1f32; 12];
    let mut result = Output::<f32>::new(12);
    let inputs: [*const c_void; 1] = [data.as_ptr().cast()];
    let (text, to) = (text.as_ptr(), result.as_mut_ptr().cast());
    // SAFETY: 12 numbers, at most 12 results.
    let status = unsafe { gpumex_map_reduce(ctx.handle, &options, text, inputs.as_ptr(), 1, to) };
    assert_eq!(status, want as i32, "{message}: {}", last_error());
    assert!(last_error().contains(message), "{:?} does not say {message:?}", last_error());
    assert_same_bits(&result.written(message), &[f32::POISON; 12], message);
}

#[test]
fn what_is_wrong_is_named() {
    use Status::{InvalidArgument, NullPointer, Unsupported};
    for ctx in backends() {
        let refuse = |change: &dyn Fn(&mut MapReduceOptions), status, message: &str| {
            let mut options = good();
            change(&mut options);
            refused(&ctx, options, c"2 * a", status, message);
        };
        refuse(&|o| o.dimension = 3, InvalidArgument, "options.dimension is 3; it is 0 to 2, 0 means all");
        refuse(&|o| o.dimension = -1, InvalidArgument, "options.dimension is -1");
        refuse(&|o| o.rank = 9, InvalidArgument, "options.rank is 9");
        refuse(&|o| o.dtype = 0, InvalidArgument, "dtype is not set");
        refuse(&|o| o.dtype = Dtype::F16 as i32, Unsupported, "GPUMEX_DTYPE_F16");
        refuse(&|o| o.dtype = Dtype::C64 as i32, Unsupported, "GPUMEX_DTYPE_C64");
        refuse(&|o| o.dtype = Dtype::I8 as i32, InvalidArgument, "options.accumulator_dtype");
        refuse(&|o| o.accumulator_dtype = Dtype::I32 as i32, InvalidArgument, "accumulator_dtype");
        refuse(&|o| o.op = 8, InvalidArgument, "options.op is 8");
        refuse(&|o| o.nan = 3, InvalidArgument, "options.nan is 3");
        refuse(&|o| o.reserved = 1, Unsupported, "reserved");
        refuse(&|o| o.shape = null(), NullPointer, "options.shape is NULL");
        refuse(&|o| o.dtypes = null(), NullPointer, "options.dtypes is NULL");
        refuse(&|o| o.shape = [usize::MAX, 2].as_ptr(), InvalidArgument, "have no address");
        refused(&ctx, good(), c"2 * ", InvalidArgument, "expression");
        let mut places = [7u32; 4];
        let at = places.as_mut_ptr();
        refuse(&|o| o.positions = at.cast(), InvalidArgument, "options.positions");
        refuse(
            &|o| (o.op, o.positions) = (DimReduction::Max as i32, at.cast()),
            InvalidArgument,
            "index_dtype",
        );
        assert_eq!(places, [7; 4]);
    }
}

#[test]
fn a_result_that_overlaps_an_input_is_refused() {
    for ctx in backends() {
        let mut data = [1f32; 12];
        let (at, options) = (data.as_mut_ptr(), good());
        let inputs: [*const c_void; 1] = [at.cast()];
        // SAFETY: 12 numbers; the call is refused.
        let status =
            unsafe { gpumex_map_reduce(ctx.handle, &options, c"a".as_ptr(), inputs.as_ptr(), 1, at.cast()) };
        assert_eq!(status, Status::InvalidArgument as i32, "{}", last_error());
    }
}

//! Intervals of elements, moved: `gpumex_interval_move`.

use std::ffi::c_void;

use super::options::zero_default;
use super::{guard, options};
use crate::array::{Input, Output};
use crate::context::Context;
use crate::handle;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::model::variant::Variant;
use crate::ops::interval_move::{self, Options, Places};

/// Options of `gpumex_interval_move`. Set `size` to `sizeof(gpumex_interval_move_options)`; zero is the default of every other
/// field.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct IntervalMoveOptions {
    /// sizeof(gpumex_interval_move_options)
    pub size: usize,
    /// a `gpumex_variant`
    pub variant: i32,
    /// a `gpumex_dtype` of the elements; this version serves F32, F64, I32, I64, U32 and U64
    pub dtype: i32,
    /// a `gpumex_dtype` of the indices: U32 or U64
    pub index_dtype: i32,
    /// has to be 0
    pub reserved: i32,
}

zero_default!(IntervalMoveOptions, reserved);

/// output[scatter[j] + r] <- input[gather[j] + r] for each element r of each interval j.
///
/// scan: `intervals` numbers of options->index_dtype, the exclusive sum of the lengths of the intervals; `count` is their total.
/// gather, scatter: `intervals` numbers of that type, where the intervals begin in the input and in the output. Either may be NULL: without
/// scatter the output is dense, interval j at scan[j] (interval gather); without gather the input is (interval scatter).
/// input, output: `input_count` and `output_count` elements of options->dtype, whose bits are moved; output lies apart from all other
/// arrays. Elements that would be read or written behind the end of these are skipped. What no interval covers is left as it is; where
/// intervals of the output overlap, it holds an element of any one of them.
/// A scan that does not ascend moves unspecified elements of the input.
/// Memory: each array may be host, pinned, managed or device memory; when all are device memory the call may return before it
/// is done, in the order of the context's work.
/// Cost: O(count + intervals), however long the intervals are; a scatter on the CPU backend sorts intervals whose places do not ascend.
/// options: NULL for the defaults. Variants: AUTO, SEQUENTIAL (the plain loop, CPU backend).
/// Errors: NULL_POINTER, INVALID_ARGUMENT (not a live context, overlap, alignment, a range that is too short, another device's
/// memory, elements and no intervals, a count that U32 does not hold), UNSUPPORTED (dtype, an option this version does not serve, device memory on
/// the CPU backend, after fork), OUT_OF_MEMORY, CUDA, BUSY; outputs are unspecified after OUT_OF_MEMORY and CUDA.
/// Source: S. Baxter, "ModernGPU", Interval Move, NVIDIA 2013.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_interval_move(
    ctx: *mut Context,
    options: *const IntervalMoveOptions,
    count: usize,
    gather: *const c_void,
    scatter: *const c_void,
    scan: *const c_void,
    intervals: usize,
    input: *const c_void,
    input_count: usize,
    output: *mut c_void,
    output_count: usize,
) -> i32 {
    guard("gpumex_interval_move", || {
        // SAFETY: the caller's promise in the documentation above.
        let (options, places, input, output) = unsafe {
            (
                options::read(options)?,
                Places {
                    count,
                    gather: (!gather.is_null()).then(|| Input::from_raw("gather", gather)),
                    scatter: (!scatter.is_null()).then(|| Input::from_raw("scatter", scatter)),
                    scan: Input::from_raw("scan", scan),
                    intervals,
                },
                Input::from_raw("input", input),
                Output::from_raw("output", output),
            )
        };
        let options = Options {
            variant: Variant::from_c("options.variant", options.variant)?,
            dtype: Dtype::from_c("options.dtype", options.dtype)?,
            index_dtype: Dtype::from_c("options.index_dtype", options.index_dtype)?,
        };
        handle::with(ctx, |ctx| {
            interval_move::interval_move(ctx, &options, places, (input, input_count), (output, output_count))
        })
    })
}

//! Values of intervals, repeated: `gpumex_interval_expand`.

use std::ffi::c_void;

use super::options::zero_default;
use super::{guard, options};
use crate::array::{Input, Output};
use crate::context::Context;
use crate::handle;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::model::variant::Variant;
use crate::ops::interval_expand::{self, Options};

/// Options of `gpumex_interval_expand`. Set `size` to `sizeof(gpumex_interval_expand_options)`; zero is the default of every other
/// field.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct IntervalExpandOptions {
    /// sizeof(gpumex_interval_expand_options)
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

zero_default!(IntervalExpandOptions, reserved);

/// output[k] <- values[j] for the `count` elements of all intervals, where j is the interval of element k: each value as often as its
/// interval is long. Lengths 1, 2, 1, 0, 4, 2, 3, 0, 2 of the values 0 to 8 give 0 1 1 2 4 4 4 4 5 5 6 6 6 8 8.
///
/// scan: `intervals` numbers of options->index_dtype, the exclusive sum of the lengths of the intervals; `count` is their total.
/// values: `intervals` elements of options->dtype, whose bits are copied; output: `count` of them, apart from scan and values. NULL is allowed
/// where there are no elements.
/// A scan that does not ascend gives some of the values; elements before scan[0] are interval 0's.
/// Memory: each array may be host, pinned, managed or device memory; when all are device memory the call may return before it
/// is done, in the order of the context's work.
/// Cost: O(count + intervals), however long the intervals are.
/// options: NULL for the defaults. Variants: AUTO, SEQUENTIAL (the plain loop, CPU backend).
/// Errors: NULL_POINTER, INVALID_ARGUMENT (not a live context, overlap, alignment, a range that is too short, another device's
/// memory, elements and no intervals, a count that U32 does not hold), UNSUPPORTED (dtype, an option this version does not serve, device memory on
/// the CPU backend, after fork), OUT_OF_MEMORY, CUDA, BUSY; outputs are unspecified after OUT_OF_MEMORY and CUDA.
/// Source: S. Baxter, "ModernGPU", Interval Expand, NVIDIA 2013.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_interval_expand(
    ctx: *mut Context,
    options: *const IntervalExpandOptions,
    count: usize,
    scan: *const c_void,
    values: *const c_void,
    intervals: usize,
    output: *mut c_void,
) -> i32 {
    guard("gpumex_interval_expand", || {
        // SAFETY: the caller's promise in the documentation above.
        let (options, scan, values, output) = unsafe {
            (
                options::read(options)?,
                Input::from_raw("scan", scan),
                Input::from_raw("values", values),
                Output::from_raw("output", output),
            )
        };
        let options = Options {
            variant: Variant::from_c("options.variant", options.variant)?,
            dtype: Dtype::from_c("options.dtype", options.dtype)?,
            index_dtype: Dtype::from_c("options.index_dtype", options.index_dtype)?,
        };
        handle::with(ctx, |ctx| {
            interval_expand::interval_expand(ctx, &options, count, scan, values, intervals, output)
        })
    })
}

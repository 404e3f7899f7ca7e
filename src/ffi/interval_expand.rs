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

/// @brief Options of gpumex_interval_expand: GPUMEX_INTERVAL_EXPAND_OPTIONS_INIT or GPUMEX_OPTIONS
/// (interval_expand, ...).
/// @ingroup gpumex_primitives
#[repr(C)]
#[derive(Clone, Copy)]
pub struct IntervalExpandOptions {
    /// sizeof(gpumex_interval_expand_options).
    pub size: usize,
    /// A gpumex_variant.
    pub variant: i32,
    /// A gpumex_dtype of the elements: F32, F64, I32, I64, U32 or U64; required.
    pub dtype: i32,
    /// A gpumex_dtype, U32 or U64, of positions and counts; required where such an array is passed.
    pub index_dtype: i32,
    /// Reserved, 0.
    pub reserved: i32,
}

zero_default!(IntervalExpandOptions, reserved);

/// @brief Interval expansion: `output[k]` <- `values[j]`, where j is the interval of element k: each
/// value repeated by the length of its interval.
///
/// Example: lengths 1, 2, 1, 0, 4, 2, 3, 0, 2 of the values 0 to 8 give 0 1 1 2 4 4 4 4 5 5 6 6 6 8
/// 8. Values are copied bitwise. Elements before `scan[0]` belong to interval 0. A scan that does
/// not ascend gives some of the values.
/// @param ctx The context that runs it.
/// @param options variant, dtype (F32, F64, I32, I64, U32, U64; required), index_dtype (U32 or U64;
///   required). Variants: AUTO, SEQUENTIAL (CPU backend only).
/// @param count Total length of the intervals.
/// @param scan intervals elements of index_dtype: the exclusive prefix sum of the lengths.
/// @param values intervals elements of dtype.
/// @param intervals Number of intervals.
/// @param output Receives count elements of dtype.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
///   INVALID_ARGUMENT (ctx is not a live context; a dtype not set; a number that is not of its
///   enum; elements without intervals; a count that U32 does not hold; an array that is misaligned,
///   overlaps an output, is too short or belongs to another device); UNSUPPORTED (another dtype;
///   SEQUENTIAL on CUDA; device memory on the CPU backend; a CUDA context after fork);
///   OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED (gpumex_context_cancel). After
///   OUT_OF_MEMORY, CUDA and CANCELLED the outputs are unspecified.
/// @note Cost: O(count + intervals), however long the intervals are.
/// @note Memory: CPU `0`; CUDA `0`; arrays on the host `intervals*(sizeof(dtype) +
///   sizeof(index_dtype)) + count*sizeof(dtype)`.
/// @see S. Baxter, "ModernGPU", Interval Expand, NVIDIA 2013.
/// @ingroup gpumex_primitives
#[must_use]
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

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

/// @brief Options of gpumex_interval_move: GPUMEX_INTERVAL_MOVE_OPTIONS_INIT or GPUMEX_OPTIONS
/// (interval_move, ...).
/// @ingroup gpumex_primitives
#[repr(C)]
#[derive(Clone, Copy)]
pub struct IntervalMoveOptions {
    /// sizeof(gpumex_interval_move_options).
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

zero_default!(IntervalMoveOptions, reserved);

/// @brief Interval copy: `output[scatter[j] + r]` <- `input[gather[j] + r]` for each element r of
/// each interval j.
///
/// Elements are copied bitwise. Elements that would be read or written past the end of an array are
/// skipped. Output outside the intervals is unchanged; where intervals of the output overlap, it
/// holds an element of any one of them. A scan that does not ascend moves unspecified elements of
/// the input.
/// @param ctx The context that runs it.
/// @param options variant, dtype (F32, F64, I32, I64, U32, U64; required), index_dtype (U32 or U64;
///   required). Variants: AUTO, SEQUENTIAL (CPU backend only).
/// @param count Total length of the intervals.
/// @param gather intervals elements of index_dtype: where each interval begins in the input. NULL:
///   the input is dense, interval j at `scan[j]`.
/// @param scatter intervals elements of index_dtype: where each interval begins in the output. NULL:
///   the output is dense, interval j at `scan[j]`.
/// @param scan intervals elements of index_dtype: the exclusive prefix sum of the lengths.
/// @param intervals Number of intervals.
/// @param input input_count elements of dtype.
/// @param input_count Number of elements of the input.
/// @param output output_count elements of dtype.
/// @param output_count Number of elements of the output.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
///   INVALID_ARGUMENT (ctx is not a live context; a dtype not set; a number that is not of its
///   enum; elements without intervals; a count that U32 does not hold; an array that is misaligned,
///   overlaps an output, is too short or belongs to another device); UNSUPPORTED (another dtype;
///   SEQUENTIAL on CUDA; device memory on the CPU backend; a CUDA context after fork);
///   OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED (gpumex_context_cancel). After
///   OUT_OF_MEMORY, CUDA and CANCELLED the outputs are unspecified.
/// @note Cost: O(count + intervals), however long the intervals are; on the CPU backend a scatter
///   sorts intervals whose destinations do not ascend.
/// @note Memory: CPU `(scatter ? 24*intervals + output_count/1638 : 0)`; CUDA `0`; arrays on the
///   host `intervals*sizeof(index_dtype)*(1 + (gather ? 1 : 0) + (scatter ? 1 : 0)) +
///   (input_count + output_count)*sizeof(dtype)`.
/// @see S. Baxter, "ModernGPU", Interval Move, NVIDIA 2013.
/// @ingroup gpumex_primitives
#[must_use]
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

//! One key and one reduction for each run of equal neighbouring keys: `gpumex_reduce_by_key`.

use std::ffi::{c_char, c_void};

use super::options::zero_default;
use super::{guard, options};
use crate::array::{Input, Output};
use crate::context::Context;
use crate::handle;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::model::operator::Operator;
use crate::model::variant::Variant;
use crate::ops::reduce_by_key::{self, Arrays, Options};

/// @brief Options of gpumex_reduce_by_key: GPUMEX_REDUCE_BY_KEY_OPTIONS_INIT or GPUMEX_OPTIONS
/// (reduce_by_key, ...).
/// @ingroup gpumex_primitives
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ReduceByKeyOptions {
    /// sizeof(gpumex_reduce_by_key_options).
    pub size: usize,
    /// A gpumex_variant.
    pub variant: i32,
    /// A gpumex_dtype of data and results: F32, F64, I32, I64, U32 or U64; required with results.
    pub dtype: i32,
    /// A gpumex_operator; DEFAULT is SUM. AND, OR and XOR are for integers.
    pub op: i32,
    /// A gpumex_dtype of the keys: F32, F64, integers or BOOL; required.
    pub key_dtype: i32,
    /// A gpumex_dtype, U32 or U64, of offsets; required with offsets.
    pub index_dtype: i32,
    /// Reserved, 0.
    pub reserved: i32,
    /// An associative expression of a and b, as for gpumex_map, in the place of op; or NULL. Ignored
    /// without results.
    pub expression: *const c_char,
}

zero_default!(ReduceByKeyOptions, expression, reserved);

/// @brief Reduction by key: for each run r of equal neighbouring keys `unique_keys[r]` <- its first
/// key, `results[r]` <- its data combined with options->op, `offsets[r]` <- its position; `*needed`
/// <- the number of runs.
///
/// offsets are those of gpumex_segmented_reduce, with `offsets[needed]` = count: other data of the
/// same keys are reduced by it, which does not read the keys again. Differences of offsets are the
/// lengths of a run-length encoding.
///
/// Equal keys that are not neighbours are different runs. -0 equals 0, NaN equals NaN. Integers
/// wrap; MIN and MAX ignore NaN. Sums of floats: |error| <= n*u/(1 - n*u) * sum `|x[i]|` for a run
/// of n elements, u = 2^-24 (F32) or 2^-53 (F64). Deterministic, on the CPU with any number of
/// threads. options->expression takes the place of op: an associative expression of a and b, as for
/// gpumex_reduce, of dtype.
/// @param ctx The context that runs it.
/// @param options variant, dtype (F32, F64, I32, I64, U32, U64; required with results), key_dtype
///   (F32, F64, integers or BOOL; required), op (DEFAULT is SUM), index_dtype (U32 or U64; required
///   with offsets), expression. Variants: AUTO, SEQUENTIAL (CPU backend only).
/// @param keys count elements of key_dtype, in any order.
/// @param data count elements of dtype; not read without results, and then it may be NULL.
/// @param count Number of elements.
/// @param unique_keys Receives the first min(needed, capacity) keys; NULL leaves them out.
/// @param results Receives as many elements of dtype; NULL leaves them out.
/// @param offsets Receives the first min(needed, capacity) + 1 positions, elements of index_dtype;
///   none where capacity = 0. NULL leaves them out.
/// @param capacity Elements that unique_keys and results hold, and offsets one more; 0 counts only.
/// @param needed Receives the number of runs, in any memory. 0 < capacity < `*needed` is
///   INVALID_ARGUMENT after the outputs are written, unless needed is device memory, where the
///   caller compares.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
///   INVALID_ARGUMENT (ctx is not a live context; dtype, key_dtype or index_dtype not set; a number
///   that is not of its enum; a count that U32 does not hold; capacity; the expression, with the
///   byte from 1 at which it is wrong; op beside it; an array that is
///   misaligned, overlaps an output, is too short or belongs to another device); UNSUPPORTED
///   (another dtype; AND, OR, XOR of floats; an expression that is too long for gpumex_map;
///   SEQUENTIAL on CUDA; device memory on the CPU backend; a CUDA context after fork);
///   OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED (gpumex_context_cancel). After
///   OUT_OF_MEMORY, CUDA and CANCELLED the outputs are unspecified.
/// @note Cost: reads keys and data once.
/// @note Memory: CPU `(count + (unique_keys ? capacity : 0))*widened(key_dtype) + count/7.9 +
///   (results && expression ? 8*min(count, capacity) : 0)`; CUDA `(count + (unique_keys ? capacity :
///   0))*widened(key_dtype) + count*max(wide(key_dtype), sizeof(dtype))/1024 + (results &&
///   expression ? count*(sizeof(dtype) + 1.005) + (offsets ? 0 : 8*capacity) : 0)`; arrays on the
///   host `(count + (unique_keys ? capacity : 0))*copied(key_dtype) + max(converting(key_dtype,
///   count, unique_keys ? capacity : 0), (results ? (count + capacity)*sizeof(dtype) : 0) + (offsets
///   ? capacity*sizeof(index_dtype) : 0))`.
/// @see S. Baxter, "ModernGPU", Reduce by key, NVIDIA 2013; D. Merrill, M. Garland, "Single-pass
///   Parallel Prefix Scan with Decoupled Look-back", NVIDIA 2016.
/// @ingroup gpumex_primitives
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_reduce_by_key(
    ctx: *mut Context,
    options: *const ReduceByKeyOptions,
    keys: *const c_void,
    data: *const c_void,
    count: usize,
    unique_keys: *mut c_void,
    results: *mut c_void,
    offsets: *mut c_void,
    capacity: usize,
    needed: *mut u64,
) -> i32 {
    guard("gpumex_reduce_by_key", || {
        // SAFETY: the caller's promise in the documentation above.
        let (options, arrays) = unsafe {
            (
                options::read(options)?,
                Arrays {
                    keys: Input::from_raw("keys", keys),
                    data: Input::from_raw("data", data),
                    count,
                    unique_keys: (!unique_keys.is_null())
                        .then(|| Output::from_raw("unique_keys", unique_keys)),
                    results: (!results.is_null()).then(|| Output::from_raw("results", results)),
                    offsets: (!offsets.is_null()).then(|| Output::from_raw("offsets", offsets)),
                    capacity,
                    needed: Output::from_raw("needed", needed.cast()),
                },
            )
        };
        // SAFETY: the caller's promise in the documentation above.
        let expression = unsafe { options::text(options.expression)? };
        let options = Options {
            variant: Variant::from_c("options.variant", options.variant)?,
            dtype: Dtype::from_c("options.dtype", options.dtype)?,
            op: Operator::from_c("options.op", options.op)?,
            key_dtype: Dtype::from_c("options.key_dtype", options.key_dtype)?,
            index_dtype: Dtype::from_c("options.index_dtype", options.index_dtype)?,
            expression,
        };
        handle::with(ctx, |ctx| reduce_by_key::reduce_by_key(ctx, &options, arrays))
    })
}

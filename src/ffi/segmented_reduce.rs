//! The reduction of each segment of an array: `gpumex_segmented_reduce`.

use std::ffi::{c_char, c_void};

use super::options::zero_default;
use super::reduce::functor;
use super::{guard, options};
use crate::array::{Input, Output};
use crate::context::Context;
use crate::handle;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::model::operator::Operator;
use crate::model::variant::Variant;
use crate::ops::segmented_reduce::{self, Options};

/// @brief Options of gpumex_segmented_reduce: GPUMEX_SEGMENTED_REDUCE_OPTIONS_INIT or GPUMEX_OPTIONS
/// (segmented_reduce, ...).
/// @ingroup gpumex_primitives
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SegmentedReduceOptions {
    /// sizeof(gpumex_segmented_reduce_options).
    pub size: usize,
    /// A gpumex_variant.
    pub variant: i32,
    /// A gpumex_dtype of the elements: F32, F64, I32, I64, U32 or U64; required.
    pub dtype: i32,
    /// A gpumex_operator; DEFAULT is SUM. AND, OR and XOR are for integers.
    pub op: i32,
    /// A gpumex_dtype, U32 or U64, of positions and counts; required where such an array is passed.
    pub index_dtype: i32,
    /// The geometry of gpumex_segments_prepare for these offsets, or NULL.
    pub geometry: *const c_void,
    /// The result of an empty segment, one element of dtype in host memory; NULL: the operator's
    /// identity.
    pub identity: *const c_void,
    /// An associative expression of a and b, as for gpumex_map, in the place of op; or NULL.
    pub expression: *const c_char,
}

zero_default!(SegmentedReduceOptions, expression);

/// @brief Segmented reduction: `result[s]` <- `data[offsets[s]]` to `data[offsets[s + 1] - 1]`
/// combined with options->op.
///
/// Elements before `offsets[0]` and from `offsets[segments]` on belong to no segment. An empty
/// segment gives options->identity, and without one that of the operator: 0 for SUM, OR and XOR, 1
/// for PRODUCT, all bits set for AND, for MIN and MAX the largest and the smallest integer, NaN for
/// floats. Integers wrap; MIN and MAX ignore NaN. Sums of floats: |error| <= n*u/(1 - n*u) * sum
/// `|x[i]|` for a segment of n elements, u = 2^-24 (F32) or 2^-53 (F64). Deterministic for one
/// device, on the CPU with any number of threads. Offsets that do not ascend or exceed count give
/// unspecified results, without access out of bounds.
///
/// options->expression takes the place of op: an associative expression of a and b, as for
/// gpumex_reduce, of dtype. It needs options->identity, the result of an empty segment, which is
/// joined with no element; geometry is not read.
/// @param ctx The context that runs it.
/// @param options variant, dtype (F32, F64, I32, I64, U32, U64; required), op (DEFAULT is SUM),
///   index_dtype (U32 or U64; required), geometry (of gpumex_segments_prepare, or NULL), identity,
///   expression. Variants: AUTO, SEQUENTIAL (CPU backend only).
/// @param data count elements of dtype.
/// @param count Number of elements.
/// @param offsets segments + 1 elements of index_dtype, ascending, the last at most count; may be
///   NULL where segments = 0.
/// @param segments Number of segments.
/// @param sources segments elements of index_dtype: segment s begins at `data[sources[s]]`, its
///   length still from offsets; segments may share elements. NULL: they begin at their offsets.
/// @param result Receives segments elements of dtype.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
///   INVALID_ARGUMENT (ctx is not a live context; a dtype not set; a number that is not of its
///   enum; a count that U32 does not hold; the expression, with the byte from 1 at which it is
///   wrong; op beside it, or no identity; an array that is misaligned, overlaps an output, is too
///   short or belongs to another device); UNSUPPORTED (another dtype; AND, OR, XOR of floats; an
///   expression that is too long for gpumex_map; SEQUENTIAL on CUDA; device memory on the CPU
///   backend; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx);
///   CANCELLED (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and CANCELLED the outputs are
///   unspecified.
/// @note Cost: reads data once, whatever the lengths of the segments.
/// @note Memory: CPU `(count + segments)/(expression ? 500 : 819)`; CUDA `expression ?
///   count*(sizeof(dtype) + 1.005) : 0`; arrays on the host `(count + segments)*sizeof(dtype) +
///   (segments + 1)*sizeof(index_dtype)*(sources ? 2 : 1)`.
/// @see S. Baxter, "ModernGPU", Segmented Reduction, NVIDIA 2013; D. Merrill, M. Garland,
///   "Merge-based Parallel Sparse Matrix-Vector Multiplication", SC 2016.
/// @ingroup gpumex_primitives
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_segmented_reduce(
    ctx: *mut Context,
    options: *const SegmentedReduceOptions,
    data: *const c_void,
    count: usize,
    offsets: *const c_void,
    segments: usize,
    sources: *const c_void,
    result: *mut c_void,
) -> i32 {
    guard("gpumex_segmented_reduce", || {
        // SAFETY: the caller's promise in the documentation above.
        let (options, data, offsets, sources, result) = unsafe {
            (
                options::read(options)?,
                Input::from_raw("data", data),
                Input::from_raw("offsets", offsets),
                (!sources.is_null()).then(|| Input::from_raw("sources", sources)),
                Output::from_raw("result", result),
            )
        };
        // SAFETY: as above.
        let given =
            |name, array: *const c_void| (!array.is_null()).then(|| unsafe { Input::from_raw(name, array) });
        let geometry = given("options.geometry", options.geometry);
        // SAFETY: as above.
        let (expression, identity) = unsafe { functor(options.expression, options.identity)? };
        let options = Options {
            variant: Variant::from_c("options.variant", options.variant)?,
            dtype: Dtype::from_c("options.dtype", options.dtype)?,
            op: Operator::from_c("options.op", options.op)?,
            index_dtype: Dtype::from_c("options.index_dtype", options.index_dtype)?,
            expression,
        };
        handle::with(ctx, |ctx| {
            segmented_reduce::segmented_reduce(
                ctx, &options, data, count, offsets, segments, sources, geometry, identity, result,
            )
        })
    })
}

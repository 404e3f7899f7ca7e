//! The reduction of each segment of an array: `gpumex_segmented_reduce`.

use std::ffi::c_void;

use super::options::zero_default;
use super::{guard, options};
use crate::array::{Input, Output};
use crate::context::Context;
use crate::handle;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::model::primitives::Operator;
use crate::model::variant::Variant;
use crate::ops::segmented_reduce::{self, Options};

/// Options of `gpumex_segmented_reduce`. Set `size` to `sizeof(gpumex_segmented_reduce_options)`; zero is the default of every
/// other field.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SegmentedReduceOptions {
    /// sizeof(gpumex_segmented_reduce_options)
    pub size: usize,
    /// a `gpumex_variant`
    pub variant: i32,
    /// a `gpumex_dtype` of data and result; this version serves F32, F64, I32, I64, U32 and U64
    pub dtype: i32,
    /// a `gpumex_operator`; AND, OR and XOR are for integers
    pub op: i32,
    /// a `gpumex_dtype`, U32 or U64, of offsets and sources
    pub index_dtype: i32,
    /// NULL, or what gpumex_segments_prepare left for these offsets: saves the search that they begin with
    pub geometry: *const c_void,
    /// NULL, or one element of dtype in memory of the host: the result of an empty segment
    pub identity: *const c_void,
}

zero_default!(SegmentedReduceOptions, identity);

/// result[s] <- the reduction of segment s, which is data[offsets[s]] to data[offsets[s + 1] - 1]: its sum, product,
/// minimum or whatever options->op says.
///
/// data: `count` elements of options->dtype. offsets: segments + 1 numbers of options->index_dtype, ascending, the last at
/// most count; elements before offsets[0] and from offsets[segments] on belong to no segment. An empty segment gives the
/// identity of the operator: 0 for SUM, OR and XOR, 1 for PRODUCT, all bits for AND, for MIN and MAX the largest and the smallest
/// integer, NaN for floats.
/// sources: NULL, or `segments` numbers of options->index_dtype: then segment s still has offsets[s + 1] - offsets[s]
/// elements, but they begin at data[sources[s]]; segments may share elements.
/// result: `segments` elements of options->dtype, apart from the other arrays.
/// data may be NULL when count = 0; offsets and result when segments = 0. Every array may be host, pinned, managed or device
/// memory; when all are device memory the call may return before it is done, in the order of the context's work.
/// Offsets that do not ascend, and positions beyond count, give unspecified results, but nothing outside the arrays is read
/// or written.
/// options: NULL for the defaults. Variants: SEQUENTIAL (the plain loop, CPU backend). The same arrays give the same bits on one
/// device each time, on the CPU backend with any number of threads.
/// Accuracy: sums of floats differ from the exact ones by at most n*u/(1 - n*u) * sum |x[i]| over a segment of n elements,
/// u = 2^-24 (F32) or 2^-53 (F64). Integers wrap. MIN and MAX pass over NaN.
/// Cost: reads data once, whatever the lengths of the segments: one long one and millions of empty ones cost what their
/// bytes cost.
/// Errors: NULL_POINTER, INVALID_ARGUMENT (not a live context, overlap, alignment, a range that is too short, a count that U32
/// cannot hold, another device's memory), UNSUPPORTED (dtype, an operator of bits with floats, an option this version does not
/// serve, device memory on the CPU backend, after fork), OUT_OF_MEMORY, CUDA, BUSY; result is unspecified after
/// OUT_OF_MEMORY and CUDA.
/// Source: S. Baxter, "ModernGPU", Segmented Reduction, NVIDIA 2013; D. Merrill, M. Garland, "Merge-based Parallel Sparse
/// Matrix-Vector Multiplication", SC 2016.
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
        let identity = given("options.identity", options.identity);
        let options = Options {
            variant: Variant::from_c("options.variant", options.variant)?,
            dtype: Dtype::from_c("options.dtype", options.dtype)?,
            op: Operator::from_c("options.op", options.op)?,
            index_dtype: Dtype::from_c("options.index_dtype", options.index_dtype)?,
        };
        handle::with(ctx, |ctx| {
            segmented_reduce::segmented_reduce(
                ctx, &options, data, count, offsets, segments, sources, geometry, identity, result,
            )
        })
    })
}

//! Segments of an array, each sorted by itself: `gpumex_segmented_sort`.

use std::ffi::c_void;

use super::options::zero_default;
use super::{guard, options};
use crate::array::{Input, Output};
use crate::context::Context;
use crate::handle;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::model::order::SortOrder;
use crate::model::payload::Payload;
use crate::model::variant::Variant;
use crate::ops::segmented_sort::{self, Options, Segments};

/// @brief Options of gpumex_segmented_sort: GPUMEX_SEGMENTED_SORT_OPTIONS_INIT or GPUMEX_OPTIONS
/// (segmented_sort, ...).
/// @ingroup gpumex_primitives
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SegmentedSortOptions {
    /// sizeof(gpumex_segmented_sort_options).
    pub size: usize,
    /// A gpumex_variant.
    pub variant: i32,
    /// A gpumex_dtype of the keys: F32, F64, integers or BOOL; required.
    pub dtype: i32,
    /// A gpumex_sort_order: how the keys are sorted.
    pub order: i32,
    /// A gpumex_payload: what moves with the keys.
    pub payload: i32,
    /// A gpumex_dtype of 4 or 8 bytes, of the values; required with payload VALUES.
    pub value_dtype: i32,
    /// A gpumex_dtype, U32 or U64, of positions (payload INDICES) and of segment starts (OFFSETS);
    /// required with either.
    pub index_dtype: i32,
    /// A gpumex_segments: how segment boundaries are given.
    pub segments_by: i32,
    /// Reserved, 0.
    pub reserved: i32,
}

zero_default!(SegmentedSortOptions, reserved);

/// @brief Stable sort of each segment: sorted <- the keys of every segment in options->order,
/// segments in place, with an optional payload.
///
/// Keys are moved bitwise; -0 equals 0, NaN equals NaN and is greater than all numbers. Payload
/// NONE: values and sorted_values are ignored. VALUES: `sorted_values[i]` <- the value of the key
/// now at `sorted[i]`, copied bitwise. INDICES: `sorted_values[i]` <- the position in keys of the
/// key now at `sorted[i]`. Offsets that do not ascend or are not below count leave some segments
/// unsorted; nothing outside the arrays is accessed.
/// @param ctx The context that runs it.
/// @param options variant, dtype of the keys (F32, F64, integers or BOOL; required), order, payload,
///   value_dtype (4 or 8 bytes; required with VALUES), index_dtype (U32 or U64; required with
///   INDICES and with OFFSETS), segments_by. Variants: AUTO, SEQUENTIAL (CPU backend only).
/// @param keys count elements of dtype; not changed.
/// @param values count elements of value_dtype with VALUES, else ignored; not changed.
/// @param count Number of elements.
/// @param segments Segment starts. OFFSETS: segment_count positions of index_dtype, ascending; 0 may
///   be left out, equal ones are empty segments. FLAGS: words of uint32_t, bit i % 32 of word i / 32
///   set where key i begins a segment; bit 0 and the bits from count on are ignored.
/// @param segment_count Elements of segments; with FLAGS (count + 31) / 32. 0: one segment.
/// @param sorted Receives count keys.
/// @param sorted_values Receives count elements of value_dtype or index_dtype; ignored with NONE.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
///   INVALID_ARGUMENT (ctx is not a live context; a dtype not set; a number that is not of its
///   enum; U32 positions for 2^32 elements or more; segment_count with FLAGS; an array that is
///   misaligned, overlaps an output, is too short or belongs to another device); UNSUPPORTED (F16,
///   BF16; SEQUENTIAL on CUDA; device memory on the CPU backend; a CUDA context after fork);
///   OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED (gpumex_context_cancel). After
///   OUT_OF_MEMORY, CUDA and CANCELLED the outputs are unspecified.
/// @note Cost: about three passes for segments of up to some thousand keys, one more for each
///   doubling of the longest, whatever their number.
/// @note Memory: CPU `count*2*(widened(dtype) + pair_bytes)`; CUDA `count*(2*widened(dtype) +
///   wide(dtype) + payload_bytes)`; arrays on the host `count*(2*copied(dtype) +
///   payload_bytes*(payload == VALUES ? 2 : 1)) + segment_count*sizeof(index_dtype)`.
/// @see S. Baxter, "ModernGPU", Segmented Sort, NVIDIA 2013.
/// @ingroup gpumex_primitives
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_segmented_sort(
    ctx: *mut Context,
    options: *const SegmentedSortOptions,
    keys: *const c_void,
    values: *const c_void,
    count: usize,
    segments: *const c_void,
    segment_count: usize,
    sorted: *mut c_void,
    sorted_values: *mut c_void,
) -> i32 {
    guard("gpumex_segmented_sort", || {
        // SAFETY: the caller's promise in the documentation above.
        let (options, keys, values, segments, sorted, sorted_values) = unsafe {
            (
                options::read(options)?,
                Input::from_raw("keys", keys),
                Input::from_raw("values", values),
                Input::from_raw("segments", segments),
                Output::from_raw("sorted", sorted),
                Output::from_raw("sorted_values", sorted_values),
            )
        };
        let options = Options {
            variant: Variant::from_c("options.variant", options.variant)?,
            dtype: Dtype::from_c("options.dtype", options.dtype)?,
            order: SortOrder::from_c("options.order", options.order)?,
            payload: Payload::from_c("options.payload", options.payload)?,
            value_dtype: Dtype::from_c("options.value_dtype", options.value_dtype)?,
            index_dtype: Dtype::from_c("options.index_dtype", options.index_dtype)?,
            segments_by: Segments::from_c("options.segments_by", options.segments_by)?,
        };
        let segments = (segments, segment_count);
        handle::with(ctx, |ctx| {
            segmented_sort::segmented_sort(
                ctx,
                &options,
                keys,
                values,
                count,
                segments,
                sorted,
                sorted_values,
            )
        })
    })
}

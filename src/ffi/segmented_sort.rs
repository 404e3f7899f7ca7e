//! Segments of an array, each sorted by itself: `gpumex_segmented_sort`.

use std::ffi::c_void;

use super::options::zero_default;
use super::{guard, options};
use crate::array::{Input, Output};
use crate::context::Context;
use crate::handle;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::model::primitives::{Payload, SortOrder};
use crate::model::variant::Variant;
use crate::ops::segmented_sort::{self, Options, Segments};

/// Options of `gpumex_segmented_sort`. Set `size` to `sizeof(gpumex_segmented_sort_options)`; zero is the default of every other field.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SegmentedSortOptions {
    /// sizeof(gpumex_segmented_sort_options)
    pub size: usize,
    /// a `gpumex_variant`
    pub variant: i32,
    /// a `gpumex_dtype` of the keys: I32, U32, I64, U64, F32 or F64
    pub dtype: i32,
    /// a `gpumex_sort_order`
    pub order: i32,
    /// a `gpumex_payload`: what moves with the keys
    pub payload: i32,
    /// a `gpumex_dtype` of 4 or 8 bytes: of the values, with payload VALUES
    pub value_dtype: i32,
    /// a `gpumex_dtype`, U32 or U64,: of the positions, with payload INDICES, and of segments that are OFFSETS
    pub index_dtype: i32,
    /// a `gpumex_segments`: how the argument `segments` says where segments begin
    pub segments_by: i32,
    /// has to be 0
    pub reserved: i32,
}

zero_default!(SegmentedSortOptions, reserved);

/// sorted <- for each segment of keys its keys in order, each segment where it was; stable.
///
/// The order is that of options->order: -0 equals 0, NaN equals NaN and is the greatest. Keys that are equal keep their order, and
/// keys are moved with their bits as they are.
/// keys, sorted (count): elements of options->dtype. What goes with them, options->payload: NONE nothing, values and sorted_values are
/// not looked at; VALUES values (count) of value_dtype come to sorted_values (count) with their keys; INDICES sorted_values, of
/// index_dtype, becomes where in keys each key stood, and values is not looked at. sorted and sorted_values lie apart from each other
/// and from what is read; an array without elements may be NULL.
/// segments: by OFFSETS segment_count positions, of index_dtype, at which segments begin, in ascending order, of which 0 may be left
/// out; equal ones are segments without keys. By FLAGS segment_count = (count + 31) / 32 words of type uint32_t, bit i % 32 of word
/// i / 32 set where key i begins a segment; bits of and beyond `count`, and bit 0, do not matter. It lies apart from the results, and
/// may be NULL when segment_count = 0: one segment.
/// Positions that do not ascend or are not below count give an order within some segments, and nothing worse.
/// All arrays may be host, pinned, managed or device memory; when all are device memory the call may return before it is done, in
/// the order of the context's work.
/// options: NULL for the defaults. Variants: SEQUENTIAL (the plain loop, CPU backend). Cost: about three passes over the keys when
/// segments have up to some thousand keys, one more for each doubling of longer ones, whatever the number of segments, and memory for
/// keys and values once more.
/// Errors: NULL_POINTER, INVALID_ARGUMENT (not a live context, overlap, alignment, a range that is too short, another device's
/// memory, positions of U32 for 2^32 elements or more), UNSUPPORTED (dtype, variant, an option this version does not serve, device
/// memory on the CPU backend, after fork), OUT_OF_MEMORY, CUDA, BUSY; what the results hold is unspecified after OUT_OF_MEMORY and
/// CUDA.
/// INVALID_ARGUMENT also when segment_count is not the number of words that FLAGS need.
/// Source: S. Baxter, "ModernGPU", Segmented Sort, NVIDIA 2013.
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

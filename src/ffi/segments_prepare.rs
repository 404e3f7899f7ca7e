//! What later operations on the same segments need not search again: `gpumex_segments_prepare`.

use std::ffi::c_void;

use super::options::zero_default;
use super::{guard, options, write};
use crate::array::{Input, Output};
use crate::context::Context;
use crate::handle;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::ops::segments_prepare;

/// @brief Options of gpumex_segments_prepare: GPUMEX_SEGMENTS_PREPARE_OPTIONS_INIT or
///   GPUMEX_OPTIONS (segments_prepare, ...).
/// @ingroup gpumex_primitives
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SegmentsPrepareOptions {
    /// sizeof(gpumex_segments_prepare_options).
    pub size: usize,
    /// A gpumex_dtype, U32 or U64, of positions and counts; required where such an array is passed.
    pub index_dtype: i32,
    /// Reserved, 0.
    pub reserved: i32,
}

zero_default!(SegmentsPrepareOptions, reserved);

/// @brief Precomputes the partition of segments for repeated calls of gpumex_segmented_reduce and
/// gpumex_spmv with the same offsets.
///
/// Pass geometry as options->geometry of both, with or without sources. Worthwhile for many calls
/// with few elements. A geometry belongs to one device; with other offsets it gives unspecified
/// results, without access out of bounds. The CPU backend needs none: `*needed` = 0, and geometry
/// is not looked at.
/// @param ctx The context that runs it.
/// @param options index_dtype (U32 or U64; required).
/// @param offsets segments + 1 elements of index_dtype; may be NULL where segments = 0.
/// @param segments Number of segments (rows of a matrix).
/// @param count Number of elements (nonzeros of a matrix).
/// @param geometry Receives at most capacity elements of uint64_t; device memory is fastest.
/// @param capacity Elements that geometry holds; 0 asks for the size only.
/// @param needed Receives the number of elements of the geometry, in host memory, also after an
///   error (then possibly 0).
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
///   INVALID_ARGUMENT (ctx is not a live context; index_dtype not set; a number that is not of its
///   enum; 0 < capacity < *needed; a count that U32 does not hold; an array that is misaligned,
///   overlaps an output, is too short or belongs to another device); UNSUPPORTED (device memory on
///   the CPU backend; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in
///   ctx); CANCELLED (gpumex_context_cancel). geometry is unspecified after one.
/// @note Cost: O(segments + count), one search for each part of the work.
/// @note Memory: CPU `0`; CUDA `0`; arrays on the host `(segments + 1)*sizeof(index_dtype) +
///   8*capacity`.
/// @see S. Baxter, "ModernGPU", Segmented Reduction, NVIDIA 2013.
/// @ingroup gpumex_primitives
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_segments_prepare(
    ctx: *mut Context,
    options: *const SegmentsPrepareOptions,
    offsets: *const c_void,
    segments: usize,
    count: usize,
    geometry: *mut c_void,
    capacity: usize,
    needed: *mut u64,
) -> i32 {
    guard("gpumex_segments_prepare", || {
        // SAFETY: the caller's promise in the documentation above.
        let (options, offsets, geometry) = unsafe {
            write("needed", needed, 0)?;
            (
                options::read(options)?,
                Input::from_raw("offsets", offsets),
                Output::from_raw("geometry", geometry),
            )
        };
        let (index, sizes) = (Dtype::from_c("options.index_dtype", options.index_dtype)?, [segments, count]);
        let mut elements = 0;
        let outcome = handle::with(ctx, |ctx| {
            let elements = &mut elements;
            segments_prepare::segments_prepare(ctx, index, offsets, sizes, geometry, capacity, elements)
        });
        // SAFETY: as above.
        unsafe { write("needed", needed, elements as u64)? };
        outcome
    })
}

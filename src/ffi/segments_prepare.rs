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

/// Options of `gpumex_segments_prepare`. Set `size` to `sizeof(gpumex_segments_prepare_options)`; zero is the default of every
/// other field.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SegmentsPrepareOptions {
    /// sizeof(gpumex_segments_prepare_options)
    pub size: usize,
    /// a `gpumex_dtype`, U32 or U64, of offsets
    pub index_dtype: i32,
    /// has to be 0
    pub reserved: i32,
}

zero_default!(SegmentsPrepareOptions, reserved);

/// geometry <- what gpumex_segmented_reduce and gpumex_spmv otherwise find out at each call with these offsets: pass it as
/// options.geometry of both, with or without sources. Worth it for many calls with few elements.
///
/// offsets: segments + 1 numbers of options->index_dtype, as they are passed later, with the same `segments` and the same
/// `count` of elements (of data, or nonzeros); NULL when segments = 0. geometry: room for `capacity` elements of uint64_t in
/// host, pinned, managed or device memory (the best place), apart from offsets; with capacity = 0 it may be NULL, and only
/// *needed is answered.
/// needed: how many elements the geometry has; memory of the host, never NULL. The CPU backend needs none: there *needed = 0, and
/// geometry and options.geometry may be NULL.
/// A geometry belongs to one device. One of other offsets gives unspecified results, but nothing outside the arrays is
/// read or written.
/// options: NULL for the defaults.
/// Errors: NULL_POINTER, INVALID_ARGUMENT (not a live context, overlap, alignment, a range that is too short,
/// 0 < capacity < *needed, a count that U32 cannot hold, another device's memory), UNSUPPORTED (an option this version does not
/// serve, after fork), OUT_OF_MEMORY, CUDA, BUSY; geometry is unspecified after one.
/// Source: S. Baxter, "ModernGPU", Segmented Reduction, NVIDIA 2013.
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

//! The elements whose flags are set: `gpumex_compact`.

use std::ffi::c_void;

use super::options::zero_default;
use super::{guard, options};
use crate::array::{Input, Output};
use crate::context::Context;
use crate::handle;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::model::variant::Variant;
use crate::ops::compact::{self, Options, Wanted};

/// @brief Options of gpumex_compact: GPUMEX_COMPACT_OPTIONS_INIT or GPUMEX_OPTIONS (compact, ...).
/// @ingroup gpumex_primitives
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CompactOptions {
    /// sizeof(gpumex_compact_options).
    pub size: usize,
    /// A gpumex_variant.
    pub variant: i32,
    /// A gpumex_dtype of the elements: F32, F64, integers or BOOL; required with kept.
    pub dtype: i32,
    /// A gpumex_dtype, U32 or U64, of positions and counts; required where such an array is passed.
    pub index_dtype: i32,
    /// Reserved, 0.
    pub reserved: i32,
}

zero_default!(CompactOptions, reserved);

/// @brief Stream compaction: kept <- the elements `data[i]` with `flags[i] != 0` in their order,
/// positions <- these i, `*needed` <- their number.
///
/// Elements are copied bitwise. The result is the same on every backend.
/// @param ctx The context that runs it.
/// @param options variant, dtype (F32, F64, integers or BOOL; required with kept), index_dtype (U32
///   or U64; required with positions). Variants: AUTO, SEQUENTIAL (CPU backend only).
/// @param data count elements; may be NULL where kept is NULL.
/// @param flags count bytes; any value but 0 keeps the element.
/// @param count Number of elements.
/// @param kept Receives the first min(needed, capacity) elements; NULL leaves them out.
/// @param positions Receives as many positions of index_dtype, from 0; NULL leaves them out.
/// @param capacity Elements that kept and positions hold; 0 counts only.
/// @param needed Receives the number of elements kept, in any memory. 0 < capacity < `*needed` is
///   INVALID_ARGUMENT after the outputs are written, unless needed is device memory, where the
///   caller compares.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
///   INVALID_ARGUMENT (ctx is not a live context; dtype or index_dtype not set, or not of the list
///   above; capacity; positions of U32 for 2^32 elements or more; an array that is misaligned,
///   overlaps an output, is too short or belongs to another device); UNSUPPORTED (F16, BF16;
///   SEQUENTIAL on CUDA; device memory on the CPU backend; a CUDA context after fork);
///   OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED (gpumex_context_cancel). After
///   OUT_OF_MEMORY, CUDA and CANCELLED the outputs are unspecified.
/// @note Cost: reads flags and data once, writes what is kept; the CPU backend reads flags twice.
/// @note Memory: CPU `(kept ? (count + capacity)*widened(dtype) : 0) + count/8192`; CUDA `(kept ?
///   (count + capacity)*widened(dtype) : 0) + count/8`; arrays on the host `(kept ? (count +
///   min(count, capacity))*copied(dtype) : 0) + max(kept ? converting(dtype, count, capacity) : 0,
///   count + (positions ? min(count, capacity)*sizeof(index_dtype) : 0))`.
/// @see M. Billeter, O. Olsson, U. Assarsson, "Efficient Stream Compaction on Wide SIMD Many-Core
///   Architectures", 2009.
/// @ingroup gpumex_primitives
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_compact(
    ctx: *mut Context,
    options: *const CompactOptions,
    data: *const c_void,
    flags: *const u8,
    count: usize,
    kept: *mut c_void,
    positions: *mut c_void,
    capacity: usize,
    needed: *mut u64,
) -> i32 {
    guard("gpumex_compact", || {
        let given = |output: *mut c_void| !output.is_null() && capacity > 0;
        // SAFETY: the caller's promise in the documentation above.
        let (options, data, flags, outputs, needed) = unsafe {
            (
                options::read(options)?,
                Input::from_raw("data", data),
                Input::from_raw("flags", flags.cast()),
                [("kept", kept), ("positions", positions)]
                    .map(|(name, output)| given(output).then(|| Output::from_raw(name, output))),
                Output::from_raw("needed", needed.cast()),
            )
        };
        let options = Options {
            variant: Variant::from_c("options.variant", options.variant)?,
            dtype: Dtype::from_c("options.dtype", options.dtype)?,
            index_dtype: Dtype::from_c("options.index_dtype", options.index_dtype)?,
        };
        let [kept, positions] = outputs;
        let wanted = Wanted { kept, positions, capacity, needed };
        handle::with(ctx, |ctx| compact::compact(ctx, &options, data, flags, count, wanted))
    })
}

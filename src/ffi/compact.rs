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

/// Options of `gpumex_compact`. Set `size` to `sizeof(gpumex_compact_options)`; zero is the default of every other field.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CompactOptions {
    /// sizeof(gpumex_compact_options)
    pub size: usize,
    /// a `gpumex_variant`
    pub variant: i32,
    /// a `gpumex_dtype` of the elements; this version serves those of 4 and 8 bytes
    pub dtype: i32,
    /// a `gpumex_dtype`, U32 or U64, of the positions
    pub index_dtype: i32,
    /// has to be 0
    pub reserved: i32,
}

zero_default!(CompactOptions, reserved);

/// kept <- the elements data[i] with flags[i] != 0, in their order; positions <- these i; *needed <- how many there are.
///
/// data: `count` elements of options->dtype (F32, F64, I32, I64, U32, U64), whose bits are moved unchanged; NULL is
/// allowed when kept is NULL. flags: `count` bytes, any value but 0 keeps an element; NULL is allowed when count = 0.
/// kept: room for `capacity` elements, or NULL. positions: room for `capacity` indices of options->index_dtype, counted from
/// 0, or NULL. needed: one uint64_t. The outputs lie apart from the inputs and from each other. All may be host, pinned,
/// managed or device memory; when all are device memory the call may return before it is done, in the order of the
/// context's work.
/// The first min(*needed, capacity) elements and positions are written, and nothing behind them. With capacity = 0, or
/// both of them NULL, the call counts only.
/// With 0 < capacity < *needed, and needed in memory that the host sees, the call returns INVALID_ARGUMENT after it has
/// written them; with needed in device memory the caller compares.
/// options: NULL for the defaults. Variants: SEQUENTIAL is the plain loop (CPU backend). The result is the same on every
/// backend.
/// Errors: NULL_POINTER, INVALID_ARGUMENT (not a live context, not an index dtype, overlap, alignment, a range that is
/// too short, positions of more than 2^32 elements as U32, capacity, another device's memory), UNSUPPORTED (dtype, an
/// option this version does not serve, device memory on the CPU backend, after fork), OUT_OF_MEMORY, CUDA, BUSY; the
/// outputs are unspecified after OUT_OF_MEMORY and CUDA.
/// Cost: reads flags and data once, writes what is kept; the CPU backend reads the flags twice.
/// Source: M. Billeter, O. Olsson, U. Assarsson, "Efficient Stream Compaction on Wide SIMD Many-Core Architectures", 2009.
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

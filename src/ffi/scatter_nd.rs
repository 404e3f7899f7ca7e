//! Elements to positions of each dimension of an N-D array: `gpumex_scatter_nd`.

use super::indexing::{Fields, selections};
use super::prelude::*;
use crate::ops::scatter_nd::{self, Options};

/// @brief Options of gpumex_scatter_nd: GPUMEX_SCATTER_ND_OPTIONS_INIT or GPUMEX_OPTIONS
///   (scatter_nd, ...).
/// @ingroup gpumex_operations
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ScatterNdOptions {
    /// sizeof(gpumex_scatter_nd_options).
    pub size: usize,
    /// A gpumex_variant.
    pub variant: i32,
    /// A gpumex_dtype of values and target; required.
    pub dtype: i32,
    /// Number of dimensions, 1 to 8; 0 is 1.
    pub rank: i32,
    /// 1: an index that is out of range is an error; 0: its elements are left out.
    pub check: i32,
    /// 1: values is one element, which goes to all places.
    pub broadcast: i32,
    /// 1: of elements that go to one place the last one wins, as in MATLAB; 0: whichever.
    pub last: i32,
    /// rank elements: the extent of each dimension of target, the first one fastest; required.
    pub shape: *const usize,
    /// rank elements: the extent of each dimension of values; NULL: shape.
    pub counts: *const usize,
    /// rank elements: the first position of each range; it is added to indices (-1: they count from
    /// 1). NULL: 0.
    pub starts: *const i64,
    /// rank elements: the step of each range; NULL: 1.
    pub steps: *const i64,
    /// rank elements, 1: the positions of a range are modulo its extent; NULL: 0.
    pub wraps: *const i32,
    /// rank arrays, each of its dtype in index_dtypes: the index vector of each dimension, counts[d]
    /// elements, or a mask, shape[d] bytes; NULL, of one or of all: a range.
    pub indices: *const *const c_void,
    /// rank elements, each a gpumex_dtype: that of each index vector, U32, U64, I32, I64 or F64, or
    /// BOOL for a mask; NULL without them.
    pub index_dtypes: *const i32,
}

zero_default!(ScatterNdOptions, index_dtypes);

/// @brief N-D indexed assignment: `target[s0(i0), s1(i1), ...]` <- `values[i0, i1, ...]`, the first
///   dimension fastest.
///
/// `s(i)` of a dimension is that of gpumex_gather_nd. The rest of target stays as it is.
/// @param ctx The context that runs it.
/// @param options variant, dtype (any, required), rank, check, broadcast, last, shape (required),
///   counts, starts, steps, wraps, indices, index_dtypes. Variants: AUTO, SEQUENTIAL (CPU backend
///   only). The index vectors may lie anywhere; those in host memory do not make a call on device
///   arrays synchronous.
/// @param values The product of counts elements, or one with broadcast, which may lie in host memory
///   beside a target on a device without making the call synchronous.
/// @param target The product of shape elements, updated in place; overlaps neither values nor index
///   vectors.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, options->shape, options->index_dtypes beside
///   indices, or an array that is not empty); INVALID_ARGUMENT (ctx is not a live context; dtype not
///   set; rank; a range that leaves its dimension and does not wrap; wraps or an extent of 0 beside
///   indices; starts beyond 2^62 beside indices, other than 0 beside a mask; index_dtypes; a number
///   that is not of its enum; check; broadcast; last; an array that is misaligned, overlaps target,
///   is too short or belongs to another device); UNSUPPORTED (SEQUENTIAL on CUDA; device memory on
///   the CPU backend; a range that reaches 2^63 before it wraps; a CUDA context after fork);
///   OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED (gpumex_context_cancel). After
///   OUT_OF_MEMORY, CUDA and CANCELLED target is unspecified.
/// @note An index that is out of range, or no whole number, names no place; neither do the last
///   elements of a dimension whose mask has fewer than counts[d] set elements. check = 1: waits, and
///   such an index is INVALID_ARGUMENT with its dimension and position, as is a mask of more or
///   fewer; then target is not written. last = 1: on the CPU backend on one core, where places may
///   repeat; on CUDA a look at each index vector more. Without it, and with SEQUENTIAL, the last one
///   wins on one core. Cost: reads values once and writes as much of target.
/// @note Memory: CPU `mask_positions`; CUDA at most `(mask_positions > 0 ? mask_positions +
///   elements/4 + 65536 : 0) + (last ? positions + 8*elements : 0)`; arrays on the host at most
///   `(elements + (broadcast ? 0 : taken))*sizeof(dtype) + positions`.
/// @ingroup gpumex_operations
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_scatter_nd(
    ctx: *mut Context,
    options: *const ScatterNdOptions,
    values: *const c_void,
    target: *mut c_void,
) -> i32 {
    guard("gpumex_scatter_nd", || {
        // SAFETY: the caller's promise in the documentation above.
        let (options, values, target) = unsafe {
            (options::read(options)?, Input::from_raw("values", values), Output::from_raw("target", target))
        };
        let ScatterNdOptions { rank, shape, counts, starts, steps, wraps, indices, index_dtypes, .. } =
            options;
        let dtype = Dtype::from_c("options.dtype", options.dtype)?.required("dtype")?;
        let fields = Fields { rank, shape, counts, starts, steps, wraps, indices, index_dtypes };
        // SAFETY: as above.
        let (selections, indices) = unsafe { selections(&fields)? };
        let options = Options {
            variant: Variant::from_c("options.variant", options.variant)?,
            dtype,
            check: options::switch("check", options.check)?,
            broadcast: options::switch("broadcast", options.broadcast)?,
            last: options::switch("last", options.last)?,
            selections,
            leading: 0,
        };
        handle::with(ctx, |ctx| scatter_nd::scatter_nd(ctx, &options, &indices, values, target))
    })
}

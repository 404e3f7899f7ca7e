//! Sort-merge join: `gpumex_join`.

use std::ffi::c_void;

use super::options::zero_default;
use super::{guard, options};
use crate::array::{Input, Output};
use crate::context::Context;
use crate::handle;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::model::primitives::{JoinKind, SortOrder};
use crate::model::variant::Variant;
use crate::ops::join::{self, Options, Target};

/// Options of `gpumex_join`. Set `size` to `sizeof(gpumex_join_options)`; zero is the default of every other field.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct JoinOptions {
    /// sizeof(gpumex_join_options)
    pub size: usize,
    /// a `gpumex_variant`
    pub variant: i32,
    /// a `gpumex_dtype` of the keys: F32, F64, I32, I64, U32 or U64
    pub dtype: i32,
    /// a `gpumex_sort_order`: how a and b are sorted
    pub order: i32,
    /// a `gpumex_join_kind`
    pub kind: i32,
    /// a `gpumex_dtype`, U32 or U64, of a_indices and b_indices
    pub index_dtype: i32,
    /// has to be 0
    pub reserved: i32,
}

zero_default!(JoinOptions, reserved);

/// a_indices, b_indices <- the first `capacity` pairs of positions of a sort-merge join; *needed <- how many pairs it has.
///
/// For each i in order, (i, j) for each j in order with b[j] equal to a[i]: as many pairs of a key as a and b hold it, multiplied.
/// Where a[i] is not in b, LEFT and OUTER have (i, -1) in its place; RIGHT and OUTER end with (-1, j) for each j in order whose b[j] is
/// not in a. -1 has all bits of the index set. -0 equals 0, NaN equals NaN and is the greatest key.
/// a, b: a_count and b_count elements of options->dtype, sorted by options->order; where they are not, the result is unspecified. NULL is
/// allowed when the count is 0; a may be b.
/// a_indices, b_indices: `capacity` elements of options->index_dtype each; capacity = 0 counts, and both may be NULL.
/// needed: one uint64_t, right for fewer than 2^62 pairs. 0 < capacity < *needed is INVALID_ARGUMENT where the host can see `needed`,
/// with the first `capacity` pairs written; with `needed` in device memory the caller compares. Outputs overlap no other array. Each array
/// may be host, pinned, managed or device memory; when all are device memory the call may return before it is done, in the order
/// of the context's work.
/// options: NULL for the defaults. Variants: SEQUENTIAL (the plain loops, CPU backend).
/// Cost: reads a and b and writes the pairs, in equal parts of all processors however the keys are spread; temporary memory of 1/360 of
/// the keys on CUDA, with RIGHT and OUTER a bit a key of b more.
/// Errors: NULL_POINTER, INVALID_ARGUMENT (not a live context, capacity, counts that U32 does not hold, overlap, alignment, a range that
/// is too short, another device's memory), UNSUPPORTED (dtype, SEQUENTIAL on CUDA, device memory on the CPU backend, after fork),
/// OUT_OF_MEMORY, CUDA, BUSY.
/// Source: S. Baxter, "ModernGPU", Relational Joins, NVIDIA 2013.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_join(
    ctx: *mut Context,
    options: *const JoinOptions,
    a: *const c_void,
    a_count: usize,
    b: *const c_void,
    b_count: usize,
    a_indices: *mut c_void,
    b_indices: *mut c_void,
    capacity: usize,
    needed: *mut u64,
) -> i32 {
    guard("gpumex_join", || {
        // SAFETY: the caller's promise in the documentation above.
        let (options, a, b, a_indices, b_indices, needed) = unsafe {
            (
                options::read(options)?,
                Input::from_raw("a", a),
                Input::from_raw("b", b),
                Output::from_raw("a_indices", a_indices),
                Output::from_raw("b_indices", b_indices),
                Output::from_raw("needed", needed.cast()),
            )
        };
        let options = Options {
            variant: Variant::from_c("options.variant", options.variant)?,
            dtype: Dtype::from_c("options.dtype", options.dtype)?,
            order: SortOrder::from_c("options.order", options.order)?,
            kind: JoinKind::from_c("options.kind", options.kind)?,
            index_dtype: Dtype::from_c("options.index_dtype", options.index_dtype)?,
        };
        let target = Target { a_indices, b_indices, capacity, needed };
        handle::with(ctx, |ctx| join::join(ctx, &options, (a, a_count), (b, b_count), target))
    })
}

//! Sort-merge join: `gpumex_join`.

use std::ffi::c_void;

use super::options::zero_default;
use super::{guard, options};
use crate::array::{Input, Output};
use crate::context::Context;
use crate::handle;
use crate::model::dtype::Dtype;
use crate::model::join::JoinKind;
use crate::model::numbered::NumberedEnum;
use crate::model::order::SortOrder;
use crate::model::variant::Variant;
use crate::ops::join::{self, Options, Target};

/// @brief Options of gpumex_join: GPUMEX_JOIN_OPTIONS_INIT or GPUMEX_OPTIONS (join, ...).
/// @ingroup gpumex_primitives
#[repr(C)]
#[derive(Clone, Copy)]
pub struct JoinOptions {
    /// sizeof(gpumex_join_options).
    pub size: usize,
    /// A gpumex_variant.
    pub variant: i32,
    /// A gpumex_dtype of the keys: F32, F64, integers or BOOL; required.
    pub dtype: i32,
    /// A gpumex_sort_order: how the keys are sorted.
    pub order: i32,
    /// A gpumex_join_kind.
    pub kind: i32,
    /// A gpumex_dtype, U32 or U64, of positions and counts; required where such an array is passed.
    pub index_dtype: i32,
    /// Reserved, 0.
    pub reserved: i32,
}

zero_default!(JoinOptions, reserved);

/// @brief Sort-merge join: a_indices, b_indices <- the first `capacity` pairs of positions with
/// equal keys; `*needed` <- the number of pairs.
///
/// For each i in order the pairs (i, j) for each j in order with `b[j]` equal to `a[i]`. LEFT and
/// OUTER: (i, -1) in place of pairs where `a[i]` is not in b. RIGHT and OUTER: (-1, j) at the end,
/// for each j whose `b[j]` is not in a. -1 has all bits of the index set. -0 equals 0, NaN equals
/// NaN and is the greatest key. Sortedness is not checked: unsorted arrays give an unspecified
/// result.
/// @param ctx The context that runs it.
/// @param options variant, dtype of the keys (F32, F64, integers or BOOL; required), order, kind,
///   index_dtype (U32 or U64; required where indices are passed). Variants: AUTO, SEQUENTIAL (CPU
///   backend only).
/// @param a a_count elements of dtype, sorted.
/// @param a_count Number of elements of a.
/// @param b b_count elements of dtype, sorted; may be a.
/// @param b_count Number of elements of b.
/// @param a_indices Receives at most capacity positions in a, of index_dtype.
/// @param b_indices Receives as many positions in b.
/// @param capacity Pairs that a_indices and b_indices hold; 0 counts only.
/// @param needed Receives the number of pairs (below 2^62), in any memory. 0 < capacity < `*needed`
///   is INVALID_ARGUMENT after the outputs are written, unless needed is device memory, where the
///   caller compares.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
///   INVALID_ARGUMENT (ctx is not a live context; a dtype not set; a number that is not of its
///   enum; capacity; counts that a U32 position does not reach; an array that is misaligned,
///   overlaps an output, is too short or belongs to another device); UNSUPPORTED (F16, BF16;
///   SEQUENTIAL on CUDA; device memory on the CPU backend; a CUDA context after fork);
///   OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED (gpumex_context_cancel). After
///   OUT_OF_MEMORY, CUDA and CANCELLED the outputs are unspecified.
/// @note Cost: reads a and b, writes the pairs, balanced over all processors however the keys are
///   distributed.
/// @note Memory: CPU `(a_count + b_count)*widened(dtype) + (a_count + 5*b_count)/1024`; CUDA
///   `(a_count + b_count)*(widened(dtype) + wide(dtype)/311.0) + (kind >= RIGHT ? b_count/8 : 0)`;
///   arrays on the host `(a_count + b_count)*copied(dtype) + max(converting(dtype, a_count,
///   b_count), 2*capacity*sizeof(index_dtype))`.
/// @see S. Baxter, "ModernGPU", Relational Joins, NVIDIA 2013.
/// @ingroup gpumex_primitives
#[must_use]
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

//! How often the elements of one sorted array are in another: `gpumex_sorted_equality_count`.

use std::ffi::c_void;

use super::options::zero_default;
use super::sorted_search::optional;
use super::{guard, options};
use crate::array::{Input, Output};
use crate::context::Context;
use crate::handle;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::model::primitives::SortOrder;
use crate::model::variant::Variant;
use crate::ops::sorted_equality_count::{self, Options};

/// Options of `gpumex_sorted_equality_count`. Set `size` to `sizeof(gpumex_sorted_equality_count_options)`; zero is the default of every other
/// field.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SortedEqualityCountOptions {
    /// sizeof(gpumex_sorted_equality_count_options)
    pub size: usize,
    /// a `gpumex_variant`
    pub variant: i32,
    /// a `gpumex_dtype` of the keys; this version serves F32, F64, I32, I64, U32 and U64
    pub dtype: i32,
    /// a `gpumex_sort_order`
    pub order: i32,
    /// a `gpumex_dtype` of the indices: U32 or U64
    pub index_dtype: i32,
}

zero_default!(SortedEqualityCountOptions, index_dtype);

/// counts[i] <- how many elements of b equal a[i]; lower[i] <- how many are before it, its lower bound in b: the equal ones are
/// b[lower[i]] to b[lower[i] + counts[i] - 1].
///
/// a, b: `a_count` and `b_count` keys of options->dtype, each sorted in options->order; NULL is allowed where the count is 0. a may be b.
/// counts, lower: `a_count` elements of options->index_dtype, apart from each other and from a and b; lower may be NULL.
/// Keys: -0 equals 0; NaN equals NaN and is greater than every number. Arrays that are not sorted give unspecified results, and
/// no access out of bounds.
/// Memory: each array may be host, pinned, managed or device memory; when all are device memory the call may return before it
/// is done, in the order of the context's work.
/// Cost: O(a_count + b_count) reads, whatever runs of equal keys there are.
/// options: NULL for the defaults. Variants: AUTO, SEQUENTIAL (the plain loop, CPU backend).
/// Errors: NULL_POINTER, INVALID_ARGUMENT (not a live context, overlap, alignment, a range that is too short, another device's
/// memory, a count that U32 does not hold), UNSUPPORTED (dtype, an option this version does not serve, device memory on
/// the CPU backend, after fork), OUT_OF_MEMORY, CUDA, BUSY; outputs are unspecified after OUT_OF_MEMORY and CUDA.
/// Source: S. Baxter, "ModernGPU", Vectorized Sorted Search, NVIDIA 2013.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_sorted_equality_count(
    ctx: *mut Context,
    options: *const SortedEqualityCountOptions,
    a: *const c_void,
    a_count: usize,
    b: *const c_void,
    b_count: usize,
    counts: *mut c_void,
    lower: *mut c_void,
) -> i32 {
    guard("gpumex_sorted_equality_count", || {
        // SAFETY: the caller's promise in the documentation above.
        let (options, a, b, counts, lower) = unsafe {
            (
                options::read(options)?,
                Input::from_raw("a", a),
                Input::from_raw("b", b),
                Output::from_raw("counts", counts),
                optional("lower", lower),
            )
        };
        let options = Options {
            variant: Variant::from_c("options.variant", options.variant)?,
            dtype: Dtype::from_c("options.dtype", options.dtype)?,
            order: SortOrder::from_c("options.order", options.order)?,
            index_dtype: Dtype::from_c("options.index_dtype", options.index_dtype)?,
        };
        let count = |ctx: &mut Context| {
            sorted_equality_count::sorted_equality_count(
                ctx,
                &options,
                (a, a_count),
                (b, b_count),
                counts,
                lower,
            )
        };
        handle::with(ctx, count)
    })
}

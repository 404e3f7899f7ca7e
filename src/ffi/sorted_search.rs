//! Where the elements of one sorted array lie in another: `gpumex_sorted_search`.

use std::ffi::c_void;

use super::options::zero_default;
use super::{guard, options};
use crate::array::{Input, Output};
use crate::context::Context;
use crate::handle;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::model::primitives::{Bound, SortOrder};
use crate::model::variant::Variant;
use crate::ops::sorted_search::{self, Options, Outputs};

/// Options of `gpumex_sorted_search`. Set `size` to `sizeof(gpumex_sorted_search_options)`; zero is the default of every other
/// field.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SortedSearchOptions {
    /// sizeof(gpumex_sorted_search_options)
    pub size: usize,
    /// a `gpumex_variant`
    pub variant: i32,
    /// a `gpumex_dtype` of the keys; this version serves F32, F64, I32, I64, U32 and U64
    pub dtype: i32,
    /// a `gpumex_sort_order`
    pub order: i32,
    /// a `gpumex_bound`: LOWER or UPPER
    pub bound: i32,
    /// a `gpumex_dtype` of the indices: U32 or U64
    pub index_dtype: i32,
    /// has to be 0
    pub reserved: i32,
}

zero_default!(SortedSearchOptions, reserved);

/// a_indices[i] <- the lower (upper) bound of a[i] in b: how many elements of b are before it (or equal to it).
/// b_indices[j] <- the upper (lower) bound of b[j] in a, the other one, so that both describe one merge: a[i] comes to i + a_indices[i]
/// in it, b[j] to j + b_indices[j].
/// a_flags[i], b_flags[j] <- 1 where the other array has an equal key, else 0.
/// matches[0] <- how many elements of a have an equal key in b; matches[1] <- how many of b have one in a.
///
/// a, b: `a_count` and `b_count` keys of options->dtype, each sorted in options->order; NULL is allowed where the count is 0. a may be b.
/// a_indices (a_count) and b_indices (b_count): options->index_dtype; a_flags, b_flags: uint8_t; matches: two uint64_t. Each
/// output may be NULL, and is left out then; one pass computes all the others. Outputs lie apart from each other and from a and b.
/// Keys: -0 equals 0; NaN equals NaN and is greater than every number. Arrays that are not sorted give unspecified results, and
/// no access out of bounds.
/// Memory: each array may be host, pinned, managed or device memory; when all are device memory the call may return before it
/// is done, in the order of the context's work.
/// Cost: O(a_count + b_count) reads, in pieces of the merge of a and b, whatever their lengths.
/// options: NULL for the defaults. Variants: AUTO, SEQUENTIAL (the plain loop, CPU backend).
/// Errors: NULL_POINTER, INVALID_ARGUMENT (not a live context, overlap, alignment, a range that is too short, another device's
/// memory, a count that U32 does not hold), UNSUPPORTED (dtype, an option this version does not serve, device memory on
/// the CPU backend, after fork), OUT_OF_MEMORY, CUDA, BUSY; outputs are unspecified after OUT_OF_MEMORY and CUDA.
/// Source: S. Baxter, "ModernGPU", Vectorized Sorted Search, NVIDIA 2013.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_sorted_search(
    ctx: *mut Context,
    options: *const SortedSearchOptions,
    a: *const c_void,
    a_count: usize,
    b: *const c_void,
    b_count: usize,
    a_indices: *mut c_void,
    b_indices: *mut c_void,
    a_flags: *mut c_void,
    b_flags: *mut c_void,
    matches: *mut c_void,
) -> i32 {
    guard("gpumex_sorted_search", || {
        // SAFETY: the caller's promise in the documentation above.
        let (options, a, b, outputs) = unsafe {
            (
                options::read(options)?,
                Input::from_raw("a", a),
                Input::from_raw("b", b),
                Outputs {
                    a_indices: optional("a_indices", a_indices),
                    b_indices: optional("b_indices", b_indices),
                    a_flags: optional("a_flags", a_flags),
                    b_flags: optional("b_flags", b_flags),
                    matches: optional("matches", matches),
                },
            )
        };
        let options = Options {
            variant: Variant::from_c("options.variant", options.variant)?,
            dtype: Dtype::from_c("options.dtype", options.dtype)?,
            order: SortOrder::from_c("options.order", options.order)?,
            bound: Bound::from_c("options.bound", options.bound)?,
            index_dtype: Dtype::from_c("options.index_dtype", options.index_dtype)?,
        };
        handle::with(ctx, |ctx| {
            sorted_search::sorted_search(ctx, &options, (a, a_count), (b, b_count), outputs)
        })
    })
}

/// An output that is left out where it is NULL.
///
/// # Safety
/// As `Output::from_raw`.
pub(super) unsafe fn optional<'a>(name: &'static str, address: *mut c_void) -> Option<Output<'a>> {
    // SAFETY: the caller's promise.
    (!address.is_null()).then(|| unsafe { Output::from_raw(name, address) })
}

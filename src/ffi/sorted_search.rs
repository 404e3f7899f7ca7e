//! Where the elements of one sorted array lie in another: `gpumex_sorted_search`.

use std::ffi::{c_char, c_void};

use super::options::zero_default;
use super::{guard, options};
use crate::array::{Input, Output};
use crate::context::Context;
use crate::handle;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::model::order::SortOrder;
use crate::model::sorted_search::Bound;
use crate::model::variant::Variant;
use crate::ops::sorted_search::{self, Options, Outputs};

/// @brief Options of gpumex_sorted_search: GPUMEX_SORTED_SEARCH_OPTIONS_INIT or GPUMEX_OPTIONS
/// (sorted_search, ...).
/// @ingroup gpumex_primitives
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SortedSearchOptions {
    /// sizeof(gpumex_sorted_search_options).
    pub size: usize,
    /// A gpumex_variant.
    pub variant: i32,
    /// A gpumex_dtype of the keys: F32, F64, integers or BOOL; required.
    pub dtype: i32,
    /// A gpumex_sort_order: how the keys are sorted.
    pub order: i32,
    /// A gpumex_bound: LOWER or UPPER.
    pub bound: i32,
    /// A gpumex_dtype, U32 or U64, of positions and counts; required where such an array is passed.
    pub index_dtype: i32,
    /// Reserved, 0.
    pub reserved: i32,
    /// An expression of keys a and b that says whether a precedes b, as for gpumex_sort, in the
    /// place of order; or NULL.
    pub expression: *const c_char,
}

zero_default!(SortedSearchOptions, expression, reserved);

/// @brief Vectorized sorted search: bounds of the elements of each of two sorted arrays in the
/// other.
///
/// `a_indices[i]` <- the lower (bound UPPER: upper) bound of `a[i]` in b: how many elements of b
/// precede it (or equal it). `b_indices[j]` <- the other bound of `b[j]` in a, so that both describe
/// one merge: `a[i]` goes to i + `a_indices[i]`, `b[j]` to j + `b_indices[j]`. `a_flags[i]`,
/// `b_flags[j]` <- 1 where the other array has an equal key, else 0. `matches[0]`, `matches[1]` <-
/// how many flags of a and of b are 1. -0 equals 0, NaN equals NaN and is greater than all numbers.
/// Sortedness is not checked: unsorted arrays give unspecified results, without access out of
/// bounds. With options->expression the arrays are sorted by it, as gpumex_sort has it, and keys of
/// which neither precedes the other are equal.
/// @param ctx The context that runs it.
/// @param options variant, dtype of the keys (F32, F64, integers or BOOL; required), order, bound,
///   index_dtype (U32 or U64; required where indices are passed), expression. Variants: AUTO,
///   SEQUENTIAL (CPU backend only).
/// @param a a_count elements of dtype, sorted.
/// @param a_count Number of elements of a.
/// @param b b_count elements of dtype, sorted; may be a.
/// @param b_count Number of elements of b.
/// @param a_indices Receives a_count elements of index_dtype; NULL leaves it out.
/// @param b_indices Receives b_count elements of index_dtype; NULL leaves it out.
/// @param a_flags Receives a_count bytes; NULL leaves it out.
/// @param b_flags Receives b_count bytes; NULL leaves it out.
/// @param matches Receives two elements of uint64_t; NULL leaves it out.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
///   INVALID_ARGUMENT (ctx is not a live context; a dtype not set; a number that is not of its
///   enum; counts that U32 does not hold; the expression, with the byte from 1 at which it is wrong;
///   order beside it; an array that is misaligned, overlaps an output, is too short or belongs to
///   another device); UNSUPPORTED (F16, BF16; an expression that is too long for gpumex_map;
///   SEQUENTIAL on CUDA; device memory on the CPU backend; a CUDA context after fork);
///   OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED (gpumex_context_cancel). After
///   OUT_OF_MEMORY, CUDA and CANCELLED the outputs are unspecified.
/// @note Cost: O(a_count + b_count), in one pass for all outputs; with an expression a bisection for
///   each key.
/// @note Memory: CPU `(a_count + b_count)*(widened(dtype) + 1/128.0) + (expression ? max(a_count,
///   b_count)*(a_flags || b_flags || matches ? 9 : 8) : 0)`; CUDA `(a_count +
///   b_count)*widened(dtype)`; arrays on the host `(a_count + b_count)*copied(dtype) +
///   max(converting(dtype, a_count, b_count), ((a_indices ? a_count : 0) + (b_indices ? b_count :
///   0))*sizeof(index_dtype) + (a_flags ? a_count : 0) + (b_flags ? b_count : 0))`.
/// @see S. Baxter, "ModernGPU", Vectorized Sorted Search, NVIDIA 2013.
/// @ingroup gpumex_primitives
#[must_use]
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
        // SAFETY: the caller's promise in the documentation above.
        let expression = unsafe { options::text(options.expression)? };
        let options = Options {
            variant: Variant::from_c("options.variant", options.variant)?,
            dtype: Dtype::from_c("options.dtype", options.dtype)?,
            order: SortOrder::from_c("options.order", options.order)?,
            bound: Bound::from_c("options.bound", options.bound)?,
            index_dtype: Dtype::from_c("options.index_dtype", options.index_dtype)?,
            expression,
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

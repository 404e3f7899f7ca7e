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
use crate::model::order::SortOrder;
use crate::model::variant::Variant;
use crate::ops::sorted_equality_count::{self, Options};

/// @brief Options of gpumex_sorted_equality_count: GPUMEX_SORTED_EQUALITY_COUNT_OPTIONS_INIT or
/// GPUMEX_OPTIONS (sorted_equality_count, ...).
/// @ingroup gpumex_primitives
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SortedEqualityCountOptions {
    /// sizeof(gpumex_sorted_equality_count_options).
    pub size: usize,
    /// A gpumex_variant.
    pub variant: i32,
    /// A gpumex_dtype of the keys: F32, F64, integers or BOOL; required.
    pub dtype: i32,
    /// A gpumex_sort_order: how the keys are sorted.
    pub order: i32,
    /// A gpumex_dtype, U32 or U64, of positions and counts; required where such an array is passed.
    pub index_dtype: i32,
}

zero_default!(SortedEqualityCountOptions, index_dtype);

/// @brief Multiplicity of the elements of one sorted array in another: `counts[i]` <- how many
/// elements of b equal `a[i]`, `lower[i]` <- how many precede it.
///
/// The equal ones are `b[lower[i]]` to `b[lower[i] + counts[i] - 1]`. -0 equals 0, NaN equals NaN
/// and is greater than all numbers. Sortedness is not checked: unsorted arrays give unspecified
/// results, without access out of bounds.
/// @param ctx The context that runs it.
/// @param options variant, dtype of the keys (F32, F64, integers or BOOL; required), order,
///   index_dtype (U32 or U64; required). Variants: AUTO, SEQUENTIAL (CPU backend only).
/// @param a a_count elements of dtype, sorted.
/// @param a_count Number of elements of a.
/// @param b b_count elements of dtype, sorted; may be a.
/// @param b_count Number of elements of b.
/// @param counts Receives a_count elements of index_dtype.
/// @param lower Receives a_count elements of index_dtype; NULL leaves it out.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
///   INVALID_ARGUMENT (ctx is not a live context; a dtype not set; a number that is not of its
///   enum; counts that U32 does not hold; an array that is misaligned, overlaps an output, is too
///   short or belongs to another device); UNSUPPORTED (F16, BF16; SEQUENTIAL on CUDA; device memory
///   on the CPU backend; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is
///   in ctx); CANCELLED (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and CANCELLED the
///   outputs are unspecified.
/// @note Cost: O(a_count + b_count), whatever the runs of equal keys.
/// @note Memory: CPU `(a_count + b_count)*widened(dtype)`; CUDA `(a_count +
///   b_count)*widened(dtype)`; arrays on the host `(a_count + b_count)*copied(dtype) +
///   max(converting(dtype, a_count, b_count), a_count*sizeof(index_dtype)*(lower ? 2 : 1))`.
/// @see S. Baxter, "ModernGPU", Vectorized Sorted Search, NVIDIA 2013.
/// @ingroup gpumex_primitives
#[must_use]
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

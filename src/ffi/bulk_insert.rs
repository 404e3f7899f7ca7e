//! Elements put between those of an array: `gpumex_bulk_insert`.

use std::ffi::c_void;

use super::options::zero_default;
use super::{guard, options};
use crate::array::{Input, Output};
use crate::context::Context;
use crate::handle;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::model::variant::Variant;
use crate::ops::bulk_insert::{self, Options};

/// @brief Options of gpumex_bulk_insert: GPUMEX_BULK_INSERT_OPTIONS_INIT or GPUMEX_OPTIONS
/// (bulk_insert, ...).
/// @ingroup gpumex_primitives
#[repr(C)]
#[derive(Clone, Copy)]
pub struct BulkInsertOptions {
    /// sizeof(gpumex_bulk_insert_options).
    pub size: usize,
    /// A gpumex_variant.
    pub variant: i32,
    /// A gpumex_dtype of the elements: F32, F64, I32, I64, U32 or U64; required.
    pub dtype: i32,
    /// A gpumex_dtype, U32 or U64, of positions and counts; required where such an array is passed.
    pub index_dtype: i32,
    /// Reserved, 0.
    pub reserved: i32,
}

zero_default!(BulkInsertOptions, reserved);

/// @brief Bulk insertion: result <- b with `a[i]` inserted before `b[indices[i]]`.
///
/// Elements with the same index keep their order; an index of b_count, or beyond it, appends.
/// Example: five elements at 1, 1, 2, 3, 3 of three give b0 a0 a1 b1 a2 b2 a3 a4. Elements are
/// copied bitwise. Indices that do not ascend give an unspecified result.
/// @param ctx The context that runs it.
/// @param options variant, dtype (F32, F64, I32, I64, U32, U64; required), index_dtype (U32 or U64;
///   required). Variants: AUTO, SEQUENTIAL (CPU backend only).
/// @param a a_count elements to insert.
/// @param indices a_count positions in b of index_dtype, ascending; equal ones are allowed.
/// @param a_count Number of elements to insert.
/// @param b b_count elements.
/// @param b_count Number of elements of b.
/// @param result Receives a_count + b_count elements.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
///   INVALID_ARGUMENT (ctx is not a live context; a dtype not set; a number that is not of its
///   enum; a count that U32 does not hold; an array that is misaligned, overlaps an output, is too
///   short or belongs to another device); UNSUPPORTED (another dtype; SEQUENTIAL on CUDA; device
///   memory on the CPU backend; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY (another
///   thread is in ctx); CANCELLED (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and CANCELLED
///   the outputs are unspecified.
/// @note Cost: O(a_count + b_count).
/// @note Memory: CPU `0`; CUDA `0`; arrays on the host `2*(a_count + b_count)*sizeof(dtype) +
///   a_count*sizeof(index_dtype)`.
/// @see S. Baxter, "ModernGPU", Bulk Insert, NVIDIA 2013.
/// @ingroup gpumex_primitives
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_bulk_insert(
    ctx: *mut Context,
    options: *const BulkInsertOptions,
    a: *const c_void,
    indices: *const c_void,
    a_count: usize,
    b: *const c_void,
    b_count: usize,
    result: *mut c_void,
) -> i32 {
    guard("gpumex_bulk_insert", || {
        // SAFETY: the caller's promise in the documentation above.
        let (options, a, indices, b, result) = unsafe {
            (
                options::read(options)?,
                Input::from_raw("a", a),
                Input::from_raw("indices", indices),
                Input::from_raw("b", b),
                Output::from_raw("result", result),
            )
        };
        let options = Options {
            variant: Variant::from_c("options.variant", options.variant)?,
            dtype: Dtype::from_c("options.dtype", options.dtype)?,
            index_dtype: Dtype::from_c("options.index_dtype", options.index_dtype)?,
        };
        handle::with(ctx, |ctx| {
            bulk_insert::bulk_insert(ctx, &options, (a, indices, a_count), (b, b_count), result)
        })
    })
}

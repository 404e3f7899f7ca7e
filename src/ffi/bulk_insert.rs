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

/// Options of `gpumex_bulk_insert`. Set `size` to `sizeof(gpumex_bulk_insert_options)`; zero is the default of every other
/// field.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct BulkInsertOptions {
    /// sizeof(gpumex_bulk_insert_options)
    pub size: usize,
    /// a `gpumex_variant`
    pub variant: i32,
    /// a `gpumex_dtype` of the elements; this version serves F32, F64, I32, I64, U32 and U64
    pub dtype: i32,
    /// a `gpumex_dtype` of the indices: U32 or U64
    pub index_dtype: i32,
    /// has to be 0
    pub reserved: i32,
}

zero_default!(BulkInsertOptions, reserved);

/// result <- b with a[i] put before b[indices[i]], for the `a_count` elements of a; those with one index keep their order, and an index of
/// b_count puts an element behind the last. Five elements at 1, 1, 2, 3 and 3 of b's three give b0 a0 a1 b1 a2 b2 a3 a4.
///
/// a, b: `a_count` and `b_count` elements of options->dtype, whose bits are moved; indices: `a_count` positions of options->index_dtype,
/// ascending, perhaps equal, those beyond b_count as b_count; result: a_count + b_count elements, apart from the others. NULL is
/// allowed where there are no elements.
/// Indices that do not ascend give an unspecified result.
/// Memory: each array may be host, pinned, managed or device memory; when all are device memory the call may return before it
/// is done, in the order of the context's work.
/// Cost: O(a_count + b_count).
/// options: NULL for the defaults. Variants: AUTO, SEQUENTIAL (the plain loop, CPU backend).
/// Errors: NULL_POINTER, INVALID_ARGUMENT (not a live context, overlap, alignment, a range that is too short, another device's
/// memory, a count that U32 does not hold), UNSUPPORTED (dtype, an option this version does not serve, device memory on
/// the CPU backend, after fork), OUT_OF_MEMORY, CUDA, BUSY; outputs are unspecified after OUT_OF_MEMORY and CUDA.
/// Source: S. Baxter, "ModernGPU", Bulk Insert, NVIDIA 2013.
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

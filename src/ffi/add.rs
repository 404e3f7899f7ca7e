//! Sum of two vectors: `gpumex_add`.

use std::ffi::c_void;

use super::options::zero_default;
use super::{guard, options};
use crate::array::{Input, Output};
use crate::context::Context;
use crate::handle;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::ops::add::{self, AddVariant, Options};

/// @brief Options of gpumex_add: GPUMEX_ADD_OPTIONS_INIT or GPUMEX_OPTIONS (add, ...).
/// @ingroup gpumex_operations
#[repr(C)]
#[derive(Clone, Copy)]
pub struct AddOptions {
    /// sizeof(gpumex_add_options).
    pub size: usize,
    /// A gpumex_add_variant.
    pub variant: i32,
    /// A gpumex_dtype of the vectors, F32 or F64; required.
    pub dtype: i32,
}

zero_default!(AddOptions, dtype);

/// @brief Vector sum: `y[i]` <- `x[i] + y[i]`.
///
/// The bits of y are the same with every variant and backend, those of NaN aside.
/// @param ctx The context that runs it.
/// @param options variant and dtype (F32 or F64, required). ON_DEMAND and PREFETCH differ for
///   managed memory on CUDA only: its pages migrate on first touch, or are prefetched.
/// @param x count elements.
/// @param y count elements, updated in place; does not overlap x.
/// @param count Number of elements.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
///   INVALID_ARGUMENT (ctx is not a live context; dtype not set; a number that is not of its enum;
///   an array that is misaligned, overlaps an output, is too short or belongs to another device);
///   UNSUPPORTED (another dtype; SEQUENTIAL on CUDA; device memory on the CPU backend; a CUDA
///   context after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED
///   (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and CANCELLED the outputs are unspecified.
/// @note Cost: O(count).
/// @note Memory: CPU `0`; CUDA `0`; arrays on the host `2*count*sizeof(dtype)`.
/// @see M. Pantoja, "CUDA Memory Model", Petascale Semester Curriculum unit 7 lesson 8, 2020.
/// @ingroup gpumex_operations
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_add(
    ctx: *mut Context,
    options: *const AddOptions,
    x: *const c_void,
    y: *mut c_void,
    count: usize,
) -> i32 {
    guard("gpumex_add", || {
        // SAFETY: the caller's promise in the documentation above.
        let (options, x, y) =
            unsafe { (options::read(options)?, Input::from_raw("x", x), Output::from_raw("y", y)) };
        let options = Options {
            variant: AddVariant::from_c("options.variant", options.variant)?,
            dtype: Dtype::from_c("options.dtype", options.dtype)?,
        };
        handle::with(ctx, |ctx| add::add(ctx, &options, x, y, count))
    })
}

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

/// Options of `gpumex_add`. Set `size` to `sizeof(gpumex_add_options)`; zero is the default of every other field.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct AddOptions {
    /// sizeof(gpumex_add_options)
    pub size: usize,
    /// a `gpumex_add_variant`
    pub variant: i32,
    /// a `gpumex_dtype` of the vectors; this version serves F32 and F64
    pub dtype: i32,
}

zero_default!(AddOptions, dtype);

/// y[i] <- x[i] + y[i] for the `count` elements of two vectors.
///
/// x, y: `count` elements of options->dtype each, host, pinned, managed or device memory; NULL is allowed when
/// count = 0. y does not overlap x.
/// When both are device memory the call may return before it is done, in the order of the context's work.
/// options: NULL for the defaults. Variants: SEQUENTIAL (the plain loop, CPU backend), ON_DEMAND and PREFETCH,
/// which differ for managed memory on CUDA: its pages move to the device when the kernel touches them, or all at
/// once before it. The bits of y are the same.
/// Errors: NULL_POINTER, INVALID_ARGUMENT (not a live context, overlap, alignment, a range that is too short,
/// another device's memory), UNSUPPORTED (dtype, an option this version does not serve, device memory on the CPU
/// backend, after fork), OUT_OF_MEMORY, CUDA, BUSY;
/// y is unspecified after OUT_OF_MEMORY and CUDA.
/// Source: M. Pantoja, "CUDA Memory Model", Petascale Semester Curriculum unit 7 lesson 8, 2020.
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

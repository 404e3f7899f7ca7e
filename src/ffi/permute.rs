//! Dimensions in another order: `gpumex_permute`.

use super::indexing::{many, rank};
use super::prelude::*;
use crate::error::Error;
use crate::ops::permute::{self, Options};

/// @brief Options of gpumex_permute: GPUMEX_PERMUTE_OPTIONS_INIT or GPUMEX_OPTIONS (permute, ...).
/// @ingroup gpumex_operations
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PermuteOptions {
    /// sizeof(gpumex_permute_options).
    pub size: usize,
    /// A gpumex_variant.
    pub variant: i32,
    /// A gpumex_dtype of source and result; required.
    pub dtype: i32,
    /// Number of dimensions, 1 to 8; 0 is 1.
    pub rank: i32,
    /// Reserved, 0.
    pub reserved: i32,
}

zero_default!(PermuteOptions, reserved, reserved);

/// @brief Permutation of dimensions, the first one fastest: dimension k of result is dimension
///   `order[k]` of source; `{1, 0}` transposes a matrix.
///
/// @param ctx The context that runs it.
/// @param options variant, dtype (any, required), rank. Variants: AUTO, SEQUENTIAL (CPU backend
///   only).
/// @param source The product of shape elements.
/// @param shape rank elements: the extent of each dimension of source, in host memory.
/// @param order rank elements: each of the numbers 0 to rank - 1 once, in host memory.
/// @param result Receives the product of shape elements; does not overlap source.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, shape, order, or an array that is not empty);
///   INVALID_ARGUMENT (ctx is not a live context; dtype not set; rank; order; a number that is not
///   of its enum; an array that is misaligned, overlaps result, is too short or belongs to another
///   device); UNSUPPORTED (SEQUENTIAL on CUDA; device memory on the CPU backend; an unknown option;
///   a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED
///   (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and CANCELLED result is unspecified.
/// @note Cost: reads source and writes result once.
/// @note Memory: CPU `0`; CUDA `0`; arrays on the host `2*elements*sizeof(dtype)`.
/// @see G. Ruetsch, P. Micikevicius, "Optimizing Matrix Transpose in CUDA", NVIDIA 2009.
/// @ingroup gpumex_operations
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_permute(
    ctx: *mut Context,
    options: *const PermuteOptions,
    source: *const c_void,
    shape: *const usize,
    order: *const i32,
    result: *mut c_void,
) -> i32 {
    guard("gpumex_permute", || {
        // SAFETY: the caller's promise in the documentation above.
        let (options, source, result) = unsafe {
            (options::read(options)?, Input::from_raw("source", source), Output::from_raw("result", result))
        };
        let dtype = Dtype::from_c("options.dtype", options.dtype)?.required("dtype")?;
        let rank = rank(options.rank)?;
        // SAFETY: rank extents and as many numbers of dimensions, by the caller's promise.
        let (shape, order) = unsafe { (many("shape", shape, rank)?, many("order", order, rank)?) };
        let number = |&d: &i32| {
            let refused =
                |_| Error::invalid(format!("order has {d}; it has each number below the rank, {rank}, once"));
            usize::try_from(d).map_err(refused)
        };
        let order = order.iter().map(number).collect::<crate::error::Result<Vec<usize>>>()?;
        let options = Options { variant: Variant::from_c("options.variant", options.variant)?, dtype };
        handle::with(ctx, |ctx| permute::permute(ctx, &options, source, (&shape, &order), result))
    })
}

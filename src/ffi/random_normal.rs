//! Normal random numbers: `gpumex_random_normal`.

use std::ffi::c_void;

use super::guard;
use crate::array::Output;
use crate::context::Context;
use crate::handle;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::ops::random_normal::{self, Normal};

/// @brief Normal random numbers of a mean and a standard deviation.
///
/// Element i is a function of seed, mean, deviation, dtype and i only (Box-Muller on
/// Philox4x32-10, the keys of gpumex_random): the same bits on every backend and for every count.
/// Numbers of one seed are correlated with those of gpumex_random of that seed. The transform is
/// computed within a few ulp; numbers are at most 8.16 (F32) or 8.5 (F64) deviations from mean,
/// beyond which less than one of 2^47 lies.
/// @param ctx The context that runs it.
/// @param dtype A gpumex_dtype: F32 or F64.
/// @param array Receives count elements.
/// @param count Number of elements.
/// @param seed Any number.
/// @param mean Rounded to the dtype first.
/// @param deviation The standard deviation, not negative, rounded to the dtype first;
///   |mean| + 9*deviation is finite in the dtype.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
///   INVALID_ARGUMENT (ctx is not a live context; dtype; mean and deviation; an array that is
///   misaligned, overlaps an output, is too short or belongs to another device); UNSUPPORTED
///   (another dtype; device memory on the CPU backend; a CUDA context after fork); OUT_OF_MEMORY;
///   CUDA; BUSY (another thread is in ctx); CANCELLED (gpumex_context_cancel). After
///   OUT_OF_MEMORY, CUDA and CANCELLED the outputs are unspecified.
/// @note Cost: O(count).
/// @note Memory: CPU `0`; CUDA `0`; arrays on the host `count*sizeof(dtype)`.
/// @see G. Box, M. Muller, "A Note on the Generation of Random Normal Deviates", 1958.
/// @ingroup gpumex_memory
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_random_normal(
    ctx: *mut Context,
    dtype: i32,
    array: *mut c_void,
    count: usize,
    seed: u64,
    mean: f64,
    deviation: f64,
) -> i32 {
    guard("gpumex_random_normal", || {
        // SAFETY: the caller's promise in the documentation above.
        let array = unsafe { Output::from_raw("array", array) };
        let (dtype, normal) = (Dtype::from_c("dtype", dtype)?.passed()?, Normal { seed, mean, deviation });
        handle::with(ctx, |ctx| random_normal::random_normal(ctx, dtype, array, count, normal))
    })
}

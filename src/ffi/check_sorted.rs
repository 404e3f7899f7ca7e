//! Whether an array is sorted: `gpumex_check_sorted`.

use std::ffi::c_void;

use super::options::zero_default;
use super::{guard, options, write_optional};
use crate::array::Input;
use crate::context::Context;
use crate::handle;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::model::order::SortOrder;
use crate::ops::check_sorted::{self, Options};

/// @brief Options of gpumex_check_sorted: GPUMEX_CHECK_SORTED_OPTIONS_INIT or GPUMEX_OPTIONS
/// (check_sorted, ...).
/// @ingroup gpumex_primitives
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CheckSortedOptions {
    /// sizeof(gpumex_check_sorted_options).
    pub size: usize,
    /// A gpumex_dtype of the keys: F32, F64, integers or BOOL; required.
    pub dtype: i32,
    /// A gpumex_sort_order: how the keys are sorted.
    pub order: i32,
    /// 1: equal neighbours are out of order too; 0: they are in order.
    pub strict: i32,
    /// Reserved, 0.
    pub reserved: i32,
}

zero_default!(CheckSortedOptions, reserved);

/// @brief Whether keys are sorted: `*first_bad` <- the position of the first key that is out of
/// options->order, and `count` where there is none.
///
/// The operations on sorted arrays do not check sortedness; this does, on request. strict = 1 also
/// finds repeated keys. -0 equals 0, NaN equals NaN and is greater than all numbers.
/// @param ctx The context that runs it.
/// @param options dtype (F32, F64, integers or BOOL; required), order, strict.
/// @param keys count elements.
/// @param count Number of elements.
/// @param first_bad Receives the position, in host memory. NULL: unsorted keys are INVALID_ARGUMENT,
///   with a message that names the position and the keys.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
///   INVALID_ARGUMENT (ctx is not a live context; dtype not set; a number that is not of its enum;
///   strict; unsorted keys where first_bad is NULL; an array that is misaligned, overlaps an
///   output, is too short or belongs to another device); UNSUPPORTED (F16, BF16; device memory on
///   the CPU backend; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in
///   ctx); CANCELLED (gpumex_context_cancel).
/// @note Waits for its result. Cost: reads the keys once.
/// @note Memory: CPU `count*widened(dtype)`; CUDA `count*widened(dtype)`; arrays on the host
///   `count*sizeof(dtype)`.
/// @ingroup gpumex_primitives
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_check_sorted(
    ctx: *mut Context,
    options: *const CheckSortedOptions,
    keys: *const c_void,
    count: usize,
    first_bad: *mut u64,
) -> i32 {
    guard("gpumex_check_sorted", || {
        // SAFETY: the caller's promise in the documentation above.
        let (options, keys) = unsafe { (options::read(options)?, Input::from_raw("keys", keys)) };
        let options = Options {
            dtype: Dtype::from_c("options.dtype", options.dtype)?,
            order: SortOrder::from_c("options.order", options.order)?,
            strict: options::switch("strict", options.strict)?,
        };
        let mut position = 0;
        let wanted = (!first_bad.is_null()).then_some(&mut position);
        handle::with(ctx, |ctx| check_sorted::check_sorted(ctx, &options, keys, count, wanted))?;
        // SAFETY: NULL, or a uint64_t by the caller's promise.
        unsafe { write_optional(first_bad, position) };
        Ok(())
    })
}

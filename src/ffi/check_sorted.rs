//! Whether an array is sorted: `gpumex_check_sorted`.

use std::ffi::c_void;

use super::options::zero_default;
use super::{guard, options, write_optional};
use crate::array::Input;
use crate::context::Context;
use crate::handle;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::model::primitives::SortOrder;
use crate::ops::check_sorted::{self, Options};

/// Options of `gpumex_check_sorted`. Set `size` to `sizeof(gpumex_check_sorted_options)`; zero is the default of every other field.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CheckSortedOptions {
    /// sizeof(gpumex_check_sorted_options)
    pub size: usize,
    /// a `gpumex_dtype` of the keys: F32, F64, I32, I64, U32 or U64
    pub dtype: i32,
    /// a `gpumex_sort_order`
    pub order: i32,
    /// 1: equal neighbours are refused too; 0: they are in order
    pub strict: i32,
    /// has to be 0
    pub reserved: i32,
}

zero_default!(CheckSortedOptions, reserved);

/// *first_bad <- the first position of a key that is out of options->order, and `count` where the keys are sorted. Without first_bad
/// (NULL) keys that are not sorted give INVALID_ARGUMENT, with a sentence (gpumex_last_error) that names the position and the keys.
///
/// The operations on sorted arrays do not look whether they are; this does, on request. With options->strict = 1 it also finds keys that
/// are there twice, which `distinct` of gpumex_set_operation and the indices of gpumex_bulk_remove must not have.
/// keys: `count` elements of options->dtype in host, pinned, managed or device memory; NULL is allowed when count = 0. -0 equals 0; NaN
/// equals NaN and is the greatest. options: NULL for the defaults. The call waits for its answer. Cost: reads the keys once.
/// Errors: NULL_POINTER, INVALID_ARGUMENT (as above; not a live context, alignment, a range that is too short, another device's memory),
/// UNSUPPORTED (dtype, device memory on the CPU backend, after fork), OUT_OF_MEMORY, CUDA, BUSY.
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

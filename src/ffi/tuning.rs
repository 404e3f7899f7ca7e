//! Launch tuning: how many threads and values, and how much cache, a kernel is launched with.

use std::ffi::{CString, c_char};

use super::diagnostics::lend_text;
use super::options::OptionStruct;
use super::{guard, guard_value, options};
use crate::context::{Context, KernelTuning};
use crate::error::{Error, Result, Status};
use crate::handle;

impl OptionStruct for KernelTuning {
    const RESERVED: fn(&Self) -> i32 = |tuning| tuning.reserved;
}

/// @brief How a kernel is launched on the context's device: from the library's table, or as
/// gpumex_tuning_set has set it.
/// @param ctx The context.
/// @param kernel Name of a kernel, operation and variant: "histogram_shared"; gpumex_tuning_text
///   lists them.
/// @param tuning Receives it; set tuning->size (GPUMEX_KERNEL_TUNING_INIT).
/// @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context; not a
///   kernel; tuning->size); UNSUPPORTED (CPU backend; after fork); BUSY (another thread is in ctx).
/// @ingroup gpumex_diagnostics
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_tuning_get(
    ctx: *mut Context,
    kernel: *const c_char,
    tuning: *mut KernelTuning,
) -> i32 {
    guard("gpumex_tuning_get", || {
        // SAFETY: the caller hands a C string, and a struct that begins with its size, or NULL.
        unsafe {
            let kernel = name(kernel)?;
            let current = handle::with(ctx, |ctx| ctx.tuning(kernel))?;
            options::answer("tuning", tuning, current)
        }
    })
}

/// @brief Changes how a kernel is launched by this context.
///
/// Results do not change, except for the rounding of floats where the order of additions depends on
/// it: gpumex_dot, gpumex_reduce, gpumex_scan, gpumex_segmented_reduce and gpumex_matmul. For one
/// tuning they are the same in every call.
/// @param ctx The context.
/// @param kernel Name of a kernel, as in gpumex_tuning_get.
/// @param tuning The new values; NULL restores the table.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, kernel); INVALID_ARGUMENT (ctx is not a live
///   context; not a kernel; values that it does not serve, with a list of those it does);
///   UNSUPPORTED (CPU backend; after fork); BUSY (another thread is in ctx).
/// @ingroup gpumex_diagnostics
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_tuning_set(
    ctx: *mut Context,
    kernel: *const c_char,
    tuning: *const KernelTuning,
) -> i32 {
    guard("gpumex_tuning_set", || {
        // SAFETY: the caller hands a C string, and a struct that begins with its size, or NULL.
        unsafe {
            let kernel = name(kernel)?;
            let tuning = if tuning.is_null() { None } else { Some(options::read(tuning)?) };
            handle::with(ctx, |ctx| ctx.set_tuning(kernel, tuning))
        }
    })
}

/// @brief The tunings in force as a human-readable table, a line for each kernel.
/// @param ctx The context.
/// @return Text of the library, valid until the next call of a text function on this thread; NULL
///   after an error (gpumex_last_status): NULL_POINTER; INVALID_ARGUMENT (ctx is not a live
///   context); UNSUPPORTED (CPU backend; after fork); BUSY (another thread is in ctx).
/// @ingroup gpumex_diagnostics
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_tuning_text(ctx: *mut Context) -> *const c_char {
    guard_value("gpumex_tuning_text", || {
        let text = handle::with(ctx, |ctx| ctx.tuning_text())?;
        lend_text(CString::new(text).unwrap_or_default())
    })
    .unwrap_or(std::ptr::null())
}

/// # Safety
/// `kernel` is NULL or a C string that lives as long as the result is used.
unsafe fn name<'a>(kernel: *const c_char) -> Result<&'a str> {
    // SAFETY: the caller's promise.
    unsafe { options::text(kernel)? }.ok_or_else(|| Error::new(Status::NullPointer, "kernel is NULL"))
}

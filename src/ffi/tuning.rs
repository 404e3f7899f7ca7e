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

/// *tuning <- how the kernel called `kernel` is launched on the context's device: what the table of the library
/// says for the device's compute capability, unless gpumex_tuning_set said otherwise. Set tuning->size to
/// sizeof(gpumex_kernel_tuning) before the call. Kernels are called by operation and variant: "histogram_shared";
/// gpumex_tuning_text lists them.
/// Errors: NULL_POINTER, INVALID_ARGUMENT (not a live context, not a kernel, size), UNSUPPORTED (CPU backend),
/// BUSY.
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

/// Changes how the kernel called `kernel` is launched by this context; NULL goes back to the table. Results do not
/// change, but for the rounding of gpumex_dot, whose order of additions depends on it. What a kernel does not
/// serve is refused, and the sentence lists its choices.
/// Errors: NULL_POINTER (kernel), INVALID_ARGUMENT (not a live context, not a kernel, not served), UNSUPPORTED
/// (CPU backend), BUSY.
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

/// The tunings in force as a table for people, a line a kernel, or NULL (see gpumex_last_error). The text belongs
/// to the library and lives until the next call of a text function on this thread.
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

//! Contexts: create, destroy, ask, wait.

use std::ffi::{CString, c_char};

use super::diagnostics::lend_text;
use super::{guard, guard_value};
use crate::choice::Choice;
use crate::context::{self, Context, DeviceInfo};
use crate::error::{Error, Result, Status};
use crate::settings::Backend;

/// A new context, or NULL (see gpumex_last_error).
///
/// backend: a `gpumex_backend`. AUTO takes CUDA where it works, else the CPU, and says so at log level info; CUDA without a
/// usable device is an error that names the reason.
/// device: CUDA ordinal, or -1 for the caller's current device, else GPUMEX_DEVICE, else 0. The CPU backend ignores it.
///
/// The handle is a token: it is looked up, never dereferenced, so a destroyed or invented one gives INVALID_ARGUMENT. It belongs
/// to the caller, who ends it with gpumex_context_destroy. Contexts are independent; one context serves one thread at a
/// time, a second one that enters it gets BUSY.
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_context_create(backend: i32, device: i32) -> *mut Context {
    guard_value("gpumex_context_create", || {
        if device < -1 {
            return Err(Error::invalid(format!(
                "device is {device}; it is an ordinal from 0, or -1 for the default"
            )));
        }
        context::create(Backend::from_number(backend)?, usize::try_from(device).ok())
    })
    .unwrap_or(std::ptr::null_mut())
}

/// The process-wide context that the functions without a context argument use, created on first use, or NULL (see
/// gpumex_last_error). It belongs to the library: calls on it take turns instead of answering BUSY, and
/// gpumex_reset_default ends it.
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_context_default() -> *mut Context {
    guard_value("gpumex_context_default", context::default_token).unwrap_or(std::ptr::null_mut())
}

/// Ends a context and frees what it holds. NULL is allowed and does nothing.
/// Errors: INVALID_ARGUMENT (not a live context, or the default one), BUSY (another thread is in it).
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_context_destroy(ctx: *mut Context) -> i32 {
    guard("gpumex_context_destroy", || if ctx.is_null() { Ok(()) } else { context::destroy(ctx) })
}

/// Drops the default context; the next call that needs it builds a new one. For use after a CUDA fault, and after MATLAB
/// reset its device. Errors: BUSY (a call is running on it).
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_reset_default() -> i32 {
    guard("gpumex_reset_default", context::reset_default)
}

/// Waits until the work of the context is done, and reports a fault of it.
/// Errors: INVALID_ARGUMENT (not a live context), CUDA, BUSY.
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_context_synchronize(ctx: *mut Context) -> i32 {
    guard("gpumex_context_synchronize", || context::with(ctx, |ctx| ctx.synchronize()))
}

/// *backend <- the `gpumex_backend` that the context runs on: CPU or CUDA.
/// Errors: INVALID_ARGUMENT (not a live context), NULL_POINTER, BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_context_backend(ctx: *mut Context, backend: *mut i32) -> i32 {
    guard("gpumex_context_backend", || {
        let number = context::with(ctx, |ctx| Ok(ctx.backend_number()))?;
        // SAFETY: the caller hands an int32_t, or NULL, which `write` refuses.
        unsafe { write("backend", backend, number) }
    })
}

/// *info <- the device of the context. Set info->size to sizeof(gpumex_device_info) before the call.
/// Errors: INVALID_ARGUMENT (not a live context, size), NULL_POINTER, CUDA, BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_context_device_info(ctx: *mut Context, info: *mut DeviceInfo) -> i32 {
    guard("gpumex_context_device_info", || {
        if info.is_null() {
            return Err(Error::new(Status::NullPointer, "info is NULL"));
        }
        // SAFETY: the struct begins with its size.
        let size = unsafe { info.cast::<usize>().read_unaligned() };
        if size < size_of::<usize>() || size > 4096 {
            return Err(Error::invalid(format!("info.size is {size}; set it to sizeof(gpumex_device_info)")));
        }
        let mut filled = context::with(ctx, |ctx| ctx.device_info())?;
        filled.size = size;
        let shared = size.min(size_of::<DeviceInfo>());
        // SAFETY: both structs hold at least `shared` bytes.
        unsafe { std::ptr::copy_nonoverlapping((&raw const filled).cast::<u8>(), info.cast::<u8>(), shared) };
        Ok(())
    })
}

/// The device of the context as text for people, a few lines, or NULL (see gpumex_last_error). The text belongs to the library
/// and lives until the next call of a text function on this thread.
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_context_device_text(ctx: *mut Context) -> *const c_char {
    guard_value("gpumex_context_device_text", || {
        let text = context::with(ctx, |ctx| ctx.device_text())?;
        Ok(lend_text(CString::new(text).unwrap_or_default()))
    })
    .unwrap_or(std::ptr::null())
}

/// *kernel_ms <- how long the kernels of the context's last operation ran, in ms: between two events on the device, transfers
/// excluded; on the CPU backend the time of the computation. 0 before the first operation.
/// Errors: INVALID_ARGUMENT (not a live context), NULL_POINTER, CUDA, BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_context_kernel_ms(ctx: *mut Context, kernel_ms: *mut f64) -> i32 {
    guard("gpumex_context_kernel_ms", || {
        let ms = context::with(ctx, |ctx| ctx.kernel_ms())?;
        // SAFETY: the caller hands a double, or NULL, which `write` refuses.
        unsafe { write("kernel_ms", kernel_ms, ms) }
    })
}

/// # Safety
/// `target` is NULL or points to a T.
unsafe fn write<T>(name: &str, target: *mut T, value: T) -> Result<()> {
    if target.is_null() {
        return Err(Error::new(Status::NullPointer, format!("{name} is NULL")));
    }
    // SAFETY: not NULL, so a T by the caller's promise.
    unsafe { target.write_unaligned(value) };
    Ok(())
}

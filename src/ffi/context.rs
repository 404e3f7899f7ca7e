//! Contexts: create, destroy, ask, wait.

use std::ffi::{CString, c_char};

use super::diagnostics::lend_text;
use super::{guard, guard_value, options};
use crate::choice::Choice;
use crate::context::{Context, DeviceInfo};
use crate::error::{Error, Result, Status};
use crate::settings::Backend;
use crate::tokens;

/// A new context, or NULL (see gpumex_last_error).
///
/// backend: a `gpumex_backend`. AUTO takes what the setting `backend` says, and when that is auto, CUDA where it works, else the
/// CPU; it says so at log level info. CUDA without a usable device is an error that names the reason.
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
        tokens::create(Backend::from_number(backend)?, usize::try_from(device).ok())
    })
    .unwrap_or(std::ptr::null_mut())
}

/// The process-wide context that the functions without a context argument use, created on first use, or NULL (see
/// gpumex_last_error). It belongs to the library: calls on it take turns instead of answering BUSY, and
/// gpumex_reset_default ends it.
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_context_default() -> *mut Context {
    guard_value("gpumex_context_default", tokens::default_token).unwrap_or(std::ptr::null_mut())
}

/// Ends a context and frees what it holds. NULL is allowed and does nothing.
/// Errors: INVALID_ARGUMENT (not a live context, or the default one), BUSY (another thread is in it).
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_context_destroy(ctx: *mut Context) -> i32 {
    guard("gpumex_context_destroy", || if ctx.is_null() { Ok(()) } else { tokens::destroy(ctx) })
}

/// Drops the default context; the next call that needs it builds a new one. For use after MATLAB or other code reset the device.
/// After a CUDA fault the device itself has to be reset first (MATLAB: reset (gpuDevice)) or the process started anew: until then
/// AUTO takes the CPU. Errors: BUSY (a call is running on it).
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_reset_default() -> i32 {
    guard("gpumex_reset_default", tokens::reset_default)
}

/// Waits until the work of the context is done, and reports a fault of it.
/// Errors: INVALID_ARGUMENT (not a live context), NULL_POINTER, CUDA, UNSUPPORTED (after fork), BUSY.
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_context_synchronize(ctx: *mut Context) -> i32 {
    guard("gpumex_context_synchronize", || tokens::with(ctx, |ctx| ctx.synchronize()))
}

/// *backend <- the `gpumex_backend` that the context runs on: CPU or CUDA.
/// Errors: INVALID_ARGUMENT (not a live context), NULL_POINTER, BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_context_backend(ctx: *mut Context, backend: *mut i32) -> i32 {
    guard("gpumex_context_backend", || {
        let number = tokens::with(ctx, |ctx| Ok(ctx.backend_number()))?;
        // SAFETY: the caller hands an int32_t, or NULL, which `write` refuses.
        unsafe { write("backend", backend, number) }
    })
}

/// *info <- the device of the context. Set info->size to sizeof(gpumex_device_info) before the call.
/// Errors: INVALID_ARGUMENT (not a live context, size), NULL_POINTER, CUDA, UNSUPPORTED (after fork), BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_context_device_info(ctx: *mut Context, info: *mut DeviceInfo) -> i32 {
    guard("gpumex_context_device_info", || {
        if info.is_null() {
            return Err(Error::new(Status::NullPointer, "info is NULL"));
        }
        // SAFETY: the struct begins with its size.
        let size = unsafe { options::size_field("info", info)? };
        let mut filled = tokens::with(ctx, |ctx| ctx.device_info())?;
        filled.size = size;
        let shared = size.min(size_of::<DeviceInfo>());
        // SAFETY: both structs hold at least `shared` bytes, the caller's `size`; what this library does not know is 0.
        unsafe {
            std::ptr::copy_nonoverlapping((&raw const filled).cast::<u8>(), info.cast::<u8>(), shared);
            info.cast::<u8>().add(shared).write_bytes(0, size - shared);
        }
        Ok(())
    })
}

/// The device of the context as text for people, a few lines, or NULL (see gpumex_last_error). The text belongs to the library
/// and lives until the next call of a text function on this thread.
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_context_device_text(ctx: *mut Context) -> *const c_char {
    guard_value("gpumex_context_device_text", || {
        let text = tokens::with(ctx, |ctx| ctx.device_text())?;
        lend_text(CString::new(text).unwrap_or_default())
    })
    .unwrap_or(std::ptr::null())
}

/// *kernel_ms <- how long the kernels of the context's last operation ran, in ms: between two events on the device, transfers
/// excluded; on the CPU backend the time of the computation. 0 when it had nothing to compute, or was refused.
/// Errors: INVALID_ARGUMENT (not a live context), NULL_POINTER, CUDA, UNSUPPORTED (after fork), BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_context_kernel_ms(ctx: *mut Context, kernel_ms: *mut f64) -> i32 {
    guard("gpumex_context_kernel_ms", || {
        let ms = tokens::with(ctx, |ctx| ctx.kernel_ms())?;
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

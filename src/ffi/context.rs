//! Contexts: create, destroy, ask, wait.

use std::ffi::{CString, c_char, c_void};

use super::diagnostics::lend_text;
use super::{arguments, guard, guard_value, options, write};
use crate::context::{self, Context};
use crate::error::{Error, Result};
use crate::handle;
use crate::model::device_info::DeviceInfo;
use crate::model::numbered::NumberedEnum;
use crate::platform::settings::Backend;

/// A new context, or NULL (see gpumex_last_error).
///
/// backend: a `gpumex_backend`. AUTO takes what the setting `backend` says, and when that is auto, CUDA where it
/// works, else the CPU; it says so at log level info. CUDA without a usable device is an error that names the
/// reason. device: CUDA ordinal, or -1 for the caller's current device, else GPUMEX_DEVICE, else 0. The CPU
/// backend ignores it.
///
/// The handle is a token: it is looked up, never dereferenced, so a destroyed or invented one gives
/// INVALID_ARGUMENT. It belongs to the caller, who ends it with gpumex_context_destroy. Contexts are independent;
/// one context serves one thread at a time, a second one that enters it gets BUSY.
///
/// After fork the child has copies of the contexts on the CPU backend; one that another thread was in at that
/// moment stays BUSY there. Those on CUDA answer UNSUPPORTED.
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_context_create(backend: i32, device: i32) -> *mut Context {
    guard_value("gpumex_context_create", || {
        handle::give(Context::new(Backend::from_c("backend", backend)?, ordinal(device)?)?)
    })
    .unwrap_or(std::ptr::null_mut())
}

/// A new context on a CUDA device whose work runs in a stream of the caller's, or NULL (see gpumex_last_error).
///
/// device: as gpumex_context_create. cuda_stream: a cudaStream_t or CUstream of that device's primary context,
/// where the CUDA runtime's streams live; NULL is the legacy default stream. Not the per-thread default stream. It
/// stays the caller's, who keeps it alive until the context is destroyed, the memory that it gave is freed, and no
/// gpumex_free of memory that was used on it runs. Work of the context and other work in the stream run in the
/// order in which they are put there.
/// Errors: as gpumex_context_create with CUDA, INVALID_ARGUMENT (a stream of another context).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_context_create_on_stream(
    device: i32,
    cuda_stream: *mut c_void,
) -> *mut Context {
    guard_value("gpumex_context_create_on_stream", || {
        handle::give(Context::on_stream(ordinal(device)?, cuda_stream)?)
    })
    .unwrap_or(std::ptr::null_mut())
}

/// A new context as the program's command line asks for it, or NULL (see gpumex_last_error).
///
/// argc, argv: as main has them; "--device K" and "--device=K" choose the CUDA ordinal (the last one counts),
/// everything else is left alone and for the program. The backend is AUTO; with --device it is CUDA. print: not 0
/// writes the lines of gpumex_context_device_text to the standard output.
/// Errors: as gpumex_context_create, INVALID_ARGUMENT (--device without an ordinal), NULL_POINTER.
#[cfg(not(gpumex_matlab_loadlibrary))]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_context_create_from_args(
    argc: i32,
    argv: *const *mut c_char,
    print: i32,
) -> *mut Context {
    guard_value("gpumex_context_create_from_args", || {
        // SAFETY: the caller hands main's arguments.
        let device = unsafe { arguments::device(argc, argv)? };
        let backend = if device.is_some() { Backend::Cuda } else { Backend::Auto };
        let mut context = Context::new(backend, device)?;
        if print != 0 {
            arguments::print_line(&context.device_text()?)?;
        }
        handle::give(context)
    })
    .unwrap_or(std::ptr::null_mut())
}

/// *count <- how many CUDA devices there are to choose from; 0 where CUDA cannot be used.
/// Errors: NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_device_count(count: *mut i32) -> i32 {
    guard("gpumex_device_count", || {
        let devices = i32::try_from(context::device_count()).unwrap_or(i32::MAX);
        // SAFETY: the caller hands an int32_t, or NULL, which `write` refuses.
        unsafe { write("count", count, devices) }
    })
}

fn ordinal(device: i32) -> Result<Option<usize>> {
    if device < -1 {
        return Err(Error::invalid(format!(
            "device is {device}; it is an ordinal from 0, or -1 for the default"
        )));
    }
    Ok(usize::try_from(device).ok())
}

/// The process-wide context that the functions without a context argument use, created on first use, or NULL (see
/// gpumex_last_error). It belongs to the library: calls on it take turns instead of answering BUSY, and
/// gpumex_reset_default ends it. A forked child makes its own.
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_context_default() -> *mut Context {
    guard_value("gpumex_context_default", handle::default_token).unwrap_or(std::ptr::null_mut())
}

/// Ends a context and what it works with; memory of gpumex_malloc stays until gpumex_free. NULL is allowed and
/// does nothing.
/// Errors: INVALID_ARGUMENT (not a live context, or the default one), BUSY (another thread is in it).
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_context_destroy(ctx: *mut Context) -> i32 {
    guard("gpumex_context_destroy", || if ctx.is_null() { Ok(()) } else { handle::destroy(ctx) })
}

/// Drops the default context; the next call that needs it builds a new one. For use after MATLAB or other code
/// reset the device. After a CUDA fault the device itself has to be reset first (MATLAB: reset (gpuDevice)) or the
/// process started anew: until then AUTO takes the CPU. Errors: BUSY (a call is running on it).
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_reset_default() -> i32 {
    guard("gpumex_reset_default", handle::reset_default)
}

/// Waits until the work of the context is done, and reports a fault of it.
/// Errors: INVALID_ARGUMENT (not a live context), NULL_POINTER, CUDA, UNSUPPORTED (after fork), BUSY.
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_context_synchronize(ctx: *mut Context) -> i32 {
    guard("gpumex_context_synchronize", || handle::with(ctx, |ctx| ctx.synchronize()))
}

/// *backend <- the `gpumex_backend` that the context runs on: CPU or CUDA.
/// Errors: INVALID_ARGUMENT (not a live context), NULL_POINTER, BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_context_backend(ctx: *mut Context, backend: *mut i32) -> i32 {
    guard("gpumex_context_backend", || {
        let number = handle::with(ctx, |ctx| Ok(ctx.backend_number()))?;
        // SAFETY: the caller hands an int32_t, or NULL, which `write` refuses.
        unsafe { write("backend", backend, number) }
    })
}

/// *info <- the device of the context. Set info->size to sizeof(gpumex_device_info) before the call.
/// Errors: INVALID_ARGUMENT (not a live context, size), NULL_POINTER, CUDA, UNSUPPORTED (after fork), BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_context_device_info(ctx: *mut Context, info: *mut DeviceInfo) -> i32 {
    guard("gpumex_context_device_info", || {
        let filled = handle::with(ctx, |ctx| ctx.device_info())?;
        // SAFETY: the struct begins with its size.
        unsafe { options::answer("info", info, filled) }
    })
}

/// The device of the context as text for people, a few lines, or NULL (see gpumex_last_error). The text belongs to
/// the library and lives until the next call of a text function on this thread.
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_context_device_text(ctx: *mut Context) -> *const c_char {
    guard_value("gpumex_context_device_text", || {
        let text = handle::with(ctx, |ctx| ctx.device_text())?;
        lend_text(CString::new(text).unwrap_or_default())
    })
    .unwrap_or(std::ptr::null())
}

/// *kernel_ms <- how long the kernels of the context's last operation ran, in ms: between two events on the
/// device, transfers excluded, but for those between two kernels (a long array of the host that is counted, or
/// multiplied, in pieces); on the CPU backend the time of the computation. 0 when it had nothing to compute, or was refused.
/// Errors: INVALID_ARGUMENT (not a live context), NULL_POINTER, CUDA, UNSUPPORTED (after fork), BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_context_kernel_ms(ctx: *mut Context, kernel_ms: *mut f64) -> i32 {
    guard("gpumex_context_kernel_ms", || {
        let ms = handle::with(ctx, |ctx| ctx.kernel_ms())?;
        // SAFETY: the caller hands a double, or NULL, which `write` refuses.
        unsafe { write("kernel_ms", kernel_ms, ms) }
    })
}

/// Starts the context's timer, behind the work that it has been given so far.
/// Errors: INVALID_ARGUMENT (not a live context), NULL_POINTER, CUDA, UNSUPPORTED (after fork), BUSY.
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_timer_start(ctx: *mut Context) -> i32 {
    guard("gpumex_timer_start", || handle::with(ctx, |ctx| ctx.start_timer()))
}

/// *ms <- the time since gpumex_timer_start, in ms, between two events in the context's stream: waits for the work
/// in between. The timer goes on, so that it may be read again. On the CPU backend it is the time that passed.
/// Errors: INVALID_ARGUMENT (not a live context, not started), NULL_POINTER, CUDA, UNSUPPORTED (after fork), BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_timer_stop(ctx: *mut Context, ms: *mut f64) -> i32 {
    guard("gpumex_timer_stop", || {
        let elapsed = handle::with(ctx, |ctx| ctx.timer_ms())?;
        // SAFETY: the caller hands a double, or NULL, which `write` refuses.
        unsafe { write("ms", ms, elapsed) }
    })
}

/// *per_second <- items a second since gpumex_timer_start, when `items` were worked on in each of `iterations`
/// rounds; infinite when no time has passed.
/// Errors: as gpumex_timer_stop.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_timer_throughput(
    ctx: *mut Context,
    items: u64,
    iterations: u64,
    per_second: *mut f64,
) -> i32 {
    guard("gpumex_timer_throughput", || {
        let ms = handle::with(ctx, |ctx| ctx.timer_ms())?;
        let rate = items as f64 * iterations as f64 / (ms / 1e3);
        // SAFETY: the caller hands a double, or NULL, which `write` refuses.
        unsafe { write("per_second", per_second, rate) }
    })
}

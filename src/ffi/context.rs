//! Contexts: create, destroy, ask, wait.

use std::ffi::{CString, c_char, c_void};

use super::diagnostics::lend_text;
use super::options::zero_default;
use super::{arguments, guard, guard_value, options, write};
use crate::context::{self, BusyPolicy, Context, Options};
use crate::error::{Error, Result};
use crate::handle;
use crate::model::device_info::DeviceInfo;
use crate::model::numbered::NumberedEnum;
use crate::platform::settings::{Backend, MOST_THREADS};

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
        handle::give(Context::new(Backend::from_c("backend", backend)?, ordinal("device", device)?)?)
    })
    .unwrap_or(std::ptr::null_mut())
}

/// Options of gpumex_context_create_with. Zero is the default of each; set `size` to
/// sizeof(gpumex_context_options).
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ContextOptions {
    /// sizeof(gpumex_context_options)
    pub size: usize,
    /// a `gpumex_backend`, as for gpumex_context_create; it does not matter with `on_stream`
    pub backend: i32,
    /// 1: the context works in `stream`, on a CUDA device; 0: in a stream of its own
    pub on_stream: i32,
    /// threads of the host that its operations take, 1 to 4096; 0: the setting `num_threads`
    pub threads: i32,
    /// a `gpumex_busy_policy`: what a thread gets that enters while another one is in the context
    pub busy: i32,
    /// the CUDA ordinal; NULL or -1: the caller's current device, else GPUMEX_DEVICE, else 0
    pub device: *const i32,
    /// with `on_stream` a cudaStream_t or CUstream of the device's primary context, as for
    /// gpumex_context_create_on_stream; NULL: the legacy default stream
    pub stream: *mut c_void,
    /// bytes that the caching allocator may hold, in use and idle, as gpumex_allocator_set_capacity
    /// sets it, with half of it for the largest block that is kept; 0: the default
    pub cache_capacity: u64,
}

zero_default!(ContextOptions, cache_capacity);

/// Creates a context as its options say.
///
/// A context whose `busy` is GPUMEX_BUSY_POLICY_WAIT may be shared by threads: calls run one after
/// the other, in the order in which they came. A call from a callback amid a call never waits: it
/// gets BUSY where it would have to, so that contexts that are entered from one another's callbacks
/// cannot wait for each other for ever.
///
/// Results do not depend on the number of threads. The library keeps one pool of threads for each
/// number that is used, from its first use until the process ends.
///
/// Calls on a context of CUDA may be captured into a CUDA graph: cudaStreamBeginCapture on the
/// stream that it was created on, or on that of gpumex_context_stream; in any mode, but not the
/// legacy default stream. A captured call
/// - takes arrays of device memory alone, `needed` and results included, and is refused with
///   UNSUPPORTED, which leaves the capture valid, where it would have to wait or to read back:
///   arrays of the host, pinned or managed; gpumex_words, gpumex_check_sorted, gpumex_check_edges,
///   gpumex_print and gpumex_prefetch; GPUMEX_LIFE_VARIANT_TEXTURE and _TEXTURE_BYTES,
///   GPUMEX_RAYTRACE_VARIANT_CONSTANT, GPUMEX_MATMUL_VARIANT_CUBLAS; timers,
///   gpumex_context_synchronize and gpumex_context_destroy. After an error the graph is of no use:
///   a part of the call may be in it;
/// - tells no progress callback, and is not timed: gpumex_context_kernel_ms is 0 after it;
/// - takes temporaries that belong to the graph: they stay reserved until the graph and all that
///   were instantiated from it are destroyed, also beyond the end of the context. Two executable
///   graphs of one capture share them, and must not run at the same time;
/// - is ordered with what the graph holds, and with nothing else: launch the graph behind the work
///   that writes its arrays, and keep the arrays until the graph is destroyed. Array sizes, options
///   and addresses are those of the call; the contents are read at each launch.
///
/// While the context is captured, memory may be allocated and freed; what has to wait for the
/// stream goes back to the driver later. A custom allocator is called for temporaries as well: it
/// gives memory that is allocated at once (cudaMalloc), not in stream order.
///
/// @param options  NULL: all defaults.
/// @return the context, to be ended with gpumex_context_destroy, or NULL. gpumex_last_status then is
///   INVALID_ARGUMENT (backend, on_stream, threads, busy, device, a stream without on_stream or of
///   another context than the device's primary one, size), NO_DEVICE, CUDA, OUT_OF_MEMORY or
///   UNSUPPORTED (CUDA after fork, an option of a later version).
///
/// Thread safety: any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_context_create_with(options: *const ContextOptions) -> *mut Context {
    guard_value("gpumex_context_create_with", || {
        // SAFETY: NULL, or a struct that begins with its size, whose `device` is NULL or an int32_t.
        let options = unsafe { options::read(options)?.check()? };
        handle::give(Context::with(&options)?)
    })
    .unwrap_or(std::ptr::null_mut())
}

impl ContextOptions {
    /// # Safety
    /// `device` is NULL or points to an int32_t.
    unsafe fn check(&self) -> Result<Options> {
        let on_stream = options::switch("on_stream", self.on_stream)?;
        let backend = Backend::from_c("options.backend", self.backend)?;
        if !on_stream && !self.stream.is_null() {
            return Err(Error::invalid(format!(
                "options.stream is {:p} and options.on_stream is 0; set it to 1 to work in the stream",
                self.stream
            )));
        }
        if on_stream && backend == Backend::Cpu {
            return Err(Error::invalid(
                "options.on_stream is 1 and options.backend is GPUMEX_BACKEND_CPU, which has no streams",
            ));
        }
        // SAFETY: the caller's promise.
        let device = if self.device.is_null() { -1 } else { unsafe { self.device.read_unaligned() } };
        Ok(Options {
            backend,
            device: ordinal("*options.device", device)?,
            stream: on_stream.then_some(self.stream),
            threads: threads_of("options.threads", self.threads)?,
            busy: BusyPolicy::from_c("options.busy", self.busy)?,
            cache_capacity: self.cache_capacity,
        })
    }
}

/// A number of threads; 0 is the setting's.
fn threads_of(name: &str, threads: i32) -> Result<usize> {
    match usize::try_from(threads) {
        Ok(count @ 0..=MOST_THREADS) => Ok(count),
        _ => Err(Error::invalid(format!(
            "{name} is {threads}; it is a count from 1 to {MOST_THREADS}, or 0 for the setting num_threads"
        ))),
    }
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
        let device = ordinal("device", device)?;
        handle::give(Context::with(&Options { device, stream: Some(cuda_stream), ..Options::default() })?)
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

fn ordinal(name: &str, device: i32) -> Result<Option<usize>> {
    if device < -1 {
        return Err(Error::invalid(format!(
            "{name} is {device}; it is an ordinal from 0, or -1 for the default"
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

/// Gives the stream that a context works in, for the caller's own work between its calls.
///
/// What is enqueued there runs in order with the operations of the context. The stream stays the
/// context's (or the caller's, where the context was created on it): it must not be destroyed, and is
/// not used after gpumex_context_destroy. It may be captured into a CUDA graph, see
/// gpumex_context_create_with.
///
/// @param ctx     the context.
/// @param stream  *stream <- its cudaStream_t; NULL is the legacy default stream.
/// @return OK, NULL_POINTER, INVALID_ARGUMENT (not a live context), UNSUPPORTED (the CPU backend, which
///   has no streams) or BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_context_stream(ctx: *mut Context, stream: *mut *mut c_void) -> i32 {
    guard("gpumex_context_stream", || {
        let handle = handle::with(ctx, |ctx| ctx.stream())?;
        // SAFETY: the caller hands a pointer's place, or NULL, which `write` refuses.
        unsafe { write("stream", stream, handle) }
    })
}

/// Sets how many threads of the host the later operations of a context take, those on CUDA for what
/// they do on the host. Results do not depend on it.
///
/// @param ctx      the context.
/// @param threads  1 to 4096; 0: as many as the setting `num_threads` says.
/// @return OK, NULL_POINTER, INVALID_ARGUMENT (not a live context, threads) or BUSY.
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_context_set_threads(ctx: *mut Context, threads: i32) -> i32 {
    guard("gpumex_context_set_threads", || {
        let threads = threads_of("threads", threads)?;
        handle::with(ctx, |ctx| ctx.set_threads(threads))
    })
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

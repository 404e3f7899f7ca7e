//! Contexts: create, destroy, ask, wait.

use std::ffi::{CString, c_char, c_void};

use super::diagnostics::lend_text;
use super::options::zero_default;
use super::{arguments, context_or_null, guard, guard_value, options, write};
use crate::context::{self, BusyPolicy, Context, Options};
use crate::error::{Error, Result};
use crate::handle;
use crate::model::device_info::DeviceInfo;
use crate::model::numbered::NumberedEnum;
use crate::platform::settings::{Backend, MAX_THREADS};

/// @brief Creates a context.
///
/// The handle is a token: it is looked up, never dereferenced, so that a destroyed or invented one
/// gives INVALID_ARGUMENT. Contexts are independent. After fork the child has copies of the contexts
/// on the CPU backend (one that another thread was in at that moment stays BUSY); contexts on CUDA
/// answer UNSUPPORTED.
///
/// A GPU does not pay for a few elements of the host: on a device that AUTO has taken, a call whose
/// arrays all lie in ordinary memory of the host, and whose variant is AUTO, runs on the host where
/// that is expected to take less time than copies and launches do. That is so up to some 10 KB to
/// 4 MB, as the operation is. It gives what the CPU backend gives, within the same bounds: results
/// of floats that have rounding errors (sums, products, elementary functions) may have other bits
/// than on the device. Its memory is that of the CPU backend, and its kernel time that of the
/// computation; a kernel's tuning does not concern it. CUDA, as backend or as setting, keeps every
/// call on the device.
/// @param backend A gpumex_backend. AUTO takes the setting `backend`, and where that is auto, CUDA
///   where it works, else the CPU; it says so at log level info.
/// @param device CUDA ordinal; -1: the caller's current device, else GPUMEX_DEVICE, else 0. Ignored
///   by the CPU backend.
/// @return The context, which belongs to the caller until gpumex_context_destroy; NULL after an
///   error (gpumex_last_status): INVALID_ARGUMENT (backend, device, a wrong value of a setting);
///   NO_DEVICE (CUDA was asked for and cannot be used, with the reason); CUDA; OUT_OF_MEMORY;
///   UNSUPPORTED (CUDA after fork).
/// @note Thread-safe.
/// @ingroup gpumex_context
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_context_create(backend: i32, device: i32) -> *mut Context {
    context_or_null("gpumex_context_create", || {
        handle::give(Context::new(Backend::from_c("backend", backend)?, ordinal("device", device)?)?)
    })
}

/// @brief Options of gpumex_context_create_with: GPUMEX_CONTEXT_OPTIONS_INIT or GPUMEX_OPTIONS
/// (context, ...).
/// @ingroup gpumex_context
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ContextOptions {
    /// sizeof(gpumex_context_options).
    pub size: usize,
    /// A gpumex_backend, as for gpumex_context_create; ignored with on_stream.
    pub backend: i32,
    /// 1: the context works in `stream`, on a CUDA device; 0: in a stream of its own.
    pub on_stream: i32,
    /// Host threads of its operations, 1 to 4096; 0: the setting `num_threads`. No more than four a
    /// core, or 64, are started.
    pub threads: i32,
    /// A gpumex_busy_policy: what happens to a thread that enters while another one is in the
    /// context.
    pub busy: i32,
    /// The CUDA ordinal, in host memory; NULL or -1: the caller's current device, else
    /// GPUMEX_DEVICE, else 0.
    pub device: *const i32,
    /// With on_stream a cudaStream_t or CUstream of the device's primary context, as for
    /// gpumex_context_create_on_stream; NULL: the legacy default stream.
    pub stream: *mut c_void,
    /// Bytes that the caching allocator may hold, in use and idle (gpumex_allocator_set_capacity),
    /// half of them for the largest block kept; 0: the default.
    pub cache_capacity: u64,
}

zero_default!(ContextOptions, cache_capacity);

/// @brief Creates a context as its options say.
///
/// With busy GPUMEX_BUSY_POLICY_WAIT threads may share it: calls run one after the other, in the
/// order in which they came. A call from a callback within a call never waits: it gets BUSY where it
/// would have to, so that contexts entered from one another's callbacks cannot deadlock. Results do
/// not depend on the number of threads. The library keeps a pool of threads for each number that is
/// used, from its first use until the process ends, and up to seven more, for calls that come while
/// others are at work on the CPU backend; these have no more threads, and fewer where many are busy.
///
/// Calls on a CUDA context may be captured into a CUDA graph: cudaStreamBeginCapture, in any mode,
/// on the stream that it was created on or that of gpumex_context_stream, except the legacy default
/// stream. A captured call
/// - takes arrays of device memory only, needed and results included. Where it would have to wait or
///   to read back it is UNSUPPORTED, and the capture stays valid: host, pinned and managed arrays;
///   gpumex_words, gpumex_check_sorted, gpumex_check_edges, gpumex_print, gpumex_prefetch;
///   GPUMEX_LIFE_VARIANT_TEXTURE and _TEXTURE_BYTES, GPUMEX_RAYTRACE_VARIANT_CONSTANT,
///   GPUMEX_MATMUL_VARIANT_CUBLAS; timers, gpumex_context_synchronize and gpumex_context_destroy.
///   After an error the graph is of no use: a part of the call may be in it;
/// - calls no progress callback and is not timed: gpumex_context_kernel_ms is 0 after it;
/// - takes temporary memory that belongs to the graph: it stays reserved until the graph and all its
///   instances are destroyed, also beyond the end of the context. Two executable graphs of one
///   capture share it, and must not run at the same time;
/// - is ordered with what the graph holds and with nothing else: launch the graph after the work
///   that writes its arrays, and keep the arrays until the graph is destroyed. Sizes, options and
///   addresses are those of the call; contents are read at each launch.
///
/// During a capture memory may be allocated and freed; what has to wait for the stream goes back to
/// the driver later. A custom allocator is called for temporary memory as well: it returns memory
/// that is allocated at once (cudaMalloc), not in stream order.
/// @param options backend, device, stream, threads, busy, cache_capacity (gpumex_context_options);
///   NULL: as gpumex_context_create (GPUMEX_BACKEND_AUTO, -1).
/// @return The context, which belongs to the caller until gpumex_context_destroy; NULL after an
///   error (gpumex_last_status): INVALID_ARGUMENT (backend, on_stream, threads, busy, device; a
///   stream without on_stream, or of another context than the device's primary one; size; a wrong
///   value of a setting); NO_DEVICE; CUDA; OUT_OF_MEMORY; UNSUPPORTED (CUDA after fork, an option of
///   a later version).
/// @note Thread-safe.
/// @ingroup gpumex_context
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_context_create_with(options: *const ContextOptions) -> *mut Context {
    context_or_null("gpumex_context_create_with", || {
        // SAFETY: NULL, or a struct that begins with its size, whose `device` is NULL or an int32_t.
        let options = unsafe { options::read(options)?.check()? };
        handle::give(Context::with(&options)?)
    })
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
        Ok(count @ 0..=MAX_THREADS) => Ok(count),
        _ => Err(Error::invalid(format!(
            "{name} is {threads}; it is a count from 1 to {MAX_THREADS}, or 0 for the setting num_threads"
        ))),
    }
}

/// @brief Creates a context on a CUDA device whose work runs in a stream of the caller.
///
/// Work of the context and other work in the stream run in the order in which they were enqueued.
/// The stream stays alive until the context is destroyed, its memory is freed, and no gpumex_free of
/// memory used on it is running.
/// @param device CUDA ordinal; -1: the caller's current device, else GPUMEX_DEVICE, else 0.
/// @param cuda_stream A cudaStream_t or CUstream of the device's primary context (that of the CUDA
///   runtime); NULL: the legacy default stream. Not the per-thread default stream.
/// @return The context, which belongs to the caller until gpumex_context_destroy; NULL after an
///   error (gpumex_last_status): INVALID_ARGUMENT (device, a stream of another context, a wrong
///   value of a setting); NO_DEVICE (CUDA cannot be used, with the reason); CUDA; OUT_OF_MEMORY;
///   UNSUPPORTED (after fork).
/// @note Thread-safe.
/// @ingroup gpumex_context
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_context_create_on_stream(
    device: i32,
    cuda_stream: *mut c_void,
) -> *mut Context {
    context_or_null("gpumex_context_create_on_stream", || {
        let device = ordinal("device", device)?;
        handle::give(Context::with(&Options { device, stream: Some(cuda_stream), ..Options::default() })?)
    })
}

/// @brief Creates a context from the command line of a program.
///
/// `--device K` and `--device=K` choose the CUDA ordinal, the last one counts; other arguments are
/// ignored. The backend is AUTO, with --device CUDA.
/// @param argc Number of arguments, as main has it.
/// @param argv The arguments, as main has them.
/// @param print Not 0: writes the lines of gpumex_context_device_text to the standard output.
/// @return The context, which belongs to the caller until gpumex_context_destroy; NULL after an
///   error (gpumex_last_status): NULL_POINTER (argv); INVALID_ARGUMENT (--device without an ordinal,
///   a wrong value of a setting); NO_DEVICE (CUDA was asked for and cannot be used); CUDA;
///   OUT_OF_MEMORY; UNSUPPORTED (CUDA after fork); INTERNAL (the standard output takes no text).
/// @note Thread-safe.
/// @ingroup gpumex_context
#[must_use]
#[cfg(not(gpumex_matlab_loadlibrary))]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_context_create_from_args(
    argc: i32,
    argv: *const *mut c_char,
    print: i32,
) -> *mut Context {
    context_or_null("gpumex_context_create_from_args", || {
        // SAFETY: the caller hands main's arguments.
        let device = unsafe { arguments::device(argc, argv)? };
        let backend = if device.is_some() { Backend::Cuda } else { Backend::Auto };
        let mut context = Context::new(backend, device)?;
        if print != 0 {
            arguments::print_line(&context.device_text()?)?;
        }
        handle::give(context)
    })
}

/// @brief Number of CUDA devices; 0 where CUDA cannot be used.
/// @param count Receives the number, in host memory.
/// @return 0 or a gpumex_status: NULL_POINTER.
/// @note Thread-safe.
/// @ingroup gpumex_context
#[must_use]
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

/// @brief The process-wide context of the functions without a context argument, created on first
/// use.
///
/// It belongs to the library: calls on it take turns instead of answering BUSY, and
/// gpumex_reset_default ends it. A forked child has one of its own.
/// @return The context; NULL after an error (gpumex_last_status): INVALID_ARGUMENT (a wrong value of
///   a setting); NO_DEVICE; CUDA; OUT_OF_MEMORY.
/// @note Thread-safe.
/// @ingroup gpumex_context
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_context_default() -> *mut Context {
    context_or_null("gpumex_context_default", handle::default_token)
}

/// @brief Destroys a context. Memory of gpumex_malloc stays until gpumex_free.
/// @param ctx The context; NULL does nothing.
/// @return 0 or a gpumex_status: INVALID_ARGUMENT (not a live context, or the default one); BUSY
///   (another thread is in ctx).
/// @note Thread-safe.
/// @ingroup gpumex_context
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_context_destroy(ctx: *mut Context) -> i32 {
    guard("gpumex_context_destroy", || if ctx.is_null() { Ok(()) } else { handle::destroy(ctx) })
}

/// @brief Drops the default context; the next call that needs it creates a new one.
///
/// For use after MATLAB or other code reset the device. After a CUDA fault the device itself has to
/// be reset first (MATLAB: reset (gpuDevice)) or the process restarted: until then AUTO takes the
/// CPU.
/// @return 0 or a gpumex_status: BUSY (a call is running on it).
/// @note Thread-safe.
/// @ingroup gpumex_context
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_reset_default() -> i32 {
    guard("gpumex_reset_default", handle::reset_default)
}

/// @brief The stream of a context, for the caller's own work between its calls.
///
/// Work enqueued there runs in order with the operations of the context. The stream remains the
/// context's (or the caller's, where the context was created on it): it must not be destroyed, nor
/// used after gpumex_context_destroy. It may be captured into a CUDA graph, see
/// gpumex_context_create_with.
/// @param ctx The context.
/// @param stream Receives its cudaStream_t; NULL is the legacy default stream.
/// @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context);
///   UNSUPPORTED (CPU backend; after fork); BUSY (another thread is in ctx).
/// @ingroup gpumex_context
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_context_stream(ctx: *mut Context, stream: *mut *mut c_void) -> i32 {
    guard("gpumex_context_stream", || {
        let handle = handle::with(ctx, |ctx| ctx.stream())?;
        // SAFETY: the caller hands a pointer's place, or NULL, which `write` refuses.
        unsafe { write("stream", stream, handle) }
    })
}

/// @brief Sets how many host threads the later operations of a context take. Results do not depend
/// on it.
/// @param ctx The context.
/// @param threads 1 to 4096; 0: the setting `num_threads`.
/// @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context;
///   threads); UNSUPPORTED (a CUDA context after fork); BUSY (another thread is in ctx).
/// @ingroup gpumex_context
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_context_set_threads(ctx: *mut Context, threads: i32) -> i32 {
    guard("gpumex_context_set_threads", || {
        let threads = threads_of("threads", threads)?;
        handle::with(ctx, |ctx| ctx.set_threads(threads))
    })
}

/// @brief Waits until the work of a context is done, and reports a fault of it.
/// @param ctx The context.
/// @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context); CUDA;
///   UNSUPPORTED (a CUDA context after fork); BUSY (another thread is in ctx).
/// @ingroup gpumex_context
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_context_synchronize(ctx: *mut Context) -> i32 {
    guard("gpumex_context_synchronize", || handle::with(ctx, |ctx| ctx.synchronize()))
}

/// @brief The backend that a context runs on.
/// @param ctx The context.
/// @param backend Receives GPUMEX_BACKEND_CPU or GPUMEX_BACKEND_CUDA.
/// @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context);
///   UNSUPPORTED (a CUDA context after fork); BUSY (another thread is in ctx).
/// @ingroup gpumex_context
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_context_backend(ctx: *mut Context, backend: *mut i32) -> i32 {
    guard("gpumex_context_backend", || {
        let number = handle::with(ctx, |ctx| Ok(ctx.backend_number()))?;
        // SAFETY: the caller hands an int32_t, or NULL, which `write` refuses.
        unsafe { write("backend", backend, number) }
    })
}

/// @brief The device of a context.
/// @param ctx The context.
/// @param info Receives it; set info->size (GPUMEX_DEVICE_INFO_INIT).
/// @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context;
///   info->size); CUDA; UNSUPPORTED (a CUDA context after fork); BUSY (another thread is in ctx).
/// @ingroup gpumex_context
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_context_device_info(ctx: *mut Context, info: *mut DeviceInfo) -> i32 {
    guard("gpumex_context_device_info", || {
        let filled = handle::with(ctx, |ctx| ctx.device_info())?;
        // SAFETY: the struct begins with its size.
        unsafe { options::answer("info", info, filled) }
    })
}

/// @brief The device of a context as human-readable text, a few lines.
/// @param ctx The context.
/// @return Text of the library, valid until the next call of a text function on this thread; NULL
///   after an error (gpumex_last_status): NULL_POINTER; INVALID_ARGUMENT (ctx is not a live
///   context); CUDA; UNSUPPORTED (a CUDA context after fork); BUSY (another thread is in ctx).
/// @ingroup gpumex_context
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_context_device_text(ctx: *mut Context) -> *const c_char {
    guard_value("gpumex_context_device_text", || {
        let text = handle::with(ctx, |ctx| ctx.device_text())?;
        lend_text(CString::new(text).unwrap_or_default())
    })
    .unwrap_or(std::ptr::null())
}

/// @brief Switches the timing of a context's operations on or off.
///
/// Off at first: between the two events that time an operation on CUDA the device does nothing
/// else, which adds some 3 us to each call. gpumex_timer_start and gpumex_event_elapsed_ms take the
/// time of several calls at once, and need no switch.
/// @param ctx The context.
/// @param timed 1: later operations are timed, for gpumex_context_kernel_ms; 0: they are not.
/// @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context; timed);
///   UNSUPPORTED (a CUDA context after fork); BUSY (another thread is in ctx).
/// @ingroup gpumex_context
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_context_set_timing(ctx: *mut Context, timed: i32) -> i32 {
    guard("gpumex_context_set_timing", || {
        let timed = options::zero_or_one("timed", timed)?;
        handle::with(ctx, |ctx| ctx.set_timing(timed))
    })
}

/// @brief Kernel time of the context's last operation in ms, between two events on the device;
/// after gpumex_context_set_timing.
///
/// Transfers are excluded, except those between two kernels (a long host array that is processed in
/// pieces). On the CPU backend the time of the computation. 0 where there was nothing to compute, or
/// the call was refused.
/// @param ctx The context.
/// @param kernel_ms Receives the time.
/// @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context, or does
///   not time its operations); CUDA; UNSUPPORTED (a CUDA context after fork); BUSY (another thread
///   is in ctx).
/// @ingroup gpumex_context
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_context_kernel_ms(ctx: *mut Context, kernel_ms: *mut f64) -> i32 {
    guard("gpumex_context_kernel_ms", || {
        let ms = handle::with(ctx, |ctx| ctx.kernel_ms())?;
        // SAFETY: the caller hands a double, or NULL, which `write` refuses.
        unsafe { write("kernel_ms", kernel_ms, ms) }
    })
}

/// @brief Starts the timer of a context, after the work enqueued so far.
/// @param ctx The context.
/// @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context); CUDA;
///   UNSUPPORTED (a CUDA context after fork); BUSY (another thread is in ctx).
/// @ingroup gpumex_context
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_timer_start(ctx: *mut Context) -> i32 {
    guard("gpumex_timer_start", || handle::with(ctx, |ctx| ctx.start_timer()))
}

/// @brief Time since gpumex_timer_start in ms, between two events in the context's stream; waits for
/// the work in between.
///
/// The timer keeps running and may be read again. On the CPU backend it is wall-clock time.
/// @param ctx The context.
/// @param ms Receives the time.
/// @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context; the
///   timer was not started); CUDA; UNSUPPORTED (a CUDA context after fork); BUSY (another thread is
///   in ctx).
/// @ingroup gpumex_context
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_timer_stop(ctx: *mut Context, ms: *mut f64) -> i32 {
    guard("gpumex_timer_stop", || {
        let elapsed = handle::with(ctx, |ctx| ctx.timer_ms())?;
        // SAFETY: the caller hands a double, or NULL, which `write` refuses.
        unsafe { write("ms", ms, elapsed) }
    })
}

/// @brief Items per second since gpumex_timer_start; infinite where no time has passed.
/// @param ctx The context.
/// @param items Items processed in each iteration.
/// @param iterations Number of iterations.
/// @param per_second Receives items*iterations/seconds.
/// @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context; the
///   timer was not started); CUDA; UNSUPPORTED (a CUDA context after fork); BUSY (another thread is
///   in ctx).
/// @ingroup gpumex_context
#[must_use]
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

//! Where operations run.

use std::ffi::{CStr, c_void};
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

use gpumex_core::context::{self, Context as Core, Options};
use gpumex_core::handle;
use gpumex_core::model::numbered::NumberedEnum;
use gpumex_core::platform::{fence, log};

use super::{Backend, BusyPolicy};
use crate::{Error, Result};

/// A backend with its device, stream and allocator: operations are its methods.
///
/// Work runs in the order of the calls. When every array of a call is memory of a device, the call may return before its work is done;
/// whatever reads the results, [`DeviceArray::to_vec`](crate::DeviceArray::to_vec) for one, waits for them, and a fault of the device is
/// the error of a later call or of [`Context::synchronize`]. Otherwise the results are there on return.
///
/// A clone is the same context. Threads may share it and take turns, unless it was made with [`BusyPolicy::Return`]. It ends with its
/// last clone and its last array.
///
/// ```
/// use gpumex::{Backend, Context};
///
/// let ctx = Context::builder().backend(Backend::Cpu).threads(2).build()?;
/// assert_eq!(ctx.backend()?, Backend::Cpu);
/// assert_eq!(ctx.reduce(&[1, 2, 3])?, 6);
/// # Ok::<(), gpumex::Error>(())
/// ```
#[derive(Clone)]
pub struct Context {
    handle: Arc<Handle>,
}

/// The token of a context of ours, which ends with it, or of the process's default context.
struct Handle {
    token: usize,
    is_default: bool,
}

impl Drop for Handle {
    fn drop(&mut self) {
        if !self.is_default {
            let ctx = std::ptr::without_provenance_mut(self.token);
            fence::around(|| handle::destroy(ctx), drop); // while a CUDA graph captures its stream
        }
    }
}

impl Context {
    /// A context on CUDA where it works, else on the CPU; the environment (`GPUMEX_BACKEND`, `GPUMEX_DEVICE`, `GPUMEX_NUM_THREADS`) and
    /// [`configure`](crate::configure) say otherwise.
    pub fn new() -> Result<Context> {
        Context::builder().build()
    }

    /// A context with options.
    pub fn builder() -> ContextBuilder {
        ContextBuilder { options: Options { busy: BusyPolicy::Wait, ..Options::default() } }
    }

    /// The default context of the process, which the C functions without a context share.
    pub fn process_default() -> Result<Context> {
        let token = fenced("process_default", || handle::default_token().map(|token| token.addr()))?;
        Ok(Context { handle: Arc::new(Handle { token, is_default: true }) })
    }

    /// Ends the default context of the process, after a fault of its device for one; the next one who asks for it gets a new one.
    pub fn reset_process_default() -> Result<()> {
        fenced("reset_process_default", handle::reset_default)
    }

    /// The backend.
    pub fn backend(&self) -> Result<Backend> {
        self.call("backend", |ctx| Backend::from_c("backend", ctx.backend_number()))
    }

    /// The device.
    ///
    /// ```
    /// let info = gpumex::Context::new()?.device_info()?;
    /// println!("{} with {} bytes", info.name, info.total_memory);
    /// # assert!(!info.name.is_empty() && info.total_memory > 0);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn device_info(&self) -> Result<DeviceInfo> {
        let info = self.call("device_info", |ctx| ctx.device_info())?;
        let name: Vec<u8> = info.name.iter().map(|&letter| letter as u8).collect();
        let name = CStr::from_bytes_until_nul(&name).unwrap_or_default().to_string_lossy().into_owned();
        Ok(DeviceInfo {
            backend: Backend::from_c("backend", info.backend)?,
            device: usize::try_from(info.device).ok(),
            name,
            multiprocessors: info.multiprocessors,
            compute_capability: (info.compute_major, info.compute_minor),
            clock_khz: info.clock_khz,
            memory_clock_khz: info.memory_clock_khz,
            memory_bus_bits: info.memory_bus_bits,
            has_ecc: info.ecc == 1,
            driver_version: info.driver_version,
            total_memory: info.total_memory,
            free_memory: info.free_memory,
            l2_bytes: info.l2_bytes,
            shared_bytes_per_block: info.shared_bytes_per_block,
            bandwidth_gbs: info.bandwidth_gbs,
        })
    }

    /// The device in a few lines of text.
    pub fn device_text(&self) -> Result<String> {
        self.call("device_text", |ctx| ctx.device_text())
    }

    /// Waits for the work of this context.
    pub fn synchronize(&self) -> Result<()> {
        self.call("synchronize", |ctx| ctx.synchronize())
    }

    /// Cancels the call that another thread is in, which then is CANCELLED; its outputs are unspecified.
    pub fn cancel(&self) -> Result<()> {
        handle::cancel(self.token())
    }

    /// Calls `progress` about every 50 ms of a long operation with how much of how much is done; `Break` cancels the operation.
    ///
    /// It runs on the thread that calls the operation, and must not use this context.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    ///
    /// let ctx = gpumex::Context::new()?;
    /// ctx.set_progress(|_done, _total| ControlFlow::Break(()))?;
    /// let error = ctx.life(&[1u8; 64 * 64], (64, 64), 1000, &mut [0; 64 * 64]).unwrap_err();
    /// assert_eq!(error.status(), gpumex::Status::Cancelled);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn set_progress(
        &self,
        mut progress: impl FnMut(u64, u64) -> ControlFlow<()> + Send + 'static,
    ) -> Result<()> {
        let watcher = move |done, total| i32::from(progress(done, total).is_break());
        self.watch(Some(Box::new(watcher)))
    }

    /// Operations tell nobody how far they are.
    pub fn clear_progress(&self) -> Result<()> {
        self.watch(None)
    }

    fn watch(&self, watcher: Option<context::ProgressCallback>) -> Result<()> {
        self.call("set_progress", |ctx| {
            ctx.watch(watcher);
            Ok(())
        })
    }

    /// Later operations take so many threads of the host; 0 is the setting `num_threads`.
    pub fn set_threads(&self, threads: usize) -> Result<()> {
        self.call("set_threads", |ctx| ctx.set_threads(checked_threads(threads)?))
    }

    /// The CUDA stream of the context, a `cudaStream_t`, for launches of your own; UNSUPPORTED on the CPU backend.
    pub fn stream(&self) -> Result<*mut c_void> {
        self.call("stream", |ctx| ctx.stream().map(|stream| stream.addr()))
            .map(std::ptr::with_exposed_provenance_mut)
    }

    /// Starts the timer of the context.
    pub fn start_timer(&self) -> Result<()> {
        self.call("start_timer", |ctx| ctx.start_timer())
    }

    /// The time since the timer was started, in ms; waits for the work in between.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// ctx.start_timer()?;
    /// ctx.reduce(&[1.0; 1000])?;
    /// assert!(ctx.timer_ms()? >= 0.0);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn timer_ms(&self) -> Result<f64> {
        self.call("timer_ms", |ctx| ctx.timer_ms())
    }

    /// Times the operations that follow, for [`Context::kernel_ms`], or leaves them untimed, as they are at first: on CUDA the two
    /// events of a timed one add some 3 us.
    pub fn set_timing(&self, timed: bool) -> Result<()> {
        self.call("set_timing", |ctx| ctx.set_timing(timed))
    }

    /// How long the kernels of the last operation ran, in ms; an error where [`Context::set_timing`] was not called.
    pub fn kernel_ms(&self) -> Result<f64> {
        self.call("kernel_ms", |ctx| ctx.kernel_ms())
    }

    /// Runs a call in the context; `operation` opens the message of an error.
    pub(super) fn call<T>(&self, operation: &str, body: impl FnOnce(&mut Core) -> Result<T>) -> Result<T> {
        fenced(operation, || handle::with(self.token(), body))
    }

    pub(super) fn token(&self) -> *mut Core {
        std::ptr::without_provenance_mut(self.handle.token)
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Context({:#x})", self.handle.token)
    }
}

/// Runs a call behind the fence that every C function has.
pub(super) fn fenced<T>(operation: &str, body: impl FnOnce() -> Result<T>) -> Result<T> {
    let mut value = None;
    let failure = fence::around(
        || {
            value = Some(body()?);
            Ok(())
        },
        |failure| {
            let error = failure?;
            let sentence = format!("{operation}: {}", error.message());
            log::error(&sentence);
            Some(Error::new(error.status(), sentence))
        },
    );
    match failure {
        Some(error) => Err(error),
        None => Ok(value.expect("it ran")),
    }
}

fn checked_threads(threads: usize) -> Result<usize> {
    use gpumex_core::platform::settings::MAX_THREADS;
    match threads {
        0..=MAX_THREADS => Ok(threads),
        _ => Err(Error::invalid(format!("threads is {threads}; it is at most {MAX_THREADS}"))),
    }
}

/// What a [`Context`] is to be.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct ContextBuilder {
    options: Options,
}

impl ContextBuilder {
    /// The backend; else that of the settings, else CUDA where it works.
    pub fn backend(mut self, backend: Backend) -> ContextBuilder {
        self.options.backend = backend;
        self
    }

    /// The CUDA ordinal; else the calling thread's current device, else that of the settings, else 0.
    pub fn device(mut self, ordinal: usize) -> ContextBuilder {
        self.options.device = Some(ordinal);
        self
    }

    /// Threads of the host; 0 is the setting `num_threads`, and without one all cores.
    pub fn threads(mut self, threads: usize) -> ContextBuilder {
        self.options.threads = threads;
        self
    }

    /// What happens to a thread while another one is in the context: it waits for its turn, unless this says otherwise.
    pub fn busy(mut self, policy: BusyPolicy) -> ContextBuilder {
        self.options.busy = policy;
        self
    }

    /// Bytes that the caching allocator holds; 0 is half of the device's memory, or an eighth of the machine's.
    pub fn cache_capacity(mut self, bytes: u64) -> ContextBuilder {
        self.options.cache_capacity = bytes;
        self
    }

    /// A stream of your own, a `cudaStream_t`, on a CUDA device; NULL is the legacy default stream.
    ///
    /// # Safety
    /// It is a stream of that device, and lives as long as the context.
    pub unsafe fn stream(mut self, stream: *mut c_void) -> ContextBuilder {
        self.options.stream = Some(stream);
        self
    }

    /// The context.
    pub fn build(self) -> Result<Context> {
        let token = fenced("build", || {
            checked_threads(self.options.threads)?;
            handle::give(Core::with(&self.options)?).map(|token| token.addr())
        })?;
        Ok(Context { handle: Arc::new(Handle { token, is_default: false }) })
    }
}

/// The device of a context.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct DeviceInfo {
    /// The backend.
    pub backend: Backend,
    /// CUDA ordinal; none on the CPU backend.
    pub device: Option<usize>,
    /// Name of the device.
    pub name: String,
    /// Streaming multiprocessors; on the CPU backend the threads of the pool.
    pub multiprocessors: i32,
    /// Major and minor compute capability; zeros on the CPU backend.
    pub compute_capability: (i32, i32),
    /// Maximum core clock in kHz; 0 where unknown.
    pub clock_khz: i32,
    /// Maximum memory clock in kHz; 0 where unknown.
    pub memory_clock_khz: i32,
    /// Width of the memory bus in bits; 0 where unknown.
    pub memory_bus_bits: i32,
    /// Whether the memory corrects errors.
    pub has_ecc: bool,
    /// Version of the CUDA driver, 1000*major + 10*minor; 0 on the CPU backend.
    pub driver_version: i32,
    /// Memory of the device in bytes.
    pub total_memory: u64,
    /// Free memory of the device in bytes.
    pub free_memory: u64,
    /// L2 cache in bytes; 0 on the CPU backend.
    pub l2_bytes: u64,
    /// Shared memory that a block may have, in bytes; 0 on the CPU backend.
    pub shared_bytes_per_block: u64,
    /// Memory bandwidth in GB/s from clock and bus width; 0 where unknown.
    pub bandwidth_gbs: f64,
}

/// How many CUDA devices there are; 0 where there is no CUDA.
pub fn device_count() -> usize {
    context::device_count()
}

//! Which backend, which device, which stream, which allocator a call runs on.

mod allocator;
mod info;
mod progress;
mod tuning;

use std::ffi::c_void;
use std::sync::Arc;
use std::time::Instant;

use crate::array;
use crate::cpu;
use crate::error::{Error, Result, Status};
use crate::gpu;
use crate::memory::Heap;
use crate::memory::host::{self, HostSource};
use crate::model::variant::OperationVariant;
use crate::platform::log;
use crate::platform::panic;
use crate::platform::pool;
use crate::platform::settings;
use crate::platform::settings::{Backend, Settings};
use crate::platform::thread;

pub(crate) use progress::Progress;
pub use progress::ProgressCallback;
pub use tuning::{CachePreference, KernelTuning};

/// A backend with what one thread at a time needs to run operations on it.
pub struct Context {
    engine: Engine,
    heap: Arc<Heap>,
    helpers: cpu::Workers, // the host's threads, beside a device
    progress: Progress,
    timer: Option<Instant>,  // when it was started
    why_cpu: Option<String>, // the reason why AUTO did not take CUDA
}

/// What the host has for operations: its threads, beside a device too, and memory that outlives a call.
pub(crate) struct Host {
    pub workers: cpu::Workers,
    pub heap: Arc<Heap>,
}

pub(crate) enum Engine {
    Cpu(cpu::Workers),
    Cuda(gpu::Device),
}

impl Engine {
    /// This engine, if it computes a variant: SEQUENTIAL is the plain loop of the CPU backend.
    pub fn select(&self, variant: impl OperationVariant) -> Result<&Engine> {
        match self {
            Engine::Cuda(_) if variant.is_sequential() => Err(Error::unsupported(format!(
                "options.variant is {}, the plain loop of the CPU backend; this context runs on CUDA",
                variant.c_name()
            ))),
            engine => Ok(engine),
        }
    }
}

impl Context {
    /// A context on `backend`. AUTO takes CUDA where it works, else the CPU, and says so in one line of the log.
    /// `device`: CUDA ordinal, or the caller's current device, else the setting `device`, else 0.
    pub fn new(backend: Backend, device: Option<usize>) -> Result<Context> {
        let settings = settings::get()?;
        let backend = if backend == Backend::Auto { settings.backend } else { backend };
        let open = || open_device(|| gpu::Device::open(ordinal_of(device, &settings)));
        match backend {
            Backend::Cpu => Ok(Context::on_cpu(&settings, None)),
            Backend::Cuda => open().map(|device| Context::on_device(device, &settings)),
            Backend::Auto => Ok(open().map_or_else(
                |reason| {
                    if reason.status() == Status::Cuda {
                        log::warn(|| reason.message().to_string());
                    }
                    Context::on_cpu(&settings, Some(reason.message().to_string()))
                },
                |device| Context::on_device(device, &settings),
            )),
        }
    }

    /// A context on a CUDA device and a stream of the caller's; null is the legacy default stream.
    pub fn on_stream(device: Option<usize>, stream: *mut c_void) -> Result<Context> {
        let settings = settings::get()?;
        let device = open_device(|| gpu::Device::attach(ordinal_of(device, &settings), stream))?;
        Ok(Context::on_device(device, &settings))
    }

    fn on_cpu(settings: &Settings, why_cpu: Option<String>) -> Context {
        let workers = cpu::Workers::new(settings.num_threads, pool::pool);
        let heap = Heap::new(Arc::new(HostSource), host::total_memory() / 8);
        Context::of(Engine::Cpu(workers.clone()), workers, heap, why_cpu)
    }

    fn on_device(device: gpu::Device, settings: &Settings) -> Context {
        let heap = device.heap().clone();
        let helpers = cpu::Workers::new(settings.num_threads, pool::pool);
        Context::of(Engine::Cuda(device), helpers, heap, None)
    }

    fn of(engine: Engine, helpers: cpu::Workers, heap: Arc<Heap>, why_cpu: Option<String>) -> Context {
        array::install_locate(gpu::locate);
        let progress = Progress::default();
        let context = Context { engine, heap, helpers, progress, timer: None, why_cpu };
        log::info(|| context.headline());
        context
    }

    /// Begins an operation: its kernels have not run yet.
    pub(crate) fn begin(&mut self) {
        match &self.engine {
            Engine::Cpu(workers) => workers.forget_time(),
            Engine::Cuda(device) => device.begin(),
        }
    }

    /// Runs `body` on the engine: with the device current, rounding as IEEE 754 has it, and the caller's device
    /// and rounding given back on every path. Waits where the host can see the arrays; after an error the device
    /// has stopped working on them.
    pub(crate) fn run<T>(&mut self, body: impl FnOnce(&Engine) -> Result<T>) -> Result<T> {
        let (mut body, mut value) = (Some(body), None);
        self.run_body(&mut |engine| {
            value = body.take().map(|body| body(engine)).transpose()?;
            Ok(())
        })?;
        Ok(value.expect("it ran"))
    }

    /// The same for a body of any type; compiled once.
    fn run_body(&mut self, body: &mut dyn FnMut(&Engine) -> Result<()>) -> Result<()> {
        let _rounding = thread::IeeeRounding::set();
        let _current = match &self.engine {
            Engine::Cpu(_) => None,
            Engine::Cuda(device) => Some(device.enter()?),
        };
        let outcome = body(&self.engine).and_then(|()| match &self.engine {
            Engine::Cuda(device) => device.finish_call(),
            Engine::Cpu(_) => Ok(()),
        });
        if let (Err(error), Engine::Cuda(device)) = (&outcome, &mut self.engine) {
            device.note_failure(error);
        }
        outcome
    }

    /// Like [`Context::run`], for an operation that tells the context's watcher how far it is, and that takes threads and
    /// memory of the host.
    pub(crate) fn run_long<T>(
        &mut self,
        body: impl FnOnce(&Engine, &Host, &mut Progress) -> Result<T>,
    ) -> Result<T> {
        let host = Host { workers: self.helpers.clone(), heap: self.heap.clone() };
        let mut progress = std::mem::take(&mut self.progress);
        let outcome = self.run(|engine| body(engine, &host, &mut progress));
        self.progress = progress;
        outcome
    }

    /// Long operations tell `watcher` from here on how far they are; None: nobody.
    pub fn watch(&mut self, watcher: Option<ProgressCallback>) {
        self.progress = Progress::new(watcher);
    }

    /// The number of the backend in C.
    pub fn backend_number(&self) -> i32 {
        match self.engine {
            Engine::Cpu(_) => Backend::Cpu as i32,
            Engine::Cuda(_) => Backend::Cuda as i32,
        }
    }

    pub fn synchronize(&mut self) -> Result<()> {
        self.run(|engine| match engine {
            Engine::Cpu(_) => Ok(()),
            Engine::Cuda(device) => device.synchronize(),
        })
    }

    /// Starts the timer.
    pub fn start_timer(&mut self) -> Result<()> {
        self.run(|engine| match engine {
            Engine::Cpu(_) => Ok(()),
            Engine::Cuda(device) => device.start_timer(),
        })?;
        self.timer = Some(Instant::now());
        Ok(())
    }

    /// The time since the timer was started, in ms; waits for the work in between.
    pub fn timer_ms(&mut self) -> Result<f64> {
        let Some(start) = self.timer else { return Err(Error::invalid("the timer was not started")) };
        self.run(|engine| match engine {
            Engine::Cpu(_) => Ok(start.elapsed().as_secs_f64() * 1e3),
            Engine::Cuda(device) => device.timer_ms(),
        })
    }

    /// How long the kernels of the last operation ran, in ms.
    pub fn kernel_ms(&mut self) -> Result<f64> {
        self.run(|engine| match engine {
            Engine::Cpu(workers) => Ok(workers.last_ms()),
            Engine::Cuda(device) => device.last_ms(),
        })
    }

    /// The backend in one calm line.
    fn headline(&self) -> String {
        match &self.engine {
            Engine::Cuda(device) => format!("CUDA backend: {}", device.name()),
            Engine::Cpu(workers) => {
                let machine = workers.machine();
                let why = self.why_cpu.as_ref().map(|why| format!(" ({why})")).unwrap_or_default();
                format!("CPU backend: {}, {} threads{why}", machine.name, machine.threads)
            }
        }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        self.heap.close();
    }
}

/// How many CUDA devices can be asked for; 0 where there is no CUDA.
pub fn device_count() -> usize {
    panic::caught(gpu::count).ok().and_then(Result::ok).unwrap_or(0)
}

/// The ordinal that a caller means: his own, else of his current device, else the setting, else 0.
fn ordinal_of(device: Option<usize>, settings: &Settings) -> usize {
    device.or_else(gpu::current_device).or(settings.device).unwrap_or(0)
}

/// A driver library that lacks a function makes cudarc panic: then there is no usable device, for the reason that
/// it gives.
fn open_device(open: impl FnOnce() -> Result<gpu::Device>) -> Result<gpu::Device> {
    panic::caught(open).unwrap_or_else(|text| {
        Err(Error::new(Status::NoDevice, format!("the CUDA driver library cannot be used: {text}")))
    })
}

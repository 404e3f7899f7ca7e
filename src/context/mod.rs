//! Which backend, which device, which stream, which allocator a call runs on.

mod allocator;
mod choice;
mod create;
mod event;
mod info;
mod progress;
mod tuning;

use std::ffi::c_void;
use std::sync::Arc;
use std::time::Instant;

use crate::cpu;
use crate::error::{Error, Result};
use crate::gpu;
use crate::interrupt;
use crate::memory::Heap;
use crate::model::expression::cache::Programs;
use crate::model::variant::OperationVariant;
use crate::platform::panic;
use crate::platform::rounding::IeeeRounding;
use crate::platform::settings::{self, Backend};

use choice::Beside;
pub(crate) use choice::Work;
pub use create::{BusyPolicy, Options};
pub use event::Event;
pub use progress::ProgressCallback;
pub(crate) use progress::{Progress, Progress as Watched};
pub use tuning::{CachePreference, KernelTuning};

/// A backend with its device, stream and allocator. An opaque handle: looked up, never dereferenced.
pub struct Context {
    engine: Engine,
    beside: Option<Beside>, // where AUTO chose a device: short calls on arrays of the host run there
    heap: Arc<Heap>,
    helpers: cpu::Workers, // the host's threads, beside a device
    is_stream_known: bool, // to the caller
    progress: Progress,
    is_timed: bool,          // operations are
    timer: Option<Instant>,  // when it was started
    why_cpu: Option<String>, // the reason why AUTO did not take CUDA
    busy: BusyPolicy,
    programs: Programs, // compiled expressions
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

    /// How long the last operation ran on the host, in ms.
    fn host_ms(&self) -> f64 {
        match self {
            Engine::Cpu(workers) => workers.last_ms(),
            Engine::Cuda(_) => 0.0,
        }
    }
}

impl Context {
    /// Begins an operation: its kernels have not run yet.
    pub(crate) fn begin(&mut self) {
        for engine in self.engines() {
            match engine {
                Engine::Cpu(workers) => workers.forget_time(),
                Engine::Cuda(device) => device.begin(),
            }
        }
    }

    /// What its calls run on.
    fn engines(&self) -> impl Iterator<Item = &Engine> {
        std::iter::once(&self.engine).chain(self.beside.as_ref().map(|beside| &beside.engine))
    }

    fn engines_mut(&mut self) -> impl Iterator<Item = &mut Engine> {
        std::iter::once(&mut self.engine).chain(self.beside.as_mut().map(|beside| &mut beside.engine))
    }

    /// What happens to a thread that enters while another one is in it.
    pub fn busy_policy(&self) -> BusyPolicy {
        self.busy
    }

    /// Later operations take so many threads of the host; 0 as many as the setting `num_threads` says.
    pub fn set_threads(&mut self, threads: usize) -> Result<()> {
        let threads = if threads == 0 { settings::get()?.num_threads } else { threads };
        self.helpers.set_threads(threads);
        for engine in self.engines_mut() {
            if let Engine::Cpu(workers) = engine {
                workers.set_threads(threads);
            }
        }
        Ok(())
    }

    /// The stream that the context works in, a cudaStream_t; NULL is the legacy default stream.
    pub fn stream(&mut self) -> Result<*mut c_void> {
        match &self.engine {
            Engine::Cpu(_) => {
                Err(Error::unsupported("streams are CUDA's; this context runs on the CPU backend"))
            }
            Engine::Cuda(device) => {
                self.is_stream_known = true;
                Ok(device.stream().cast())
            }
        }
    }

    /// The expressions that were compiled.
    pub(crate) fn programs(&mut self) -> &mut Programs {
        &mut self.programs
    }

    /// Refuses to end while the stream is being captured into a CUDA graph, which that would invalidate.
    pub fn check_may_end(&self) -> Result<()> {
        match &self.engine {
            Engine::Cuda(device) => match device.enter() {
                Ok(_current) => device.refuse_capture("it ends the stream"),
                Err(_) => Ok(()), // a device that faulted, or was reset, or is the parent's
            },
            Engine::Cpu(_) => Ok(()),
        }
    }

    /// Runs `body` on the engine: with the device current, rounding as IEEE 754 has it, and the caller's device
    /// and rounding given back on every path. Waits where the host can see the arrays; after an error the device
    /// has stopped working on them. A call that is cancelled is an error.
    pub(crate) fn run<T>(&mut self, body: impl FnOnce(&Engine) -> Result<T>) -> Result<T> {
        self.run_on(None, |engine, _| body(engine))
    }

    /// The same where the work is done sooner, on the engine or on the host beside a device that AUTO chose.
    pub(crate) fn run_auto<T>(&mut self, work: Work, body: impl FnOnce(&Engine) -> Result<T>) -> Result<T> {
        self.run_on(Some(work), |engine, _| body(engine))
    }

    fn run_on<T>(
        &mut self,
        work: Option<Work>,
        body: impl FnOnce(&Engine, &Arc<Heap>) -> Result<T>,
    ) -> Result<T> {
        let (mut body, mut value) = (Some(body), None);
        self.run_body(work, &mut |engine, heap| {
            value = body.take().map(|body| body(engine, heap)).transpose()?;
            Ok(())
        })?;
        Ok(value.expect("it ran"))
    }

    /// The same for a body of any type; compiled once.
    fn run_body(
        &mut self,
        work: Option<Work>,
        body: &mut dyn FnMut(&Engine, &Arc<Heap>) -> Result<()>,
    ) -> Result<()> {
        let _rounding = IeeeRounding::set();
        let (engine, heap) = self.place_of(work)?;
        let _current = match engine {
            Engine::Cpu(_) => None,
            Engine::Cuda(device) => {
                interrupt::begin(Instant::now()); // workers tell it by themselves
                Some(device.enter()?)
            }
        };
        let outcome = interrupt::caught(|| body(engine, heap)).and_then(|()| match engine {
            Engine::Cuda(device) => device.finish_call(),
            Engine::Cpu(_) => Ok(()),
        });
        let is_on_device = matches!(engine, Engine::Cuda(_));
        if let (Err(error), Engine::Cuda(device), true) = (&outcome, &mut self.engine, is_on_device) {
            device.note_failure(error);
        }
        outcome
    }

    /// Like [`Context::run`], for an operation that tells the context's watcher how far it is, and that takes threads and
    /// memory of the host. Nobody watches what is captured into a CUDA graph.
    pub(crate) fn run_long<T>(
        &mut self,
        body: impl FnOnce(&Engine, &Host, &mut Progress) -> Result<T>,
    ) -> Result<T> {
        self.run_long_on(None, body)
    }

    /// The same where the work is done sooner.
    pub(crate) fn run_long_auto<T>(
        &mut self,
        work: Work,
        body: impl FnOnce(&Engine, &Host, &mut Progress) -> Result<T>,
    ) -> Result<T> {
        self.run_long_on(Some(work), body)
    }

    fn run_long_on<T>(
        &mut self,
        work: Option<Work>,
        body: impl FnOnce(&Engine, &Host, &mut Progress) -> Result<T>,
    ) -> Result<T> {
        let workers = self.helpers.clone();
        let mut progress = std::mem::take(&mut self.progress);
        let mut unwatched = Progress::default();
        let outcome = self.run_on(work, |engine, heap| {
            let host = Host { workers, heap: heap.clone() };
            let is_captured = matches!(engine, Engine::Cuda(device) if device.is_captured());
            body(engine, &host, if is_captured { &mut unwatched } else { &mut progress })
        });
        self.progress = progress;
        outcome
    }

    /// Takes the watcher away from the operations that one call consists of; [`Context::watch_again`] gives it back.
    pub(crate) fn watched(&mut self) -> Watched {
        std::mem::take(&mut self.progress)
    }

    pub(crate) fn watch_again(&mut self, watched: Watched) {
        self.progress = watched;
    }

    /// Whether its arrays may be memory of a device.
    pub(crate) fn is_on_cuda(&self) -> bool {
        matches!(self.engine, Engine::Cuda(_))
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

    /// Times the operations that follow, or leaves them untimed.
    pub fn set_timing(&mut self, timed: bool) -> Result<()> {
        self.run(|engine| {
            if let Engine::Cuda(device) = engine {
                device.set_timing(timed);
            }
            Ok(())
        })?;
        self.is_timed = timed;
        Ok(())
    }

    /// How long the kernels of the last operation ran, in ms.
    pub fn kernel_ms(&mut self) -> Result<f64> {
        if !self.is_timed {
            return Err(Error::invalid(
                "the context does not time its operations; gpumex_context_set_timing (ctx, 1) before them lets it",
            ));
        }
        let on_host: f64 = self.engines().map(|engine| engine.host_ms()).sum();
        let on_device = self.run(|engine| match engine {
            Engine::Cpu(_) => Ok(0.0),
            Engine::Cuda(device) => device.last_ms(),
        })?;
        Ok(on_host + on_device)
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
        if let Some(beside) = &self.beside {
            beside.heap.close();
        }
    }
}

/// How many CUDA devices can be asked for; 0 where there is no CUDA.
pub fn device_count() -> usize {
    panic::caught(gpu::count).ok().and_then(Result::ok).unwrap_or(0)
}

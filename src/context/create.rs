//! How a context is made.

use std::ffi::c_void;
use std::sync::Arc;

use super::{Beside, Context, Engine, Progress};
use crate::array;
use crate::cpu;
use crate::error::{Error, Result, Status};
use crate::gpu;
use crate::memory::Heap;
use crate::memory::host::{self, HostSource};
use crate::model::expression::cache::Programs;
use crate::model::numbered::numbered_enum;
use crate::platform::settings::{self, Backend, Settings};
use crate::platform::{log, panic, pool};

/// What happens to a thread that enters a context in use by another thread.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BusyPolicy {
    /// It gets the status BUSY, at once.
    #[default]
    Return = 0,
    /// It waits for its turn, in the order of arrival; within a callback it gets BUSY instead.
    Wait = 1,
}

numbered_enum!(BusyPolicy = "gpumex_busy_policy": Return, Wait);

/// What a context is to be; the default is on the backend and the device that the settings name.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub backend: Backend,
    /// CUDA ordinal; else the caller's current device, else the setting `device`, else 0.
    pub device: Option<usize>,
    /// A stream of the caller's on a CUDA device, whatever `backend` is; null is the legacy default stream.
    pub stream: Option<*mut c_void>,
    /// Threads of the host; 0 is the setting `num_threads`.
    pub threads: usize,
    pub busy: BusyPolicy,
    /// Bytes that the caching allocator holds; 0 is half of the device's memory, or an eighth of the machine's.
    pub cache_capacity: u64,
}

impl Context {
    /// A context on `backend`, with the defaults of everything else.
    pub fn new(backend: Backend, device: Option<usize>) -> Result<Context> {
        Context::with(&Options { backend, device, ..Options::default() })
    }

    /// AUTO takes what the setting `backend` says, and when that is auto, CUDA where it works, else the CPU; it says so in one line
    /// of the log.
    pub fn with(options: &Options) -> Result<Context> {
        let settings = settings::get()?;
        let context = match (options.stream, options.backend) {
            (Some(_), _) => on_device(options, &settings)?,
            (None, Backend::Auto) => on_backend(settings.backend, options, &settings)?,
            (None, backend) => on_backend(backend, options, &settings)?,
        };
        if options.cache_capacity != 0 {
            context.heap.set_capacity(options.cache_capacity, options.cache_capacity / 2);
        }
        array::install_locate(gpu::locate);
        log::info(|| context.headline());
        Ok(context)
    }
}

fn on_backend(backend: Backend, options: &Options, settings: &Settings) -> Result<Context> {
    match backend {
        Backend::Cpu => Ok(on_cpu(options, settings, None)),
        Backend::Cuda => on_device(options, settings),
        Backend::Auto => Ok(match on_device(options, settings) {
            Ok(mut context) => {
                context.beside = Some(Beside::new(Engine::Cpu(context.helpers.clone())));
                context
            }
            Err(reason) => {
                if matches!(reason.status(), Status::Cuda | Status::OutOfMemory) {
                    log::warn(|| reason.message().to_string());
                }
                on_cpu(options, settings, Some(reason.message().to_string()))
            }
        }),
    }
}

fn on_cpu(options: &Options, settings: &Settings, why_cpu: Option<String>) -> Context {
    let workers = workers(options, settings);
    let heap = Heap::new(Arc::new(HostSource), host::total_memory() / 8);
    of(options, Engine::Cpu(workers.clone()), workers, heap, why_cpu)
}

fn on_device(options: &Options, settings: &Settings) -> Result<Context> {
    let ordinal = options.device.or_else(gpu::current_device).or(settings.device).unwrap_or(0);
    let device = open_device(|| match options.stream {
        None => gpu::Device::open(ordinal),
        Some(stream) => gpu::Device::attach(ordinal, stream),
    })?;
    let heap = device.heap().clone();
    Ok(of(options, Engine::Cuda(device), workers(options, settings), heap, None))
}

fn workers(options: &Options, settings: &Settings) -> cpu::Workers {
    let threads = if options.threads == 0 { settings.num_threads } else { options.threads };
    cpu::Workers::new(threads, pool::with_pool)
}

fn of(
    options: &Options,
    engine: Engine,
    helpers: cpu::Workers,
    heap: Arc<Heap>,
    why_cpu: Option<String>,
) -> Context {
    let (progress, busy) = (Progress::default(), options.busy);
    let programs = Programs::default();
    Context {
        engine,
        beside: None,
        heap,
        helpers,
        is_stream_known: false,
        progress,
        is_timed: false,
        timer: None,
        why_cpu,
        busy,
        programs,
    }
}

/// A driver library that lacks a function makes cudarc panic: then there is no usable device, for the reason that
/// it gives.
fn open_device(open: impl FnOnce() -> Result<gpu::Device>) -> Result<gpu::Device> {
    panic::caught(open).unwrap_or_else(|text| {
        Err(Error::new(Status::NoDevice, format!("the CUDA driver library cannot be used: {text}")))
    })
}

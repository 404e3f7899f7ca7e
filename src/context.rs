//! Which backend, which device, which stream, which allocator a call runs on.

use std::ffi::{c_char, c_void};
use std::sync::Arc;
use std::time::Instant;

use crate::error::{Error, Result, Status};
use crate::memory::custom::{Allocate, CustomSource, Release};
use crate::memory::host::{self, HostSource};
use crate::memory::{Allocator, AllocatorStats, Heap, MemoryKind, Source};
use crate::settings::{Backend, Settings};
use crate::{array, cpu, gpu, log, panic, settings, thread};

/// A backend with what one thread at a time needs to run operations on it.
pub struct Context {
    engine: Engine,
    heap: Arc<Heap>,
    timer: Option<Instant>,  // when it was started
    why_cpu: Option<String>, // the reason why AUTO did not take CUDA
}

pub(crate) enum Engine {
    Cpu(cpu::Workers),
    Cuda(gpu::Device),
}

/// The device of a context. Set `size` to sizeof(gpumex_device_info) before the call.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct DeviceInfo {
    /// sizeof(gpumex_device_info)
    pub size: usize,
    /// a `gpumex_backend`: CPU or CUDA
    pub backend: i32,
    /// CUDA ordinal; -1 on the CPU backend
    pub device: i32,
    /// name of the device, NUL-terminated
    pub name: [c_char; 128],
    /// streaming multiprocessors; on the CPU backend the threads of the pool
    pub multiprocessors: i32,
    /// compute capability, the part before the point; 0 on the CPU backend
    pub compute_major: i32,
    /// compute capability, the part behind the point; 0 on the CPU backend
    pub compute_minor: i32,
    /// core clock in kHz at most; 0 where unknown
    pub clock_khz: i32,
    /// memory clock in kHz at most; 0 where unknown
    pub memory_clock_khz: i32,
    /// width of the memory bus in bits; 0 where unknown
    pub memory_bus_bits: i32,
    /// 1 when the memory corrects errors; 0 on the CPU backend
    pub ecc: i32,
    /// version of the CUDA driver, 1000*major + 10*minor; 0 on the CPU backend
    pub driver_version: i32,
    /// memory of the device in bytes
    pub total_memory: u64,
    /// free part of it now
    pub free_memory: u64,
    /// L2 cache in bytes; 0 on the CPU backend
    pub l2_bytes: u64,
    /// shared memory a block may have, in bytes; 0 on the CPU backend
    pub shared_bytes_per_block: u64,
    /// memory bandwidth in GB/s from clock and width; 0 where unknown
    pub bandwidth_gbs: f64,
}

impl DeviceInfo {
    /// Zeros with a name.
    pub(crate) fn named(backend: Backend, device: i32, name: &str) -> DeviceInfo {
        let mut info = DeviceInfo {
            size: size_of::<DeviceInfo>(),
            backend: backend as i32,
            device,
            name: [0; 128],
            multiprocessors: 0,
            compute_major: 0,
            compute_minor: 0,
            clock_khz: 0,
            memory_clock_khz: 0,
            memory_bus_bits: 0,
            ecc: 0,
            driver_version: 0,
            total_memory: 0,
            free_memory: 0,
            l2_bytes: 0,
            shared_bytes_per_block: 0,
            bandwidth_gbs: 0.0,
        };
        let room = info.name.len() - 1;
        for (to, from) in info.name[..room].iter_mut().zip(name.bytes()) {
            *to = from as c_char;
        }
        info
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
            Backend::Cuda => open().map(Context::on_device),
            Backend::Auto => Ok(open().map_or_else(
                |reason| {
                    if reason.status() == Status::Cuda {
                        log::warn(|| reason.message().to_string());
                    }
                    Context::on_cpu(&settings, Some(reason.message().to_string()))
                },
                Context::on_device,
            )),
        }
    }

    /// A context on a CUDA device and a stream of the caller's; null is the legacy default stream.
    pub fn on_stream(device: Option<usize>, stream: *mut c_void) -> Result<Context> {
        let settings = settings::get()?;
        open_device(|| gpu::Device::attach(ordinal_of(device, &settings), stream)).map(Context::on_device)
    }

    fn on_cpu(settings: &Settings, why_cpu: Option<String>) -> Context {
        let workers = cpu::Workers::new(settings.num_threads, thread::prepare_worker);
        let heap = Heap::new(Arc::new(HostSource), host::total_memory() / 8);
        Context::of(Engine::Cpu(workers), heap, why_cpu)
    }

    fn on_device(device: gpu::Device) -> Context {
        let heap = device.heap().clone();
        Context::of(Engine::Cuda(device), heap, None)
    }

    fn of(engine: Engine, heap: Arc<Heap>, why_cpu: Option<String>) -> Context {
        array::install_locate(gpu::locate);
        let context = Context { engine, heap, timer: None, why_cpu };
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

    /// Runs `body` on the engine: with the device current, rounding as IEEE 754 has it, and the caller's device and rounding
    /// given back on every path. Waits where the host can see the arrays; after an error the device has stopped working on them.
    pub(crate) fn run<T>(&mut self, body: impl FnOnce(&Engine) -> Result<T>) -> Result<T> {
        let _rounding = thread::IeeeRounding::set();
        let _current = match &self.engine {
            Engine::Cpu(_) => None,
            Engine::Cuda(device) => Some(device.enter()?),
        };
        let outcome = body(&self.engine).and_then(|value| {
            if let Engine::Cuda(device) = &self.engine {
                device.settle()?;
            }
            Ok(value)
        });
        if let (Err(error), Engine::Cuda(device)) = (&outcome, &mut self.engine) {
            device.note_failure(error);
        }
        outcome
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

    /// Memory that lives until it is freed; 0 bytes are NULL.
    pub fn malloc(&mut self, kind: MemoryKind, bytes: usize) -> Result<usize> {
        if let Engine::Cuda(device) = &self.engine {
            device.check_usable()?;
        }
        if bytes == 0 {
            return Ok(0);
        }
        let lent = self.heap.lend(kind, bytes);
        lent.or_else(|error| self.run(|_| Err(error))) // which keeps a fault as the answer to later calls
    }

    /// Changes the allocator, when nothing of it is held.
    pub fn select_allocator(&mut self, allocator: Allocator) -> Result<()> {
        let source = match (allocator, &self.engine) {
            (Allocator::Caching | Allocator::Simple, _) => self.plain_source(),
            (Allocator::Pool, Engine::Cuda(_)) => self.pool_source()?,
            (Allocator::Pool, Engine::Cpu(_)) => {
                return Err(Error::unsupported(
                    "POOL is the CUDA driver's; this context runs on the CPU backend",
                ));
            }
            (Allocator::Custom, _) => {
                return Err(Error::invalid("CUSTOM needs two functions; gpumex_allocator_custom sets them"));
            }
        };
        self.heap.select(allocator, source)
    }

    /// Changes the allocator to a pair of the caller's functions.
    pub fn custom_allocator(
        &mut self,
        allocate: Allocate,
        release: Release,
        user: *mut c_void,
    ) -> Result<()> {
        let source = CustomSource::new(allocate, release, user, self.plain_source());
        self.heap.select(Allocator::Custom, Arc::new(source))
    }

    /// Where memory comes from when nothing stands between.
    fn plain_source(&self) -> Arc<dyn Source> {
        match &self.engine {
            Engine::Cpu(_) => Arc::new(HostSource),
            Engine::Cuda(device) => device.driver_source(),
        }
    }

    fn pool_source(&mut self) -> Result<Arc<dyn Source>> {
        let capacity = self.heap.stats().capacity;
        self.run(|engine| match engine {
            Engine::Cpu(_) => Ok(Arc::new(HostSource) as Arc<dyn Source>),
            Engine::Cuda(device) => device.pool_source(capacity),
        })
    }

    /// How many bytes are held, allocated and cached, and the largest block that is cached.
    pub fn set_allocator_capacity(&mut self, capacity: u64, largest: u64) {
        self.heap.set_capacity(capacity, largest);
    }

    pub fn trim_allocator(&mut self) {
        self.heap.trim();
    }

    pub fn allocator_stats(&self) -> AllocatorStats {
        self.heap.stats()
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

    pub fn device_info(&mut self) -> Result<DeviceInfo> {
        self.run(|engine| match engine {
            Engine::Cpu(workers) => {
                let machine = workers.machine();
                let mut info = DeviceInfo::named(Backend::Cpu, -1, &machine.name);
                info.multiprocessors = i32::try_from(machine.threads).unwrap_or(i32::MAX);
                (info.total_memory, info.free_memory) = (machine.total_memory, machine.free_memory);
                Ok(info)
            }
            Engine::Cuda(device) => device.info(),
        })
    }

    /// The device as text for people, a few lines.
    pub fn device_text(&mut self) -> Result<String> {
        let info = self.device_info()?;
        let mib = |bytes: u64| bytes >> 20;
        let memory =
            format!("FreeMem: {:6} MiB   TotalMem: {:6} MiB", mib(info.free_memory), mib(info.total_memory));
        Ok(match &self.engine {
            Engine::Cpu(_) => format!("{}\n{memory}", self.headline()),
            Engine::Cuda(device) => format!(
                "{} : {:.3} MHz   (Ordinal {})\n{} SMs enabled. Compute Capability sm_{}{}\n{memory}   64-bit pointers.\n\
                 Mem Clock: {:.3} MHz x {} bits   ({:.1} GB/s)\nECC {}",
                device.name(),
                f64::from(info.clock_khz) / 1e3,
                info.device,
                info.multiprocessors,
                info.compute_major,
                info.compute_minor,
                f64::from(info.memory_clock_khz) / 1e3,
                info.memory_bus_bits,
                info.bandwidth_gbs,
                if info.ecc == 1 { "Enabled" } else { "Disabled" },
            ),
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

/// A driver library that lacks a function makes cudarc panic: then there is no usable device, for the reason that it gives.
fn open_device(open: impl FnOnce() -> Result<gpu::Device>) -> Result<gpu::Device> {
    panic::caught(open).unwrap_or_else(|text| {
        Err(Error::new(Status::NoDevice, format!("the CUDA driver library cannot be used: {text}")))
    })
}

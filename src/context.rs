//! Which backend, which device, which stream a call runs on, and the tokens by which C names a context.

use std::ffi::c_char;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, TryLockError};

use crate::error::{Error, Result, Status};
use crate::settings::{Backend, Settings};
use crate::{array, cpu, gpu, log, panic, settings};

/// A backend with what one thread at a time needs to run operations on it.
pub struct Context {
    engine: Engine,
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
        array::install_locate(gpu::locate);
        let settings = settings::get()?;
        let backend = if backend == Backend::Auto { settings.backend } else { backend };
        let open = || open_device(device, &settings);
        let workers = || cpu::Workers::new(settings.num_threads, panic::quiet_this_thread);
        let (engine, why_cpu) = match backend {
            Backend::Cpu => (Engine::Cpu(workers()?), None),
            Backend::Cuda => (Engine::Cuda(open()?), None),
            Backend::Auto => match open() {
                Ok(device) => (Engine::Cuda(device), None),
                Err(reason) => (Engine::Cpu(workers()?), Some(reason.message().to_string())),
            },
        };
        let context = Context { engine, why_cpu };
        log::info(&context.headline());
        Ok(context)
    }

    /// Begins an operation: its kernels have not run yet.
    pub(crate) fn begin(&mut self) -> &mut Engine {
        match &self.engine {
            Engine::Cpu(workers) => workers.forget_time(),
            Engine::Cuda(device) => device.forget_time(),
        }
        &mut self.engine
    }

    /// The number of the backend in C.
    pub fn backend_number(&self) -> i32 {
        match self.engine {
            Engine::Cpu(_) => Backend::Cpu as i32,
            Engine::Cuda(_) => Backend::Cuda as i32,
        }
    }

    pub fn synchronize(&mut self) -> Result<()> {
        match &self.engine {
            Engine::Cpu(_) => Ok(()),
            Engine::Cuda(device) => device.synchronize(),
        }
    }

    /// How long the kernels of the last operation ran, in ms.
    pub fn kernel_ms(&mut self) -> Result<f64> {
        match &self.engine {
            Engine::Cpu(workers) => Ok(workers.last_ms()),
            Engine::Cuda(device) => device.last_ms(),
        }
    }

    pub fn device_info(&mut self) -> Result<DeviceInfo> {
        match &self.engine {
            Engine::Cpu(workers) => {
                let machine = workers.machine();
                let mut info = DeviceInfo::named(Backend::Cpu, -1, &machine.name);
                info.multiprocessors = i32::try_from(machine.threads).unwrap_or(i32::MAX);
                (info.total_memory, info.free_memory) = (machine.total_memory, machine.free_memory);
                Ok(info)
            }
            Engine::Cuda(device) => device.info(),
        }
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

    /// Runs `body` with the device of this context current, and gives the caller's back on every path.
    fn entered<T>(&mut self, body: impl FnOnce(&mut Context) -> Result<T>) -> Result<T> {
        let _current = match &self.engine {
            Engine::Cpu(_) => None,
            Engine::Cuda(device) => Some(device.enter()?),
        };
        let outcome = body(self);
        if let (Err(error), Engine::Cuda(device)) = (&outcome, &mut self.engine) {
            device.note_failure(error);
        }
        outcome
    }
}

/// A driver library that lacks a function makes cudarc panic: then there is no usable device, for the reason that it gives.
fn open_device(device: Option<usize>, settings: &Settings) -> Result<gpu::Device> {
    let open = || gpu::Device::open(device.or_else(gpu::current_device).or(settings.device).unwrap_or(0));
    panic::caught(open).unwrap_or_else(|text| {
        Err(Error::new(Status::NoDevice, format!("the CUDA driver library cannot be used: {text}")))
    })
}

// ---------------------------------------------------------------------------------------------------------- tokens

/// The contexts that C holds. A token is the number of its slot and the generation of the slot's tenant, so that a token that
/// was destroyed, or never given, is told apart without being dereferenced.
struct Registry {
    slots: Vec<Slot>,
    default: Option<(u32, Token)>, // the process that made it, and its token
}

#[derive(Default)]
struct Slot {
    generation: usize,
    tenant: Option<Arc<Tenant>>,
}

struct Tenant {
    context: Mutex<Context>,
    takes_turns: bool, // the default context: a second thread waits instead of being told BUSY
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Token(usize);

const SLOT_BITS: u32 = 20;
const MARK: usize = 0b11; // low bits that no pointer to a struct has, and that keep a token apart from NULL

impl Token {
    fn new(slot: usize, generation: usize) -> Token {
        Token((((generation << SLOT_BITS) | slot) << 2) | MARK)
    }

    fn from_pointer(ctx: *mut Context) -> Token {
        Token(ctx as usize)
    }

    fn as_pointer(self) -> *mut Context {
        std::ptr::without_provenance_mut(self.0)
    }

    fn slot_and_generation(self) -> Option<(usize, usize)> {
        let number = self.0 >> 2;
        (self.0 & MARK == MARK).then_some((number & ((1 << SLOT_BITS) - 1), number >> SLOT_BITS))
    }
}

impl Registry {
    fn add(&mut self, context: Context, takes_turns: bool) -> Result<Token> {
        let free = self.slots.iter().position(|slot| slot.tenant.is_none());
        let index = free.unwrap_or(self.slots.len());
        if index >> SLOT_BITS != 0 {
            return Err(Error::new(
                Status::OutOfMemory,
                format!("{index} contexts are alive, no more are possible"),
            ));
        }
        if free.is_none() {
            self.slots.push(Slot::default());
        }
        let slot = &mut self.slots[index];
        slot.generation += 1;
        slot.tenant = Some(Arc::new(Tenant { context: Mutex::new(context), takes_turns }));
        Ok(Token::new(index, slot.generation))
    }

    fn slot(&mut self, token: Token) -> Result<&mut Slot> {
        let found = token.slot_and_generation().and_then(|(index, generation)| {
            let slot = self.slots.get_mut(index)?;
            (slot.generation == generation && slot.tenant.is_some()).then_some(slot)
        });
        found.ok_or_else(|| Error::invalid(format!("ctx is {:#x}, which is not a live context", token.0)))
    }

    fn tenant(&mut self, token: Token) -> Result<Arc<Tenant>> {
        let slot = self.slot(token)?;
        Ok(slot.tenant.clone().expect("slot() returns occupied slots only"))
    }

    /// Takes a context out; BUSY while a thread is in it.
    fn remove(&mut self, token: Token) -> Result<Arc<Tenant>> {
        let slot = self.slot(token)?;
        let tenant = slot.tenant.as_ref().expect("slot() returns occupied slots only");
        if let Err(TryLockError::WouldBlock) = tenant.context.try_lock() {
            return Err(busy());
        }
        Ok(slot.tenant.take().expect("occupied, as seen above"))
    }
}

fn registry() -> MutexGuard<'static, Registry> {
    static REGISTRY: OnceLock<Mutex<Registry>> = OnceLock::new();
    let registry = REGISTRY.get_or_init(|| Mutex::new(Registry { slots: Vec::new(), default: None }));
    registry.lock().unwrap_or_else(|poison| poison.into_inner())
}

fn busy() -> Error {
    Error::new(Status::Busy, "the context is in use by another thread")
}

/// A new context that C owns.
pub(crate) fn create(backend: Backend, device: Option<usize>) -> Result<*mut Context> {
    let context = Context::new(backend, device)?;
    Ok(registry().add(context, false)?.as_pointer())
}

/// Ends a context of C.
pub(crate) fn destroy(ctx: *mut Context) -> Result<()> {
    let token = Token::from_pointer(ctx);
    let mut registry = registry();
    if registry.default.is_some_and(|(_, default)| default == token) {
        return Err(Error::invalid("this is the default context; gpumex_reset_default ends it"));
    }
    let tenant = registry.remove(token)?;
    drop(registry); // a context ends outside the lock: others need not wait for the driver
    drop(tenant);
    Ok(())
}

/// The token of the default context, which is made on first use; a forked child makes its own.
fn default_of(registry: &mut Registry) -> Result<Token> {
    match registry.default {
        Some((process, token)) if process == std::process::id() => Ok(token),
        _ => {
            let token = registry.add(Context::new(Backend::Auto, None)?, true)?;
            registry.default = Some((std::process::id(), token));
            Ok(token)
        }
    }
}

pub(crate) fn default_token() -> Result<*mut Context> {
    default_of(&mut registry()).map(Token::as_pointer)
}

/// Drops the default context; the next call that needs it makes a new one.
pub(crate) fn reset_default() -> Result<()> {
    let mut registry = registry();
    let Some((_, token)) = registry.default else { return Ok(()) };
    let tenant = registry.remove(token)?;
    registry.default = None;
    drop(registry);
    drop(tenant);
    Ok(())
}

/// Runs `body` in the context of a token of C.
pub(crate) fn with<T>(ctx: *mut Context, body: impl FnOnce(&mut Context) -> Result<T>) -> Result<T> {
    if ctx.is_null() {
        return Err(Error::new(Status::NullPointer, "ctx is NULL"));
    }
    let tenant = registry().tenant(Token::from_pointer(ctx))?;
    run(&tenant, body)
}

/// Runs `body` in the default context.
pub(crate) fn with_default<T>(body: impl FnOnce(&mut Context) -> Result<T>) -> Result<T> {
    let tenant = {
        let mut registry = registry();
        let token = default_of(&mut registry)?;
        registry.tenant(token)?
    };
    run(&tenant, body)
}

fn run<T>(tenant: &Tenant, body: impl FnOnce(&mut Context) -> Result<T>) -> Result<T> {
    let mut context = match tenant.context.try_lock() {
        Ok(context) => context,
        Err(TryLockError::Poisoned(poison)) => poison.into_inner(), // a caught panic left it; its state is still whole
        Err(TryLockError::WouldBlock) if tenant.takes_turns => {
            tenant.context.lock().unwrap_or_else(|poison| poison.into_inner())
        }
        Err(TryLockError::WouldBlock) => return Err(busy()),
    };
    context.entered(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_never_reused() {
        let first = create(Backend::Cpu, None).unwrap();
        destroy(first).unwrap();
        let second = create(Backend::Cpu, None).unwrap();
        assert_ne!(first, second);
        assert_eq!(destroy(first).unwrap_err().status(), Status::InvalidArgument);
        assert_eq!(with(first, |_| Ok(())).unwrap_err().status(), Status::InvalidArgument);
        destroy(second).unwrap();
    }

    #[test]
    fn a_second_thread_in_one_context_is_told_busy() {
        let token = create(Backend::Cpu, None).unwrap() as usize;
        let inner = with(token as *mut Context, |_| {
            std::thread::spawn(move || with(token as *mut Context, |_| Ok(()))).join().unwrap()
        });
        assert_eq!(inner.unwrap_err().status(), Status::Busy);
        destroy(token as *mut Context).unwrap();
    }

    #[test]
    fn a_busy_context_is_not_destroyed() {
        let token = create(Backend::Cpu, None).unwrap();
        let inner = with(token, |_| destroy(token));
        assert_eq!(inner.unwrap_err().status(), Status::Busy);
        destroy(token).unwrap();
    }
}

//! One context of ours on one device: a stream, the memory that it uses, and what times it.

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::sync::Arc;

use cudarc::driver::{result, sys};
use once_cell::unsync::OnceCell;

use super::capture::{self, Captures};
use super::cublas::Cublas;
use super::driver::{self, failed};
use super::fault;
use super::kernels::{self, gpumexk_clear_error};
use super::launch::{MEMORY_ALLOCATION, launch_text};
use super::primary::{Current, Primary};
use super::source::{DriverSource, PoolSource};
use super::staging::Staging;
use super::stream::{Event, Stream};
use super::tuning::{Compute, Kernel, Tuning, Tunings};
use super::zero_copy::ZeroCopyBuffer;
use crate::error::{Error, Result, Status};
use crate::memory::heap::Block;
use crate::memory::{Heap, MemoryKind, Source};
use crate::model::device_info::DeviceInfo;
use crate::platform::settings::Backend;

pub struct Device {
    primary: Arc<Primary>,
    stream: Arc<Stream>,
    beside: OnceCell<Box<Stream>>, // for copies while kernels run
    heap: Arc<Heap>,
    tunings: Tunings,
    pub staging: Arc<Staging>,
    zero_copy: OnceCell<ZeroCopyBuffer>,
    cublas: OnceCell<Cublas>,
    kernels: EventTimer,
    timer: EventTimer,
    is_timed: Cell<bool>,
    are_kernels_open: Cell<bool>,
    has_kernels: Cell<bool>,    // since `begin`
    must_wait: Cell<bool>,      // since `begin`: an array that the host can see takes part
    pub is_drained: Cell<bool>, // nothing was put into the stream since it was waited for
    captures: Box<Captures>,
    fault: Option<Error>, // the first one that the device does not recover from
}

/// Device memory for the length of a call.
#[derive(Clone, Copy)]
pub enum Temporary {
    Heap(Block),
    Graph(Block), // which keeps it
}

impl Temporary {
    pub fn address(self) -> usize {
        let (Temporary::Heap(block) | Temporary::Graph(block)) = self;
        block.address
    }
}

/// Two marks in a stream, and the time between them.
struct EventTimer {
    begin: Event,
    end: Event,
}

impl EventTimer {
    fn create(primary: &Arc<Primary>) -> Result<EventTimer> {
        Ok(EventTimer { begin: Event::create(primary)?, end: Event::create(primary)? })
    }
}

impl Device {
    /// Opens device `ordinal` with a stream of its own, or says why it cannot be used.
    pub fn open(ordinal: usize) -> Result<Device> {
        let primary = Primary::open(ordinal)?;
        let _current = primary.enter()?;
        Device::on(&primary, Stream::create(&primary)?)
    }

    /// Opens device `ordinal` on a cudaStream_t of the caller's; null is the legacy default stream.
    pub fn attach(ordinal: usize, stream: *mut c_void) -> Result<Device> {
        let primary = Primary::open(ordinal)?;
        let _current = primary.enter()?;
        Device::on(&primary, Stream::attach(&primary, stream)?)
    }

    fn on(primary: &Arc<Primary>, stream: Stream) -> Result<Device> {
        let stream = Arc::new(stream);
        let source = Arc::new(DriverSource::new(stream.clone()));
        Ok(Device {
            primary: primary.clone(),
            stream,
            beside: OnceCell::new(),
            heap: Heap::new(source, primary.total_memory()? / 2),
            tunings: Tunings::new(primary.compute()?),
            zero_copy: OnceCell::new(),
            cublas: OnceCell::new(),
            kernels: EventTimer::create(primary)?,
            timer: EventTimer::create(primary)?,
            is_timed: Cell::new(false),
            are_kernels_open: Cell::new(false),
            has_kernels: Cell::new(false),
            must_wait: Cell::new(false),
            is_drained: Cell::new(true),
            staging: Staging::of(primary),
            captures: Box::default(),
            fault: None,
        })
    }

    /// Makes the primary context current until the result is dropped; refuses a device that cannot go on. A call begins: it is
    /// captured into a CUDA graph, or not.
    pub fn enter(&self) -> Result<Current> {
        self.check_usable()?;
        let current = self.primary.enter()?;
        self.captures.meet(self.stream())?;
        Ok(current)
    }

    /// Whether the call that has entered is captured into a CUDA graph.
    pub fn is_captured(&self) -> bool {
        self.captures.current().is_some()
    }

    /// Refuses a call that is captured into a CUDA graph. `why`: what it does that a graph cannot.
    pub fn refuse_capture(&self, why: &str) -> Result<()> {
        match self.is_captured() {
            false => Ok(()),
            true => Err(Error::unsupported(format!(
                "the context's stream is being captured into a CUDA graph, which this call cannot be part of: {why}"
            ))),
        }
    }

    /// Device memory for the length of a call: of the heap, or of the graph that the call is captured into.
    pub fn take_temporary(&self, bytes: usize) -> Result<Temporary> {
        Ok(match self.captures.current() {
            None => Temporary::Heap(self.heap.take(MemoryKind::Device, bytes)?),
            Some(capture) => Temporary::Graph(self.captures.take(&self.heap, capture, bytes)?),
        })
    }

    pub fn give_temporary_back(&self, temporary: Temporary) {
        match temporary {
            Temporary::Heap(block) => self.heap.give_back(MemoryKind::Device, block.address, block.size),
            Temporary::Graph(block) => self.captures.give_back(block),
        }
    }

    /// Refuses, without a call of the driver, a device that cannot go on.
    pub fn check_usable(&self) -> Result<()> {
        self.primary.check_process()?;
        self.fault.as_ref().map_or(Ok(()), |fault| Err(fault.clone()))
    }

    /// As `check_usable`, and whether other code has reset the device.
    pub fn check_alive(&self) -> Result<()> {
        self.check_usable()?;
        self.primary.check_alive()
    }

    /// An operation begins.
    pub fn begin(&self) {
        self.has_kernels.set(false);
        self.are_kernels_open.set(false);
        self.must_wait.set(false);
        self.is_drained.set(false); // calls before may have left work behind
    }

    /// The host can see what the operation works on: it waits before it returns.
    pub fn wait_at_end(&self) -> Result<()> {
        self.refuse_capture("an array is not in device memory")?;
        self.must_wait.set(true);
        Ok(())
    }

    /// An operation ends: waits where the host can see its arrays.
    pub fn finish_call(&self) -> Result<()> {
        self.close_kernels()?;
        let must_wait = self.must_wait.get() && !self.is_drained.get() && !self.is_captured();
        if must_wait { self.synchronize() } else { Ok(()) }
    }

    /// From now on operations are timed, or not: an event before their kernels and one behind them cost 3 us on the device.
    pub fn set_timing(&self, timed: bool) {
        self.is_timed.set(timed);
    }

    /// Runs `launch` on the stream, where the context is timed between two events. A launcher's code other than 0 becomes an error.
    pub fn launch(&self, launch: impl FnOnce(kernels::Stream) -> c_int) -> Result<()> {
        check_launch(launch(self.open_kernels()?))
    }

    /// The stream, for a launch that follows. An event that is captured has no time: captured kernels are not timed.
    fn open_kernels(&self) -> Result<kernels::Stream> {
        if self.is_captured() {
            return Ok(self.stream().cast());
        }
        self.is_drained.set(false);
        if !self.is_timed.get() {
            return Ok(self.stream().cast());
        }
        if !self.has_kernels.get() {
            self.kernels.begin.record(self.stream())?;
        }
        self.has_kernels.set(true);
        self.are_kernels_open.set(true);
        Ok(self.stream().cast())
    }

    /// Marks the end of the kernels, before anything else goes into the stream.
    pub fn close_kernels(&self) -> Result<()> {
        if self.are_kernels_open.replace(false) { self.kernels.end.record(self.stream()) } else { Ok(()) }
    }

    /// How long the kernels of the last operation ran, from the first to the last, in ms; 0 when there were none.
    pub fn last_ms(&self) -> Result<f64> {
        if self.has_kernels.get() { self.kernels.end.ms_since(&self.kernels.begin) } else { Ok(0.0) }
    }

    pub fn start_timer(&self) -> Result<()> {
        self.refuse_capture("it takes the time")?;
        self.timer.begin.record(self.stream())
    }

    /// How long the stream has worked since `start_timer`, in ms.
    pub fn timer_ms(&self) -> Result<f64> {
        self.refuse_capture("it takes the time")?;
        self.timer.end.record(self.stream())?;
        self.timer.end.ms_since(&self.timer.begin)
    }

    pub fn synchronize(&self) -> Result<()> {
        self.refuse_capture("it waits for the stream")?;
        self.close_kernels()?;
        self.stream.synchronize()?;
        self.is_drained.set(true);
        Ok(())
    }

    /// After an error: waits until the device has let go of the caller's arrays, and when it does not recover,
    /// keeps the error as the answer to every later call. A captured call has nothing to wait for, and must not.
    pub fn note_failure(&mut self, error: &Error) {
        if self.is_captured() {
            return;
        }
        let waited = self.synchronize();
        if error.status() == Status::Cuda
            && self.fault.is_none()
            && waited.and(synchronize_context()).is_err()
        {
            self.fault = Some(error.clone());
        }
    }

    pub fn primary(&self) -> &Arc<Primary> {
        &self.primary
    }

    pub fn stream(&self) -> sys::CUstream {
        self.stream.handle()
    }

    /// A second stream, made for the first copy that runs beside kernels.
    pub fn beside(&self) -> Result<&Stream> {
        let beside = self.beside.get_or_try_init(|| Stream::create_beside(&self.primary).map(Box::new));
        beside.map(|stream| &**stream)
    }

    /// The context's zero-copy buffer, made for the first small array.
    pub fn zero_copy(&self) -> Result<&ZeroCopyBuffer> {
        self.zero_copy.get_or_try_init(|| ZeroCopyBuffer::create(&self.primary))
    }

    /// NVIDIA's matrix product, loaded at its first use.
    pub fn cublas(&self) -> Result<&Cublas> {
        self.cublas.get_or_try_init(|| Cublas::load(&self.primary))
    }

    /// How a kernel is launched.
    pub fn tuning(&self, kernel: Kernel) -> Tuning {
        self.tunings.of(kernel)
    }

    pub fn tunings(&self) -> &Tunings {
        &self.tunings
    }

    pub fn tunings_mut(&mut self) -> &mut Tunings {
        &mut self.tunings
    }

    pub fn heap(&self) -> &Arc<Heap> {
        &self.heap
    }

    /// The driver's plain allocations, in the order of this stream.
    pub fn driver_source(&self) -> Arc<dyn Source> {
        Arc::new(DriverSource::new(self.stream.clone()))
    }

    /// A stream-ordered pool of the driver.
    pub fn pool_source(&self, capacity: u64) -> Result<Arc<dyn Source>> {
        Ok(Arc::new(PoolSource::create(self.stream.clone(), capacity)?))
    }

    /// Major and minor compute capability.
    pub fn compute(&self) -> Compute {
        self.tunings.compute()
    }

    /// A number of the device that another one of any machine hardly has; never 0.
    pub fn fingerprint(&self) -> Result<u64> {
        Ok(self.primary.uuid()?.chunks_exact(8).fold(0, |hash: u64, half| {
            half.iter()
                .fold(hash, |hash, &byte| hash.rotate_left(8) ^ u64::from(byte))
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        }) | 1)
    }

    pub fn ordinal(&self) -> i32 {
        i32::try_from(self.primary.ordinal()).unwrap_or(i32::MAX)
    }

    pub fn name(&self) -> &str {
        self.primary.name()
    }

    pub fn attribute(&self, attribute: sys::CUdevice_attribute) -> Result<i32> {
        self.primary.attribute(attribute)
    }

    pub fn info(&self) -> Result<DeviceInfo> {
        use sys::CUdevice_attribute::*;
        let attribute = |attribute| self.attribute(attribute);
        let (free, total) = result::mem_get_info().map_err(|error| failed("cuMemGetInfo", error))?;
        let mut info = DeviceInfo::named(Backend::Cuda as i32, self.ordinal(), self.name());
        info.multiprocessors = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?;
        info.compute_major = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
        info.compute_minor = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
        info.clock_khz = attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE)?;
        info.memory_clock_khz = attribute(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE)?;
        info.memory_bus_bits = attribute(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH)?;
        info.ecc = attribute(CU_DEVICE_ATTRIBUTE_ECC_ENABLED)?;
        info.driver_version = driver::start()?;
        (info.total_memory, info.free_memory) = (total as u64, free as u64);
        info.l2_bytes = attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE)? as u64;
        info.shared_bytes_per_block =
            attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)? as u64;
        // Two transfers a clock on a double-data-rate bus of memory_bus_bits / 8 bytes.
        info.bandwidth_gbs =
            2.0 * f64::from(info.memory_clock_khz) * f64::from(info.memory_bus_bits) / 8.0 / 1e6;
        Ok(info)
    }
}

/// How many devices the CUDA driver sees.
pub fn count() -> Result<usize> {
    driver::start()?;
    let count = result::device::get_count().map_err(|error| failed("cuDeviceGetCount", error))?;
    Ok(usize::try_from(count).unwrap_or(0))
}

fn synchronize_context() -> Result<()> {
    match result::ctx::synchronize() {
        Err(error) if capture::is_of_capture(error) => Ok(()), // of another stream, and no fault
        waited => waited.map_err(|error| failed("cuCtxSynchronize", error)),
    }
}

/// A launcher's code as an error; the runtime forgets it, so that the next launch does not meet it again.
pub fn check_launch(code: c_int) -> Result<()> {
    if code == 0 {
        return Ok(());
    }
    // SAFETY: a state of this thread.
    unsafe { gpumexk_clear_error() };
    let status = if code == MEMORY_ALLOCATION { Status::OutOfMemory } else { Status::Cuda };
    Err(Error::new(
        status,
        format!("kernel launch: {}{}", launch_text(code), fault::remedy(code.unsigned_abs())),
    ))
}

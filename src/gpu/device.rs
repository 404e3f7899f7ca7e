//! One context of ours on one device: a stream, two events that time the kernels, and a memory pool.
//!
//! It lives in the device's primary context, which the CUDA runtime of the kernels, and MATLAB, use as well. That one is retained
//! once a device and never released; each entry pushes it and pops it, so that the caller's current context stays as it was. Our
//! stream is ordered with the legacy default stream, where gpuArrays are written.

use std::cell::Cell;
use std::ffi::{CStr, c_int};
use std::marker::PhantomData;
use std::ptr::null_mut;
use std::sync::Mutex;

use cudarc::driver::{DriverError, result, sys};

use super::driver::{self, failed};
use super::kernels;
use crate::context::DeviceInfo;
use crate::error::{Error, Result, Status};
use crate::settings::Backend;
use crate::thread::lock;

pub struct Device {
    ordinal: usize,
    device: sys::CUdevice,
    primary: sys::CUcontext,
    primary_id: u64, // tells a primary context from one that was made after a reset
    process: u32,
    name: String,
    stream: sys::CUstream,
    before: sys::CUevent,
    after: sys::CUevent,
    is_timed: Cell<bool>,
    pool: sys::CUmemoryPool,
    fault: Option<Error>, // the first one that the device does not recover from
}

// SAFETY: driver handles may be used from any thread; a context serves one thread at a time.
unsafe impl Send for Device {}

/// The device's primary context is current as long as this lives.
pub struct Current(PhantomData<*const ()>); // of one thread: not Send

impl Current {
    fn push(primary: sys::CUcontext) -> Result<Current> {
        // SAFETY: a context that was retained.
        unsafe { sys::cuCtxPushCurrent_v2(primary) }
            .result()
            .map_err(|error| failed("cuCtxPushCurrent", error))?;
        Ok(Current(PhantomData))
    }
}

impl Drop for Current {
    fn drop(&mut self) {
        let mut popped = std::ptr::null_mut();
        // SAFETY: pops what `push` pushed on this thread.
        let _ = unsafe { sys::cuCtxPopCurrent_v2(&mut popped) };
    }
}

impl Device {
    /// Opens device `ordinal`, or says why it cannot be used.
    pub fn open(ordinal: usize) -> Result<Device> {
        driver::start()?;
        let absent = |reason: String| Error::new(Status::NoDevice, reason);
        let count = result::device::get_count().map_err(|error| failed("cuDeviceGetCount", error))?;
        let index =
            c_int::try_from(ordinal).ok().filter(|&index| index < count).ok_or_else(|| match count {
                0 => absent("the CUDA driver sees no device".to_string()),
                _ => absent(format!("device {ordinal} is asked for, the CUDA driver sees {count}")),
            })?;
        let device = result::device::get(index).map_err(|error| failed("cuDeviceGet", error))?;
        let name = result::device::get_name(device).map_err(|error| failed("cuDeviceGetName", error))?;
        let primary = retain_primary(ordinal, device)?;
        let _current = Current::push(primary)?;
        check_kernels(&name)?;
        let mut opened = Device {
            ordinal,
            device,
            primary,
            primary_id: id_of(primary)?,
            process: std::process::id(),
            name,
            stream: null_mut(),
            before: null_mut(),
            after: null_mut(),
            is_timed: Cell::new(false),
            pool: null_mut(),
            fault: None,
        };
        // One after the other into the Device, whose drop takes back those that are there.
        opened.stream = result::stream::create(result::stream::StreamKind::Default)
            .map_err(|error| failed("cuStreamCreate", error))?;
        opened.before = create_event()?;
        opened.after = create_event()?;
        opened.pool = create_pool(index)?;
        keep_in_pool(opened.pool, device)?;
        Ok(opened)
    }

    /// Makes the primary context current until the result is dropped; refuses a device that cannot go on.
    pub fn enter(&self) -> Result<Current> {
        if self.process != std::process::id() {
            return Err(Error::unsupported(
                "this context was made before fork, and a forked child cannot use CUDA",
            ));
        }
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        if !self.is_alive() {
            return Err(Error::new(
                Status::Cuda,
                format!(
                    "the primary context of device {} was reset by other code; call gpumex_reset_default, or destroy this \
                     context, and go on with a new one",
                    self.ordinal
                ),
            ));
        }
        Current::push(self.primary)
    }

    /// Whether the primary context is still the one that our stream and memory belong to.
    fn is_alive(&self) -> bool {
        let (mut flags, mut active) = (0, 0);
        // SAFETY: writes two ints.
        let state = unsafe { sys::cuDevicePrimaryCtxGetState(self.device, &mut flags, &mut active) };
        state == sys::CUresult::CUDA_SUCCESS
            && active != 0
            && id_of(self.primary).is_ok_and(|id| id == self.primary_id)
    }

    /// Runs `launch` on the stream, timed by two events. A launcher's code other than 0 becomes an error.
    pub fn launch(&self, launch: impl FnOnce(kernels::Stream) -> c_int) -> Result<()> {
        self.record(self.before)?;
        check_launch(launch(self.stream.cast()))?;
        self.record(self.after)?;
        self.is_timed.set(true);
        Ok(())
    }

    fn record(&self, event: sys::CUevent) -> Result<()> {
        // SAFETY: both are ours.
        unsafe { result::event::record(event, self.stream) }.map_err(|error| failed("cuEventRecord", error))
    }

    pub fn forget_time(&self) {
        self.is_timed.set(false);
    }

    /// How long the last launch ran, in ms; 0 when there was none.
    pub fn last_ms(&self) -> Result<f64> {
        if !self.is_timed.get() {
            return Ok(0.0);
        }
        // SAFETY: both events are ours and were recorded.
        let ms = unsafe {
            result::event::synchronize(self.after)
                .and_then(|()| result::event::elapsed(self.before, self.after))
        };
        ms.map(f64::from).map_err(|error| failed("cuEventElapsedTime", error))
    }

    pub fn synchronize(&self) -> Result<()> {
        // SAFETY: the stream is ours.
        unsafe { result::stream::synchronize(self.stream) }
            .map_err(|error| failed("the device reports", error))
    }

    /// After an error: waits until the device has let go of the caller's arrays, and when it does not recover, keeps the error as
    /// the answer to every later call.
    pub fn note_failure(&mut self, error: &Error) {
        let waited = self.synchronize();
        if error.status() == Status::Cuda
            && self.fault.is_none()
            && waited.and(synchronize_context()).is_err()
        {
            self.fault = Some(error.clone());
        }
    }

    pub fn stream(&self) -> sys::CUstream {
        self.stream
    }

    pub fn pool(&self) -> sys::CUmemoryPool {
        self.pool
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Gives the free memory of the pool back to the device.
    pub fn trim(&self) -> std::result::Result<(), DriverError> {
        // SAFETY: stream and pool are ours.
        unsafe {
            result::stream::synchronize(self.stream)?;
            result::mem_pool::trim_to(self.pool, 0)
        }
    }

    pub fn info(&self) -> Result<DeviceInfo> {
        use sys::CUdevice_attribute::*;
        let attribute = |attribute| {
            // SAFETY: a device of this process.
            unsafe { result::device::get_attribute(self.device, attribute) }
                .map_err(|error| failed("cuDeviceGetAttribute", error))
        };
        let (free, total) = result::mem_get_info().map_err(|error| failed("cuMemGetInfo", error))?;
        let ordinal = i32::try_from(self.ordinal).unwrap_or(i32::MAX);
        let mut info = DeviceInfo::named(Backend::Cuda, ordinal, &self.name);
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

impl Drop for Device {
    fn drop(&mut self) {
        // After fork, a fault or a reset the handles are void, and the driver has taken their memory.
        if self.process != std::process::id() || self.fault.is_some() || !self.is_alive() {
            return;
        }
        let Ok(_current) = Current::push(self.primary) else { return };
        // SAFETY: those that are there are ours, and used by nobody else any more; the stream has drained.
        unsafe {
            if !self.stream.is_null() {
                let _ = result::stream::synchronize(self.stream);
                let _ = result::stream::destroy(self.stream);
            }
            for event in [self.before, self.after].into_iter().filter(|event| !event.is_null()) {
                let _ = result::event::destroy(event);
            }
            if !self.pool.is_null() {
                let _ = result::mem_pool::destroy(self.pool);
            }
        }
    }
}

fn synchronize_context() -> Result<()> {
    result::ctx::synchronize().map_err(|error| failed("cuCtxSynchronize", error))
}

fn create_event() -> Result<sys::CUevent> {
    result::event::create(sys::CUevent_flags::CU_EVENT_DEFAULT)
        .map_err(|error| failed("cuEventCreate", error))
}

/// Whether the current device runs our kernels. A device that has faulted is not taken for one that is too old.
fn check_kernels(name: &str) -> Result<()> {
    // SAFETY: asks the runtime about a kernel of ours.
    let code = unsafe { kernels::gpumexk_device_ready() };
    let text = launch_text(code);
    match code {
        0 => return Ok(()),
        kernels::NO_KERNEL_IMAGE | kernels::INSUFFICIENT_DRIVER | kernels::UNSUPPORTED_PTX => {}
        _ => {
            let rule = "reset it (MATLAB: reset (gpuDevice)) or start the process anew";
            return Err(Error::new(
                Status::Cuda,
                format!("{name} does not answer ({text}); after a fault, {rule}"),
            ));
        }
    }
    Err(Error::new(Status::NoDevice, format!("{name} cannot run the kernels of this build: {text}")))
}

/// A launcher's code as an error; the runtime forgets it, so that the next launch does not meet it again.
fn check_launch(code: c_int) -> Result<()> {
    if code == 0 {
        return Ok(());
    }
    // SAFETY: a state of this thread.
    unsafe { kernels::gpumexk_clear_error() };
    let status = if code == kernels::MEMORY_ALLOCATION { Status::OutOfMemory } else { Status::Cuda };
    Err(Error::new(status, format!("kernel launch: {}", launch_text(code))))
}

/// The primary context of a device, retained once a process.
fn retain_primary(ordinal: usize, device: sys::CUdevice) -> Result<sys::CUcontext> {
    static RETAINED: Mutex<Vec<(usize, usize)>> = Mutex::new(Vec::new()); // ordinal and the context's address
    let mut retained = lock(&RETAINED);
    let mut active = (0, 0);
    // SAFETY: writes two ints.
    unsafe { sys::cuDevicePrimaryCtxGetState(device, &mut active.0, &mut active.1) }
        .result()
        .map_err(|error| failed("cuDevicePrimaryCtxGetState", error))?;
    if active.1 == 0 {
        retained.retain(|(known, _)| *known != ordinal); // first use, or other code reset it under us
    }
    if let Some((_, context)) = retained.iter().find(|(known, _)| *known == ordinal) {
        return Ok(*context as sys::CUcontext);
    }
    // SAFETY: a device of this process.
    let context = unsafe { result::primary_ctx::retain(device) }
        .map_err(|error| failed("cuDevicePrimaryCtxRetain", error))?;
    retained.push((ordinal, context as usize));
    Ok(context)
}

fn id_of(context: sys::CUcontext) -> Result<u64> {
    let mut id = 0;
    // SAFETY: writes one integer; the driver checks the context.
    unsafe { sys::cuCtxGetId(context, &mut id) }.result().map_err(|error| failed("cuCtxGetId", error))?;
    Ok(id)
}

fn create_pool(index: c_int) -> Result<sys::CUmemoryPool> {
    // SAFETY: plain data; zero is the default of every field.
    let mut properties: sys::CUmemPoolProps = unsafe { std::mem::zeroed() };
    properties.allocType = sys::CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type_ = sys::CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE;
    properties.location.id = index;
    // SAFETY: the properties are complete.
    unsafe { result::mem_pool::create(&properties) }.map_err(|error| failed("cuMemPoolCreate", error))
}

/// The pool keeps up to an eighth of the device between calls, so that a repeated call allocates nothing.
fn keep_in_pool(pool: sys::CUmemoryPool, device: sys::CUdevice) -> Result<()> {
    let threshold = sys::CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
    // SAFETY: a pool of ours; the threshold is a 64-bit integer, as the attribute wants.
    unsafe {
        let total = result::device::total_mem(device).map_err(|error| failed("cuDeviceTotalMem", error))?;
        let mut keep = total as u64 / 8;
        result::mem_pool::set_attribute(pool, threshold, (&raw mut keep).cast())
            .map_err(|error| failed("cuMemPoolSetAttribute", error))
    }
}

/// The text of a launcher's code.
fn launch_text(code: c_int) -> String {
    // SAFETY: static text.
    unsafe { CStr::from_ptr(kernels::gpumexk_error_string(code)) }.to_string_lossy().into_owned()
}

//! The primary context of a device, which the CUDA runtime of the kernels, and MATLAB, use as well.
//!
//! It is retained once a device and, where it works, never released, at exit neither. Each entry of the library pushes it and pops
//! it, so that the caller's current context stays as it was.

use std::ffi::c_int;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex};

use cudarc::driver::{DriverError, result, sys};

use super::driver::{self, failed};
use super::kernels::gpumexk_device_ready;
use super::launch::{INSUFFICIENT_DRIVER, MEMORY_ALLOCATION, NO_KERNEL_IMAGE, UNSUPPORTED_PTX, launch_text};
use crate::error::{Error, Result, Status};
use crate::platform::fork;
use crate::platform::fork::lock;

pub struct Primary {
    ordinal: usize,
    device: sys::CUdevice,
    context: sys::CUcontext,
    id: u64,         // tells a primary context from one that was made after a reset
    generation: u32, // of the process that opened it
    name: String,
}

// SAFETY: driver handles may be used from any thread.
unsafe impl Send for Primary {}
// SAFETY: as above; nothing in it changes.
unsafe impl Sync for Primary {}

/// The device's primary context is current as long as this lives, and what we allocate or load meanwhile does not invalidate a capture
/// (cudaStreamBeginCapture) of the caller's, on this or another thread: none of it has to be repeated when the graph is launched.
pub struct Current {
    capture_mode: Option<sys::CUstreamCaptureMode>, // the caller's, where it was changed
    of_one_thread: PhantomData<*const ()>,          // not Send
}

impl Current {
    fn push(context: sys::CUcontext) -> Result<Current> {
        // SAFETY: a context that was retained.
        unsafe { sys::cuCtxPushCurrent_v2(context) }
            .result()
            .map_err(|error| failed("cuCtxPushCurrent", error))?;
        let relaxed = sys::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED;
        Ok(Current { capture_mode: exchange_capture_mode(relaxed), of_one_thread: PhantomData })
    }
}

/// Sets the mode of this thread, and gives the one that it had; None where the driver refuses.
fn exchange_capture_mode(mut mode: sys::CUstreamCaptureMode) -> Option<sys::CUstreamCaptureMode> {
    // SAFETY: reads a mode of the driver's and writes another one.
    let exchanged = unsafe { sys::cuThreadExchangeStreamCaptureMode(&mut mode) };
    exchanged.result().is_ok().then_some(mode)
}

impl Drop for Current {
    fn drop(&mut self) {
        self.capture_mode.and_then(exchange_capture_mode);
        let mut popped = std::ptr::null_mut();
        // SAFETY: pops what `push` pushed on this thread.
        let _ = unsafe { sys::cuCtxPopCurrent_v2(&mut popped) };
    }
}

impl Primary {
    /// The primary context of device `ordinal`, or why the device cannot be used.
    pub fn open(ordinal: usize) -> Result<Arc<Primary>> {
        static OPEN: Mutex<Vec<Arc<Primary>>> = Mutex::new(Vec::new());
        driver::start()?;
        let mut open = lock(&OPEN);
        open.retain(|primary| primary.is_alive().unwrap_or(true)); // other code may have reset a device under us
        if let Some(primary) = open.iter().find(|primary| primary.ordinal == ordinal) {
            return Ok(primary.clone());
        }
        let primary = Arc::new(Primary::retain(ordinal)?);
        open.push(primary.clone());
        Ok(primary)
    }

    fn retain(ordinal: usize) -> Result<Primary> {
        let absent = |reason: String| Error::new(Status::NoDevice, reason);
        let count = result::device::get_count().map_err(|error| failed("cuDeviceGetCount", error))?;
        let index =
            c_int::try_from(ordinal).ok().filter(|&index| index < count).ok_or_else(|| match count {
                0 => absent("the CUDA driver sees no device".to_string()),
                _ => absent(format!("device {ordinal} is asked for, the CUDA driver sees {count}")),
            })?;
        let device = result::device::get(index).map_err(|error| failed("cuDeviceGet", error))?;
        let name = result::device::get_name(device).map_err(|error| failed("cuDeviceGetName", error))?;
        // SAFETY: a device of this process.
        let context = unsafe { result::primary_ctx::retain(device) }
            .map_err(|error| failed("cuDevicePrimaryCtxRetain", error))?;
        let examine = || {
            let _current = Current::push(context)?;
            check_kernels(&name)?;
            id_of(context).map_err(|error| failed("cuCtxGetId", error))
        };
        let id = examine().inspect_err(|_| {
            // SAFETY: gives back what was retained; nothing of ours is in the context.
            let _ = unsafe { result::primary_ctx::release(device) };
        })?;
        Ok(Primary { ordinal, device, context, id, generation: fork::generation(), name })
    }

    /// Makes the primary context current until the result is dropped; refuses one that cannot go on.
    pub fn enter(&self) -> Result<Current> {
        self.check_process()?;
        self.check_alive()?;
        Current::push(self.context)
    }

    /// Refuses a device that other code has reset.
    pub fn check_alive(&self) -> Result<()> {
        match self.is_alive()? {
            true => Ok(()),
            false => Err(Error::new(
                Status::Cuda,
                format!(
                    "the primary context of device {} was reset by other code; call gpumex_reset_default, or destroy this \
                     context, and go on with a new one",
                    self.ordinal
                ),
            )),
        }
    }

    /// As `enter`, to give something back, for which there is no later occasion: tries twice. None where a process was forked or a
    /// device reset: what was to be given back is gone.
    pub fn enter_to_release(&self) -> Option<Current> {
        self.enter().or_else(|_| self.enter()).ok()
    }

    /// Refuses a process that was forked from the one that opened it.
    pub fn check_process(&self) -> Result<()> {
        if self.generation == fork::generation() {
            return Ok(());
        }
        Err(Error::unsupported("this context was made before fork, and a forked child cannot use CUDA"))
    }

    /// Whether the primary context is still the one that our streams and memory belong to.
    fn is_alive(&self) -> Result<bool> {
        use sys::CUresult::{CUDA_ERROR_CONTEXT_IS_DESTROYED, CUDA_ERROR_INVALID_CONTEXT};
        let (mut flags, mut active) = (0, 0);
        // SAFETY: writes two ints.
        unsafe { sys::cuDevicePrimaryCtxGetState(self.device, &mut flags, &mut active) }
            .result()
            .map_err(|error| failed("cuDevicePrimaryCtxGetState", error))?;
        if active == 0 {
            return Ok(false);
        }
        match id_of(self.context) {
            Ok(id) => Ok(id == self.id),
            Err(DriverError(CUDA_ERROR_CONTEXT_IS_DESTROYED | CUDA_ERROR_INVALID_CONTEXT)) => Ok(false),
            Err(error) => Err(failed("cuCtxGetId", error)),
        }
    }

    pub fn ordinal(&self) -> usize {
        self.ordinal
    }

    pub fn handle(&self) -> sys::CUcontext {
        self.context
    }

    /// What tells the device from those of all machines.
    pub fn uuid(&self) -> Result<[u8; 16]> {
        let uuid = result::device::get_uuid(self.device).map_err(|error| failed("cuDeviceGetUuid", error))?;
        Ok(uuid.bytes.map(|byte| byte as u8))
    }

    /// Whether this device reads and writes the memory of another one without the host.
    pub fn sees(&self, other: &Primary) -> Result<bool> {
        let mut sees = 0;
        // SAFETY: two devices of this process; writes an int.
        unsafe { sys::cuDeviceCanAccessPeer(&mut sees, self.device, other.device) }
            .result()
            .map_err(|error| failed("cuDeviceCanAccessPeer", error))?;
        Ok(sees != 0)
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn attribute(&self, attribute: sys::CUdevice_attribute) -> Result<i32> {
        // SAFETY: a device of this process.
        unsafe { result::device::get_attribute(self.device, attribute) }
            .map_err(|error| failed("cuDeviceGetAttribute", error))
    }

    /// Major and minor compute capability.
    pub fn compute(&self) -> Result<(i32, i32)> {
        use sys::CUdevice_attribute::*;
        let major = self.attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
        Ok((major, self.attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?))
    }

    /// The memory of the device in bytes.
    pub fn total_memory(&self) -> Result<u64> {
        // SAFETY: a device of this process.
        let total = unsafe { result::device::total_mem(self.device) };
        total.map(|bytes| bytes as u64).map_err(|error| failed("cuDeviceTotalMem", error))
    }
}

/// Whether the current device runs our kernels. A device that has faulted is not taken for one that is too old.
fn check_kernels(name: &str) -> Result<()> {
    // SAFETY: asks the runtime about a kernel of ours.
    let code = unsafe { gpumexk_device_ready() };
    let text = launch_text(code);
    match code {
        0 => return Ok(()),
        NO_KERNEL_IMAGE | INSUFFICIENT_DRIVER | UNSUPPORTED_PTX => {}
        MEMORY_ALLOCATION => {
            return Err(Error::new(
                Status::OutOfMemory,
                format!("{name} has no memory for the kernels: {text}"),
            ));
        }
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

fn id_of(context: sys::CUcontext) -> std::result::Result<u64, DriverError> {
    let mut id = 0;
    // SAFETY: writes one integer; the driver checks the context.
    unsafe { sys::cuCtxGetId(context, &mut id) }.result().map(|()| id)
}

//! Matrices between the host and the device whose rows do not touch there: what lies between rows is left alone.

use cudarc::driver::sys;

use super::driver::failed;
use crate::error::Result;
use crate::gpu::Device;

/// `rows` rows of `bytes` bytes; from one to the next there are `host_pitch` bytes on the host, on the device they touch.
#[derive(Clone, Copy)]
pub struct Rows {
    pub rows: usize,
    pub bytes: usize,
    pub host_pitch: usize,
}

#[derive(Clone, Copy)]
enum Direction {
    HostToDevice,
    DeviceToHost,
}

impl Device {
    /// target (on the device) ← source (on the host), in stream order.
    ///
    /// # Safety
    /// Both hold the rows until the stream has drained.
    pub unsafe fn upload_rows(&self, target: *mut u8, source: *const u8, rows: Rows) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.copy_rows(Direction::HostToDevice, target, source.cast_mut(), rows) }
    }

    /// target (on the host) ← source (on the device), in stream order.
    ///
    /// # Safety
    /// As `upload_rows`.
    pub unsafe fn download_rows(&self, target: *mut u8, source: *const u8, rows: Rows) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.copy_rows(Direction::DeviceToHost, source.cast_mut(), target, rows) }
    }

    /// # Safety
    /// As `upload_rows`.
    unsafe fn copy_rows(
        &self,
        direction: Direction,
        device: *mut u8,
        host: *mut u8,
        rows: Rows,
    ) -> Result<()> {
        let Rows { rows: count, bytes, host_pitch } = rows;
        if bytes == 0 {
            return Ok(());
        }
        self.close_kernels()?;
        self.is_drained.set(false);
        let longest = self.attribute(sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAX_PITCH)?;
        let is_one_copy = host_pitch <= usize::try_from(longest).unwrap_or(0);
        let (copies, height) = if is_one_copy { (1, count) } else { (count, 1) };
        for copy in 0..copies {
            let device = device.wrapping_add(copy * bytes);
            let host = host.wrapping_add(copy * host_pitch);
            let pitches = if is_one_copy { (bytes, host_pitch) } else { (bytes, bytes) };
            let copy = rectangle(direction, device, host, pitches, bytes, height);
            // SAFETY: the caller's promise.
            unsafe { sys::cuMemcpy2DAsync_v2(&copy, self.stream()) }
                .result()
                .map_err(|error| failed("cuMemcpy2DAsync", error))?;
        }
        Ok(())
    }
}

fn rectangle(
    direction: Direction,
    device: *mut u8,
    host: *mut u8,
    (device_pitch, host_pitch): (usize, usize),
    bytes: usize,
    height: usize,
) -> sys::CUDA_MEMCPY2D {
    use sys::CUmemorytype::{CU_MEMORYTYPE_DEVICE, CU_MEMORYTYPE_HOST};
    let (from, to) = match direction {
        Direction::HostToDevice => ((CU_MEMORYTYPE_HOST, host_pitch), (CU_MEMORYTYPE_DEVICE, device_pitch)),
        Direction::DeviceToHost => ((CU_MEMORYTYPE_DEVICE, device_pitch), (CU_MEMORYTYPE_HOST, host_pitch)),
    };
    sys::CUDA_MEMCPY2D {
        srcXInBytes: 0,
        srcY: 0,
        srcMemoryType: from.0,
        srcHost: host.cast(),
        srcDevice: device as sys::CUdeviceptr,
        srcArray: std::ptr::null_mut(),
        srcPitch: from.1,
        dstXInBytes: 0,
        dstY: 0,
        dstMemoryType: to.0,
        dstHost: host.cast(),
        dstDevice: device as sys::CUdeviceptr,
        dstArray: std::ptr::null_mut(),
        dstPitch: to.1,
        WidthInBytes: bytes,
        Height: height,
    }
}

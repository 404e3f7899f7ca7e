//! Device memory of one call: taken from the device's pool in stream order, given back when it goes out of scope.

use std::marker::PhantomData;

use cudarc::driver::{result, sys};

use super::Device;
use super::driver::failed;
use crate::array::Element;
use crate::error::{Error, Result};

/// `len` elements on the device.
pub struct Buffer<'d, T> {
    device: &'d Device,
    address: sys::CUdeviceptr, // 0 when len is 0
    len: usize,
    elements: PhantomData<T>,
}

impl<'d, T: Element> Buffer<'d, T> {
    /// Memory with undefined contents. Out of memory trims the pool and tries once more.
    pub fn new(device: &'d Device, len: usize) -> Result<Buffer<'d, T>> {
        let bytes = len
            .checked_mul(size_of::<T>())
            .ok_or_else(|| Error::out_of_memory("device memory", usize::MAX))?;
        let mut address = 0;
        if bytes > 0 {
            let exhausted =
                |error: cudarc::driver::DriverError| error.0 == sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY;
            // SAFETY: pool and stream are the device's and live as long as it does.
            let allocate = || unsafe { result::mem_pool::alloc_async(device.pool(), bytes, device.stream()) };
            address =
                allocate()
                    .or_else(|error| {
                        if exhausted(error) { device.trim().and_then(|()| allocate()) } else { Err(error) }
                    })
                    .map_err(|error| match exhausted(error) {
                        true => Error::out_of_memory("device memory", bytes),
                        false => failed("cuMemAllocFromPoolAsync", error),
                    })?;
        }
        Ok(Buffer { device, address, len, elements: PhantomData })
    }

    /// Memory that holds a copy of `source`.
    pub fn from_host(device: &'d Device, source: &[T]) -> Result<Buffer<'d, T>> {
        let buffer = Buffer::new(device, source.len())?;
        if !source.is_empty() {
            // SAFETY: the buffer is as long as the source; pageable memory is read before the call returns, and every operation
            // waits for its stream, after an error too, before its inputs go back to the caller.
            unsafe { result::memcpy_htod_async(buffer.address, source, device.stream()) }
                .map_err(|error| failed("copy to the device", error))?;
        }
        Ok(buffer)
    }

    /// Copies the memory to `target` and waits: what the stream did before is done as well.
    pub fn to_host(&self, target: &mut [T]) -> Result<()> {
        assert_eq!(target.len(), self.len, "a buffer is copied whole");
        if !target.is_empty() {
            // SAFETY: target is as long as the buffer, and is not given back before the stream has drained.
            unsafe { result::memcpy_dtoh_async(target, self.address, self.device.stream()) }
                .map_err(|error| failed("copy from the device", error))?;
        }
        self.device.synchronize()
    }

    /// The address, for a launcher.
    pub fn as_ptr(&self) -> *mut T {
        self.address as *mut T
    }
}

impl<T> Drop for Buffer<'_, T> {
    fn drop(&mut self) {
        if self.address != 0 {
            // SAFETY: allocated by us; in stream order, so after its last use. A failure would be the device's, reported elsewhere.
            let _ = unsafe { result::free_async(self.address, self.device.stream()) };
        }
    }
}

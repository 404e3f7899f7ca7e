//! Prefetch of managed memory, in stream order.

use cudarc::driver::{result, sys};

use super::Device;
use super::driver::failed;
use crate::array::ViewMut;
use crate::error::Result;
use crate::memory;

/// Moves the pages of managed memory to the device, or to the host.
pub fn prefetch(device: &Device, mut array: ViewMut<u8>, to_device: bool) -> Result<()> {
    use sys::CUmemLocationType::{CU_MEM_LOCATION_TYPE_DEVICE, CU_MEM_LOCATION_TYPE_HOST};
    // SAFETY: plain data; zero is a value of every field.
    let mut location: sys::CUmemLocation = unsafe { std::mem::zeroed() };
    location.type_ = if to_device { CU_MEM_LOCATION_TYPE_DEVICE } else { CU_MEM_LOCATION_TYPE_HOST };
    location.id = if to_device { device.ordinal() } else { 0 };
    let (address, bytes) = (array.as_mut_ptr() as sys::CUdeviceptr, array.len());
    memory::use_on(&device.heap().current_source(), address as usize)?;
    // SAFETY: managed memory of `bytes` bytes, as the driver or our own table said.
    unsafe { result::mem_prefetch_async(address, bytes, location, device.stream()) }
        .map_err(|error| failed("cuMemPrefetchAsync", error))
}

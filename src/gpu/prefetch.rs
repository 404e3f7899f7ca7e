//! Prefetch of managed memory, in stream order.

use cudarc::driver::{result, sys};

use super::Device;
use super::runtime::driver::failed;
use crate::array::{Element, View, ViewMut};
use crate::error::{Error, Result};
use crate::memory::{self, Place};

/// Moves the pages of managed memory to the device, or to the host.
pub fn prefetch(device: &Device, mut array: ViewMut<u8>, to_device: bool) -> Result<()> {
    device.refuse_capture("a graph cannot prefetch")?;
    if !device.can_prefetch()? {
        return Err(Error::unsupported(
            "this device moves managed memory as a whole, when a kernel starts and when it ends",
        ));
    }
    device.prefetch(&array.as_view(), to_device)
}

impl Device {
    /// Whether pages of managed memory move one by one.
    pub(super) fn can_prefetch(&self) -> Result<bool> {
        use sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS;
        Ok(self.attribute(CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS)? != 0)
    }

    /// Moves those of managed memory to the device. Where a device cannot, the driver moves all managed memory at the launch.
    pub(super) fn prefetch_managed<T: Element>(&self, views: &[View<T>]) -> Result<()> {
        let mut managed = views.iter().filter(|view| view.place() == Place::Managed).peekable();
        if managed.peek().is_none() || !self.can_prefetch()? {
            return Ok(());
        }
        managed.try_for_each(|view| self.prefetch(view, true))
    }

    /// Moves the pages of an array in managed memory.
    pub(super) fn prefetch<T: Element>(&self, array: &View<T>, to_device: bool) -> Result<()> {
        use sys::CUmemLocationType::{CU_MEM_LOCATION_TYPE_DEVICE, CU_MEM_LOCATION_TYPE_HOST};
        // SAFETY: plain data; zero is a value of every field.
        let mut location: sys::CUmemLocation = unsafe { std::mem::zeroed() };
        location.type_ = if to_device { CU_MEM_LOCATION_TYPE_DEVICE } else { CU_MEM_LOCATION_TYPE_HOST };
        location.id = if to_device { self.ordinal() } else { 0 };
        let (address, bytes) = (array.as_ptr() as sys::CUdeviceptr, array.bytes());
        memory::use_on(&self.heap().current_source(), address as usize)?;
        // SAFETY: managed memory of `bytes` bytes, as the driver or our own table said.
        unsafe { result::mem_prefetch_async(address, bytes, location, self.stream()) }
            .map_err(|error| failed("cuMemPrefetchAsync", error))
    }
}

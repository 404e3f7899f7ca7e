//! The arrays of one call as the kernels see them: temporaries, arguments that lie on the device already, and
//! copies of those that do not.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr::{null, null_mut};

use cudarc::driver::sys;

use super::device::Temporary;
use super::driver::failed;
use crate::array::{DynView, DynViewMut, Element, View, ViewMut};
use crate::error::{Error, Result};
use crate::gpu::Device;
use crate::memory;
use crate::memory::Place;

/// `len` elements on the device for the length of a call, with undefined contents.
pub struct Buffer<'d, T> {
    device: &'d Device,
    memory: Option<Temporary>, // None when len is 0
    elements: PhantomData<T>,
}

impl<'d, T: Element> Buffer<'d, T> {
    pub fn new(device: &'d Device, len: usize) -> Result<Buffer<'d, T>> {
        let bytes = len
            .checked_mul(size_of::<T>())
            .ok_or_else(|| Error::out_of_memory("device memory", usize::MAX))?;
        let memory = if bytes == 0 { None } else { Some(device.take_temporary(bytes)?) };
        Ok(Buffer { device, memory, elements: PhantomData })
    }

    /// Where the elements are.
    pub fn device(&self) -> &'d Device {
        self.device
    }

    /// The address, for a launcher.
    pub fn as_ptr(&self) -> *mut T {
        self.memory.map_or(std::ptr::null_mut(), |memory| memory.address() as *mut T)
    }
}

impl<T> Drop for Buffer<'_, T> {
    fn drop(&mut self) {
        if let Some(memory) = self.memory {
            self.device.give_temporary_back(memory);
        }
    }
}

/// An array that a kernel reads.
pub struct DeviceInput<'d, T> {
    address: *const T,
    _copy: Option<Buffer<'d, T>>,
}

impl<'d, T: Element> DeviceInput<'d, T> {
    /// A copy of what the caller has.
    pub fn of(copy: Buffer<'d, T>) -> DeviceInput<'d, T> {
        DeviceInput { address: copy.as_ptr(), _copy: Some(copy) }
    }
}

impl<T> DeviceInput<'_, T> {
    pub fn as_ptr(&self) -> *const T {
        self.address
    }
}

/// An array that a kernel writes; `finish` brings the result to the caller's.
pub struct DeviceOutput<'d, 'a, T> {
    device: &'d Device,
    target: ViewMut<'a, T>,
    copy: Option<Buffer<'d, T>>,
}

impl<T: Element> DeviceOutput<'_, '_, T> {
    pub fn as_mut_ptr(&mut self) -> *mut T {
        self.copy.as_ref().map_or(self.target.as_mut_ptr(), Buffer::as_ptr)
    }

    pub fn finish(mut self) -> Result<()> {
        match &self.copy {
            Some(copy) => self.device.download(&mut self.target, copy.as_ptr()),
            None => Ok(()),
        }
    }
}

impl<'a, T: Element> DeviceOutput<'_, 'a, T> {
    /// Whether the kernel writes a buffer, which `finish` copies from.
    pub fn is_copied(&self) -> bool {
        self.copy.is_some()
    }

    /// As `finish`, of the first `len` elements.
    pub fn finish_first(self, len: usize) -> Result<()> {
        DeviceOutput { target: self.target.first(len), ..self }.finish()
    }
}

/// Where a kernel reads an array; NULL where it is left out.
pub fn source(reading: &Option<DeviceInput<u8>>) -> *const c_void {
    reading.as_ref().map_or(null(), |reading| reading.as_ptr().cast())
}

/// Where a kernel writes an array; NULL where it is left out.
pub fn target(writing: &mut Option<DeviceOutput<u8>>) -> *mut c_void {
    writing.as_mut().map_or(null_mut(), |writing| writing.as_mut_ptr().cast())
}

/// Brings a result to the caller's array, unless it is left out.
pub fn finish(writing: Option<DeviceOutput<u8>>) -> Result<()> {
    writing.map_or(Ok(()), DeviceOutput::finish)
}

impl Device {
    /// An argument for kernels to read: itself where the device can, else a copy.
    pub fn read<T: Element>(&self, view: &View<T>) -> Result<DeviceInput<'_, T>> {
        if view.is_empty() {
            return Ok(DeviceInput { address: view.as_ptr(), _copy: None });
        }
        if self.reaches(view.place(), view.name(), view.as_ptr().cast())? {
            return Ok(DeviceInput { address: view.as_ptr(), _copy: None });
        }
        let copy = Buffer::new(self, view.len())?;
        self.upload(copy.as_ptr(), view)?;
        Ok(DeviceInput::of(copy))
    }

    /// The same of an array that may be left out.
    pub fn read_optional(&self, view: Option<DynView>) -> Result<Option<DeviceInput<'_, u8>>> {
        view.map(|view| self.read(&view.bytes())).transpose()
    }

    /// An array to write that may be left out.
    pub fn write_optional<'d, 'a>(
        &'d self,
        view: Option<DynViewMut<'a>>,
    ) -> Result<Option<DeviceOutput<'d, 'a, u8>>> {
        view.map(|view| self.write(view.into_bytes())).transpose()
    }

    /// An argument for kernels to write: itself where the device can, else a buffer.
    pub fn write<'d, 'a, T: Element>(&'d self, mut view: ViewMut<'a, T>) -> Result<DeviceOutput<'d, 'a, T>> {
        let is_reached = self.reaches(view.place(), view.name(), view.as_mut_ptr().cast())?;
        let copy = if is_reached { None } else { Some(Buffer::new(self, view.len())?) };
        Ok(DeviceOutput { device: self, target: view, copy })
    }

    /// An argument for kernels to read and write.
    pub fn update<'d, 'a, T: Element>(&'d self, mut view: ViewMut<'a, T>) -> Result<DeviceOutput<'d, 'a, T>> {
        let before = view.as_view();
        let writing = self.write(view)?;
        if let Some(copy) = &writing.copy {
            self.upload(copy.as_ptr(), &before)?;
        }
        Ok(writing)
    }

    /// Whether kernels can work on memory of this place; orders the stream behind its last user, a captured call only behind what
    /// is captured. Memory of another device is refused. Where the host can see the array, the call will wait.
    pub fn reaches(&self, place: Place, name: &str, address: *const u8) -> Result<bool> {
        match place {
            Place::Device(ordinal) if ordinal != self.ordinal() => Err(Error::invalid(format!(
                "{name} is memory of device {ordinal}; this context runs on device {}",
                self.ordinal()
            ))),
            Place::Device(_) if self.is_captured() => Ok(true),
            Place::Host | Place::Pinned | Place::Managed if self.is_captured() => {
                self.refuse_capture(&format!(
                    "{name} is {place:?} memory, and a graph works on device memory alone"
                ))?;
                Ok(false)
            }
            Place::Device(_) => {
                memory::use_on(&self.heap().current_source(), address as usize)?;
                Ok(true)
            }
            Place::Managed => {
                self.wait_at_end()?;
                memory::use_on(&self.heap().current_source(), address as usize)?;
                Ok(true)
            }
            Place::Host | Place::Pinned => {
                self.wait_at_end()?;
                Ok(false)
            }
        }
    }

    /// target (on the device) ← source, in stream order. Ordinary memory of the host has been read on return.
    pub fn upload<T: Element>(&self, target: *mut T, source: &View<T>) -> Result<()> {
        if source.place() != Place::Host || source.is_empty() {
            return self.copy_bytes(target.cast(), source.as_ptr().cast(), source.bytes());
        }
        self.is_drained.set(false);
        // SAFETY: target is as long as the source, and temporaries and arguments live until the stream has come
        // past.
        unsafe { self.staging.upload(self.stream(), target as sys::CUdeviceptr, source.bytes_on_host()?) }
    }

    /// target (on the device, used by nothing) ← source (ordinary memory of the host), which has been read on
    /// return.
    pub fn upload_to_free<T: Element>(&self, target: *mut T, source: &View<T>) -> Result<()> {
        let target = target as sys::CUdeviceptr;
        // SAFETY: target is as long as the source, and free as the caller says.
        unsafe { self.staging.upload_to_free(self.stream(), target, source.bytes_on_host()?) }
    }

    /// target ← source (on the device), in stream order. Ordinary memory of the host is complete on return.
    pub fn download<T: Element>(&self, target: &mut ViewMut<T>, source: *const T) -> Result<()> {
        let bytes = target.len() * size_of::<T>();
        if target.place() != Place::Host || bytes == 0 {
            return self.copy_bytes(target.as_mut_ptr().cast(), source.cast(), bytes);
        }
        self.close_kernels()?;
        // SAFETY: the source is as long as the target.
        unsafe { self.staging.download(self.stream(), target.bytes_on_host()?, source as sys::CUdeviceptr)? };
        self.is_drained.set(true);
        Ok(())
    }

    /// Copies within the device, or between it and memory that the driver knows.
    pub fn copy_bytes(&self, target: *mut c_void, source: *const c_void, bytes: usize) -> Result<()> {
        if bytes == 0 {
            return Ok(());
        }
        self.close_kernels()?;
        self.is_drained.set(false);
        let (target, source) = (target as sys::CUdeviceptr, source as sys::CUdeviceptr);
        // SAFETY: both hold `bytes` bytes until the stream has drained, which every operation waits for before
        // arrays that the host can see go back to the caller.
        unsafe { sys::cuMemcpyAsync(target, source, bytes, self.stream()) }
            .result()
            .map_err(|error| failed("cuMemcpyAsync", error))
    }
}

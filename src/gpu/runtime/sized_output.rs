//! Results whose length a kernel finds.

use std::ffi::c_void;
use std::ptr::null_mut;

use super::memory::DeviceOutput;
use crate::array::{DynViewMut, ViewMut};
use crate::error::Result;
use crate::gpu::Device;
use crate::memory::Place;

impl Device {
    /// An array of which a kernel writes as much as it finds; None where it is left out or empty.
    pub fn write_part<'d, 'a>(&'d self, view: Option<DynViewMut<'a>>) -> Result<Option<Part<'d, 'a>>> {
        let Some(view) = view.filter(|view| !view.is_empty()) else { return Ok(None) };
        let width = view.dtype().size();
        Ok(Some(Part { width, bytes: self.write(view.into_bytes())? }))
    }

    /// needed ← the length of the results of `run`, whose kernels write it to the address that it is given. are_copied: the host has to
    /// know it, to copy the results.
    pub fn run_sized(
        &self,
        mut needed: ViewMut<u64>,
        are_copied: bool,
        run: &mut dyn FnMut(*mut u64) -> Result<()>,
    ) -> Result<SizedOutput> {
        self.reaches(needed.place(), needed.name(), needed.as_mut_ptr().cast())?;
        let is_on_device = matches!(needed.place(), Place::Device(_));
        if is_on_device && !are_copied {
            run(needed.as_mut_ptr())?;
            return Ok(SizedOutput { len: None, is_on_host: false });
        }
        let len = if is_on_device {
            run(needed.as_mut_ptr())?;
            self.read_number(needed.as_mut_ptr())?
        } else {
            let len = self.receive_number(run)?;
            needed.on_host()?[0] = len;
            len
        };
        Ok(SizedOutput { len: Some(len), is_on_host: !is_on_device })
    }

    /// A number in memory of the device, when the work so far has written it.
    pub fn read_number(&self, number: *const u64) -> Result<u64> {
        self.receive_number(&mut |to| self.copy_bytes(to.cast(), number.cast(), size_of::<u64>()))
    }

    /// The number that `send` has the device write to the address that it is given, when it is written.
    fn receive_number(&self, send: &mut dyn FnMut(*mut u64) -> Result<()>) -> Result<u64> {
        let mut bytes = [0; size_of::<u64>()];
        self.receive(&mut bytes, |to| send(to.cast()))?;
        Ok(u64::from_ne_bytes(bytes))
    }

    /// bytes ← what `send` has the device write to the address that it is given, when it is written: for the few bytes of a result,
    /// which kernels write to memory of the host sooner than they are copied there.
    pub fn receive(&self, bytes: &mut [u8], send: impl FnOnce(*mut u8) -> Result<()>) -> Result<()> {
        let zero_copy = self.zero_copy()?;
        send(zero_copy.at(0))?;
        self.synchronize()?;
        zero_copy.take(0, bytes);
        Ok(())
    }
}

/// The length of results, as far as the host knows it.
pub struct SizedOutput {
    len: Option<u64>,
    is_on_host: bool,
}

impl SizedOutput {
    /// The length, where the caller's `needed` is on the host; else the caller compares.
    pub fn len_on_host(&self) -> Option<u64> {
        self.len.filter(|_| self.is_on_host)
    }

    /// Brings what was found to the caller's array, or as much as it holds.
    pub fn finish(&self, part: Option<Part>, capacity: usize) -> Result<()> {
        let written =
            self.len.map_or(capacity, |len| usize::try_from(len).unwrap_or(usize::MAX).min(capacity));
        part.map_or(Ok(()), |part| part.bytes.finish_first(written * part.width))
    }

    /// The same for the offsets of what was found, one more than there are elements.
    pub fn finish_offsets(&self, part: Option<Part>, capacity: usize) -> Result<()> {
        SizedOutput { len: self.len.map(|len| len + 1), ..*self }.finish(part, capacity + 1)
    }
}

/// An array that is written in part.
pub struct Part<'d, 'a> {
    width: usize, // bytes of an element
    bytes: DeviceOutput<'d, 'a, u8>,
}

/// Whether the host has to know how much was found, to copy it.
pub fn is_copied(part: &Option<Part>) -> bool {
    part.as_ref().is_some_and(|part| part.bytes.is_copied())
}

/// Where a kernel writes an array; NULL where it is left out.
pub fn part_ptr(part: &mut Option<Part>) -> *mut c_void {
    part.as_mut().map_or(null_mut(), |part| part.bytes.as_mut_ptr().cast())
}

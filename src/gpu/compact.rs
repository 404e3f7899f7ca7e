//! The elements whose flags are set, on the device.

use std::ptr::{null, null_mut};

use super::Device;
use super::device::check_launch;
use super::kernels::{gpumexk_compact, gpumexk_compact_scratch};
use super::memory::Buffer;
use crate::array::{Element, Output, View, ViewMut};
use crate::error::Result;
use crate::memory::Place;
use crate::primitives::Index;

/// An output of which a part that the device finds is written.
struct Part<'d, 'a, T> {
    target: ViewMut<'a, T>,
    copy: Option<Buffer<'d, T>>, // None: the device writes the target itself
}

impl<'d, 'a, T: Element> Part<'d, 'a, T> {
    /// `most`: elements that are written at most.
    fn new(device: &'d Device, mut target: ViewMut<'a, T>, most: usize) -> Result<Part<'d, 'a, T>> {
        let is_reached = device.reaches(target.place(), target.name(), target.as_mut_ptr().cast())?;
        let copy = if is_reached { None } else { Some(Buffer::new(device, most)?) };
        Ok(Part { target, copy })
    }

    fn as_mut_ptr(&mut self) -> *mut T {
        self.copy.as_ref().map_or(self.target.as_mut_ptr(), Buffer::as_ptr)
    }

    /// Brings the first `len` elements to the caller's.
    fn finish(self, device: &Device, len: usize) -> Result<()> {
        match &self.copy {
            Some(copy) => device.download(&mut self.target.first(len), copy.as_ptr()),
            None => Ok(()),
        }
    }
}

/// kept, positions (capacity) ← the elements whose flags are set, and where they stand; needed (1) ← how many they are, which is
/// returned where the host sees it.
pub fn compact<T: Element, I: Index>(
    device: &Device,
    data: Option<View<T>>,
    flags: View<u8>,
    kept: Option<ViewMut<T>>,
    positions: Option<ViewMut<I>>,
    capacity: usize,
    needed: ViewMut<u64>,
) -> Result<Option<u64>> {
    let (count, most, mut bytes) = (flags.len(), capacity.min(flags.len()), 0);
    // SAFETY: writes one size.
    check_launch(unsafe { gpumexk_compact_scratch(count, size_of::<T>(), &mut bytes) })?;
    let scratch = Buffer::<u8>::new(device, bytes)?;
    let data = data.map(|data| device.read(&data)).transpose()?;
    let flags = device.read(&flags)?;
    let mut kept = kept.map(|kept| Part::new(device, kept, most)).transpose()?;
    let mut positions = positions.map(|positions| Part::new(device, positions, most)).transpose()?;
    let is_on_device = matches!(needed.place(), Place::Device(_));
    let mut needed = Part::new(device, needed, 1)?;

    let (from, by) = (data.as_ref().map_or(null(), |data| data.as_ptr()).cast(), flags.as_ptr());
    let kept_at = kept.as_mut().map_or(null_mut(), Part::as_mut_ptr).cast();
    let positions_at = positions.as_mut().map_or(null_mut(), Part::as_mut_ptr).cast();
    let (needed_at, scratch) = (needed.as_mut_ptr(), scratch.as_ptr().cast());
    let (width, index) = (size_of::<T>(), size_of::<I>());
    // SAFETY: data and flags hold count elements, kept and positions as many as are written, or they are null; needed holds one;
    // the scratch has the bytes that were asked for.
    device.launch(|stream| unsafe {
        gpumexk_compact(
            from,
            width,
            by,
            count,
            scratch,
            kept_at,
            positions_at,
            index,
            capacity,
            needed_at,
            stream,
        )
    })?;

    // The host has to know how many there are only where it sees something.
    let has_copies = kept.as_ref().is_some_and(|part| part.copy.is_some())
        || positions.as_ref().is_some_and(|part| part.copy.is_some());
    if is_on_device && !has_copies {
        return Ok(None);
    }
    let mut found = [0];
    device.download(&mut Output::new("needed", &mut found).view(&[1])?, needed_at)?;
    let len = found[0].min(most as u64) as usize;
    kept.map_or(Ok(()), |part| part.finish(device, len))?;
    positions.map_or(Ok(()), |part| part.finish(device, len))?;
    needed.finish(device, 1)?;
    Ok((!is_on_device).then_some(found[0]))
}

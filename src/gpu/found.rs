//! Results whose length a kernel finds.

use std::ffi::c_void;
use std::ptr::null_mut;

use super::Device;
use super::memory::Writing;
use crate::array::{Element, ViewMut};
use crate::error::{Error, Result};
use crate::memory::Place;

impl Device {
    /// An array of which a kernel writes as much as it finds; None where it is left out.
    pub fn write_part<'d, 'a, T: Element>(
        &'d self,
        view: ViewMut<'a, T>,
    ) -> Result<Option<Writing<'d, 'a, T>>> {
        if view.is_empty() { Ok(None) } else { self.write(view).map(Some) }
    }

    /// needed ← how much `run` finds, whose kernels write it to the address that it is given. are_copied: the host has to know, to copy
    /// the results.
    pub fn find(
        &self,
        mut needed: ViewMut<u64>,
        are_copied: bool,
        run: impl FnOnce(*mut u64) -> Result<()>,
    ) -> Result<Found> {
        self.reaches(needed.place(), needed.name(), needed.as_mut_ptr().cast())?;
        let is_on_device = matches!(needed.place(), Place::Device(_));
        if is_on_device && !are_copied {
            run(needed.as_mut_ptr())?;
            return Ok(Found { len: None, is_seen: false });
        }
        let Some(mailbox) = self.mailbox() else {
            return Err(Error::out_of_memory("page-locked memory", size_of::<u64>()));
        };
        match is_on_device {
            true => {
                run(needed.as_mut_ptr())?;
                self.copy_bytes(mailbox.at(0), needed.as_mut_ptr().cast(), size_of::<u64>())?;
            }
            false => run(mailbox.at(0))?,
        }
        self.synchronize()?;
        let mut bytes = [0; size_of::<u64>()];
        mailbox.take(0, &mut bytes);
        let len = u64::from_ne_bytes(bytes);
        if !is_on_device {
            needed.on_host()?[0] = len;
        }
        Ok(Found { len: Some(len), is_seen: !is_on_device })
    }
}

/// How much was found, as far as this is known.
pub struct Found {
    len: Option<u64>,
    is_seen: bool,
}

impl Found {
    /// The length, where the caller's `needed` is seen by the host; else the caller compares.
    pub fn seen(&self) -> Option<u64> {
        self.len.filter(|_| self.is_seen)
    }

    /// Brings what was found to the caller's array, or as much as it holds.
    pub fn finish<T: Element>(&self, part: Option<Writing<T>>, capacity: usize) -> Result<()> {
        let written =
            self.len.map_or(capacity, |len| usize::try_from(len).unwrap_or(usize::MAX).min(capacity));
        part.map_or(Ok(()), |part| part.finish_first(written))
    }
}

/// Whether the host has to know how much was found, to copy it.
pub fn is_copied<T: Element>(writing: &Option<Writing<T>>) -> bool {
    writing.as_ref().is_some_and(Writing::is_copied)
}

/// Where a kernel writes an array; NULL where it is left out.
pub fn address<T: Element>(writing: &mut Option<Writing<T>>) -> *mut c_void {
    writing.as_mut().map_or(null_mut(), |writing| writing.as_mut_ptr().cast())
}

//! Results whose length a kernel finds.

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

    /// needed ← how much `run` finds, whose kernels write it to the address that it is given. The length, where the host sees
    /// `needed` or has to know.
    pub fn find(
        &self,
        mut needed: ViewMut<u64>,
        host_has_to_know: bool,
        run: impl FnOnce(*mut u64) -> Result<()>,
    ) -> Result<Option<u64>> {
        self.reaches(needed.place(), needed.name(), needed.as_mut_ptr().cast())?;
        let is_on_device = matches!(needed.place(), Place::Device(_));
        if is_on_device && !host_has_to_know {
            run(needed.as_mut_ptr())?;
            return Ok(None);
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
        let found = u64::from_ne_bytes(bytes);
        if !is_on_device {
            needed.on_host()?[0] = found;
        }
        Ok(Some(found))
    }
}

/// Brings the first `found` elements to the caller's array, or as many as it holds; None: they are there.
pub fn finish_part<T: Element>(
    writing: Option<Writing<T>>,
    capacity: usize,
    found: Option<u64>,
) -> Result<()> {
    let written = found.map_or(capacity, |found| usize::try_from(found).unwrap_or(usize::MAX).min(capacity));
    writing.map_or(Ok(()), |writing| writing.finish_first(written))
}

/// Whether the host has to know how much was found, to copy it.
pub fn is_copied<T: Element>(writing: &Option<Writing<T>>) -> bool {
    writing.as_ref().is_some_and(Writing::is_copied)
}

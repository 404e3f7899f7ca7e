//! The memory of this machine as a source: for every kind of memory on the CPU backend.

use std::alloc::{Layout, alloc, dealloc};

use super::{ALIGNMENT, MemoryKind, Source, limit};
use crate::error::{Error, Result};
use crate::memory::Place;

pub struct HostSource;

fn layout(bytes: usize) -> Result<Layout> {
    Layout::from_size_align(bytes, ALIGNMENT).map_err(|_| Error::out_of_memory("host memory", bytes))
}

impl Source for HostSource {
    fn allocate(&self, _: MemoryKind, bytes: usize) -> Result<usize> {
        // SAFETY: the layout is not empty.
        let address = unsafe { alloc(layout(bytes)?) };
        if address.is_null() { Err(Error::out_of_memory("host memory", bytes)) } else { Ok(address as usize) }
    }

    fn release(&self, _: MemoryKind, address: usize, bytes: usize) {
        if let Ok(layout) = layout(bytes) {
            // SAFETY: given by `allocate` with this layout.
            unsafe { dealloc(address as *mut u8, layout) };
        }
    }

    fn place(&self, _: MemoryKind) -> Place {
        Place::Host
    }

    fn device(&self) -> i32 {
        -1
    }

    fn stream(&self) -> usize {
        0
    }

    fn follow(&self, _: &dyn Source) -> Result<()> {
        Ok(()) // what the CPU does is done when the call returns
    }
}

/// The memory that this process may use, in bytes: the machine's, or less in a control group with a limit.
pub fn total_memory() -> u64 {
    machine_memory().min(limit::of_control_groups())
}

fn machine_memory() -> u64 {
    // SAFETY: asks for two numbers.
    let (pages, bytes) = unsafe { (libc::sysconf(libc::_SC_PHYS_PAGES), libc::sysconf(libc::_SC_PAGESIZE)) };
    u64::try_from(pages).unwrap_or(0).saturating_mul(u64::try_from(bytes).unwrap_or(0))
}

//! A caller's pair of functions as the source of device memory.

use std::ffi::c_void;
use std::sync::Arc;

use super::{ALIGNMENT, MemoryKind, Source};
use crate::error::{Error, Result};
use crate::memory;
use crate::memory::Place;

/// Gives memory: 0 and the address, or another number when there is none.
pub type Allocate = unsafe extern "C" fn(
    user: *mut c_void,
    bytes: usize,
    stream: *mut c_void,
    memory: *mut *mut c_void,
) -> i32;
/// Takes it back.
pub type Release =
    unsafe extern "C" fn(user: *mut c_void, memory: *mut c_void, bytes: usize, stream: *mut c_void);

/// Device memory through the caller's functions; the other kinds through the source that it stands in for.
pub struct CustomSource {
    allocate: Allocate,
    release: Release,
    user: *mut c_void,
    own: Arc<dyn Source>,
}

// SAFETY: the pointer is only handed back to the functions, which the header says may be called from any thread.
unsafe impl Send for CustomSource {}
// SAFETY: as above.
unsafe impl Sync for CustomSource {}

impl CustomSource {
    pub fn new(
        allocate: Allocate,
        release: Release,
        user: *mut c_void,
        own: Arc<dyn Source>,
    ) -> CustomSource {
        CustomSource { allocate, release, user, own }
    }

    fn stream_handle(&self) -> *mut c_void {
        self.own.stream() as *mut c_void
    }
}

impl Source for CustomSource {
    fn allocate(&self, kind: MemoryKind, bytes: usize) -> Result<usize> {
        if kind != MemoryKind::Device {
            return self.own.allocate(kind, bytes);
        }
        let (mut memory, mut status) = (std::ptr::null_mut(), -1);
        // SAFETY: a function of the caller with this signature; it writes one pointer.
        let mut ask =
            || status = unsafe { (self.allocate)(self.user, bytes, self.stream_handle(), &mut memory) };
        self.own.on_device(&mut ask)?;
        let address = memory as usize;
        if status != 0 || address == 0 {
            return Err(Error::out_of_memory("memory of the custom allocator", bytes));
        }
        if !address.is_multiple_of(ALIGNMENT) {
            self.release(kind, address, bytes);
            return Err(Error::invalid(format!(
                "the custom allocator gave {address:#x}, which is not a multiple of {ALIGNMENT} bytes"
            )));
        }
        if memory::find(address).is_some_and(|found| found.bytes.is_some()) {
            self.release(kind, address, bytes);
            return Err(Error::invalid(format!(
                "the custom allocator gave {address:#x}, which is memory of gpumex_malloc"
            )));
        }
        Ok(address)
    }

    fn release(&self, kind: MemoryKind, address: usize, bytes: usize) {
        if kind != MemoryKind::Device {
            return self.own.release(kind, address, bytes);
        }
        // SAFETY: a function of the caller with this signature; it gets what it gave.
        let mut give =
            || unsafe { (self.release)(self.user, address as *mut c_void, bytes, self.stream_handle()) };
        if self.own.on_device(&mut give).is_err() {
            give(); // the device was reset, or this is a forked child: the caller gets every block back all the same
        }
    }

    fn is_captured(&self) -> bool {
        self.own.is_captured()
    }

    fn on_device(&self, call: &mut dyn FnMut()) -> Result<()> {
        self.own.on_device(call)
    }

    fn trim(&self) {
        self.own.trim();
    }

    fn place(&self, kind: MemoryKind) -> Place {
        self.own.place(kind)
    }

    fn device(&self) -> i32 {
        self.own.device()
    }

    fn stream(&self) -> usize {
        self.own.stream()
    }

    fn follow(&self, other: &dyn Source) -> Result<()> {
        self.own.follow(other)
    }
}

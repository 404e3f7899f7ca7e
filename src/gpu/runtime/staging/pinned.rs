//! Page-locked memory of our own, on huge pages.
//!
//! For 64 MiB cuMemHostAlloc takes 37 ms; huge pages that 8 threads touch, and that are then registered, take 4
//! (H200, driver 580).

use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::Arc;

use cudarc::driver::sys;

use crate::error::{Error, Result};
use crate::gpu::runtime::driver::failed;
use crate::gpu::runtime::primary::Primary;

const HUGE_PAGE: usize = 2 << 20;

/// Page-locked memory; its device reads and writes it at full speed.
pub struct Pinned {
    primary: Arc<Primary>,
    pages: Pages,
}

impl Pinned {
    /// The primary context is current.
    pub fn new(primary: &Arc<Primary>, bytes: usize) -> Result<Pinned> {
        let pages = Pages::map(bytes)?;
        // SAFETY: pages of ours, which stay until they are unregistered.
        unsafe { sys::cuMemHostRegister_v2(pages.start.cast(), bytes, 0) }.result().map_err(|error| {
            match error.0 {
                sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY => Error::out_of_memory("pinned memory", bytes),
                _ => failed("cuMemHostRegister", error),
            }
        })?;
        Ok(Pinned { primary: primary.clone(), pages })
    }

    pub fn as_ptr(&self) -> *mut u8 {
        self.pages.start
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        if self.primary.check_process().is_err() {
            self.pages.forget(); // they did not come along
        } else if let Some(_current) = self.primary.enter_to_release() {
            // SAFETY: registered by `new`, and nothing is in flight. After a reset the driver has let go of it.
            let _ = unsafe { sys::cuMemHostUnregister(self.pages.start.cast()) };
        }
    }
}

/// Anonymous pages, huge where the kernel gives such. A forked child does not get them: sharing them copy-on-write
/// could move the parent's to where the device does not look.
struct Pages {
    start: *mut u8, // on a huge page
    mapped: *mut c_void,
    mapped_bytes: usize,
}

// SAFETY: memory, of whoever holds it.
unsafe impl Send for Pages {}

impl Pages {
    fn map(bytes: usize) -> Result<Pages> {
        let mapped_bytes = bytes + HUGE_PAGE;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: a new mapping, wherever the kernel wants it.
        let mapped = unsafe { libc::mmap(null_mut(), mapped_bytes, access, kind, -1, 0) };
        if mapped == libc::MAP_FAILED {
            return Err(Error::out_of_memory("host memory", bytes));
        }
        let start = mapped.cast::<u8>();
        let pages = Pages { start: start.wrapping_add(start.align_offset(HUGE_PAGE)), mapped, mapped_bytes };
        for advice in [libc::MADV_DONTFORK, libc::MADV_HUGEPAGE, libc::MADV_POPULATE_WRITE] {
            // SAFETY: advice about pages of ours; a kernel that does not know it changes nothing.
            unsafe { libc::madvise(pages.start.cast(), bytes, advice) };
        }
        Ok(pages)
    }

    fn forget(&mut self) {
        self.mapped_bytes = 0;
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        if self.mapped_bytes > 0 {
            // SAFETY: mapped by `map`, and used by nobody any more.
            unsafe { libc::munmap(self.mapped, self.mapped_bytes) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_begin_on_a_huge_page_and_can_be_written_to_the_end() {
        for bytes in [1, 4096, HUGE_PAGE - 1, 3 * HUGE_PAGE + 1] {
            let pages = Pages::map(bytes).unwrap();
            assert!((pages.start as usize).is_multiple_of(HUGE_PAGE));
            // SAFETY: `bytes` bytes of a fresh mapping.
            unsafe {
                assert_eq!(*pages.start.add(bytes - 1), 0);
                std::ptr::write_bytes(pages.start, 7, bytes);
                assert_eq!(*pages.start.add(bytes - 1), 7);
            }
        }
    }
}

//! Small arrays of the host in memory that the device reaches as well: a kernel reads and writes them there, over
//! PCIe, sooner than a copy to the device and one back would have begun.

use std::ptr::copy_nonoverlapping;
use std::sync::Arc;

use cudarc::driver::{result, sys};

use super::driver::failed;
use super::primary::Primary;
use crate::error::Result;

/// What a zero-copy buffer holds.
pub const BYTES: usize = 128 << 10;

/// Pinned memory of one context, used by one call at a time: nothing is in it when a call begins, and a call waits
/// for the device before it ends.
pub struct ZeroCopyBuffer {
    primary: Arc<Primary>,
    start: *mut u8,
}

// SAFETY: memory of whoever holds the zero-copy buffer.
unsafe impl Send for ZeroCopyBuffer {}

impl ZeroCopyBuffer {
    /// The primary context is current.
    pub fn create(primary: &Arc<Primary>) -> Result<ZeroCopyBuffer> {
        let flags = sys::CU_MEMHOSTALLOC_DEVICEMAP;
        // SAFETY: a context is current. The device uses the same address, as on every system of 64 bits.
        let start = unsafe { result::malloc_host(BYTES, flags) };
        let start = start.map_err(|error| failed("cuMemHostAlloc", error))?.cast();
        Ok(ZeroCopyBuffer { primary: primary.clone(), start })
    }

    /// The address, for a kernel, of what lies `offset` bytes in.
    pub fn at<T>(&self, offset: usize) -> *mut T {
        assert!(
            offset.is_multiple_of(align_of::<T>()) && offset < BYTES,
            "{offset} is a place in the zero-copy buffer"
        );
        self.start.wrapping_add(offset).cast()
    }

    /// Puts bytes in, for a kernel that is launched later.
    pub fn put(&self, offset: usize, bytes: &[u8]) {
        assert!(offset <= BYTES && bytes.len() <= BYTES - offset, "{} bytes fit", bytes.len());
        // SAFETY: within the zero-copy buffer, which no kernel uses before the call that owns it launches one.
        unsafe { copy_nonoverlapping(bytes.as_ptr(), self.start.add(offset), bytes.len()) };
    }

    /// Takes bytes out, after the stream was waited for.
    pub fn take(&self, offset: usize, bytes: &mut [u8]) {
        assert!(offset <= BYTES && bytes.len() <= BYTES - offset, "{} bytes fit", bytes.len());
        // SAFETY: within the zero-copy buffer, whose kernels are done.
        unsafe { copy_nonoverlapping(self.start.add(offset), bytes.as_mut_ptr(), bytes.len()) };
    }
}

impl Drop for ZeroCopyBuffer {
    fn drop(&mut self) {
        let Some(_current) = self.primary.enter_to_release() else { return }; // forked or reset: it is gone
        // SAFETY: ours, and no kernel is in flight.
        let _ = unsafe { result::free_host(self.start.cast()) };
    }
}

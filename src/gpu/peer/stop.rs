//! A word that ends kernels which wait for those of other devices.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use cudarc::driver::{result, sys};

use crate::error::Result;
use crate::gpu::Device;
use crate::gpu::runtime::driver::failed;
use crate::gpu::runtime::primary::Primary;

/// Memory of the host that all devices reach. It is never lowered.
pub struct Stop {
    primary: Arc<Primary>,
    word: *mut u32,
}

// SAFETY: memory of whoever holds it, used by atomic operations alone.
unsafe impl Send for Stop {}
// SAFETY: as above.
unsafe impl Sync for Stop {}

impl Stop {
    /// The device is current.
    pub fn create(device: &Device) -> Result<Stop> {
        let flags = sys::CU_MEMHOSTALLOC_PORTABLE | sys::CU_MEMHOSTALLOC_DEVICEMAP;
        // SAFETY: a context is current.
        let word = unsafe { result::malloc_host(size_of::<u32>(), flags) };
        let word = word.map_err(|error| failed("cuMemHostAlloc", error))?.cast();
        let stop = Stop { primary: device.primary().clone(), word };
        stop.atomic().store(0, Ordering::SeqCst);
        Ok(stop)
    }

    fn atomic(&self) -> &AtomicU32 {
        // SAFETY: an aligned word of ours.
        unsafe { AtomicU32::from_ptr(self.word) }
    }

    pub fn raise(&self) {
        self.atomic().store(1, Ordering::SeqCst);
    }

    pub fn is_raised(&self) -> bool {
        self.atomic().load(Ordering::SeqCst) != 0
    }

    /// The address, for kernels of any device.
    pub fn as_ptr(&self) -> *mut u32 {
        self.word
    }
}

impl Drop for Stop {
    fn drop(&mut self) {
        let Some(_current) = self.primary.enter_to_release() else { return }; // forked or reset: it is gone
        // SAFETY: ours, and no kernel is in flight.
        let _ = unsafe { result::free_host(self.word.cast()) };
    }
}

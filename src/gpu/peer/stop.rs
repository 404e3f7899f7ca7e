//! A word that ends kernels which wait for those of other devices.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use cudarc::driver::{result, sys};

use crate::error::{Error, Result, Status};
use crate::gpu::Device;
use crate::gpu::runtime::driver::failed;
use crate::gpu::runtime::primary::Primary;

/// Memory of the host that all devices reach. It is never lowered: 0, what a kernel writes whose patience has ended, or RAISED.
pub struct Stop {
    primary: Arc<Primary>,
    word: *mut u32,
}

/// Written by a host.
const RAISED: u32 = 2;

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

    /// Ends the kernels, for a rank that has failed.
    pub fn raise(&self) {
        let _ = self.atomic().compare_exchange(0, RAISED, Ordering::SeqCst, Ordering::SeqCst); // the first reason stays
    }

    /// Why kernels were ended that waited for those of other ranks.
    pub fn check(&self) -> Result<()> {
        match self.atomic().load(Ordering::SeqCst) {
            0 => Ok(()),
            RAISED => Err(Error::new(
                Status::Peer,
                "another rank has failed while the devices waited for each other",
            )),
            _ => Err(Error::new(
                Status::Timeout,
                "a device has waited for that of another rank for as long as the communicator may",
            )),
        }
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

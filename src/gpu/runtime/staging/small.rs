//! Short transfers, on the caller's thread.
//!
//! Up, the driver's own way is as quick as a pinned slot of ours: it puts the bytes aside and returns. Down, a
//! move into pinned memory and memcpy from there are quicker than it, by 1 µs of 15 at 1 KiB and by 13 of 77 at
//! 256 KiB (H200, with an upload and a kernel before).

use std::ptr::copy_nonoverlapping;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

use cudarc::driver::{result, sys};

use super::pinned::Pinned;
use crate::error::Result;
use crate::gpu::runtime::driver::failed;
use crate::gpu::runtime::primary::Primary;

/// What goes through the slot.
pub const SLOT: usize = 256 << 10;

pub struct Small {
    primary: Arc<Primary>,
    slot: Mutex<Option<Pinned>>,
}

impl Small {
    pub fn new(primary: &Arc<Primary>) -> Small {
        Small { primary: primary.clone(), slot: Mutex::new(None) }
    }

    /// target ← source in the order of `stream`. On return `source` has been read.
    ///
    /// # Safety
    /// `target` is memory of the device, as long as `source`, until `stream` has come past.
    pub unsafe fn upload(
        &self,
        stream: sys::CUstream,
        target: sys::CUdeviceptr,
        source: &[u8],
    ) -> Result<()> {
        // SAFETY: the caller's promise; the driver has read pageable memory when it returns.
        unsafe { result::memcpy_htod_async(target, source, stream) }
            .map_err(|error| failed("copy to the device", error))
    }

    /// target ← source behind what `stream` has done. On return `target` is complete.
    ///
    /// # Safety
    /// `source` is memory of the device, as long as `target`.
    pub unsafe fn download(
        &self,
        stream: sys::CUstream,
        target: &mut [u8],
        source: sys::CUdeviceptr,
    ) -> Result<()> {
        let mut turn = if target.len() <= SLOT { self.turn() } else { None };
        let slot = turn.as_mut().and_then(|slot| self.made(slot));
        let to = slot.map_or(target.as_mut_ptr(), Pinned::as_ptr);
        // SAFETY: the caller's promise; target, or the slot, which is this call's, is not used before the stream
        // has drained.
        unsafe {
            sys::cuMemcpyDtoHAsync_v2(to.cast(), source, target.len(), stream)
                .result()
                .map_err(|error| failed("copy from the device", error))?;
            result::stream::synchronize(stream).map_err(|error| failed("the device reports", error))?;
            if slot.is_some() {
                copy_nonoverlapping(to, target.as_mut_ptr(), target.len());
            }
        }
        Ok(())
    }

    /// The slot, unless another thread waits for its stream with it: then the driver's way is quicker than a turn.
    fn turn(&self) -> Option<MutexGuard<'_, Option<Pinned>>> {
        match self.slot.try_lock() {
            Ok(slot) => Some(slot),
            Err(TryLockError::Poisoned(slot)) => Some(slot.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// The slot's memory, when it can be had.
    fn made<'s>(&self, slot: &'s mut Option<Pinned>) -> Option<&'s Pinned> {
        if slot.is_none() {
            *slot = Pinned::new(&self.primary, SLOT).ok();
        }
        slot.as_ref()
    }
}

//! What one copy thread has for the device: pinned slots, and an event for each.

use std::sync::Arc;

use cudarc::driver::sys;

use super::pinned::Pinned;
use super::ring::{Dma, SLOTS};
use crate::error::Result;
use crate::gpu::runtime::driver::failed;
use crate::gpu::runtime::primary::Primary;
use crate::gpu::runtime::stream::Event;

pub struct StagingBuffers {
    slots: Pinned, // SLOTS of them
    slot: usize,   // bytes
    moved: Vec<Event>,
}

impl StagingBuffers {
    /// For chunks of at most `slot` bytes. The primary context is current.
    pub fn new(primary: &Arc<Primary>, slot: usize) -> Result<StagingBuffers> {
        let moved = (0..SLOTS).map(|_| Event::create_timeless(primary)).collect::<Result<_>>()?;
        Ok(StagingBuffers { slots: Pinned::new(primary, SLOTS * slot)?, slot, moved })
    }
}

/// Which direction the bytes go.
#[derive(Clone, Copy)]
pub enum Direction {
    HostToDevice,
    DeviceToHost,
}

/// A buffers in a transfer from or to the device's array at `array`, which its maker promises to be as long as the
/// host's and to live until `stream` has drained.
pub struct Transfer<'l> {
    pub buffers: &'l StagingBuffers,
    pub direction: Direction,
    pub stream: sys::CUstream,
    pub array: sys::CUdeviceptr,
}

impl Dma for Transfer<'_> {
    fn memory(&self, slot: usize) -> *mut u8 {
        assert!(slot < SLOTS, "slot {slot} of {SLOTS}");
        self.buffers.slots.as_ptr().wrapping_add(slot * self.buffers.slot)
    }

    fn start(&self, slot: usize, offset: usize, bytes: usize) -> Result<()> {
        assert!(bytes <= self.buffers.slot, "{bytes} bytes in a slot of {}", self.buffers.slot);
        let (pinned, array) = (self.memory(slot).cast(), self.array + offset as u64);
        // SAFETY: the slot stays as long as the buffers, which outlives what it has in flight; the array by the
        // maker's promise.
        let (what, copied) = unsafe {
            match self.direction {
                Direction::HostToDevice => {
                    ("copy to the device", sys::cuMemcpyHtoDAsync_v2(array, pinned, bytes, self.stream))
                }
                Direction::DeviceToHost => {
                    ("copy from the device", sys::cuMemcpyDtoHAsync_v2(pinned, array, bytes, self.stream))
                }
            }
        };
        copied.result().map_err(|error| failed(what, error))?;
        self.buffers.moved[slot].record(self.stream)
    }

    fn wait(&self, slot: usize) -> Result<()> {
        self.buffers.moved[slot].synchronize()
    }
}

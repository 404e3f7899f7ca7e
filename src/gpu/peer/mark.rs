//! A place in the stream of a device, which a rank waits for while it asks whether to go on.

use std::sync::Arc;

use crate::error::Result;
use crate::gpu::Device;
use crate::gpu::runtime::stream::Event;

/// Behind all that the stream was given before.
pub struct Mark(pub(super) Arc<Event>);

impl Device {
    pub fn mark(&self) -> Result<Mark> {
        self.close_kernels()?;
        let event = Event::create_timeless(self.primary())?;
        event.record(self.stream())?;
        Ok(Mark(Arc::new(event)))
    }
}

impl Mark {
    /// Whether the stream has come past it, or why it never will.
    pub fn is_done(&self) -> Result<bool> {
        self.0.is_done()
    }

    /// Runs `body` with the context of its device current.
    pub fn entered<T>(&self, body: impl FnOnce() -> Result<T>) -> Result<T> {
        let _current = self.0.primary().enter()?;
        body()
    }

    /// What the stream of a device is given from here on waits for it.
    pub fn hold_back(&self, device: &Device) -> Result<()> {
        device.close_kernels()?;
        device.is_drained.set(false);
        self.0.hold_back(device.stream())
    }

    /// Waits until the stream has come past it, or never will.
    pub fn outlast(&self) {
        self.0.outlast();
    }
}

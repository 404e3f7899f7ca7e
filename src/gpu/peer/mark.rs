//! A place in the stream of a device, which a rank waits for while it asks whether to go on.

use crate::error::Result;
use crate::gpu::Device;
use crate::gpu::runtime::stream::Event;

/// Behind all that the stream was given before.
pub struct Mark(Event);

impl Device {
    pub fn mark(&self) -> Result<Mark> {
        self.close_kernels()?;
        let event = Event::create_timeless(self.primary())?;
        event.record(self.stream())?;
        Ok(Mark(event))
    }
}

impl Mark {
    /// Whether the stream has come past it, or why it never will.
    pub fn is_done(&self) -> Result<bool> {
        self.0.is_done()
    }
}

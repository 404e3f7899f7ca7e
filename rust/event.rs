//! Events: points in the work of a context.

use gpumex_core::context::Event as Core;

use super::Context;
use super::context::fenced;
use crate::Result;

/// A point in the work of a context, which others may wait for, and which times are measured between.
///
/// ```
/// let ctx = gpumex::Context::new()?;
/// let (start, end) = (ctx.create_event()?, ctx.create_event()?);
/// ctx.record_event(&start)?;
/// ctx.reduce(&[1.0; 1000])?;
/// ctx.record_event(&end)?;
/// assert!(end.ms_since(&start)? >= 0.0 && end.is_done()?);
/// # Ok::<(), gpumex::Error>(())
/// ```
pub struct Event(Core);

impl Context {
    /// An event of the backend and the device of this context, which was not recorded yet.
    pub fn create_event(&self) -> Result<Event> {
        self.call("create_event", |ctx| ctx.create_event()).map(Event)
    }

    /// Records an event after the work of this context so far; an earlier record of it is forgotten.
    pub fn record_event(&self, event: &Event) -> Result<()> {
        self.call("record_event", |ctx| ctx.record_event(&event.0))
    }

    /// What this context does later waits for the event, of whatever backend and device.
    pub fn wait_for_event(&self, event: &Event) -> Result<()> {
        self.call("wait_for_event", |ctx| ctx.wait_for_event(&event.0))
    }
}

impl Event {
    /// Whether the work before the event is done.
    pub fn is_done(&self) -> Result<bool> {
        fenced("is_done", || self.0.is_done())
    }

    /// Waits until the work before the event is done.
    pub fn synchronize(&self) -> Result<()> {
        fenced("synchronize", || self.0.synchronize())
    }

    /// The time from `start` to this event in ms, negative when this one was the first; waits for both.
    pub fn ms_since(&self, start: &Event) -> Result<f64> {
        fenced("ms_since", || self.0.ms_since(&start.0))
    }
}

//! Events of C: marks that one context records, and that other contexts and threads wait for.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use super::device::Device;
use super::primary::Current;
use super::stream::Event;
use crate::error::{Error, Result};

/// An event that any thread may use; it lives on beside its context.
pub struct SharedEvent {
    mark: Event,
    state: AtomicU8,
}

const UNRECORDED: u8 = 0;
const RECORDED: u8 = 1;
const CAPTURED: u8 = 2; // into a graph, where it is a dependency and has no time

impl SharedEvent {
    pub fn is_done(&self) -> Result<bool> {
        let _current = self.enter_recorded()?;
        self.mark.is_done()
    }

    pub fn synchronize(&self) -> Result<()> {
        let _current = self.enter_recorded()?;
        self.mark.synchronize()
    }

    /// The time from `start` to this event in ms; waits for both.
    pub fn ms_since(&self, start: &SharedEvent) -> Result<f64> {
        let [ours, other] = [self, start].map(|event| event.mark.primary().ordinal());
        if ours != other {
            return Err(Error::invalid(format!(
                "start is an event of device {other} and end one of device {ours}; a time is between events of one device"
            )));
        }
        drop(start.enter_recorded()?); // or it says why nobody can wait for it
        let _current = self.enter_recorded()?;
        self.mark.ms_since(&start.mark)
    }

    /// Makes the device of an event current that can be waited for on the host.
    fn enter_recorded(&self) -> Result<Current> {
        self.check_recorded()?;
        if self.state.load(Ordering::Acquire) == CAPTURED {
            return Err(Error::unsupported(
                "the event was recorded in a stream that was captured into a CUDA graph: it is a dependency within the graph, which \
                 nobody can ask for or wait for outside of it",
            ));
        }
        self.mark.primary().enter()
    }

    fn check_recorded(&self) -> Result<()> {
        match self.state.load(Ordering::Acquire) {
            UNRECORDED => Err(Error::invalid("the event was never recorded")),
            _ => Ok(()),
        }
    }
}

impl Device {
    /// An event of this device, which is current.
    pub fn create_event(&self) -> Result<SharedEvent> {
        Ok(SharedEvent { mark: Event::create(self.primary())?, state: AtomicU8::new(UNRECORDED) })
    }

    /// Records an event behind the work of the stream so far.
    pub fn record_event(&self, event: &SharedEvent) -> Result<()> {
        let primary = event.mark.primary();
        if primary.ordinal() != self.primary().ordinal() {
            return Err(Error::invalid(format!(
                "event is one of device {}; this context runs on device {}",
                primary.ordinal(),
                self.ordinal()
            )));
        }
        if !Arc::ptr_eq(primary, self.primary()) {
            drop(primary.enter()?); // says that the device was reset since
        }
        event.mark.record(self.stream())?;
        event.state.store(if self.is_captured() { CAPTURED } else { RECORDED }, Ordering::Release);
        Ok(())
    }

    /// What the stream does next waits for the event.
    pub fn wait_for_event(&self, event: &SharedEvent) -> Result<()> {
        event.check_recorded()?;
        if self.is_captured() && event.state.load(Ordering::Acquire) != CAPTURED {
            return Err(Error::unsupported(
                "the context's stream is being captured into a CUDA graph, and the event was recorded outside of it: wait for it in \
                 the stream that the graph is launched into",
            ));
        }
        event.mark.hold_back(self.stream())
    }
}

//! Events: marks in the work of contexts, for order and time between them.

use std::sync::atomic::{AtomicU64, Ordering};

use super::{Context, Engine};
use crate::error::{Error, Result};
use crate::gpu;

/// A mark in the work of a context, for which other contexts and threads wait. An opaque handle:
/// looked up, never dereferenced.
pub struct Event(Kind);

enum Kind {
    Host(HostMark),
    Cuda(gpu::SharedEvent),
}

/// What the CPU backend was asked to do is done when the call returns: a mark is a time.
#[derive(Default)]
struct HostMark {
    ns: AtomicU64, // on the monotonic clock of the machine; 0: never recorded
}

impl HostMark {
    fn record(&self) {
        self.ns.store(monotonic_ns().max(1), Ordering::Release);
    }

    fn recorded(&self) -> Result<u64> {
        match self.ns.load(Ordering::Acquire) {
            0 => Err(Error::invalid("the event was never recorded")),
            ns => Ok(ns),
        }
    }
}

fn monotonic_ns() -> u64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: writes a time; a clock that every system has.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut now) };
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}

impl Context {
    /// An event of the backend and the device of this context, which was not recorded yet.
    pub fn create_event(&mut self) -> Result<Event> {
        let kind = self.run(|engine| match engine {
            Engine::Cpu(_) => Ok(Kind::Host(HostMark::default())),
            Engine::Cuda(device) => device.create_event().map(Kind::Cuda),
        });
        kind.map(Event)
    }

    /// Records an event behind the work of this context so far; an earlier record of it is forgotten.
    pub fn record_event(&mut self, event: &Event) -> Result<()> {
        self.run(|engine| match (engine, &event.0) {
            (Engine::Cpu(_), Kind::Host(mark)) => {
                mark.record();
                Ok(())
            }
            (Engine::Cuda(device), Kind::Cuda(mark)) => device.record_event(mark),
            (Engine::Cpu(_), Kind::Cuda(_)) => {
                Err(Error::invalid("event is one of a CUDA context; this context runs on the CPU backend"))
            }
            (Engine::Cuda(_), Kind::Host(_)) => {
                Err(Error::invalid("event is one of a context of the CPU backend; this context runs on CUDA"))
            }
        })
    }

    /// What this context does later waits for the event, of whatever backend and device; this call waits on the CPU backend alone.
    pub fn wait_for_event(&mut self, event: &Event) -> Result<()> {
        self.is_stream_known |= matches!(event.0, Kind::Cuda(_)); // one of a capture takes the stream into it
        self.run(|engine| match (engine, &event.0) {
            (_, Kind::Host(mark)) => mark.recorded().map(drop),
            (Engine::Cuda(device), Kind::Cuda(mark)) => device.wait_for_event(mark),
            (Engine::Cpu(_), Kind::Cuda(mark)) => mark.synchronize(),
        })
    }
}

impl Event {
    /// Whether the work before the event is done.
    pub fn is_done(&self) -> Result<bool> {
        match &self.0 {
            Kind::Host(mark) => mark.recorded().map(|_| true),
            Kind::Cuda(mark) => mark.is_done(),
        }
    }

    /// Waits until the work before the event is done.
    pub fn synchronize(&self) -> Result<()> {
        match &self.0 {
            Kind::Host(mark) => mark.recorded().map(drop),
            Kind::Cuda(mark) => mark.synchronize(),
        }
    }

    /// The time from `start` to this event in ms, negative when this one was the first; waits for both.
    pub fn ms_since(&self, start: &Event) -> Result<f64> {
        match (&self.0, &start.0) {
            (Kind::Host(end), Kind::Host(start)) => {
                let (start, end) = (start.recorded()?, end.recorded()?);
                Ok((i128::from(end) - i128::from(start)) as f64 / 1e6)
            }
            (Kind::Cuda(end), Kind::Cuda(start)) => end.ms_since(start),
            _ => Err(Error::invalid(
                "start and end are events of different backends; a time is between events of one backend",
            )),
        }
    }
}

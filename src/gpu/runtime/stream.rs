//! A stream of a device: ours, or one that the caller lends.

use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::Arc;

use cudarc::driver::{result, sys};

use super::capture::{self, CaptureState};
use super::driver::failed;
use super::primary::Primary;
use crate::error::{Error, Result};

/// CU_STREAM_LEGACY and CU_STREAM_PER_THREAD.
const LEGACY: usize = 1;
const PER_THREAD: usize = 2;

pub struct Stream {
    primary: Arc<Primary>,
    handle: sys::CUstream,
    is_ours: bool,
}

// SAFETY: a driver handle, usable from any thread.
unsafe impl Send for Stream {}
// SAFETY: as above.
unsafe impl Sync for Stream {}

impl Stream {
    /// A new stream, ordered with the legacy default stream, where gpuArrays are written. The primary context is
    /// current.
    pub fn create(primary: &Arc<Primary>) -> Result<Stream> {
        let handle = result::stream::create(result::stream::StreamKind::Default)
            .map_err(|error| failed("cuStreamCreate", error))?;
        Ok(Stream { primary: primary.clone(), handle, is_ours: true })
    }

    /// A new stream that runs beside all others, the legacy default stream included. The primary context is
    /// current.
    pub fn create_beside(primary: &Arc<Primary>) -> Result<Stream> {
        let handle = result::stream::create(result::stream::StreamKind::NonBlocking)
            .map_err(|error| failed("cuStreamCreate", error))?;
        Ok(Stream { primary: primary.clone(), handle, is_ours: true })
    }

    /// A cudaStream_t of the caller's, who keeps it alive; null is the legacy default stream. The primary context
    /// is current.
    pub fn attach(primary: &Arc<Primary>, handle: *mut c_void) -> Result<Stream> {
        let handle = match handle as usize {
            LEGACY => null_mut(), // by its other name
            PER_THREAD => {
                return Err(Error::invalid(
                    "cuda_stream is the per-thread default stream, which is another one on each thread",
                ));
            }
            _ => handle.cast(),
        };
        let mut context = null_mut();
        // SAFETY: the caller's promise that it is a stream; writes one pointer.
        unsafe { sys::cuStreamGetCtx(handle, &mut context) }
            .result()
            .map_err(|error| failed("cuStreamGetCtx", error))?;
        if context != primary.handle() {
            return Err(Error::invalid(format!(
                "stream {handle:p} does not belong to the primary context of device {}",
                primary.ordinal()
            )));
        }
        Ok(Stream { primary: primary.clone(), handle, is_ours: false })
    }

    pub fn primary(&self) -> &Arc<Primary> {
        &self.primary
    }

    pub fn handle(&self) -> sys::CUstream {
        self.handle
    }

    /// Waits until everything in the stream is done.
    pub fn synchronize(&self) -> Result<()> {
        // SAFETY: a stream that lives.
        unsafe { result::stream::synchronize(self.handle) }
            .map_err(|error| failed("the device reports", error))
    }

    /// Whether nothing can be put into this stream, or waited for, without becoming part of a graph that is being captured.
    pub fn is_captured(&self) -> bool {
        let Some(_current) = self.primary.enter_to_release() else { return false };
        let state = capture::state(self.handle).or_else(|_| capture::state(self.handle));
        state.is_ok_and(|state| state != CaptureState::None)
    }

    /// What this stream does next comes behind an event, which may be another device's.
    pub fn follow(&self, event: &Event) -> Result<()> {
        let _current = self.primary.enter()?;
        match capture::state(self.handle)? {
            CaptureState::None => event.hold_back(self.handle),
            _ => event.synchronize(), // a graph cannot depend on what is outside of it
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if self.is_ours
            && let Some(_current) = self.primary.enter_to_release()
        {
            // SAFETY: ours, and used by nobody else any more.
            unsafe {
                let _ = result::stream::synchronize(self.handle);
                let _ = result::stream::destroy(self.handle);
            }
        }
    }
}

/// An event behind all that a stream of `primary`, which is current, has done so far.
pub fn end_of(primary: &Arc<Primary>, stream: sys::CUstream) -> Result<Event> {
    if capture::state(stream)? != CaptureState::None {
        return Err(Error::unsupported(format!(
            "memory was used on stream {stream:p}, which is being captured into a CUDA graph: until the capture has ended, nothing \
             can be ordered behind it"
        )));
    }
    let event = Event::create_timeless(primary)?;
    event.record(stream)?;
    Ok(event)
}

/// How often one measurement waits anew: each time another thread has recorded an event within a microsecond.
const RECORDED_ANEW_MAX: usize = 1000;

/// A mark in a stream.
pub struct Event {
    primary: Arc<Primary>,
    handle: sys::CUevent,
}

// SAFETY: a driver handle, usable from any thread.
unsafe impl Send for Event {}
// SAFETY: as above.
unsafe impl Sync for Event {}

impl Event {
    /// An event that keeps the time. The primary context is current.
    pub fn create(primary: &Arc<Primary>) -> Result<Event> {
        Event::with(primary, sys::CUevent_flags::CU_EVENT_DEFAULT)
    }

    /// An event for order alone, which costs the device less. The primary context is current.
    pub fn create_timeless(primary: &Arc<Primary>) -> Result<Event> {
        Event::with(primary, sys::CUevent_flags::CU_EVENT_DISABLE_TIMING)
    }

    fn with(primary: &Arc<Primary>, flags: sys::CUevent_flags) -> Result<Event> {
        let handle = result::event::create(flags).map_err(|error| failed("cuEventCreate", error))?;
        Ok(Event { primary: primary.clone(), handle })
    }

    pub fn record(&self, stream: sys::CUstream) -> Result<()> {
        // SAFETY: an event of ours, a stream that lives.
        unsafe { result::event::record(self.handle, stream) }.map_err(|error| failed("cuEventRecord", error))
    }

    /// What the stream does next waits for this mark.
    pub fn hold_back(&self, stream: sys::CUstream) -> Result<()> {
        let flags = sys::CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT;
        // SAFETY: as above.
        unsafe { result::stream::wait_event(stream, self.handle, flags) }
            .map_err(|error| failed("cuStreamWaitEvent", error))
    }

    /// Whether what comes before this mark is done.
    pub fn is_done(&self) -> Result<bool> {
        // SAFETY: an event of ours.
        match unsafe { sys::cuEventQuery(self.handle) } {
            sys::CUresult::CUDA_ERROR_NOT_READY => Ok(false),
            answer => answer.result().map(|()| true).map_err(|error| failed("the device reports", error)),
        }
    }

    pub fn primary(&self) -> &Arc<Primary> {
        &self.primary
    }

    pub fn synchronize(&self) -> Result<()> {
        // SAFETY: an event of ours.
        unsafe { result::event::synchronize(self.handle) }
            .map_err(|error| failed("cuEventSynchronize", error))
    }

    /// Waits until the device has come past this mark, or never will: an error is that of the device, which does nothing more. Makes the
    /// primary context current itself, for those who let go of memory wherever they are.
    pub fn outlast(&self) {
        if let Some(_current) = self.primary.enter_to_release() {
            let _ = self.synchronize();
        }
    }

    /// The time from `earlier` to this mark in ms, once both have passed. Another thread may record one of them anew after the wait:
    /// then the driver says "not ready", and the new record is waited for.
    pub fn ms_since(&self, earlier: &Event) -> Result<f64> {
        let mut tries = 0;
        loop {
            earlier.synchronize()?;
            self.synchronize()?;
            // SAFETY: two events of ours that were recorded.
            match unsafe { result::event::elapsed(earlier.handle, self.handle) } {
                Err(error) if error.0 == sys::CUresult::CUDA_ERROR_NOT_READY && tries < RECORDED_ANEW_MAX => {
                    tries += 1
                }
                ms => return ms.map(f64::from).map_err(|error| failed("cuEventElapsedTime", error)),
            }
        }
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        let Some(_current) = self.primary.enter_to_release() else { return }; // forked or reset: it is gone
        // SAFETY: ours; the driver keeps what still waits for it.
        let _ = unsafe { result::event::destroy(self.handle) };
    }
}

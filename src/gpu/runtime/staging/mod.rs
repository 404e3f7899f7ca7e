//! Copies between ordinary arrays of the host and the device, faster than the driver's own.
//!
//! Algorithm  The driver copies pageable memory with one thread through a buffer of its own. Here several threads copy chunks into
//!            pinned slots, and out of them, while the device moves other slots (ring.rs). Each direction has threads, slots and a
//!            stream of its own, so that both run at once; transfers of one direction take turns.
//! Cost       PCIe's, 55 GB/s a direction on gen5 x16, where the machine has the cores and the memory bandwidth: each byte is read
//!            and written once more by a processor. The first large transfer of a direction makes threads and slots.
//! Limits     Short arrays go the driver's direction on the caller's thread, since waking threads costs more than it saves.

mod buffers;
mod copy_threads;
mod pinned;
mod ring;
mod small;

use std::sync::{Arc, Mutex, MutexGuard, Weak};

use cudarc::driver::sys;

use self::buffers::Direction;
use self::copy_threads::CopyThreads;
use self::small::Small;
use super::primary::Primary;
use super::stream::Event;
use crate::error::{Result, Status};
use crate::platform::fork::lock;

/// From this many bytes on a transfer goes through the copy threads: with an H200, 302 µs up and 250 down where
/// the driver takes 535 and 340. At half of it they are about equal.
const LARGE: usize = 4 << 20;

/// The staging of one primary context. What it has made goes when the last context of ours that uses it goes.
pub struct Staging {
    primary: Arc<Primary>,
    up: Mutex<Option<CopyThreads>>,
    down: Mutex<Option<CopyThreads>>,
    small: Small,
}

impl Staging {
    /// The staging that all contexts on `primary` share.
    pub fn of(primary: &Arc<Primary>) -> Arc<Staging> {
        static KNOWN: Mutex<Vec<Weak<Staging>>> = Mutex::new(Vec::new());
        let mut known = lock(&KNOWN);
        known.retain(|staging| staging.strong_count() > 0);
        let found = known.iter().filter_map(Weak::upgrade).find(|one| Arc::ptr_eq(&one.primary, primary));
        found.unwrap_or_else(|| {
            let staging = Arc::new(Staging::new(primary));
            known.push(Arc::downgrade(&staging));
            staging
        })
    }

    fn new(primary: &Arc<Primary>) -> Staging {
        Staging {
            primary: primary.clone(),
            up: Mutex::new(None),
            down: Mutex::new(None),
            small: Small::new(primary),
        }
    }

    /// target ← source, behind what `stream` has done so far and before what it does next. On return `source` has
    /// been read. The primary context is current.
    ///
    /// # Safety
    /// `target` is memory of the device, as long as `source`, until `stream` has come past.
    pub unsafe fn upload(
        &self,
        stream: sys::CUstream,
        target: sys::CUdeviceptr,
        source: &[u8],
    ) -> Result<()> {
        if source.len() >= LARGE {
            self.wait_for(stream)?;
        }
        // SAFETY: the caller's promise; the stream has done what it had to do with the target.
        unsafe { self.upload_to_free(stream, target, source) }
    }

    /// As `upload`, where nothing in `stream` uses the target: what it does meanwhile goes on.
    ///
    /// # Safety
    /// As `upload`; and nothing uses the target.
    pub unsafe fn upload_to_free(
        &self,
        stream: sys::CUstream,
        target: sys::CUdeviceptr,
        source: &[u8],
    ) -> Result<()> {
        if source.len() >= LARGE
            && let Some(copy_threads) = &*self.turn(&self.up, Direction::HostToDevice)?
        {
            // SAFETY: the caller's promise.
            return unsafe { copy_threads.upload(target, source) };
        }
        // SAFETY: the caller's promise.
        unsafe { self.small.upload(stream, target, source) }
    }

    /// target ← source, behind what `stream` has done so far. On return `target` is complete. The primary context
    /// is current.
    ///
    /// # Safety
    /// `source` is memory of the device, as long as `target`.
    pub unsafe fn download(
        &self,
        stream: sys::CUstream,
        target: &mut [u8],
        source: sys::CUdeviceptr,
    ) -> Result<()> {
        if target.len() >= LARGE {
            self.wait_for(stream)?;
            if let Some(copy_threads) = &*self.turn(&self.down, Direction::DeviceToHost)? {
                // SAFETY: the caller's promise; the stream has written the source.
                return unsafe { copy_threads.download(target, source) };
            }
        }
        // SAFETY: the caller's promise.
        unsafe { self.small.download(stream, target, source) }
    }

    /// The copy threads of a direction, when it is this call's turn. None where threads or pinned memory cannot be had:
    /// the driver's own copies need neither.
    fn turn<'c>(
        &self,
        copy_threads: &'c Mutex<Option<CopyThreads>>,
        direction: Direction,
    ) -> Result<MutexGuard<'c, Option<CopyThreads>>> {
        let mut copy_threads = lock(copy_threads);
        if copy_threads.is_none() {
            *copy_threads = match CopyThreads::new(&self.primary, direction) {
                Err(error) if error.status() == Status::OutOfMemory => None,
                made => Some(made?),
            };
        }
        Ok(copy_threads)
    }

    /// Waits for what `stream` has done so far, and for what it waits for: a kernel of this context does not take
    /// others' turns.
    fn wait_for(&self, stream: sys::CUstream) -> Result<()> {
        let event = Event::create_timeless(&self.primary)?;
        event.record(stream)?;
        event.synchronize()
    }
}

#[cfg(test)]
mod tests;

//! A communicator of NCCL, of which nothing is waited for without asking whether to go on.

use std::cell::Cell;
use std::ffi::c_int;
use std::ptr::null_mut;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::library::{Config, Handle, IN_PROGRESS, Library, SUCCESS, UniqueId};
use crate::error::{Error, Result, Status};
use crate::gpu::Device;
use crate::gpu::runtime::primary::Primary;

/// Whether to go on waiting.
pub type Poll<'p> = &'p mut dyn FnMut() -> Result<()>;

pub struct Group {
    pub library: &'static Library,
    primary: Arc<Primary>,
    handle: Cell<Handle>, // null once it was aborted
}

// SAFETY: a communicator is used by one thread at a time, which may change.
unsafe impl Send for Group {}

impl Group {
    /// This rank of a new group; all ranks come here with one id. The device is current.
    pub fn create(device: &Device, id: UniqueId, rank: usize, ranks: usize, poll: Poll) -> Result<Group> {
        let (library, config) = (Library::get()?, Config::asynchronous());
        let mut handle = null_mut();
        // SAFETY: writes a handle; reads the struct before it returns.
        let code = unsafe { (library.init_rank)(&mut handle, ranks as c_int, id, rank as c_int, &config) };
        let group = Group { library, primary: device.primary().clone(), handle: Cell::new(handle) };
        library.check("ncclCommInitRankConfig", code)?;
        group.settle("ncclCommInitRankConfig", poll)?;
        Ok(group)
    }

    /// The communicator, unless it was aborted.
    pub fn handle(&self) -> Result<Handle> {
        match self.handle.get() {
            handle if handle.is_null() => Err(Error::new(Status::Peer, "NCCL's communicator was aborted")),
            handle => Ok(handle),
        }
    }

    /// What went wrong since in the background, if anything has; true: something is not done yet.
    pub fn is_busy(&self, what: &str) -> Result<bool> {
        let mut state = SUCCESS;
        // SAFETY: a live communicator; writes an int.
        self.library.check(what, unsafe { (self.library.async_error)(self.handle()?, &mut state) })?;
        self.library.check(what, state)?;
        Ok(state == IN_PROGRESS)
    }

    /// Waits until the call before has done what it does on the host.
    pub fn settle(&self, what: &str, poll: Poll) -> Result<()> {
        let mut turns = 0u32;
        while self.is_busy(what)? {
            turns += 1;
            if turns.is_multiple_of(64) {
                poll()?;
                std::thread::yield_now();
            }
        }
        Ok(())
    }

    /// Runs calls as one: none of them waits for another one.
    pub fn together(&self, poll: Poll, calls: impl FnOnce(&Library, Handle) -> Result<()>) -> Result<()> {
        let handle = self.handle()?;
        // SAFETY: a state of this thread, which the end below takes back.
        self.library.check("ncclGroupStart", unsafe { (self.library.group_start)() })?;
        let outcome = calls(self.library, handle);
        // SAFETY: as above.
        let ended = self.library.check("ncclGroupEnd", unsafe { (self.library.group_end)() });
        outcome.and(ended)?;
        self.settle("ncclGroupEnd", poll)
    }

    /// Ends what is under way, on the device too, and the communicator. Waits for no other rank.
    pub fn abort(&self) {
        let handle = self.handle.replace(null_mut());
        if handle.is_null() {
            return;
        }
        if let Some(_current) = self.primary.enter_to_release() {
            // SAFETY: a communicator that nobody uses any more.
            let _ = unsafe { (self.library.abort)(handle) };
        }
    }
}

impl Drop for Group {
    /// Ends a communicator with the other ranks, since one of them may still read what this one has sent; without those that do not
    /// come in time.
    fn drop(&mut self) {
        const PATIENCE: Duration = Duration::from_secs(2);
        let handle = self.handle.get();
        let Some(_current) = self.primary.enter_to_release().filter(|_| !handle.is_null()) else { return };
        let start = Instant::now();
        // SAFETY: a live communicator that nobody uses any more.
        let begun = self.library.check("ncclCommFinalize", unsafe { (self.library.finalize)(handle) });
        let mut poll = || match start.elapsed() {
            waited if waited < PATIENCE => Ok(()),
            _ => Err(Error::new(Status::Timeout, "the other ranks do not end their communicators")),
        };
        match begun.and_then(|()| self.settle("ncclCommFinalize", &mut poll)) {
            // SAFETY: as above.
            Ok(()) => _ = unsafe { (self.library.destroy)(self.handle.replace(null_mut())) },
            Err(_) => self.abort(),
        }
    }
}

//! What another rank has lent, read by kernels where it is.

use std::marker::PhantomData;
use std::sync::Arc;

use super::{Lent, Primary, State, check, copy};
use crate::array::View;
use crate::error::{Error, Result, Status};
use crate::gpu::Device;
use crate::gpu::runtime::stream::Event;
use crate::platform::fork::lock;

/// Bytes that kernels of a rank's device read: its own, or those of a device that it sees.
#[derive(Clone, Copy)]
pub struct Lines<'l> {
    address: usize,
    bytes: usize,
    lifetime: PhantomData<&'l [u8]>,
}

impl<'l> Lines<'l> {
    /// Memory of the rank's device.
    pub fn of(view: &View<'l, u8>) -> Result<Lines<'l>> {
        check(view.place(), view.name(), view.len())?;
        Ok(Lines { address: view.as_ptr().addr(), bytes: view.len(), lifetime: PhantomData })
    }

    pub fn as_ptr(&self) -> *const u8 {
        self.address as *const u8
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

/// The device of a rank, to ask which others it sees.
pub struct Party(Arc<Primary>);

impl Party {
    pub fn of(device: &Device) -> Party {
        Party(device.primary().clone())
    }

    /// Whether kernels of this device read the memory of another one; false as well where the driver does not say.
    pub fn sees(&self, other: &Party) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.sees(&other.0).unwrap_or(false)
    }
}

impl Device {
    /// Runs `body`, which puts kernels into the stream that read what other ranks have lent: of each the regions, which are runs of bytes. The
    /// lenders keep them until these kernels are done. The device sees theirs.
    pub fn read_lent(
        &self,
        lent: &[Arc<Lent>],
        body: impl FnOnce(&[Vec<Lines>]) -> Result<()>,
    ) -> Result<()> {
        let done = Arc::new(Event::create_timeless(self.primary())?);
        let mut states: Vec<_> = lent.iter().map(|lent| lock(&lent.state)).collect();
        if !states.iter().all(|state| matches!(**state, State::Offered)) {
            return Err(Error::new(Status::Peer, "another rank took back what it had sent"));
        }
        for lent in lent {
            if !Arc::ptr_eq(self.primary(), &lent.primary) {
                copy::open_peer(self.primary(), &lent.primary)?;
            }
            lent.ready.hold_back(self.stream())?;
        }
        let line =
            |rows: &super::Rows| Lines { address: rows.address, bytes: rows.bytes(), lifetime: PhantomData };
        let lines: Vec<Vec<Lines>> =
            lent.iter().map(|lent| lent.regions.iter().map(line).collect()).collect();
        let outcome = body(&lines);
        self.close_kernels()?;
        let marked = done.record(self.stream());
        if outcome.is_err() || marked.is_err() {
            let _ = self.synchronize(); // whatever was begun has ended before the lenders may go on
        }
        for (state, lent) in states.iter_mut().zip(lent) {
            **state = State::Taken(done.clone());
            lent.is_taken.notify_all();
        }
        outcome.and(marked)
    }
}

//! What another rank has lent, read and written by kernels where it is.

use std::marker::PhantomData;
use std::sync::Arc;

use super::{Lent, Primary, State, Stop, copy};
use crate::error::{Error, Result, Status};
use crate::gpu::Device;
use crate::gpu::runtime::stream::Event;
use crate::platform::fork::lock;

/// Memory of another device that kernels of this one use.
#[derive(Clone, Copy)]
pub struct Region<'r> {
    address: usize,
    lifetime: PhantomData<&'r [u8]>,
}

impl Region<'_> {
    pub fn address<T>(&self) -> *mut T {
        self.address as *mut T
    }
}

/// The device of a rank, to ask which others it sees.
pub struct Party(Arc<Primary>);

impl Party {
    pub fn of(device: &Device) -> Party {
        Party(device.primary().clone())
    }

    /// Whether it is another device, whose memory kernels of this one use; false as well where the driver does not say.
    pub fn sees(&self, other: &Party) -> bool {
        !Arc::ptr_eq(&self.0, &other.0) && self.0.sees(&other.0).unwrap_or(false)
    }
}

/// Kernels that used memory which their device was not opened to would be a fault of the device.
pub(super) fn refused(here: &Primary, owner: &Primary, advice: &str) -> Error {
    let (here, owner) = (here.ordinal(), owner.ordinal());
    Error::new(
        Status::Cuda,
        format!(
            "kernels of device {here} cannot use memory of device {owner}: cuCtxEnablePeerAccess says CUDA_ERROR_TOO_MANY_PEERS{advice}"
        ),
    )
}

impl Device {
    /// Runs `body`, which puts kernels into the stream that use what other ranks have lent: of each the regions, which are runs of bytes. The
    /// lenders keep them until these kernels are done. The device sees theirs. Raises `stop` where it fails.
    pub fn use_lent(
        &self,
        lent: &[Arc<Lent>],
        stop: &Stop,
        body: impl FnOnce(&[Vec<Region>]) -> Result<()>,
    ) -> Result<()> {
        let done = Arc::new(Event::create_timeless(self.primary())?);
        let mut states: Vec<_> = lent.iter().map(|lent| lock(&lent.state)).collect();
        if !states.iter().all(|state| matches!(**state, State::Offered)) {
            return Err(Error::new(Status::Peer, "another rank took back what it had lent"));
        }
        for lent in lent {
            if !copy::open_peer(self.primary(), &lent.primary)? {
                let advice =
                    "; with options.life_halo = 16 in the creation of the communicator halos are copied";
                return Err(refused(self.primary(), &lent.primary, advice));
            }
            lent.ready.hold_back(self.stream())?;
        }
        let region = |rows: &super::Rows| Region { address: rows.address, lifetime: PhantomData };
        let regions: Vec<Vec<Region>> =
            lent.iter().map(|lent| lent.regions.iter().map(region).collect()).collect();
        let outcome = body(&regions);
        self.is_drained.set(false);
        let marked = self.close_kernels().and_then(|()| done.record(self.stream()));
        if outcome.is_err() || marked.is_err() {
            stop.raise();
            let _ = self.synchronize(); // whatever was begun has ended before the lenders may go on
        }
        for (state, lent) in states.iter_mut().zip(lent) {
            **state = State::Taken(done.clone());
            lent.is_taken.notify_all();
        }
        outcome.and(marked)
    }
}

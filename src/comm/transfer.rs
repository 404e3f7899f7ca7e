//! What is on its way between the devices of ranks while these compute.
#![forbid(unsafe_code)]

use std::marker::PhantomData;
use std::sync::Arc;

use super::DeviceParcel;
use crate::gpu::peer::{Lent, Mark};

/// Memory of a device that others copy, and copies from others' that run beside its stream. The memory is used until the transfer is
/// settled, or ends.
#[derive(Default)]
pub struct Transfer<'p> {
    pub(super) lent: Vec<Arc<Lent>>,
    pub(super) arrival: Option<Mark>, // behind all that comes from others
    parcels: PhantomData<DeviceParcel<'p>>,
}

impl Transfer<'_> {
    /// Nobody uses the memory any more but what the stream was given.
    pub(super) fn end(mut self) {
        self.lent.clear();
        self.arrival = None;
    }
}

impl Drop for Transfer<'_> {
    fn drop(&mut self) {
        self.lent.iter().for_each(|lent| lent.withdraw());
        if let Some(arrival) = &self.arrival {
            arrival.outlast();
        }
    }
}

//! Memory of a rank's device into which the kernels of all ranks store a few elements, and how these kernels wait for each other.
//!
//! Layout     kernels/allreduce/allreduce.cu.

use std::sync::Arc;

use cudarc::driver::{result, sys};

use super::shared::refused;
use super::{Stop, copy};
use crate::error::{Error, Result};
use crate::gpu::Device;
use crate::gpu::runtime::driver::failed;
use crate::gpu::runtime::kernels::{ALLREDUCE_ELEMENTS, ALLREDUCE_RANKS, gpumexk_fill};
use crate::gpu::runtime::primary::Primary;
use crate::gpu::runtime::tuning::Kernel;

/// The mailbox of a rank: device memory that lives as long as the group.
pub struct Mailbox {
    primary: Arc<Primary>,
    address: usize, // 0: not yet
}

impl Mailbox {
    /// Ranks of a group that have mailboxes, at most.
    pub const RANKS: usize = ALLREDUCE_RANKS;
    /// Elements of a rank, at most.
    pub const ELEMENTS: usize = ALLREDUCE_ELEMENTS;

    /// An empty one, when this returns. The device is current.
    pub fn create(device: &Device, ranks: usize) -> Result<Mailbox> {
        let len = 4 * ranks * Mailbox::ELEMENTS;
        let mut mailbox = Mailbox { primary: device.primary().clone(), address: 0 };
        // SAFETY: allocates; given back by `drop`.
        let address = unsafe { result::malloc_sync(len * size_of::<u64>()) };
        mailbox.address = address.map_err(|error| out_of(len * size_of::<u64>(), error))? as usize;
        let (words, tuning) = (mailbox.address as *mut u64, device.tuning(Kernel::Fill));
        // SAFETY: so many words.
        device.launch(|stream| unsafe { gpumexk_fill(words.cast(), len, 8, 0, &tuning, stream) })?;
        device.synchronize()?;
        Ok(mailbox)
    }
}

fn out_of(bytes: usize, error: cudarc::driver::DriverError) -> Error {
    match error.0 {
        sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY => Error::out_of_memory("device memory", bytes),
        _ => failed("cuMemAlloc", error),
    }
}

impl Drop for Mailbox {
    fn drop(&mut self) {
        let Some(_current) = self.primary.enter_to_release() else { return }; // forked or reset: it is gone
        if self.address != 0 {
            // SAFETY: what `create` allocated; no kernel is in flight.
            let _ = unsafe { result::free_sync(self.address as sys::CUdeviceptr) };
        }
    }
}

/// One exchange through the mailboxes of all ranks.
pub struct Round<'r> {
    pub mailboxes: &'r [Arc<Mailbox>], // of each rank
    pub rank: usize,
    pub number: u32, // of the exchange, from 1
    pub stop: &'r Stop,
    pub patience: u64, // nanoseconds
}

impl Round<'_> {
    /// Where the mailboxes are, for a kernel of this device, which is opened to them.
    pub(in crate::gpu) fn addresses(&self, device: &Device) -> Result<[*mut u64; ALLREDUCE_RANKS]> {
        let mut addresses = [std::ptr::null_mut(); ALLREDUCE_RANKS];
        for (rank, (address, mailbox)) in addresses.iter_mut().zip(self.mailboxes).enumerate() {
            if rank != self.rank && !copy::open_peer(device.primary(), &mailbox.primary)? {
                return Err(refused(device.primary(), &mailbox.primary, ""));
            }
            *address = mailbox.address as *mut u64;
        }
        Ok(addresses)
    }
}

//! How bytes cross between ranks.
#![forbid(unsafe_code)]

use std::sync::Arc;

use super::callbacks::Callbacks;
use super::threads::Member;
use super::{DeviceParcel, InRound, Parcel, Transfer, UseOthers, waiting};
use crate::error::{Error, Result};
use crate::gpu::Device;
use crate::gpu::nccl::{Control, Data, Exchange, Letter};
use crate::gpu::peer::Source;
use crate::vector;

/// How bytes of the host cross, and those of devices where they do so directly.
pub enum Transport {
    /// One rank: nothing crosses.
    Alone,
    /// Ranks of one process, a thread each.
    Threads(Member),
    /// The caller's functions, and NCCL for memory of devices.
    Callbacks(Callbacks, Option<Data>),
    /// NCCL alone.
    Nccl(Control, Data),
}

impl Transport {
    pub fn allgather(&self, control: &Arc<super::Control>, own: &[u8], all: &mut [u8]) -> Result<()> {
        match self {
            Transport::Alone => {
                all.copy_from_slice(own);
                Ok(())
            }
            Transport::Threads(member) => member.allgather(control, own, all),
            Transport::Callbacks(callbacks, _) => callbacks.allgather(own, all),
            Transport::Nccl(nccl, _) => nccl.allgather(own, all, &mut waiting::poll),
        }
    }

    pub fn exchange(&self, control: &Arc<super::Control>, parcels: &mut [Parcel]) -> Result<()> {
        match self {
            Transport::Alone => Ok(()),
            Transport::Threads(member) => member.exchange(control, parcels),
            Transport::Callbacks(callbacks, _) => callbacks.exchange(parcels),
            Transport::Nccl(nccl, _) => {
                let mut letters = vector::reserved(parcels.len())?;
                for Parcel { peer, send, receive } in parcels {
                    letters.push(Letter { peer: *peer, send, receive });
                }
                nccl.exchange(&mut letters, &mut waiting::poll)
            }
        }
    }

    pub fn exchange_on(
        &self,
        control: &Arc<super::Control>,
        device: &Device,
        parcels: &[DeviceParcel],
    ) -> Result<()> {
        match self {
            Transport::Alone => Ok(()),
            Transport::Threads(member) => member.exchange_on(control, device, parcels),
            Transport::Callbacks(_, Some(data)) | Transport::Nccl(_, data) => {
                let mut exchanges: Vec<Exchange> = vector::reserved(parcels.len())?;
                for DeviceParcel { peer, send, receive } in parcels {
                    exchanges.push((*peer, send, receive));
                }
                data.exchange(device, &exchanges, &mut waiting::poll)
            }
            Transport::Callbacks(_, None) => Err(Error::unsupported("callbacks move memory of the host")),
        }
    }

    pub fn begin_exchange<'p>(
        &self,
        control: &Arc<super::Control>,
        device: &Device,
        parcels: &[DeviceParcel<'p>],
    ) -> Result<Transfer<'p>> {
        match self {
            Transport::Threads(member) => member.begin_exchange(control, device, parcels),
            _ => Err(Error::unsupported("only ranks of one process copy beside what they compute")),
        }
    }

    pub fn settle(&self, control: &Arc<super::Control>, device: &Device, transfer: Transfer) -> Result<()> {
        match self {
            Transport::Threads(member) => member.settle(control, device, transfer),
            _ => Ok(()),
        }
    }

    pub fn use_others(
        &self,
        control: &Arc<super::Control>,
        device: &Device,
        (sends, from): (&[(usize, &[Source])], &[usize]),
        body: UseOthers,
    ) -> Result<()> {
        match self {
            Transport::Threads(member) => member.use_others(control, device, (sends, from), body),
            _ => Err(Error::unsupported("only ranks of one process use memory of each other")),
        }
    }

    pub fn open_mailbox(&self, device: &Device) -> Result<()> {
        match self {
            Transport::Threads(member) => member.open_mailbox(device),
            _ => Err(Error::unsupported("only ranks of one process have mailboxes")),
        }
    }

    pub fn in_round(&self, control: &Arc<super::Control>, device: &Device, body: InRound) -> Result<()> {
        match self {
            Transport::Threads(member) => member.in_round(control, device, body),
            _ => Err(Error::unsupported("only ranks of one process have mailboxes")),
        }
    }

    pub fn check_used(&self) -> Result<()> {
        match self {
            Transport::Threads(member) => member.check_used(),
            _ => Ok(()),
        }
    }

    /// Where bytes may never arrive that the stream of a device waits for: waits until they have.
    pub fn finish(&self, device: &Device) -> Result<()> {
        match self {
            Transport::Callbacks(_, Some(data)) | Transport::Nccl(_, data) => {
                data.finish(&device.mark()?, &mut waiting::poll)
            }
            _ => Ok(()),
        }
    }

    /// An error when what a device waits for will not come.
    pub fn check(&self, control: &super::Control) -> Result<()> {
        match self {
            Transport::Threads(member) => member.poll(control),
            Transport::Callbacks(_, Some(data)) | Transport::Nccl(_, data) => data.check(),
            _ => Ok(()),
        }
    }

    /// This rank comes to no further step; `is_failure`: others may wait for it.
    pub fn leave(&self, why: &str, is_failure: bool) {
        match self {
            Transport::Threads(member) => member.leave(why, is_failure),
            Transport::Nccl(control, data) if is_failure => {
                control.abort();
                data.abort();
            }
            Transport::Callbacks(_, Some(data)) if is_failure => data.abort(),
            _ => {}
        }
    }
}

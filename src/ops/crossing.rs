//! Arrays that cross between ranks from where the context computes to where the context computes.
#![forbid(unsafe_code)]

use std::ops::Range;

use super::copy;
use super::ranks::{self, bytes_of, bytes_of_mut};
use crate::array::{Input, Output, Owned};
use crate::comm::{Comm, DeviceParcel, Transfer};
use crate::context::{Context, Engine};
use crate::error::Result;
use crate::gpu::Device;
use crate::gpu::peer::{Source, Target};
use crate::vector;

/// How the bytes of one array cross.
pub enum Crossing {
    /// In memory of the host, where they lie.
    OnHost,
    /// From device to device.
    Direct,
    /// Through memory of the host, which a device does not compute on.
    Staged { sent: Vec<u64>, received: Vec<u64> },
}

impl Crossing {
    /// With memory for so many bytes to send and to receive.
    pub fn new(ctx: &Context, comm: &Comm, sent: usize, received: usize) -> Result<Crossing> {
        Ok(match (ctx.is_on_cuda(), comm.is_direct()) {
            (false, _) => Crossing::OnHost,
            (true, true) => Crossing::Direct,
            (true, false) => {
                Crossing::Staged { sent: ranks::words(sent)?, received: ranks::words(received)? }
            }
        })
    }

    /// Brings what will be sent to where it crosses from. Comes before an agreement.
    pub fn pack(&mut self, ctx: &mut Context, from: Input, bytes: usize) -> Result<()> {
        match self {
            Crossing::Staged { sent, .. } => copy::copy(ctx, Output::new("bytes to send", sent), from, bytes),
            _ => Ok(()),
        }
    }

    /// to ← what each rank has for this one: `sends` and `receives` are the ranges for, and from, each rank; those of `receives` lie behind
    /// one another. This rank's own bytes are copied. Follows an agreement, and an agreement follows.
    pub fn cross(
        &mut self,
        ctx: &mut Context,
        comm: &mut Comm,
        (from, sends): (Input, &[Range<usize>]),
        (to, receives): (&mut Owned, &[Range<usize>]),
    ) -> Result<()> {
        let end = |ranges: &[Range<usize>]| ranges.iter().map(|range| range.end).max().unwrap_or(0);
        match self {
            Crossing::OnHost => {
                let sent = from.view::<u8>(&[end(sends)])?.on_host()?;
                let to = to.output("received", 0, end(receives)).view::<u8>(&[end(receives)])?;
                ranks::all_to_all(comm, sent, sends, to.into_host()?, receives)
            }
            Crossing::Direct => {
                let (parcels, own) =
                    comm.moved(|comm| parcels(comm.rank(), (from, sends), (to, receives)))?;
                on_device(ctx, |device| {
                    comm.exchange_on(device, &parcels)?;
                    comm.finish(device)
                })?;
                copy_own(ctx, own)
            }
            Crossing::Staged { sent, received } => {
                let (sent, bytes) = (bytes_of(sent, end(sends))?, end(receives));
                ranks::all_to_all(comm, sent, sends, bytes_of_mut(received, bytes)?, receives)?;
                copy::copy(
                    ctx,
                    to.output("received", 0, bytes),
                    Input::new("received bytes", received),
                    bytes,
                )
            }
        }
    }

    /// Begins to: where devices copy from each other, the bytes cross while the context computes. Follows an agreement.
    pub fn begin<'p>(
        &mut self,
        ctx: &mut Context,
        comm: &mut Comm,
        (from, sends): (Input<'p>, &[Range<usize>]),
        (to, receives): (&'p mut Owned, &[Range<usize>]),
    ) -> Result<Underway<'p>> {
        if !comm.has_peers() || !matches!(self, Crossing::Direct) {
            return self.cross(ctx, comm, (from, sends), (to, receives)).map(|()| Underway(None));
        }
        let (parcels, own) = comm.moved(|comm| parcels(comm.rank(), (from, sends), (to, receives)))?;
        let underway = begin(ctx, comm, &parcels)?;
        copy_own(ctx, own).map(|()| underway)
    }
}

/// Begins to move memory of devices that copy from each other. Follows an agreement.
pub fn begin<'p>(ctx: &mut Context, comm: &mut Comm, parcels: &[DeviceParcel<'p>]) -> Result<Underway<'p>> {
    let mut transfer = None;
    on_device(ctx, |device| {
        transfer = Some(comm.begin_exchange(device, parcels)?);
        Ok(())
    })?;
    Ok(Underway(transfer))
}

/// Bytes on their way.
pub struct Underway<'p>(Option<Transfer<'p>>);

impl Underway<'_> {
    /// What the context computes from here on comes behind the arrival of all of them. Ranks settle in the order in which they began.
    pub fn settle(self, ctx: &mut Context, comm: &mut Comm) -> Result<()> {
        match self.0 {
            None => Ok(()),
            Some(transfer) => on_device(ctx, |device| comm.settle(device, transfer)),
        }
    }
}

fn on_device(ctx: &mut Context, body: impl FnOnce(&Device) -> Result<()>) -> Result<()> {
    ctx.begin();
    ctx.run(|engine| match engine {
        Engine::Cuda(device) => {
            device.refuse_capture("it waits for other ranks")?;
            body(device)
        }
        Engine::Cpu(_) => Ok(()),
    })
}

/// What a rank keeps: where to, where from, and how many bytes.
type Own<'p> = Option<(Output<'p>, Input<'p>, usize)>;

/// What crosses between a rank and each of the others, and what it keeps.
fn parcels<'p>(
    rank: usize,
    (from, sends): (Input<'p>, &[Range<usize>]),
    (to, receives): (&'p mut Owned, &[Range<usize>]),
) -> Result<(Vec<DeviceParcel<'p>>, Own<'p>)> {
    let mut parcels = vector::reserved(sends.len())?;
    let targets = to.outputs("received", receives)?;
    let mut own = None;
    for (peer, ((send, receive), target)) in sends.iter().zip(receives).zip(targets).enumerate() {
        if peer == rank {
            own = Some((target, from.behind(send.start), send.len()));
            continue;
        }
        let source = Source::of(&from.behind(send.start).view(&[send.len()])?)?;
        let target = Target::of(target.view(&[receive.len()])?)?;
        let send = vector::collected((!send.is_empty()).then_some(source).into_iter())?;
        let receive = vector::collected((!receive.is_empty()).then_some(target).into_iter())?;
        parcels.push(DeviceParcel { peer, send, receive });
    }
    Ok((parcels, own))
}

fn copy_own(ctx: &mut Context, own: Own) -> Result<()> {
    own.map_or(Ok(()), |(to, from, bytes)| copy::copy(ctx, to, from, bytes))
}

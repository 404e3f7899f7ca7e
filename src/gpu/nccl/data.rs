//! Memory of devices that crosses by NCCL, in the order of the stream of each rank's context.

use std::ffi::c_void;

use super::group::{Group, Poll};
use super::library::{BYTES, UniqueId};
use crate::error::Result;
use crate::gpu::Device;
use crate::gpu::peer::{Mark, Rows, Source, Target};
use crate::gpu::runtime::memory::Buffer;
use crate::vector;

/// What a rank exchanges with another one.
pub type Exchange<'e, 'p> = (usize, &'e [Source<'p>], &'e [Target<'p>]);

pub struct Data(Group);

/// Regions as one run of bytes: themselves, or a buffer.
struct Run<'d> {
    peer: usize,
    address: usize,
    bytes: usize,
    buffer: Option<Buffer<'d, u8>>,
}

impl Data {
    /// This rank of a new group; all ranks come here with one id. The device is current.
    pub fn create(device: &Device, id: &[u8], rank: usize, ranks: usize, poll: Poll) -> Result<Data> {
        let mut bytes = UniqueId([0; super::UNIQUE_ID]);
        bytes.0.copy_from_slice(id);
        Group::create(device, bytes, rank, ranks, poll).map(Data)
    }

    /// Exchanges regions with other ranks: both sides of a pair give as many bytes.
    pub fn exchange(&self, device: &Device, exchanges: &[Exchange], poll: Poll) -> Result<()> {
        let rows = |source: &Source| source.rows;
        let sends =
            exchanges.iter().map(|&(peer, sources, _)| (peer, vector::collected(sources.iter().map(rows))));
        let sends = runs(device, sends)?;
        for (run, &(_, sources, _)) in sends.iter().zip(exchanges) {
            run.fill(device, sources)?;
        }
        let rows = |target: &Target| target.rows;
        let receives =
            exchanges.iter().map(|&(peer, _, targets)| (peer, vector::collected(targets.iter().map(rows))));
        let receives = runs(device, receives)?;
        device.close_kernels()?;
        device.is_drained.set(false);
        let stream = device.stream().cast();
        self.0.together(poll, |library, handle| {
            for run in sends.iter().filter(|run| run.bytes > 0) {
                let (from, peer) = (run.address as *const c_void, run.peer as i32);
                // SAFETY: so many bytes on the device, which stay until the stream has come past.
                let code = unsafe { (library.send)(from, run.bytes, BYTES, peer, handle, stream) };
                library.check("ncclSend", code)?;
            }
            for run in receives.iter().filter(|run| run.bytes > 0) {
                let (to, peer) = (run.address as *mut c_void, run.peer as i32);
                // SAFETY: as above, and nobody else's.
                let code = unsafe { (library.receive)(to, run.bytes, BYTES, peer, handle, stream) };
                library.check("ncclRecv", code)?;
            }
            Ok(())
        })?;
        for (run, &(_, _, targets)) in receives.iter().zip(exchanges) {
            run.empty(device, targets)?;
        }
        Ok(())
    }

    /// Waits until the device has come past all exchanges, of which NCCL's errors are told while it waits.
    pub fn finish(&self, mark: &Mark, poll: Poll) -> Result<()> {
        while !mark.is_done()? {
            self.0.is_busy("NCCL")?;
            poll()?;
            std::thread::yield_now();
        }
        Ok(())
    }

    /// What NCCL says in the background.
    pub fn check(&self) -> Result<()> {
        self.0.is_busy("NCCL").map(|_| ())
    }

    pub fn abort(&self) {
        self.0.abort();
    }
}

fn runs(
    device: &Device,
    exchanges: impl ExactSizeIterator<Item = (usize, Result<Vec<Rows>>)>,
) -> Result<Vec<Run<'_>>> {
    vector::try_collected(exchanges.map(|(peer, regions)| {
        let regions = regions?;
        let bytes = regions.iter().map(Rows::bytes).sum();
        Ok(match &regions[..] {
            [] => Run { peer, address: 0, bytes, buffer: None },
            [one] if one.is_one_run() => Run { peer, address: one.address, bytes, buffer: None },
            _ => {
                let buffer = Buffer::<u8>::new(device, bytes)?;
                Run { peer, address: buffer.as_ptr().addr(), bytes, buffer: Some(buffer) }
            }
        })
    }))
}

impl Run<'_> {
    /// Where a region lies within the buffer, from `at` on: its rows touch.
    fn place(&self, at: &mut usize, region: &Rows) -> Rows {
        let address = self.address + *at;
        *at += region.bytes();
        Rows { address, pitch: region.width, ..*region }
    }

    fn fill(&self, device: &Device, sources: &[Source]) -> Result<()> {
        let mut at = 0;
        sources.iter().filter(|_| self.buffer.is_some()).try_for_each(|source| {
            let to = self.place(&mut at, &source.rows);
            // SAFETY: a buffer with room for all regions, in stream order.
            unsafe { device.copy_within(&to, &source.rows) }
        })
    }

    fn empty(&self, device: &Device, targets: &[Target]) -> Result<()> {
        let mut at = 0;
        targets.iter().filter(|_| self.buffer.is_some()).try_for_each(|target| {
            let from = self.place(&mut at, &target.rows);
            // SAFETY: as above.
            unsafe { device.copy_within(&target.rows, &from) }
        })
    }
}

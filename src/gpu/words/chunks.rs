//! A text of the host, which goes to the device in pieces: the next one is on its way while one is counted.

use super::super::runtime::memory::Buffer;
use super::table::{Counting, Pending};
use super::{Device, InSteps};
use crate::array::View;
use crate::error::Result;
use crate::interrupt;
use crate::memory::Place;
use crate::model::words::cut;

/// A piece takes 5 ms over PCIe. Where a text has no cut for so long, its piece is longer.
const PIECE_BYTES: usize = 256 << 20;

/// Counts the words of a text of the host.
pub fn count<'d>(counting: &mut Counting<'d>, text: &View<u8>, in_steps: InSteps) -> Result<()> {
    let bytes = text.on_host()?;
    let device = counting.device();
    let mut buffers = [None, None];
    let mut pending: Option<Pending<'d>> = None;
    let (mut sent, mut wanted, mut pieces) = (0, 0, 0);
    device.wait_at_end()?;
    in_steps(&mut |part| {
        wanted += part as usize;
        while sent < wanted {
            interrupt::check(sent, bytes.len())?;
            let end = cut(bytes, sent, wanted.min(sent + PIECE_BYTES));
            let piece = text.part(sent, end - sent);
            let at = send(device, &mut buffers[pieces % 2], &piece)?;
            if let Some(before) = pending.take() {
                counting.finish(before, false)?;
            }
            pending = Some(counting.launch(counting.text(at, piece.len(), sent as u64))?);
            (sent, pieces) = (end, pieces + 1);
        }
        Ok(())
    })?;
    match pending {
        Some(last) => counting.finish(last, pieces == 1),
        None => Ok(()),
    }
}

/// Copies a piece into a buffer that is free, and makes it larger where it has to be.
fn send<'d>(
    device: &'d Device,
    buffer: &mut Option<(Buffer<'d, u8>, usize)>,
    piece: &View<u8>,
) -> Result<*const u8> {
    if buffer.as_ref().is_none_or(|(_, capacity)| *capacity < piece.len()) {
        *buffer = None;
        *buffer = Some((Buffer::new(device, piece.len())?, piece.len()));
        device.synchronize()?; // what used the memory before, and what lends it in stream order
    }
    let to = buffer.as_ref().map_or(std::ptr::null_mut(), |(buffer, _)| buffer.as_ptr());
    match piece.place() {
        Place::Host => device.upload_to_free(to, piece)?,
        _ => device.upload(to, piece)?,
    }
    Ok(to)
}

//! Arrays of the host that a kernel goes through once: in pieces, so that the kernel works on one while the next
//! is on its way.

use super::memory::Buffer;
use super::stream::Event;
use crate::array::View;
use crate::error::Result;
use crate::gpu::Device;
use crate::interrupt;
use crate::memory::Place;

/// A piece takes 5 ms over PCIe, and what starts and ends a transfer 0.1.
const PIECE_BYTES: usize = 256 << 20;

impl Device {
    /// Calls `work` with address and length of each piece of an array, one after the other; it launches what reads
    /// the piece. A piece is a multiple of `group` bytes, which belong together.
    pub fn read_in_pieces(
        &self,
        view: &View<u8>,
        group: usize,
        mut work: impl FnMut(*const u8, usize) -> Result<()>,
    ) -> Result<()> {
        let piece = PIECE_BYTES / group * group;
        if view.place() != Place::Host || view.len() <= piece {
            let whole = self.read(view)?;
            return work(whole.as_ptr(), view.len());
        }
        self.wait_at_end()?;
        let buffers = [Buffer::<u8>::new(self, piece)?, Buffer::<u8>::new(self, piece)?];
        self.synchronize()?; // what used the memory of the buffers before, and what lends it in stream order
        let read = [Event::create(self.primary())?, Event::create(self.primary())?];
        for (i, from) in (0..view.len()).step_by(piece).enumerate() {
            interrupt::check(from, view.len())?;
            let (buffer, read) = (&buffers[i % 2], &read[i % 2]);
            let part = view.part(from, piece.min(view.len() - from));
            if i >= 2 {
                read.synchronize()?;
            }
            self.upload_to_free(buffer.as_ptr(), &part)?;
            work(buffer.as_ptr(), part.len())?;
            read.record(self.stream())?;
        }
        Ok(())
    }
}

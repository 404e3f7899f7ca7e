//! What the host of a rank tells the others by NCCL: small pieces of memory of the host, through a room on the device and one that is
//! pinned, in a stream of its own, so that it overtakes what the context's stream has to do.

use std::ffi::c_void;
use std::sync::Arc;

use cudarc::driver::{result, sys};

use super::group::{Group, Poll};
use super::library::{BYTES, UniqueId};
use crate::error::{Error, Result};
use crate::gpu::Device;
use crate::gpu::runtime::driver::failed;
use crate::gpu::runtime::primary::Primary;
use crate::gpu::runtime::stream::{Event, Stream};

pub struct Control {
    group: Group,
    ranks: usize,
    primary: Arc<Primary>,
    stream: Stream,
    done: Event,
    room: Room,
}

/// So many bytes a rank to send, and to receive.
const PIECE_MIN: usize = 4 << 10;
const ROOM: usize = 8 << 20;

/// A message to one other rank and from it.
pub struct Letter<'l> {
    pub peer: usize,
    pub send: &'l [u8],
    pub receive: &'l mut [u8],
}

/// Memory on the device and of the host, the first half to send, the second one to receive.
struct Room {
    primary: Arc<Primary>,
    device: sys::CUdeviceptr,
    host: *mut u8,
    half: usize,
}

// SAFETY: used by one thread at a time.
unsafe impl Send for Room {}

impl Control {
    /// This rank of a new group; all ranks come here with one id. The device is current.
    pub fn create(device: &Device, id: &[u8], rank: usize, ranks: usize, poll: Poll) -> Result<Control> {
        let mut bytes = UniqueId([0; super::UNIQUE_ID]);
        bytes.0.copy_from_slice(id);
        let primary = device.primary().clone();
        Ok(Control {
            group: Group::create(device, bytes, rank, ranks, poll)?,
            ranks,
            stream: Stream::create_beside(&primary)?,
            done: Event::create_timeless(&primary)?,
            room: Room::new(&primary, (ROOM / 2).max(ranks * PIECE_MIN))?,
            primary,
        })
    }

    /// all ← the bytes of each rank.
    pub fn allgather(&self, own: &[u8], all: &mut [u8], poll: Poll) -> Result<()> {
        let _current = self.primary.enter()?;
        let piece = self.room.half / self.ranks;
        for from in (0..own.len()).step_by(piece) {
            let len = piece.min(own.len() - from);
            self.room.to_device(&self.stream, 0, &own[from..from + len])?;
            self.group.together(poll, |library, handle| {
                let (send, receive) =
                    (self.room.device as *const c_void, self.room.received(0) as *mut c_void);
                let stream = self.stream.handle().cast();
                // SAFETY: the room has that for each rank, and stays until the stream was waited for.
                let code = unsafe { (library.all_gather)(send, receive, len, BYTES, handle, stream) };
                library.check("ncclAllGather", code)
            })?;
            self.room.to_host(&self.stream, 0, self.ranks * len)?;
            self.wait(poll)?;
            for rank in 0..self.ranks {
                let to = &mut all[rank * own.len() + from..][..len];
                self.room.read(rank * len, to);
            }
        }
        Ok(())
    }

    /// Moves bytes between pairs of ranks, which both know how many.
    pub fn exchange(&self, letters: &mut [Letter], poll: Poll) -> Result<()> {
        let _current = self.primary.enter()?;
        let piece = self.room.half / self.ranks; // the same on all ranks
        let longest =
            letters.iter().map(|letter| letter.send.len().max(letter.receive.len())).max().unwrap_or(0);
        for from in (0..longest).step_by(piece) {
            let part = |len: usize| from.min(len)..(from + piece).min(len);
            for (at, letter) in letters.iter().enumerate() {
                self.room.to_device(&self.stream, at * piece, &letter.send[part(letter.send.len())])?;
            }
            self.group.together(poll, |library, handle| {
                let stream = self.stream.handle().cast();
                for (at, letter) in letters.iter().enumerate() {
                    let (sent, expected) = (part(letter.send.len()).len(), part(letter.receive.len()).len());
                    let peer = letter.peer as i32;
                    let send = (self.room.device + (at * piece) as u64) as *const c_void;
                    let receive = self.room.received(at * piece) as *mut c_void;
                    if sent > 0 {
                        // SAFETY: a piece of the room, which stays until the stream was waited for.
                        let code = unsafe { (library.send)(send, sent, BYTES, peer, handle, stream) };
                        library.check("ncclSend", code)?;
                    }
                    if expected > 0 {
                        // SAFETY: as above.
                        let code =
                            unsafe { (library.receive)(receive, expected, BYTES, peer, handle, stream) };
                        library.check("ncclRecv", code)?;
                    }
                }
                Ok(())
            })?;
            for (at, letter) in letters.iter().enumerate() {
                self.room.to_host(&self.stream, at * piece, part(letter.receive.len()).len())?;
            }
            self.wait(poll)?;
            for (at, letter) in letters.iter_mut().enumerate() {
                let range = part(letter.receive.len());
                self.room.read(at * piece, &mut letter.receive[range]);
            }
        }
        Ok(())
    }

    fn wait(&self, poll: Poll) -> Result<()> {
        self.done.record(self.stream.handle())?;
        let mut turns = 0u32;
        while !self.done.is_done()? {
            turns += 1;
            if turns.is_multiple_of(64) {
                self.group.is_busy("NCCL")?;
                poll()?;
                std::thread::yield_now();
            }
        }
        Ok(())
    }

    pub fn abort(&self) {
        self.group.abort();
    }
}

impl Room {
    fn new(primary: &Arc<Primary>, half: usize) -> Result<Room> {
        let half = half.next_multiple_of(512);
        let mut room = Room { primary: primary.clone(), device: 0, host: std::ptr::null_mut(), half };
        // SAFETY: allocates; given back by `drop`.
        room.device = unsafe { result::malloc_sync(2 * half) }
            .map_err(|error| out_of("cuMemAlloc", 2 * half, error))?;
        // SAFETY: as above.
        let host = unsafe { result::malloc_host(2 * half, 0) };
        room.host = host.map_err(|error| out_of("cuMemHostAlloc", 2 * half, error))?.cast();
        Ok(room)
    }

    fn received(&self, at: usize) -> sys::CUdeviceptr {
        self.device + (self.half + at) as u64
    }

    /// Part of the first half ← bytes.
    fn to_device(&self, stream: &Stream, at: usize, bytes: &[u8]) -> Result<()> {
        assert!(at + bytes.len() <= self.half, "a piece lies within the room");
        if bytes.is_empty() {
            return Ok(());
        }
        // SAFETY: within both rooms, which nothing works on: the stream was waited for.
        unsafe {
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.host.add(at), bytes.len());
            sys::cuMemcpyAsync(
                self.device + at as u64,
                self.host.add(at) as u64,
                bytes.len(),
                stream.handle(),
            )
        }
        .result()
        .map_err(|error| failed("cuMemcpyAsync", error))
    }

    /// Part of the second half, on its way to the host.
    fn to_host(&self, stream: &Stream, at: usize, bytes: usize) -> Result<()> {
        assert!(at + bytes <= self.half, "a piece lies within the room");
        if bytes == 0 {
            return Ok(());
        }
        // SAFETY: within both rooms.
        unsafe {
            let host = self.host.add(self.half + at) as u64;
            sys::cuMemcpyAsync(host, self.received(at), bytes, stream.handle())
        }
        .result()
        .map_err(|error| failed("cuMemcpyAsync", error))
    }

    /// to ← part of the second half, once the stream was waited for.
    fn read(&self, at: usize, to: &mut [u8]) {
        assert!(at + to.len() <= self.half, "a piece lies within the room");
        // SAFETY: within the room of the host, which nothing works on.
        unsafe { std::ptr::copy_nonoverlapping(self.host.add(self.half + at), to.as_mut_ptr(), to.len()) }
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let Some(_current) = self.primary.enter_to_release() else { return };
        // SAFETY: what `new` allocated; the stream was waited for, or its communicator aborted.
        unsafe {
            if self.device != 0 {
                let _ = result::free_sync(self.device);
            }
            if !self.host.is_null() {
                let _ = result::free_host(self.host.cast());
            }
        }
    }
}

fn out_of(what: &str, bytes: usize, error: cudarc::driver::DriverError) -> Error {
    match error.0 {
        sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY => Error::out_of_memory("device or pinned memory", bytes),
        _ => failed(what, error),
    }
}

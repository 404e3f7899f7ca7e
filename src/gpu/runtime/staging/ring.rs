//! One copy thread and its ring of pinned slots: while the device moves some slots, the thread fills or empties
//! the others.
//!
//! The threads of a transfer take chunks of the host's array from one queue; each works them through its own slots
//! in turn. The first error, or panic, ends the queue: nobody takes another chunk. What is still in flight then,
//! or after the last chunks of an upload, is waited for by whoever runs the threads.

use std::collections::VecDeque;
use std::ptr::copy_nonoverlapping;
use std::sync::Mutex;

use crate::error::{Error, Result, Status};
use crate::interrupt::{self, Interrupt};
use crate::platform::fork::lock;
use crate::platform::panic::caught;
use crate::stream_copy::stream_copy;

/// Slots of one thread.
pub const SLOTS: usize = 2;

/// The device's side of a ring: moves the bytes of a slot from or to the device's array, in the background.
pub trait Dma {
    /// The memory of slot `slot`, as long as the longest chunk. It is the ring's alone from `wait` to the next
    /// `start`.
    fn memory(&self, slot: usize) -> *mut u8;

    /// Begins to move the first `bytes` bytes of a slot from or to the device's array at `offset`.
    fn start(&self, slot: usize, offset: usize, bytes: usize) -> Result<()>;

    /// Waits until the last move of a slot is done.
    fn wait(&self, slot: usize) -> Result<()>;
}

/// The chunks that nobody has taken yet, and the first error; of the call of the thread that made it.
pub struct Queue<I> {
    state: Mutex<(I, Option<Error>)>,
    call: Interrupt,
}

impl<I: Iterator> Queue<I> {
    pub fn new(chunks: I) -> Queue<I> {
        Queue { state: Mutex::new((chunks, None)), call: Interrupt::current() }
    }

    /// The next chunk; none after an error, or where the call is cancelled, which is one.
    fn next(&self) -> Option<I::Item> {
        let (chunks, error) = &mut *lock(&self.state);
        if error.is_none() {
            *error = self.call.run(|| interrupt::check(0, 0)).err();
        }
        if error.is_none() { chunks.next() } else { None }
    }

    /// Ends the queue; the first error stays.
    pub fn fail(&self, error: Error) {
        lock(&self.state).1.get_or_insert(error);
    }

    /// What became of the transfer, when no thread works on it any more.
    pub fn outcome(self) -> Result<()> {
        self.state.into_inner().unwrap_or_else(|poison| poison.into_inner()).1.map_or(Ok(()), Err)
    }
}

/// A chunk of the host's array and its offset in bytes.
pub type Source<'a> = (usize, &'a [u8]);
pub type Target<'a> = (usize, &'a mut [u8]);

/// Takes chunks until there are none and moves them to the device. On return all of them have been read.
pub fn upload<'a, I: Iterator<Item = Source<'a>>>(queue: &Queue<I>, dma: &impl Dma) {
    guarded(queue, || fill(queue, dma));
}

/// Takes chunks until there are none and fills them from the device. On return all of them are complete.
pub fn download<'a, I: Iterator<Item = Target<'a>>>(queue: &Queue<I>, dma: &impl Dma) {
    guarded(queue, || empty(queue, dma));
}

/// Runs `work`; an error or a panic of it ends the queue.
fn guarded<I: Iterator>(queue: &Queue<I>, work: impl FnOnce() -> Result<()>) {
    let outcome = caught(work)
        .unwrap_or_else(|text| Err(Error::new(Status::Internal, format!("internal error: {text}"))));
    if let Err(error) = outcome {
        queue.fail(error);
    }
}

fn fill<'a, I: Iterator<Item = Source<'a>>>(queue: &Queue<I>, dma: &impl Dma) -> Result<()> {
    for turn in 0.. {
        let Some((offset, chunk)) = queue.next() else { break };
        let slot = turn % SLOTS;
        if turn >= SLOTS {
            dma.wait(slot)?;
        }
        // The device reads the slot next, and quicker from the caches.
        // SAFETY: a slot holds a chunk; it is the ring's after the wait, or before its first start.
        unsafe { copy_nonoverlapping(chunk.as_ptr(), dma.memory(slot), chunk.len()) };
        dma.start(slot, offset, chunk.len())?;
    }
    Ok(())
}

fn empty<'a, I: Iterator<Item = Target<'a>>>(queue: &Queue<I>, dma: &impl Dma) -> Result<()> {
    let mut slots = (0..SLOTS).cycle();
    let mut flying = VecDeque::with_capacity(SLOTS);
    loop {
        while flying.len() < SLOTS
            && let Some((offset, chunk)) = queue.next()
            && let Some(slot) = slots.next()
        {
            dma.start(slot, offset, chunk.len())?;
            flying.push_back((slot, chunk));
        }
        let Some((slot, chunk)) = flying.pop_front() else { return Ok(()) };
        dma.wait(slot)?;
        // SAFETY: a slot holds a chunk, and is the ring's after the wait.
        unsafe { stream_copy(chunk.as_mut_ptr(), dma.memory(slot), chunk.len()) };
    }
}

#[cfg(test)]
mod tests;

//! The copy threads of one direction with their buffers and a stream; made for the first transfer that wants them.

use std::mem::ManuallyDrop;
use std::sync::{Arc, Mutex};

use cudarc::driver::sys;
use rayon::ThreadPool;

use super::buffers::{Direction, StagingBuffers, Transfer};
use super::ring::{self, Queue};
use crate::error::{Error, Result, Status};
use crate::gpu::runtime::primary::Primary;
use crate::gpu::runtime::stream::Stream;
use crate::platform::fork::lock;
use crate::platform::thread::start_pool;

/// More threads than these gain nothing for one direction alone, and together they are the 16 cores that an H200's
/// machine has: on such, up reaches 42 GB/s with 6 threads, 51 with 8 or 12, down 52 with 6 or 8. Up needs more,
/// since its stores go through the caches.
const MAX_THREADS_UP: usize = 10;
const MAX_THREADS_DOWN: usize = 6;

/// The longest chunk of a direction, and the length of a slot. The slots of a thread are some times as large as a core's L2 (2 MiB on a
/// server) on purpose: the device moves memory that a core's cache holds at half its speed. An H200 with 8 threads, GB/s up and down: 2 slots of
/// 512 KiB 28 and 24, of 1 MiB 46 and 31, of 2 MiB 50 and 50, of 4 MiB 50 and 52. Two of them at once, 10 threads each, up: of 1 MiB 84, of 2 MiB
/// 87, of 4 MiB 61; past the caches 49 to 53.
const CHUNK_UP: usize = 2 << 20;
const CHUNK_DOWN: usize = 4 << 20;

/// Chunks are multiples of this many bytes.
const CHUNK_STEP: usize = 128 << 10;

pub struct CopyThreads {
    primary: Arc<Primary>,
    pool: ManuallyDrop<ThreadPool>,
    stream: Stream,
    longest: usize,                      // bytes of a chunk
    buffers: Vec<Mutex<StagingBuffers>>, // one a thread
}

impl CopyThreads {
    /// The copy threads of one direction. The primary context is current.
    pub fn new(primary: &Arc<Primary>, direction: Direction) -> Result<CopyThreads> {
        let (most_threads, longest, name) = match direction {
            Direction::HostToDevice => (MAX_THREADS_UP, CHUNK_UP, "gpumex-up"),
            Direction::DeviceToHost => (MAX_THREADS_DOWN, CHUNK_DOWN, "gpumex-down"),
        };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let stream = Stream::create_beside(primary)?;
        let pool = ManuallyDrop::new(start_pool(cores.min(most_threads), name)?);
        let mut copy_threads =
            CopyThreads { primary: primary.clone(), pool, stream, longest, buffers: Vec::new() };
        let buffers = |_| {
            let _current = primary.enter()?;
            StagingBuffers::new(primary, longest).map(Mutex::new)
        };
        copy_threads.buffers = copy_threads.on_all(buffers)?.into_iter().collect::<Result<_>>()?;
        Ok(copy_threads)
    }

    /// target (on the device) ← source. On return nothing is in flight.
    ///
    /// # Safety
    /// `target` is memory of the device, as long as `source`, that nothing uses meanwhile.
    pub unsafe fn upload(&self, target: sys::CUdeviceptr, source: &[u8]) -> Result<()> {
        let chunk = self.chunk(source.len());
        let queue = Queue::new(source.chunks(chunk).enumerate().map(|(i, part)| (i * chunk, part)));
        let moved = self.transfer(Direction::HostToDevice, target, |transfer| ring::upload(&queue, transfer));
        queue.outcome().and(moved)
    }

    /// target ← source (on the device). On return nothing is in flight.
    ///
    /// # Safety
    /// `source` is memory of the device, as long as `target`, that nothing writes meanwhile.
    pub unsafe fn download(&self, target: &mut [u8], source: sys::CUdeviceptr) -> Result<()> {
        let chunk = self.chunk(target.len());
        let queue = Queue::new(target.chunks_mut(chunk).enumerate().map(|(i, part)| (i * chunk, part)));
        let moved =
            self.transfer(Direction::DeviceToHost, source, |transfer| ring::download(&queue, transfer));
        queue.outcome().and(moved)
    }

    /// The length of the chunks of a transfer: two for each thread, unless they are longer than a slot then.
    fn chunk(&self, bytes: usize) -> usize {
        bytes.div_ceil(2 * self.buffers.len()).next_multiple_of(CHUNK_STEP).min(self.longest)
    }

    /// Runs `work` on every thread with the thread's buffers.
    fn transfer(
        &self,
        direction: Direction,
        array: sys::CUdeviceptr,
        work: impl Fn(&Transfer) + Sync,
    ) -> Result<()> {
        let outcomes = self.on_all(|i| {
            let _current = self.primary.enter()?;
            let buffers = &*lock(&self.buffers[i]);
            work(&Transfer { buffers, direction, stream: self.stream.handle(), array });
            Ok(())
        });
        let drained = self.stream.synchronize();
        outcomes?.into_iter().collect::<Result<()>>().and(drained)
    }

    /// Runs `work` on every thread with the thread's number.
    fn on_all<T: Send>(&self, work: impl Fn(usize) -> T + Sync) -> Result<Vec<T>> {
        let broadcast = || self.pool.broadcast(|worker| work(worker.index()));
        if rayon::current_thread_index().is_none() {
            return Ok(broadcast());
        }
        // On a thread of the program's own rayon pool, waiting would steal jobs of that pool, and one of them may
        // want these copy threads: a plain thread waits instead.
        std::thread::scope(|scope| {
            let waiting = std::thread::Builder::new()
                .spawn_scoped(scope, broadcast)
                .map_err(|error| Error::new(Status::OutOfMemory, format!("no thread: {error}")))?;
            waiting.join().map_or_else(|panic| std::panic::resume_unwind(panic), Ok)
        })
    }
}

impl Drop for CopyThreads {
    fn drop(&mut self) {
        // A forked child has none of the threads, and they may have held the pool's locks.
        if self.primary.check_process().is_ok() {
            // SAFETY: dropped here and nowhere else.
            unsafe { ManuallyDrop::drop(&mut self.pool) };
        }
    }
}

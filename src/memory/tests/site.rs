//! A heap of the trace and a block in use, with what they should be.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use rand::RngExt;
use rand_pcg::Pcg64;

use super::arena::{Arena, Out, Stream};
use crate::error::Status;
use crate::memory::{AllocatorStats, Heap, MemoryKind};
use crate::platform::fork::lock;

/// What an arena holds, in bytes.
pub const LIMIT: usize = 24 << 20;
const LARGEST: u32 = 18; // log2 of the largest block

/// A heap and what the trace knows of it.
pub struct Site {
    pub heap: Arc<Heap>,
    pub stream: Arc<Stream>,
    pub asked: AtomicU64,
    pub failed: AtomicU64,
    pub capacity: Mutex<(u64, u64)>,
}

/// A block in use.
pub struct Live {
    pub site: Arc<Site>,
    pub kind: MemoryKind,
    pub address: usize,
    pub bytes: usize,
    pub size: Option<usize>, // of a temporary; None: C holds it
}

impl Site {
    pub fn open(arena: &Arc<Arena>, number: usize) -> Arc<Site> {
        let capacity = 8 << 20;
        let stream = arena.stream(number);
        let heap = Heap::new(stream.clone(), capacity);
        let capacity = Mutex::new((capacity, capacity / 2));
        Arc::new(Site { heap, stream, asked: AtomicU64::new(0), failed: AtomicU64::new(0), capacity })
    }

    /// A block of a random size, half of them held by C; None when there was no memory.
    pub fn ask(self: &Arc<Site>, random: &mut Pcg64) -> Option<Live> {
        let kind = MemoryKind::EVERY[random.random_range(0..3)];
        let bits = random.random_range(0..=LARGEST);
        let bytes =
            if random.random_range(0..1000) == 0 { LIMIT } else { random.random_range(1..=1 << bits) };
        self.asked.fetch_add(1, Ordering::Relaxed);
        let taken = match random.random() {
            true => self.heap.take(kind, bytes).map(|block| (block.address, Some(block.size))),
            false => self.heap.allocate(kind, bytes).map(|address| (address, None)),
        };
        match taken {
            Ok((address, size)) => Some(Live { site: self.clone(), kind, address, bytes, size }),
            Err(error) => {
                assert!(error.status() == Status::OutOfMemory, "{bytes} bytes: {error}");
                self.failed.fetch_add(1, Ordering::Relaxed);
                None
            }
        }
    }

    pub fn change_capacity(&self, random: &mut Pcg64) {
        let mut capacity = lock(&self.capacity);
        *capacity = (random.random_range(0..16 << 20), random.random_range(0..1 << LARGEST));
        self.heap.set_capacity(capacity.0, capacity.1);
    }

    /// What holds at any moment.
    pub fn is_within_capacity(&self) {
        let AllocatorStats { allocated, cached, cached_blocks, capacity, peak, .. } = self.heap.stats();
        assert!(cached_blocks == 0 || allocated + cached <= capacity, "{allocated} + {cached} of {capacity}");
        assert!(allocated >= 512 * (allocated / 512) && peak <= LIMIT as u64, "{allocated}, peak {peak}");
    }

    /// What holds when nobody is in it: `out` are the blocks of its source, `live` those in use.
    pub fn has_right_stats(&self, out: &[(usize, Out)], live: &[usize]) {
        let bytes = |blocks: &mut dyn Iterator<Item = &(usize, Out)>| {
            blocks.fold((0, 0), |(count, bytes), (_, out)| (count + 1, bytes + out.size as u64))
        };
        let (used, used_bytes) = bytes(&mut out.iter().filter(|(address, _)| live.contains(address)));
        let (all, all_bytes) = bytes(&mut out.iter());
        assert_eq!(used, live.len() as u64, "every live block is out");
        let stats = self.heap.stats();
        assert_eq!((stats.allocated, stats.allocated_blocks), (used_bytes, used), "in use");
        assert_eq!((stats.cached, stats.cached_blocks), (all_bytes - used_bytes, all - used), "idle");
        assert_eq!((stats.capacity, stats.largest), *lock(&self.capacity));
        assert_eq!(stats.hits + stats.misses, self.asked.load(Ordering::Relaxed));
        let record = self.stream.record();
        assert_eq!(stats.misses - self.failed.load(Ordering::Relaxed), record.given, "misses that succeeded");
        assert_eq!(record.given - record.taken_back, all, "given and not taken back");
        assert!(stats.evictions <= record.taken_back && stats.peak >= stats.allocated);
    }
}

impl Live {
    fn seal(&self) -> u64 {
        self.address as u64 ^ (self.bytes as u64) << 48 ^ 0x9E37_79B9
    }

    /// Writes both ends of the block.
    pub fn mark(&self) {
        if self.bytes >= 16 {
            // SAFETY: a live block of this many bytes, which only this trace writes.
            unsafe {
                (self.address as *mut u64).write(self.seal());
                ((self.address + self.bytes - 8) as *mut u64).write_unaligned(self.seal());
            }
        }
    }

    pub fn is_as_marked(&self) -> bool {
        self.bytes < 16
            // SAFETY: as above.
            || unsafe {
                (self.address as *const u64).read() == self.seal()
                    && ((self.address + self.bytes - 8) as *const u64).read_unaligned() == self.seal()
            }
    }
}

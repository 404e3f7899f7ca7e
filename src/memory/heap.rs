//! The allocator of one context.
//!
//! Every block that a context uses, its operations' temporaries included, comes from its heap, and is used in the
//! order of the context's one stream: a block that is given back may be reused at once, since whatever uses it
//! next comes behind in that stream.
//!
//! A stream that is captured into a CUDA graph has no such order: what leaves a heap meanwhile, and what the graph keeps, goes back
//! later.
//!
//! Limits     `allocated + cached ≤ capacity` as far as evicting idle blocks can keep it; blocks above `largest` are exact and
//!            never kept. Out of memory gives back what is idle in every heap that shares the memory, tries once more and then fails.
//! Cost       A block from the cache: one lock and a few instructions, no call of a source.

use std::sync::{Arc, Mutex, MutexGuard, Weak};

use super::cache::{Cache, Idle, class_of, size_of_class};
use super::registry::{self, AllocationRegistry, RegistryCell};
use super::{ALIGNMENT, MemoryKind, Source};
use crate::error::{Error, Result, Status};
use crate::model::numbered::numbered_enum;
use crate::platform::fork::{self, Name, ShortLock, lock};

/// Where the memory of a context comes from.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Allocator {
    /// Freed blocks are cached by size and reused.
    #[default]
    Caching = 0,
    /// Each block from the driver, without a cache.
    Simple = 1,
    /// The driver's own stream-ordered pool (cuMemAllocFromPoolAsync); CUDA backend only.
    Pool = 2,
    /// A caller's pair of functions, set by gpumex_allocator_custom.
    Custom = 3,
}

numbered_enum!(Allocator = "gpumex_allocator": Caching, Simple, Pool, Custom);

/// Statistics of a context's allocator: GPUMEX_ALLOCATOR_STATS_INIT.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AllocatorStats {
    /// sizeof(gpumex_allocator_stats).
    pub size: usize,
    /// A gpumex_allocator.
    pub allocator: i32,
    /// Reserved, 0.
    pub reserved: i32,
    /// Bytes in use, rounded up to whole blocks.
    pub allocated: u64,
    /// Bytes of idle blocks.
    pub cached: u64,
    /// Limit of allocated + cached, as far as evicting idle blocks can keep it.
    pub capacity: u64,
    /// Bytes of the largest block that is kept idle.
    pub largest: u64,
    /// Maximum of allocated.
    pub peak: u64,
    /// Blocks in use.
    pub allocated_blocks: u64,
    /// Idle blocks.
    pub cached_blocks: u64,
    /// Allocations served by an idle block.
    pub hits: u64,
    /// Allocations from the driver.
    pub misses: u64,
    /// Idle blocks returned to the driver.
    pub evictions: u64,
}

/// Memory of one context. Any thread may give blocks back.
pub struct Heap {
    state: RegistryCell<State>,
    trimming: Mutex<()>, // held while idle blocks go back: a context does not end meanwhile
    process: u32,
}

struct State {
    allocator: Allocator,
    source: Arc<dyn Source>,
    cache: Cache,
    stats: AllocatorStats,
    pending: u64,  // bytes that the source is being asked for
    is_open: bool, // its context lives
}

/// A block of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    pub address: usize,
    pub size: usize,
}

/// How an allocation is served: by an idle block, or by the source with one of this size.
enum Serving {
    Reuse(Block),
    Fetch(usize),
}

static HEAPS: ShortLock<Vec<Weak<Heap>>> = ShortLock::new(Name::Heaps, Vec::new());

/// Blocks that go back at the next opportunity.
static LATE: ShortLock<Vec<LateBlock>> = ShortLock::new(Name::LateBlocks, Vec::new());

struct LateBlock {
    heap: Arc<Heap>,
    block: Idle,
    source: Option<Arc<dyn Source>>, // that takes it; None: the heap, for the next one who asks
}

/// A block that a CUDA graph has kept goes back to its heap, when CUDA may be called again.
pub fn return_later(heap: Arc<Heap>, kind: MemoryKind, Block { address, size }: Block) {
    LATE.lock().push(LateBlock { heap, block: Idle { kind, address, size }, source: None });
}

/// Takes blocks back that could not go back before.
fn settle() {
    let late = std::mem::take(&mut *LATE.lock());
    for LateBlock { heap, block, source } in late {
        if heap.process != fork::generation() {
            continue; // a forked child has none of its parent's memory of a device
        }
        match source {
            Some(source) => heap.release(&source, &[block]),
            None => heap.take_back(block),
        }
    }
}

impl Heap {
    /// A caching allocator over `source` that holds up to `capacity` bytes.
    pub fn new(source: Arc<dyn Source>, capacity: u64) -> Arc<Heap> {
        let stats = AllocatorStats { capacity, largest: capacity / 2, ..AllocatorStats::default() };
        let state = State {
            allocator: Allocator::Caching,
            source,
            cache: Cache::default(),
            stats,
            pending: 0,
            is_open: true,
        };
        let heap = Arc::new(Heap {
            state: RegistryCell::new(state),
            trimming: Mutex::new(()),
            process: fork::generation(),
        });
        let mut heaps = HEAPS.lock();
        heaps.retain(|heap| heap.strong_count() > 0);
        heaps.push(Arc::downgrade(&heap));
        heap
    }

    /// A block of at least `bytes` bytes (not 0).
    pub fn take(self: &Arc<Heap>, kind: MemoryKind, bytes: usize) -> Result<Block> {
        self.serve(kind, bytes).map(|(_, block)| block)
    }

    /// As `take`, but never an idle block: earlier work in the stream may still use those.
    pub fn take_new(self: &Arc<Heap>, kind: MemoryKind, bytes: usize) -> Result<Block> {
        let mut registry = registry::open();
        let size = self.state.of(&mut registry).size_for(bytes);
        let Some(size) = size else { return Err(Error::out_of_memory("memory", bytes)) };
        self.fetch(registry, kind, size).map_err(|error| name_what_was_asked(error, bytes, size))
    }

    /// A block that C holds until it frees it.
    pub fn allocate(self: &Arc<Heap>, kind: MemoryKind, bytes: usize) -> Result<usize> {
        let (mut registry, block) = self.serve(kind, bytes)?;
        if registry.hold(block.address, bytes, self) {
            return Ok(block.address);
        }
        self.state.of(&mut registry).discount(block.size);
        Err(Error::new(
            Status::Cuda,
            "the memory of this context is gone: its device was reset by other code; call gpumex_reset_default, or destroy \
             this context, and go on with a new one",
        ))
    }

    fn serve(
        self: &Arc<Heap>,
        kind: MemoryKind,
        bytes: usize,
    ) -> Result<(MutexGuard<'static, AllocationRegistry>, Block)> {
        let mut registry = registry::open();
        match self.state.of(&mut registry).serve(kind, bytes)? {
            Serving::Reuse(block) => Ok((registry, block)),
            Serving::Fetch(size) => {
                let fetched = self.fetch(registry, kind, size);
                let block = fetched.map_err(|error| name_what_was_asked(error, bytes, size))?;
                Ok((registry::open(), block))
            }
        }
    }

    /// A block of this size from the source.
    fn fetch(
        self: &Arc<Heap>,
        mut registry: MutexGuard<AllocationRegistry>,
        kind: MemoryKind,
        size: usize,
    ) -> Result<Block> {
        let state = self.state.of(&mut registry);
        state.stats.misses += 1;
        state.pending += size as u64;
        let evicted = state.evict();
        let source = state.source.clone();
        drop(registry);
        settle();
        self.release(&source, &evicted);
        let allocated = source.allocate(kind, size).or_else(|error| match error.status() {
            Status::OutOfMemory => {
                trim_all(kind, &*source);
                source.allocate(kind, size)
            }
            _ => Err(error),
        });
        let mut registry = registry::open();
        let state = self.state.of(&mut registry);
        state.pending -= size as u64;
        let address = allocated?;
        state.account(size);
        let replaced = registry.enter(address, size, kind, source.place(kind), self);
        drop(registry);
        drop(replaced);
        Ok(Block { address, size })
    }

    /// Takes a block back, for the next one who asks or for the source.
    pub fn give_back(self: &Arc<Heap>, kind: MemoryKind, address: usize, size: usize) {
        self.put_back(registry::open(), kind, address, size);
    }

    pub(super) fn put_back(
        self: &Arc<Heap>,
        mut registry: MutexGuard<AllocationRegistry>,
        kind: MemoryKind,
        address: usize,
        size: usize,
    ) {
        let state = self.state.of(&mut registry);
        let leaving = state.put_back(Idle { kind, address, size });
        if !leaving.is_empty() {
            let source = state.source.clone();
            drop(registry);
            self.release(&source, &leaving);
        }
    }

    /// Takes a block back that nothing works on any more. Its stream may have ended with its context.
    fn take_back(self: &Arc<Heap>, block: Idle) {
        let Ok(_turn) = self.trimming.try_lock() else {
            return LATE.lock().push(LateBlock { heap: self.clone(), block, source: None });
        };
        let Idle { kind, address, size } = block;
        let mut registry = registry::open();
        let state = self.state.of(&mut registry);
        if state.is_open {
            return self.put_back(registry, kind, address, size);
        }
        state.discount(size);
        let source = state.source.clone();
        let heap = registry.forget(address, self);
        drop(registry);
        source.release_idle(kind, address, size);
        drop(heap);
    }

    /// Gives the idle blocks back to the source.
    pub fn trim(self: &Arc<Heap>) {
        settle();
        let is_in_child = self.process != fork::generation(); // where those who held the lock are not
        let _turn = if is_in_child { None } else { Some(lock(&self.trimming)) };
        self.give_idle_back();
    }

    /// As `trim`, on behalf of another heap: not while somebody does, and not when the context has ended, whose stream
    /// may be gone.
    fn trim_for_another(self: &Arc<Heap>) {
        let Ok(_turn) = self.trimming.try_lock() else { return };
        if self.state.of(&mut registry::open()).is_open {
            self.give_idle_back();
        }
    }

    fn give_idle_back(self: &Arc<Heap>) {
        let mut registry = registry::open();
        let state = self.state.of(&mut registry);
        let (idle, source) = (state.empty(), state.source.clone());
        drop(registry);
        self.release(&source, &idle);
        source.trim();
    }

    /// Changes the allocator; BUSY while memory is held.
    pub fn select(self: &Arc<Heap>, allocator: Allocator, source: Arc<dyn Source>) -> Result<()> {
        let mut registry = registry::open();
        let state = self.state.of(&mut registry);
        let AllocatorStats { allocated_blocks, allocated, capacity, largest, .. } = state.stats;
        if allocated_blocks > 0 || state.pending > 0 {
            return Err(Error::new(
                Status::Busy,
                format!(
                    "{allocated} bytes in {allocated_blocks} blocks are held; an allocator changes when nothing is"
                ),
            ));
        }
        let idle = state.empty();
        let before = std::mem::replace(&mut state.source, source);
        state.allocator = allocator;
        state.stats = AllocatorStats { capacity, largest, ..AllocatorStats::default() };
        drop(registry);
        self.release(&before, &idle);
        Ok(())
    }

    /// Changes how much is held, and gives back what is too much.
    pub fn set_capacity(self: &Arc<Heap>, capacity: u64, largest: u64) {
        let mut registry = registry::open();
        let state = self.state.of(&mut registry);
        (state.stats.capacity, state.stats.largest) = (capacity, largest);
        let mut leaving = state.drain_above(largest);
        leaving.extend(state.evict());
        let source = state.source.clone();
        drop(registry);
        self.release(&source, &leaving);
    }

    pub fn stats(&self) -> AllocatorStats {
        let mut registry = registry::open();
        let state = self.state.of(&mut registry);
        AllocatorStats { allocator: state.allocator as i32, ..state.stats }
    }

    /// Where its blocks come from, and whose stream uses them.
    pub fn current_source(&self) -> Arc<dyn Source> {
        self.source(&mut registry::open())
    }

    pub(super) fn source(&self, registry: &mut AllocationRegistry) -> Arc<dyn Source> {
        self.state.of(registry).source.clone()
    }

    /// The context ends: what is idle goes back, and so does from now on what C still holds, as it is freed. The
    /// stream may end with it, so that memory of other heaps which was used there is ordered behind it now.
    pub fn close(self: &Arc<Heap>) {
        let mut registry = registry::open();
        let state = self.state.of(&mut registry);
        state.is_open = false;
        let source = state.source.clone();
        let users = registry.used_on(&*source);
        drop(registry);
        for heap in users {
            let _ = heap.current_source().follow(&*source); // fails on a faulted device, where there is no order to keep
        }
        let left = registry::open().leave(&*source);
        drop(left);
        self.trim(); // after those who trim it for another heap
    }

    /// Blocks go back to their source, later where its stream is captured into a CUDA graph.
    fn release(self: &Arc<Heap>, source: &Arc<dyn Source>, idle: &[Idle]) {
        if !idle.is_empty() && source.is_captured() {
            let late = idle.iter().map(|&block| LateBlock {
                heap: self.clone(),
                block,
                source: Some(source.clone()),
            });
            return LATE.lock().extend(late);
        }
        for block in idle {
            let heap = registry::open().forget(block.address, self);
            source.release(block.kind, block.address, block.size);
            drop(heap);
        }
    }
}

impl State {
    /// The size of the block that serves `bytes` bytes; None for more than an array may have.
    fn size_for(&self, bytes: usize) -> Option<usize> {
        let whole =
            bytes.checked_next_multiple_of(ALIGNMENT).filter(|&whole| isize::try_from(whole).is_ok())?;
        if self.allocator != Allocator::Caching {
            return Some(whole);
        }
        let size = size_of_class(class_of(bytes))?;
        Some(if self.keeps(size) { size } else { whole })
    }

    /// Whether a block of this size is kept when nobody uses it.
    fn keeps(&self, size: usize) -> bool {
        self.allocator == Allocator::Caching
            && self.is_open
            && size as u64 <= self.stats.largest.min(self.stats.capacity)
            && size_of_class(class_of(size)) == Some(size)
    }

    /// An idle block for `bytes` bytes, or the size of the one to fetch.
    fn serve(&mut self, kind: MemoryKind, bytes: usize) -> Result<Serving> {
        let Some(size) = self.size_for(bytes) else { return Err(Error::out_of_memory("memory", bytes)) };
        if !self.keeps(size) {
            return Ok(Serving::Fetch(size));
        }
        let Some(address) = self.cache.take(kind, class_of(size)) else {
            return Ok(Serving::Fetch(size));
        };
        self.stats.hits += 1;
        self.stats.cached -= size as u64;
        self.stats.cached_blocks -= 1;
        self.account(size);
        Ok(Serving::Reuse(Block { address, size }))
    }

    /// A block is not in use any more; gives those that leave.
    fn put_back(&mut self, block: Idle) -> Vec<Idle> {
        self.discount(block.size);
        if !self.keeps(block.size) {
            return vec![block];
        }
        self.cache.put(block.kind, class_of(block.size), block.address);
        self.stats.cached += block.size as u64;
        self.stats.cached_blocks += 1;
        self.evict()
    }

    fn account(&mut self, size: usize) {
        self.stats.allocated += size as u64;
        self.stats.allocated_blocks += 1;
        self.stats.peak = self.stats.peak.max(self.stats.allocated);
    }

    fn discount(&mut self, size: usize) {
        self.stats.allocated -= size as u64;
        self.stats.allocated_blocks -= 1;
    }

    /// All bytes, those that are on their way included.
    fn wanted(&self) -> u64 {
        self.stats.allocated.saturating_add(self.pending).saturating_add(self.stats.cached)
    }

    /// Takes idle blocks out of the cache until the rest is within the capacity.
    fn evict(&mut self) -> Vec<Idle> {
        let mut evicted = Vec::new();
        while self.wanted() > self.stats.capacity {
            let Some(block) = self.cache.evict() else { break };
            self.leave(block);
            evicted.push(block);
        }
        evicted
    }

    /// Takes the idle blocks above a size out of the cache.
    fn drain_above(&mut self, largest: u64) -> Vec<Idle> {
        let above = self.cache.take_all(|size| size as u64 > largest);
        above.iter().for_each(|block| self.leave(*block));
        above
    }

    /// Takes all idle blocks out of the cache.
    fn empty(&mut self) -> Vec<Idle> {
        self.drain_above(0)
    }

    fn leave(&mut self, block: Idle) {
        self.stats.cached -= block.size as u64;
        self.stats.cached_blocks -= 1;
        self.stats.evictions += 1;
    }
}

/// Out of memory: what is idle in any heap goes back that shares the memory, which is a device's, or for the other
/// kinds the host's.
fn trim_all(kind: MemoryKind, source: &dyn Source) {
    let heaps: Vec<Arc<Heap>> = HEAPS.lock().iter().filter_map(Weak::upgrade).collect();
    let shares =
        |heap: &&Arc<Heap>| kind != MemoryKind::Device || heap.current_source().device() == source.device();
    heaps.iter().filter(shares).for_each(|heap| heap.trim_for_another());
}

/// The sentence of a source has the size of the block: adds what the block was for.
fn name_what_was_asked(error: Error, bytes: usize, size: usize) -> Error {
    match error.status() {
        Status::OutOfMemory if bytes != size => {
            Error::new(Status::OutOfMemory, format!("{}, a block for {bytes}", error.message()))
        }
        _ => error,
    }
}

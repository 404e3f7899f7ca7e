//! Registry of all allocations: every block by address, and the state and statistics of every heap. One lock for all of
//! it, held for a few instructions.
//!
//! A block enters when a source has given it and leaves before the source takes it back, so that an address is
//! never in two blocks. Between the two C holds it from gpumex_malloc to gpumex_free; otherwise it is idle in a
//! heap's cache, or an operation works in it.

use std::cell::UnsafeCell;
use std::collections::BTreeMap;
use std::sync::{Arc, MutexGuard};

use super::{Heap, MemoryKind, Source, is_one_stream};
use crate::error::{Error, Result};
use crate::memory::Place;
use crate::platform::fork::{Name, ShortLock};

/// All blocks by address. There is one, behind its lock.
pub struct AllocationRegistry {
    blocks: BTreeMap<usize, Block>,
}

struct Block {
    size: usize,
    kind: MemoryKind,
    place: Place,
    heap: Arc<Heap>,
    held: Option<Held>,
}

/// What C holds of a block.
struct Held {
    bytes: usize,
    users: Vec<Arc<dyn Source>>, // whose streams use it beside the heap's own, each once
}

/// What lies at an address.
pub struct Found {
    pub place: Place,
    /// bytes from the address to the end of what C holds; None when C does not hold the block
    pub bytes: Option<usize>,
}

/// A block that C has given back.
pub struct Returned {
    pub heap: Arc<Heap>,
    pub kind: MemoryKind,
    pub size: usize,
    pub users: Vec<Arc<dyn Source>>,
}

/// The registry, for a moment: no source, no callback and nothing else that waits is called under it.
pub fn open() -> MutexGuard<'static, AllocationRegistry> {
    static REGISTRY: ShortLock<AllocationRegistry> =
        ShortLock::new(Name::AllocationRegistry, AllocationRegistry { blocks: BTreeMap::new() });
    REGISTRY.lock()
}

/// A cell under the registry's lock: the state of one heap, kept with the heap.
pub struct RegistryCell<T>(UnsafeCell<T>);

// SAFETY: `of` gives the contents to the holder of the registry alone.
unsafe impl<T: Send> Sync for RegistryCell<T> {}

impl<T> RegistryCell<T> {
    pub fn new(value: T) -> RegistryCell<T> {
        RegistryCell(UnsafeCell::new(value))
    }

    /// The contents, for the holder of the registry.
    pub fn of<'l>(&'l self, _: &'l mut AllocationRegistry) -> &'l mut T {
        // SAFETY: there is one registry; it is borrowed alone for as long as the result is.
        unsafe { &mut *self.0.get() }
    }
}

impl AllocationRegistry {
    /// Enters a block that a source has given. (After a reset of the device an old one may be there still: its
    /// heap is dropped outside the lock.)
    #[must_use]
    pub fn enter(
        &mut self,
        address: usize,
        size: usize,
        kind: MemoryKind,
        place: Place,
        heap: &Arc<Heap>,
    ) -> Option<Arc<Heap>> {
        let block = Block { size, kind, place, heap: heap.clone(), held: None };
        self.blocks.insert(address, block).map(|replaced| replaced.heap)
    }

    /// Forgets a block of `heap` that goes back to its source. (After a reset of the device another heap may have
    /// a new block there.) The result may be the last that knows the heap: it is dropped outside the lock.
    #[must_use]
    pub fn forget(&mut self, address: usize, heap: &Heap) -> Option<Arc<Heap>> {
        let is_its = self.blocks.get(&address).is_some_and(|block| std::ptr::eq(&*block.heap, heap));
        if is_its { self.blocks.remove(&address).map(|block| block.heap) } else { None }
    }

    /// C holds the first `bytes` bytes of a block of `heap` from here on; false when the block is not the heap's
    /// any more, since its device was reset.
    pub fn hold(&mut self, address: usize, bytes: usize, heap: &Heap) -> bool {
        let block = self.blocks.get_mut(&address).filter(|block| std::ptr::eq(&*block.heap, heap));
        block.map(|block| block.held = Some(Held { bytes, users: Vec::new() })).is_some()
    }

    /// C gives a block back; refuses what it does not hold.
    pub fn remove(&mut self, address: usize) -> Result<Returned> {
        let Some((start, block)) = self.around(address) else { return Err(unknown(address)) };
        if address != start {
            let inside = address - start;
            return Err(Error::invalid(format!(
                "pointer {address:#x} is {inside} bytes inside a block, not its start"
            )));
        }
        let Some(held) = block.held.take() else { return Err(unknown(address)) };
        let Block { size, kind, heap, .. } = block;
        Ok(Returned { heap: heap.clone(), kind: *kind, size: *size, users: held.users })
    }

    /// Whose streams use what C holds at an address, beside that of its heap.
    pub fn users(&mut self, address: usize) -> Vec<Arc<dyn Source>> {
        let held = self.around(address).and_then(|(_, block)| block.held.as_ref());
        held.map(|held| held.users.clone()).unwrap_or_default()
    }

    /// What lies at an address, when it is a block of the library.
    pub fn find(&mut self, address: usize) -> Option<Found> {
        let (start, block) = self.around(address)?;
        let bytes = block.held.as_ref().map(|held| held.bytes.saturating_sub(address - start));
        Some(Found { place: block.place, bytes })
    }

    /// `user`'s stream uses what C holds at an address from now on. Gives the streams that it has to follow: all
    /// others that may use it, since what they were asked to do may not have reached them yet.
    pub fn use_on(&mut self, address: usize, user: &Arc<dyn Source>) -> Vec<Arc<dyn Source>> {
        let Some((_, Block { heap, held: Some(_), .. })) = self.around(address) else { return Vec::new() };
        let heap = heap.clone();
        let own = heap.source(self);
        let is_own = is_one_stream(&*own, &**user);
        let Some((_, Block { held: Some(held), .. })) = self.around(address) else { return Vec::new() };
        let mut others = held.users.clone();
        others.retain(|other| !is_one_stream(&**other, &**user));
        if !is_own {
            if others.len() == held.users.len() {
                held.users.push(user.clone());
            }
            others.push(own);
        }
        others
    }

    /// The heaps whose memory was used on the stream of a source.
    pub fn used_on(&self, stream: &dyn Source) -> Vec<Arc<Heap>> {
        let uses = |held: &Held| held.users.iter().any(|user| is_one_stream(&**user, stream));
        let blocks = self.blocks.values().filter(|block| block.held.as_ref().is_some_and(uses));
        blocks.map(|block| block.heap.clone()).collect()
    }

    /// The stream of a source ends, and was followed by all who have to: nobody will be able to follow it later.
    /// The result is dropped outside the lock.
    #[must_use]
    pub fn leave(&mut self, stream: &dyn Source) -> Vec<Arc<dyn Source>> {
        let held = self.blocks.values_mut().filter_map(|block| block.held.as_mut());
        held.flat_map(|held| held.users.extract_if(.., |user| is_one_stream(&**user, stream))).collect()
    }

    /// The block around an address, and where it starts.
    fn around(&mut self, address: usize) -> Option<(usize, &mut Block)> {
        let (&start, block) = self.blocks.range_mut(..=address).next_back()?;
        (address - start < block.size).then_some((start, block))
    }
}

fn unknown(address: usize) -> Error {
    Error::invalid(format!("pointer {address:#x} is not memory of gpumex_malloc, or was freed before"))
}

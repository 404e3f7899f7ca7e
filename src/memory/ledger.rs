//! The books of the process: every block by address, and the accounts of every heap. One lock for all of it, held for a few instructions.
//!
//! A block enters when a source has given it and leaves before the source takes it back, so that an address is never in two blocks.
//! Between the two C holds it from gpumex_malloc to gpumex_free; otherwise it is idle in a heap's cache, or an operation works in it.

use std::cell::UnsafeCell;
use std::collections::BTreeMap;
use std::sync::{Arc, MutexGuard};

use super::{Heap, MemoryKind, Source, is_one_stream};
use crate::error::{Error, Result};
use crate::fork::{Name, ShortLock};
use crate::memory::Place;

/// All blocks by address. There is one, behind its lock.
pub struct Ledger {
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
    last_user: Option<Arc<dyn Source>>, // whose stream used it last, when that is not the heap's own
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
    pub last_user: Option<Arc<dyn Source>>,
}

/// The ledger, for a moment: no source, no callback and nothing else that waits is called under it.
pub fn open() -> MutexGuard<'static, Ledger> {
    static LEDGER: ShortLock<Ledger> = ShortLock::new(Name::Ledger, Ledger { blocks: BTreeMap::new() });
    LEDGER.lock()
}

/// The account of one heap: a part of the ledger that is kept elsewhere.
pub struct Account<T>(UnsafeCell<T>);

// SAFETY: `of` gives the contents to the holder of the ledger alone.
unsafe impl<T: Send> Sync for Account<T> {}

impl<T> Account<T> {
    pub fn new(value: T) -> Account<T> {
        Account(UnsafeCell::new(value))
    }

    /// The contents, for the holder of the ledger.
    pub fn of<'l>(&'l self, _: &'l mut Ledger) -> &'l mut T {
        // SAFETY: there is one ledger; it is borrowed alone for as long as the result is.
        unsafe { &mut *self.0.get() }
    }
}

impl Ledger {
    /// Enters a block that a source has given.
    pub fn enter(&mut self, address: usize, size: usize, kind: MemoryKind, place: Place, heap: &Arc<Heap>) {
        self.blocks.insert(address, Block { size, kind, place, heap: heap.clone(), held: None });
    }

    /// Forgets a block of `heap` that goes back to its source. (After a reset of the device another heap may have a new block there.)
    /// The result may be the last that knows the heap: it is dropped outside the lock.
    #[must_use]
    pub fn forget(&mut self, address: usize, heap: &Heap) -> Option<Arc<Heap>> {
        let is_its = self.blocks.get(&address).is_some_and(|block| std::ptr::eq(&*block.heap, heap));
        if is_its { self.blocks.remove(&address).map(|block| block.heap) } else { None }
    }

    /// C holds the first `bytes` bytes of a block from here on.
    pub fn hold(&mut self, address: usize, bytes: usize) {
        if let Some(block) = self.blocks.get_mut(&address) {
            block.held = Some(Held { bytes, last_user: None });
        }
    }

    /// C gives a block back; refuses what it does not hold.
    pub fn let_go(&mut self, address: usize) -> Result<Returned> {
        let Some((start, block)) = self.around(address) else { return Err(unknown(address)) };
        if address != start {
            let inside = address - start;
            return Err(Error::invalid(format!(
                "pointer {address:#x} is {inside} bytes inside a block, not its start"
            )));
        }
        let Some(held) = block.held.take() else { return Err(unknown(address)) };
        let Block { size, kind, heap, .. } = block;
        Ok(Returned { heap: heap.clone(), kind: *kind, size: *size, last_user: held.last_user })
    }

    /// What lies at an address, when it is a block of the library.
    pub fn find(&mut self, address: usize) -> Option<Found> {
        let (start, block) = self.around(address)?;
        let bytes = block.held.as_ref().map(|held| held.bytes.saturating_sub(address - start));
        Some(Found { place: block.place, bytes })
    }

    /// `user`'s stream is the next to use what C holds at an address; gives the last one when that is another.
    pub fn hand_over(&mut self, address: usize, user: &Arc<dyn Source>) -> Option<Arc<dyn Source>> {
        let (_, block) = self.around(address)?;
        let held = block.held.as_mut()?;
        if let Some(last) = &held.last_user {
            return if is_one_stream(&**last, &**user) { None } else { held.last_user.replace(user.clone()) };
        }
        let heap = block.heap.clone();
        let own = heap.source(self);
        if is_one_stream(&*own, &**user) {
            return None;
        }
        let (_, block) = self.around(address)?;
        block.held.as_mut()?.last_user = Some(user.clone());
        Some(own)
    }

    /// The stream of a source ends: nobody will be able to follow it later. Gives the sources that have to follow it now, and its own to drop outside
    /// the lock.
    #[must_use]
    pub fn leave(&mut self, stream: &dyn Source) -> Vec<(Arc<Heap>, Arc<dyn Source>)> {
        let left = self.blocks.values_mut().filter_map(|block| {
            let last = block.held.as_mut()?.last_user.take_if(|last| is_one_stream(&**last, stream))?;
            Some((block.heap.clone(), last))
        });
        left.collect()
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

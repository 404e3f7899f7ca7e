//! Every block of the process by address: what a pointer is, and whose.
//!
//! A block enters the table when a source has given it and leaves it before the source takes it back, so that an address is
//! never in two blocks. Between the two C holds it from gpumex_malloc to gpumex_free; otherwise it is idle in a heap's cache, or an
//! operation works in it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use super::{Heap, MemoryKind, Source};
use crate::array::Place;
use crate::error::{Error, Result};
use crate::thread::lock;

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

/// A block on its way back to its heap.
pub struct Returned {
    pub heap: Arc<Heap>,
    pub kind: MemoryKind,
    pub size: usize,
    pub last_user: Option<Arc<dyn Source>>,
}

type Table = BTreeMap<usize, Block>;

fn table() -> MutexGuard<'static, Table> {
    static TABLE: Mutex<Table> = Mutex::new(Table::new());
    lock(&TABLE)
}

/// Enters a block that a source has given.
pub(super) fn enter(address: usize, size: usize, kind: MemoryKind, place: Place, heap: &Arc<Heap>) {
    table().insert(address, Block { size, kind, place, heap: heap.clone(), held: None });
}

/// Forgets a block that goes back to its source.
pub(super) fn forget(address: usize) {
    let block = table().remove(&address);
    drop(block); // outside the lock: with its last block a heap may end
}

/// C holds the first `bytes` bytes of a block from here on.
pub(super) fn hold(address: usize, bytes: usize) {
    if let Some(block) = table().get_mut(&address) {
        block.held = Some(Held { bytes, last_user: None });
    }
}

/// C gives a block back; refuses what it does not hold.
pub(super) fn let_go(address: usize) -> Result<Returned> {
    let mut table = table();
    let Some((&start, block)) = table.range_mut(..=address).next_back() else { return Err(unknown(address)) };
    if address >= start + block.size {
        return Err(unknown(address));
    }
    if address != start {
        let inside = address - start;
        return Err(Error::invalid(format!(
            "pointer {address:#x} is {inside} bytes inside a block, not its start"
        )));
    }
    let Some(held) = block.held.take() else {
        return Err(Error::invalid(format!("pointer {address:#x} was freed before")));
    };
    Ok(Returned { heap: block.heap.clone(), kind: block.kind, size: block.size, last_user: held.last_user })
}

fn unknown(address: usize) -> Error {
    Error::invalid(format!("pointer {address:#x} is not memory of gpumex_malloc, or was freed before"))
}

/// What lies at an address, when it is a block of the library.
pub fn find(address: usize) -> Option<Found> {
    let table = table();
    let (&start, block) = table.range(..=address).next_back()?;
    let offset = address - start;
    if offset >= block.size {
        return None;
    }
    let bytes = block.held.as_ref().map(|held| held.bytes.saturating_sub(offset));
    Some(Found { place: block.place, bytes })
}

/// `user`'s stream is the next to use the block; gives the last one when that is another.
pub(super) fn hand_over(address: usize, user: &Arc<dyn Source>) -> Option<Arc<dyn Source>> {
    let mut table = table();
    let (&start, block) = table.range_mut(..=address).next_back()?;
    let held = block.held.as_mut().filter(|_| address < start + block.size)?;
    match &held.last_user {
        Some(last) if last.stream() == user.stream() => None,
        Some(_) => held.last_user.replace(user.clone()),
        None => {
            let own = block.heap.source();
            if own.stream() == user.stream() {
                return None;
            }
            held.last_user = Some(user.clone());
            Some(own)
        }
    }
}

/// How many blocks C holds, and how many bytes.
#[cfg(test)]
pub fn held_by_c() -> (usize, usize) {
    let table = table();
    let held = table.values().filter_map(|block| block.held.as_ref());
    held.fold((0, 0), |(count, bytes), held| (count + 1, bytes + held.bytes))
}

//! The heap over a block source that keeps a record: what it does, by the sentence, and a long random trace.

mod arena;
mod caching;
mod holding;
mod site;
mod trace;

use std::sync::Arc;

use self::arena::{Arena, Stream};
use super::heap::Block;
use super::{Heap, MemoryKind};

const KIB: usize = 1 << 10;
const MIB: usize = 1 << 20;

/// A heap of up to 16 MiB, over an arena of 64.
fn heap() -> (Arc<Arena>, Arc<Stream>, Arc<Heap>) {
    let arena = Arena::of(64 * MIB);
    let stream = arena.stream(1);
    let heap = Heap::new(stream.clone(), 16 * MIB as u64);
    (arena, stream, heap)
}

fn take(heap: &Arc<Heap>, bytes: usize) -> Block {
    heap.take(MemoryKind::Device, bytes).unwrap()
}

fn give_back(heap: &Arc<Heap>, block: Block) {
    heap.give_back(MemoryKind::Device, block.address, block.size);
}

/// A block that is idle in the heap's cache.
fn leave_idle(heap: &Arc<Heap>, bytes: usize) -> usize {
    let block = take(heap, bytes);
    give_back(heap, block);
    block.address
}

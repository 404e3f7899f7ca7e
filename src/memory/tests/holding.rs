//! What a heap and the table of blocks know of memory that C holds, by the sentence.

use std::sync::Arc;

use super::arena::{Stream, turn};
use super::*;
use crate::error::Status;
use crate::memory::{self, MemoryKind, host::HostSource};

#[test]
fn close_gives_back_what_is_idle_and_what_is_freed_later() {
    let _turn = turn();
    let (arena, _stream, heap) = heap();
    let held = heap.allocate(MemoryKind::Managed, 100).unwrap();
    leave_idle(&heap, MIB);
    heap.close();
    assert_eq!(arena.out().len(), 1, "only what is held is out");
    memory::free(held).unwrap();
    assert!(arena.out().is_empty());
    assert_eq!(heap.stats().cached_blocks, 0);
}

#[test]
fn memory_outlives_its_heap() {
    let _turn = turn();
    let (arena, stream, heap) = heap();
    let address = heap.allocate(MemoryKind::Device, 1000).unwrap();
    heap.close();
    drop(heap);
    assert_eq!(memory::find(address + 10).and_then(|found| found.bytes), Some(990));
    memory::free(address).unwrap();
    assert!(arena.out().is_empty());
    assert_eq!(Arc::strong_count(&stream), 1, "the heap is gone with the last of its memory");
}

#[test]
fn what_c_does_not_hold_is_not_freed() {
    let _turn = turn();
    let (_arena, _stream, heap) = heap();
    let address = heap.allocate(MemoryKind::Device, 1000).unwrap();
    let refused = |address: usize, words: &str| {
        let error = memory::free(address).unwrap_err();
        assert_eq!(error.status(), Status::InvalidArgument, "{error}");
        assert!(error.message().contains(words), "{error}");
    };
    refused(address + 1, "1 bytes inside a block, not its start");
    refused(address + 1023, "1023 bytes inside a block");
    refused(address + 1024, "not memory of gpumex_malloc");
    refused(1, "not memory of gpumex_malloc");
    refused(&raw const heap as usize, "not memory of gpumex_malloc");
    memory::free(address).unwrap();
    refused(address, "was freed before");
    refused(address + 8, "inside a block");
    heap.trim();
    refused(address, "or was freed before");
    let temporary = take(&heap, 1000);
    refused(temporary.address, "was freed before");
    give_back(&heap, temporary);
}

#[test]
fn a_pointer_is_known_to_the_end_of_what_c_holds() {
    let _turn = turn();
    let (_arena, _stream, heap) = heap();
    let address = heap.allocate(MemoryKind::Device, 1000).unwrap();
    let known = |offset| memory::find(address + offset).map(|found| found.bytes);
    let ends = [0, 1, 999, 1000, 1023].map(known);
    assert_eq!(ends, [1000, 999, 1, 0, 0].map(|bytes| Some(Some(bytes))));
    assert_ne!(known(1024), Some(Some(0)), "of no block, or of one that another test has");
    memory::free(address).unwrap();
    assert_eq!(known(0), Some(None), "idle");
    heap.trim();
    assert_eq!(known(0), None);
}

#[test]
fn memory_is_ordered_between_the_streams_that_use_it() {
    let _turn = turn();
    let (arena, own, heap) = heap();
    let (second, third) = (arena.stream(2), arena.stream(3));
    let address = heap.allocate(MemoryKind::Device, 1000).unwrap();
    let use_on = |stream: &Arc<Stream>| {
        let source: Arc<dyn memory::Source> = stream.clone();
        memory::use_on(&source, address + 500).unwrap();
    };
    use_on(&own);
    assert_eq!(own.record().followed, Vec::<usize>::new(), "its own stream needs nothing");
    use_on(&second);
    use_on(&second);
    assert_eq!(second.record().followed, [1, 1], "behind the stream of the heap");
    use_on(&third);
    assert_eq!(third.record().followed, [2, 1], "behind all others");
    use_on(&own);
    assert_eq!(own.record().followed, [2, 3]);
    // What `second` was asked for may reach its stream only now, although others came later.
    memory::free(address).unwrap();
    assert_eq!(own.record().followed, [2, 3, 2, 3], "free comes behind all that used it");
    use_on(&third);
    assert_eq!(third.record().followed, [2, 1], "freed memory is nobody's");
}

/// A stream of the caller's may end with its context, before the memory that was used on it.
#[test]
fn a_stream_that_ends_is_asked_for_nothing_later() {
    let _turn = turn();
    let (arena, own, heap) = heap();
    let other = arena.stream(2);
    let guest = Heap::new(other.clone(), MIB as u64);
    let [first, second] = [1000, 2000].map(|bytes| heap.allocate(MemoryKind::Device, bytes).unwrap());
    let source: Arc<dyn memory::Source> = other.clone();
    memory::use_on(&source, first).unwrap();
    guest.close();
    assert_eq!(own.record().followed, [2], "the owner follows while the stream still lives, once");
    drop((guest, source));
    [first, second].into_iter().for_each(|address| memory::free(address).unwrap());
    assert_eq!(own.record().followed, [2]);
    assert_eq!(Arc::strong_count(&other), 1, "nothing keeps it");
}

/// Where a device was reset under the library, a new block may lie where an idle one of before did.
#[test]
fn a_heap_of_before_a_reset_forgets_only_its_own_blocks() {
    let _turn = turn();
    struct Reset;
    impl memory::Source for Reset {
        fn allocate(&self, _: MemoryKind, _: usize) -> crate::error::Result<usize> {
            Ok(0x5000_0000_0000)
        }
        fn release(&self, _: MemoryKind, _: usize, _: usize) {}
        fn place(&self, kind: MemoryKind) -> crate::memory::Place {
            memory::Source::place(&HostSource, kind)
        }
        fn device(&self) -> i32 {
            -1
        }
        fn stream(&self) -> usize {
            0
        }
        fn follow(&self, _: &dyn memory::Source) -> crate::error::Result<()> {
            Ok(())
        }
    }
    let [before, after] = [0, 1].map(|_| Heap::new(Arc::new(Reset), MIB as u64));
    leave_idle(&before, 1000);
    let address = after.allocate(MemoryKind::Device, 1000).unwrap();
    before.close();
    assert_eq!(memory::find(address).and_then(|found| found.bytes), Some(1000));
    memory::free(address).unwrap();
    after.close();
}

//! What a heap does with blocks that nobody uses, by the sentence.

use super::arena::turn;
use super::*;
use crate::error::Status;
use crate::memory::heap::Block;
use crate::memory::{Allocator, AllocatorStats, MemoryKind};

#[test]
fn pool_reuses_freed_block_of_same_class() {
    let _turn = turn();
    let (_arena, stream, heap) = heap();
    let address = leave_idle(&heap, 1000);
    assert_eq!(take(&heap, 700), Block { address, size: KIB }, "a block of 1 KiB serves 513 to 1024 bytes");
    let AllocatorStats { hits, misses, allocated, cached, .. } = heap.stats();
    assert_eq!((hits, misses, allocated, cached), (1, 1, KIB as u64, 0));
    assert_eq!(stream.record().given, 1);
    give_back(&heap, Block { address, size: KIB });
}

#[test]
fn a_block_of_another_class_or_kind_is_not_reused() {
    let _turn = turn();
    let (_arena, stream, heap) = heap();
    leave_idle(&heap, 1000);
    for (kind, bytes) in [(MemoryKind::Device, 1025), (MemoryKind::Device, 512), (MemoryKind::Pinned, 1000)] {
        let block = heap.take(kind, bytes).unwrap();
        heap.give_back(kind, block.address, block.size);
    }
    assert_eq!((heap.stats().hits, stream.record().given), (0, 4));
}

#[test]
fn out_of_memory_empties_every_heap_and_tries_once_more() {
    let _turn = turn();
    let (arena, stream, heap) = heap();
    let other = Heap::new(arena.stream(2), 64 * MIB as u64);
    leave_idle(&heap, 2 * MIB);
    leave_idle(&other, 30 * MIB);
    let block = take(&heap, 60 * MIB);
    assert_eq!((heap.stats().cached, other.stats().cached), (0, 0), "what was idle anywhere went back");
    let record = stream.record();
    assert_eq!((record.given, record.refused, record.trims), (2, 1, 1));
    give_back(&heap, block);
}

#[test]
fn out_of_memory_fails_with_the_size_after_the_second_try() {
    let _turn = turn();
    let (_arena, stream, heap) = heap();
    let error = heap.take(MemoryKind::Device, 65 * MIB - 100).unwrap_err();
    assert_eq!(error.status(), Status::OutOfMemory);
    let sizes = format!("{} bytes wanted, a block for {}", 65 * MIB, 65 * MIB - 100);
    assert!(error.message().contains(&sizes), "{error}");
    assert_eq!(stream.record().refused, 2);
    for bytes in [usize::MAX, usize::MAX - 512, isize::MAX as usize] {
        let error = heap.take(MemoryKind::Device, bytes).unwrap_err();
        assert_eq!(error.status(), Status::OutOfMemory, "{bytes} bytes: {error}");
    }
    let block = take(&heap, 100);
    give_back(&heap, block);
}

#[test]
fn another_failure_is_not_tried_again() {
    let _turn = turn();
    let (arena, stream, heap) = heap();
    leave_idle(&heap, MIB);
    arena.fail_with(&[Status::Cuda]);
    assert_eq!(heap.take(MemoryKind::Device, 100).unwrap_err().status(), Status::Cuda);
    assert_eq!(
        (stream.record().refused, heap.stats().cached),
        (1, MIB as u64),
        "nothing was given back for it"
    );
}

#[test]
fn a_failed_allocation_leaves_the_accounting() {
    let _turn = turn();
    let (arena, _stream, heap) = heap();
    let held = take(&heap, 3 * KIB);
    let before = heap.stats();
    arena.fail_with(&[Status::OutOfMemory, Status::OutOfMemory]);
    heap.take(MemoryKind::Device, 5 * MIB).unwrap_err();
    assert_eq!(heap.stats(), AllocatorStats { misses: 2, ..before }, "but for the second miss");
    give_back(&heap, held);
}

#[test]
fn capacity_lowered_gives_back_the_oldest() {
    let _turn = turn();
    let (arena, _stream, heap) = heap();
    let blocks = [1, 2, 3].map(|_| take(&heap, MIB));
    blocks.into_iter().for_each(|block| give_back(&heap, block));
    heap.set_capacity(2 * MIB as u64, MIB as u64);
    let AllocatorStats { cached, cached_blocks, evictions, capacity, largest, .. } = heap.stats();
    assert_eq!((cached, cached_blocks, evictions), (2 * MIB as u64, 2, 1));
    assert_eq!((capacity, largest), (2 * MIB as u64, MIB as u64));
    assert!(!arena.out().contains_key(&blocks[0].address), "the first that was given back goes first");
    heap.set_capacity(0, 0);
    assert!(arena.out().is_empty());
    leave_idle(&heap, 1);
    assert!(arena.out().is_empty(), "capacity 0 keeps nothing");
}

#[test]
fn what_is_idle_gives_way_to_what_is_in_use() {
    let _turn = turn();
    let (_arena, _stream, heap) = heap();
    heap.set_capacity(4 * MIB as u64, 4 * MIB as u64);
    leave_idle(&heap, 3 * MIB);
    let small = take(&heap, MIB);
    assert_eq!(heap.stats().cached, 3 * MIB as u64, "1 + 3 MiB are within the capacity");
    let smaller = take(&heap, 1);
    assert_eq!(heap.stats().cached, 0);
    let large = take(&heap, 9 * MIB);
    assert_eq!(heap.stats().allocated, 10 * MIB as u64 + 512, "the capacity refuses nobody");
    [small, smaller, large].into_iter().for_each(|block| give_back(&heap, block));
    assert_eq!(heap.stats().peak, 10 * MIB as u64 + 512);
}

#[test]
fn blocks_above_largest_are_exact_and_never_cached() {
    let _turn = turn();
    let (arena, _stream, heap) = heap();
    heap.set_capacity(16 * MIB as u64, MIB as u64);
    let block = take(&heap, MIB + 100);
    assert_eq!(block.size, MIB + 512, "rounded up to 512 bytes, not to a class");
    give_back(&heap, block);
    assert!(arena.out().is_empty());
    leave_idle(&heap, MIB);
    assert_eq!(arena.out().len(), 1, "the largest itself is kept");
}

#[test]
fn largest_lowered_gives_those_above_back_and_keeps_the_others() {
    let _turn = turn();
    let (arena, _stream, heap) = heap();
    let (small, large) = (leave_idle(&heap, KIB), leave_idle(&heap, MIB));
    let held = take(&heap, 2 * MIB);
    heap.set_capacity(16 * MIB as u64, 512 * KIB as u64);
    assert!(arena.out().contains_key(&small) && !arena.out().contains_key(&large));
    give_back(&heap, held);
    assert_eq!(heap.stats().cached, KIB as u64, "what is given back later is not kept either");
    assert_eq!(take(&heap, KIB).address, small);
    give_back(&heap, Block { address: small, size: KIB });
}

#[test]
fn an_allocator_is_changed_when_nothing_is_held() {
    let _turn = turn();
    let (arena, stream, heap) = heap();
    let block = take(&heap, 100);
    leave_idle(&heap, MIB);
    let error = heap.select(Allocator::Simple, stream.clone()).unwrap_err();
    assert_eq!(error.status(), Status::Busy);
    assert!(error.message().contains("512 bytes in 1 blocks are held"), "{error}");
    give_back(&heap, block);
    heap.set_capacity(5 * MIB as u64, 4 * MIB as u64);
    heap.select(Allocator::Simple, stream.clone()).unwrap();
    assert!(arena.out().is_empty(), "what was idle went back");
    let want = AllocatorStats {
        allocator: Allocator::Simple as i32,
        capacity: 5 * MIB as u64,
        largest: 4 * MIB as u64,
        ..AllocatorStats::default()
    };
    assert_eq!(heap.stats(), want, "the counts begin anew, the capacity stays");
}

#[test]
fn the_simple_allocator_goes_straight_to_the_source_and_back() {
    let _turn = turn();
    let (arena, stream, heap) = heap();
    heap.select(Allocator::Simple, stream.clone()).unwrap();
    for round in 1..4 {
        let block = take(&heap, 5000);
        assert_eq!((block.size, stream.record().given), (5120, round), "whole units of 512 bytes");
        give_back(&heap, block);
        assert!(arena.out().is_empty());
    }
    assert_eq!((heap.stats().hits, heap.stats().misses), (0, 3));
}

//! The allocators of a context, their statistics, capacity and trim.

use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::memory::{Allocator, AllocatorStats, MemoryKind};
use gpumex::platform::settings::Backend;

use super::arrays::*;
use crate::common::*;

const MIB: usize = 1 << 20;

fn set_capacity(ctx: &Context, capacity: usize, largest: usize) {
    let status = gpumex_allocator_set_capacity(ctx.handle, capacity as u64, largest as u64);
    ok(status, "gpumex_allocator_set_capacity");
}

fn lend_and_free(ctx: &Context, bytes: usize) -> usize {
    let memory = Memory::new(ctx.handle, MemoryKind::Device, bytes);
    let address = memory.at.addr();
    memory.free();
    address
}

#[test]
fn a_new_context_caches_and_has_nothing() {
    let _turn = caches_are_mine();
    for ctx in backends() {
        let stats = stats_of(ctx.handle);
        let part = if ctx.backend == Backend::Cuda { 2 } else { 8 };
        let capacity = (device_memory(&ctx) / part) as u64;
        assert!(stats.capacity.abs_diff(capacity) <= capacity / 100, "{:?}: {stats:?}", ctx.backend);
        let (capacity, largest) = (stats.capacity, stats.capacity / 2);
        let size = size_of::<AllocatorStats>();
        assert_eq!(stats, AllocatorStats { size, capacity, largest, ..AllocatorStats::default() });
    }
}

#[test]
fn the_statistics_tell_what_is_held_and_what_was_reused() {
    let _turn = caches_are_mine();
    for ctx in backends() {
        let memory = Memory::new(ctx.handle, MemoryKind::Device, 700);
        let other = Memory::new(ctx.handle, MemoryKind::Pinned, 5000);
        let stats = stats_of(ctx.handle);
        assert_eq!((stats.allocated, stats.allocated_blocks, stats.peak), (1024 + 5120, 2, 1024 + 5120));
        assert_eq!((stats.hits, stats.misses, stats.cached), (0, 2, 0), "{:?}", ctx.backend);
        let address = memory.at.addr();
        memory.free();
        other.free();
        let stats = stats_of(ctx.handle);
        assert_eq!((stats.allocated, stats.cached, stats.cached_blocks), (0, 1024 + 5120, 2));
        assert_eq!(lend_and_free(&ctx, 1024), address, "the same block again");
        let stats = stats_of(ctx.handle);
        assert_eq!((stats.hits, stats.misses, stats.peak), (1, 2, 1024 + 5120), "{:?}", ctx.backend);
    }
}

#[test]
fn a_warm_context_takes_nothing_from_the_driver() {
    let _turn = caches_are_mine();
    for ctx in backends() {
        ok(work_in_temporaries(ctx.handle), "gpumex_life");
        ok(count(ctx.handle), "gpumex_histogram");
        let misses = stats_of(ctx.handle).misses;
        for _ in 0..10 {
            ok(work_in_temporaries(ctx.handle), "gpumex_life");
            ok(count(ctx.handle), "gpumex_histogram");
        }
        assert_eq!(stats_of(ctx.handle).misses, misses, "{:?}", ctx.backend);
    }
}

#[test]
fn trim_gives_back_what_is_idle_and_nothing_else() {
    let _turn = caches_are_mine();
    for ctx in backends() {
        let held = Memory::new(ctx.handle, MemoryKind::Device, MIB);
        let want = random_bytes(31, MIB);
        copy(ctx.handle, held.at, want.as_ptr().cast(), MIB);
        lend_and_free(&ctx, 3 * MIB);
        ok(gpumex_allocator_trim(ctx.handle), "gpumex_allocator_trim");
        let stats = stats_of(ctx.handle);
        assert_eq!((stats.cached, stats.cached_blocks, stats.evictions), (0, 0, 1), "{:?}", ctx.backend);
        assert_eq!(stats.allocated, MIB as u64);
        let mut got = vec![0; MIB];
        copy(ctx.handle, got.as_mut_ptr().cast(), held.at, MIB);
        assert_same(&got, &want, "what was held");
    }
}

#[test]
fn the_capacity_bounds_what_is_kept_and_refuses_nothing() {
    let _turn = caches_are_mine();
    for ctx in backends() {
        set_capacity(&ctx, 4 * MIB, 2 * MIB);
        let held: Vec<Memory> = (0..6).map(|_| Memory::new(ctx.handle, MemoryKind::Device, MIB)).collect();
        held.into_iter().for_each(Memory::free);
        let stats = stats_of(ctx.handle);
        assert_eq!((stats.allocated, stats.cached, stats.peak), (0, 4 * MIB as u64, 6 * MIB as u64));
        lend_and_free(&ctx, 2 * MIB + 1);
        assert_eq!(
            stats_of(ctx.handle).cached_blocks,
            1,
            "{:?}: 3 MiB gave way, and are not kept",
            ctx.backend
        );
        set_capacity(&ctx, 4 * MIB, 512);
        assert_eq!(stats_of(ctx.handle).cached, 0, "{:?}: none is as small", ctx.backend);
        set_capacity(&ctx, 0, 0);
        lend_and_free(&ctx, 1);
        assert_eq!(stats_of(ctx.handle).cached, 0, "{:?}: capacity 0 keeps nothing", ctx.backend);
        ok(work_in_temporaries(ctx.handle), "gpumex_life without a cache");
        set_capacity(&ctx, usize::MAX, usize::MAX);
        lend_and_free(&ctx, MIB);
        assert_eq!(stats_of(ctx.handle).cached_blocks, 1, "{:?}: no bound", ctx.backend);
    }
}

#[test]
fn each_allocator_lends_and_takes_back() {
    let _turn = caches_are_mine();
    for ctx in backends() {
        for allocator in [Allocator::Simple, Allocator::Pool, Allocator::Caching] {
            if allocator == Allocator::Pool && ctx.backend == Backend::Cpu {
                let words = ["gpumex_allocator_select", "POOL", "CPU backend"];
                refused(gpumex_allocator_select(ctx.handle, 2), Status::Unsupported, &words, "POOL");
                assert_eq!(stats_of(ctx.handle).allocator, Allocator::Simple as i32, "it stays what it was");
                continue;
            }
            let what = format!("{allocator:?} on {:?}", ctx.backend);
            ok(gpumex_allocator_select(ctx.handle, allocator as i32), &what);
            assert_eq!(
                stats_of(ctx.handle).hits + stats_of(ctx.handle).misses,
                0,
                "{what}: the counts begin anew"
            );
            for kind in LENT_KINDS {
                for bytes in [1, 513, 100_000, 3 * MIB] {
                    let memory = Memory::new(ctx.handle, kind, bytes);
                    assert!(memory.at.addr().is_multiple_of(512), "{what}, {kind:?}: {:p}", memory.at);
                    let (want, mut got) = (random_bytes(41, bytes), vec![0; bytes]);
                    copy(ctx.handle, memory.at, want.as_ptr().cast(), bytes);
                    copy(ctx.handle, got.as_mut_ptr().cast(), memory.at, bytes);
                    assert_same(&got, &want, format!("{what}, {kind:?}"));
                    memory.free();
                }
            }
            let stats = stats_of(ctx.handle);
            assert_eq!((stats.allocator, stats.allocated, stats.misses), (allocator as i32, 0, 12), "{what}");
            assert_eq!(stats.cached > 0, allocator == Allocator::Caching, "{what}: {stats:?}");
            ok(gpumex_allocator_trim(ctx.handle), format!("gpumex_allocator_trim, {what}"));
        }
    }
}

/// Out of memory with every allocator, and memory that is lent when the context ends.
#[test]
fn each_allocator_refuses_too_much_and_lets_memory_outlive_the_context() {
    let _turn = caches_are_mine();
    for backend in backends().iter().map(|ctx| ctx.backend) {
        for allocator in [Allocator::Caching, Allocator::Simple, Allocator::Pool] {
            let ctx = Context::open(backend).unwrap_or_else(|reason| panic!("{backend:?}: {reason}"));
            if gpumex_allocator_select(ctx.handle, allocator as i32) != 0 {
                continue; // POOL on the CPU, as said above
            }
            let what = format!("{allocator:?} on {backend:?}");
            let status = Memory::try_new(ctx.handle, MemoryKind::Device, 1 << 50).err().unwrap_or(0);
            refused(status, Status::OutOfMemory, &[&(1u64 << 50).to_string()], &what);
            let memory = Memory::new(ctx.handle, MemoryKind::Device, 5000);
            drop(ctx);
            memory.free();
        }
    }
}

#[test]
fn the_struct_is_written_as_far_as_the_caller_knows_it() {
    let _turn = caches_are_mine();
    for ctx in backends() {
        let known = size_of::<AllocatorStats>();
        for size in [8, 12, 16, 24, known - 8, known, known + 8, 4096] {
            let mut memory = [u64::POISON; 4096 / 8 + 8];
            memory[0] = size as u64;
            // SAFETY: `size` bytes are there.
            let status = unsafe { gpumex_allocator_get_stats(ctx.handle, memory.as_mut_ptr().cast()) };
            ok(status, format!("{:?}, a struct of {size} bytes", ctx.backend));
            assert_eq!(memory[0], size as u64, "size stays what the caller set");
            let bytes = bytes_of(&memory);
            assert!(bytes[size..].iter().all(|&byte| byte == u8::POISON), "written behind {size} bytes");
        }
        for size in [0, 7, 4097, usize::MAX] {
            let mut memory = [u64::POISON; 1024];
            memory[0] = size as u64;
            // SAFETY: 8 KiB, more than any size that is accepted.
            let status = unsafe { gpumex_allocator_get_stats(ctx.handle, memory.as_mut_ptr().cast()) };
            let words = ["gpumex_allocator_get_stats", "stats.size is", &size.to_string()];
            refused(status, Status::InvalidArgument, &words, format!("size {size}"));
        }
        // SAFETY: NULL is refused.
        let status = unsafe { gpumex_allocator_get_stats(ctx.handle, std::ptr::null_mut()) };
        refused(status, Status::NullPointer, &["gpumex_allocator_get_stats", "stats is NULL"], "NULL");
    }
}

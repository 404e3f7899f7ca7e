//! Wrong use of memory gets a status and never a crash; what is right goes on beside it.

use std::ffi::c_void;
use std::ptr::{null_mut, without_provenance_mut};

use gpumex::error::Status::{Busy, InvalidArgument};
use gpumex::ffi::*;
use gpumex::memory::MemoryKind;

use super::arrays::*;
use crate::common::*;

#[track_caller]
fn free_is_refused(at: *mut c_void, words: &[&str], what: &str) {
    refused(gpumex_free(at), InvalidArgument, &[&["gpumex_free", &format!("{at:p}")], words].concat(), what);
}

#[test]
fn a_double_free_is_refused() {
    let _turn = caches_are_mine();
    for ctx in backends() {
        for kind in LENT_KINDS {
            let memory = Memory::new(ctx.handle, kind, 1000);
            let at = memory.at;
            memory.free();
            free_is_refused(at, &["freed before"], "while it is cached");
            ok(gpumex_allocator_trim(ctx.handle), "gpumex_allocator_trim");
            free_is_refused(at, &["freed before"], "when it went back");
            assert_eq!(stats_of(ctx.handle).allocated, 0, "{:?}, {kind:?}", ctx.backend);
        }
    }
}

#[test]
fn a_pointer_inside_a_block_is_not_freed() {
    for ctx in backends() {
        let memory = Memory::new(ctx.handle, MemoryKind::Device, 1000);
        for offset in [1, 8, 512, 999, 1000, 1023] {
            let words = [&format!("{offset} bytes inside a block"), "not its start"];
            free_is_refused(memory.at.wrapping_byte_add(offset), &words.map(|word| word as &str), "inside");
        }
        // Just behind it the block of another test may begin, but not one byte further.
        free_is_refused(memory.at.wrapping_byte_add(1025), &["pointer"], "behind");
    }
}

#[test]
fn a_foreign_pointer_is_not_freed() {
    let (mut local, boxed) = (7u64, vec![0u8; 4096]);
    for address in [1, 8, 512, 0xdead_b000, usize::MAX, usize::MAX - 511, isize::MAX as usize] {
        free_is_refused(
            without_provenance_mut(address),
            &["not memory of gpumex_malloc"],
            "an invented pointer",
        );
    }
    free_is_refused((&raw mut local).cast(), &["not memory of gpumex_malloc"], "a variable");
    free_is_refused(boxed.as_ptr().cast_mut().cast(), &["not memory of gpumex_malloc"], "memory of the heap");
    if Context::cuda().is_some() {
        let driver = cuda::Driver::load();
        driver.with_current(driver.retain_primary(), || {
            let foreign = driver.allocate(4096);
            free_is_refused(foreign, &["not memory of gpumex_malloc"], "memory of the driver");
            driver.free(foreign);
        });
        driver.release_primary();
    }
}

#[test]
fn a_freed_context_gives_no_memory_and_its_memory_can_be_freed() {
    for backend in backends().iter().map(|ctx| ctx.backend) {
        let ctx = Context::open(backend).unwrap_or_else(|reason| panic!("{backend:?}: {reason}"));
        let (handle, held) = (ctx.handle, LENT_KINDS.map(|kind| Memory::new(ctx.handle, kind, 1000)));
        drop(ctx);
        let mut at = without_provenance_mut(1);
        // SAFETY: a pointer to write to.
        let status = unsafe { gpumex_malloc(handle, 0, 100, &mut at) };
        refused(status, InvalidArgument, &["gpumex_malloc", "not a live context"], "a freed context");
        assert!(at.is_null(), "{at:p}");
        for memory in held {
            let at = memory.at;
            free_is_refused(at.wrapping_byte_add(1), &["1 bytes inside"], "inside memory of a freed context");
            memory.free();
            free_is_refused(at, &["freed before"], "twice, of a freed context");
        }
    }
}

#[test]
fn one_block_is_freed_by_one_of_many_threads() {
    for ctx in backends() {
        for round in 0..50 {
            let memory = Memory::new(ctx.handle, LENT_KINDS[round % 3], 1000);
            let at = memory.at.addr();
            std::mem::forget(memory);
            let statuses: Vec<i32> = std::thread::scope(|scope| {
                let threads: Vec<_> =
                    (0..4).map(|_| scope.spawn(move || gpumex_free(without_provenance_mut(at)))).collect();
                threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
            });
            let freed = statuses.iter().filter(|&&status| status == 0).count();
            let told = statuses.iter().filter(|&&status| status == InvalidArgument as i32).count();
            assert_eq!((freed, told), (1, 3), "{:?}, round {round}: {statuses:?}", ctx.backend);
        }
    }
}

#[test]
fn an_allocator_that_is_none_is_refused() {
    for ctx in backends() {
        for number in [-1, 4, 99, i32::MIN] {
            let words = ["gpumex_allocator_select", &number.to_string(), "gpumex_allocator"];
            refused(gpumex_allocator_select(ctx.handle, number), InvalidArgument, &words, "allocator");
        }
        let words = ["gpumex_allocator_select", "CUSTOM needs two functions", "gpumex_allocator_custom"];
        refused(gpumex_allocator_select(ctx.handle, 3), InvalidArgument, &words, "CUSTOM");
        let memory = Memory::new(ctx.handle, MemoryKind::Pinned, 700);
        for allocator in [0, 1] {
            let words = ["gpumex_allocator_select", "1024 bytes in 1 blocks are held"];
            refused(gpumex_allocator_select(ctx.handle, allocator), Busy, &words, "while memory is held");
        }
        memory.free();
        ok(gpumex_allocator_select(ctx.handle, 1), "SIMPLE when nothing is held");
    }
    refused(
        gpumex_allocator_select(null_mut(), 0),
        gpumex::error::Status::NullPointer,
        &["ctx is NULL"],
        "no context",
    );
}

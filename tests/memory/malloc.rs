//! gpumex_malloc and gpumex_free.

use std::ptr::null_mut;

use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::memory::MemoryKind;

use super::arrays::*;
use crate::common::*;

#[test]
fn memory_of_every_kind_is_aligned_and_holds_what_is_put_there() {
    for ctx in backends() {
        for kind in LENT_KINDS {
            for bytes in [1, 7, 512, 513, 4097, 100_000, 3 << 20] {
                let what = format!("{:?}, {kind:?}, {bytes} bytes", ctx.backend);
                let memory = Memory::new(ctx.handle, kind, bytes);
                assert!(
                    !memory.at.is_null() && memory.at.addr().is_multiple_of(512),
                    "{what}: {:p}",
                    memory.at
                );
                let (want, mut got) = (random_bytes(bytes as u64, bytes), vec![0; bytes]);
                copy(ctx.handle, memory.at, want.as_ptr().cast(), bytes);
                copy(ctx.handle, got.as_mut_ptr().cast(), memory.at, bytes);
                assert_same(&got, &want, what);
            }
        }
    }
}

#[test]
fn no_bytes_are_null_and_null_may_be_freed() {
    for ctx in backends() {
        for kind in LENT_KINDS {
            assert!(Memory::new(ctx.handle, kind, 0).at.is_null(), "{:?}, {kind:?}", ctx.backend);
        }
    }
    ok(gpumex_free(null_mut()), "gpumex_free with NULL");
}

#[test]
fn too_much_is_out_of_memory_with_the_size_and_the_context_goes_on() {
    let _turn = caches_are_mine();
    for ctx in backends() {
        for (kind, bytes) in LENT_KINDS.into_iter().flat_map(|kind| {
            let sizes = [1 << 50, usize::MAX / 2, usize::MAX / 2 + 1, usize::MAX - 511, usize::MAX];
            sizes.map(|bytes| (kind, bytes))
        }) {
            let what = format!("{:?}, {kind:?}, {bytes} bytes", ctx.backend);
            let before = stats_of(ctx.handle);
            let mut at = std::ptr::dangling_mut::<u64>().cast();
            // SAFETY: a pointer to write to.
            let status = unsafe { gpumex_malloc(ctx.handle, kind as i32, bytes, &mut at) };
            let size = bytes.to_string();
            refused(status, Status::OutOfMemory, &["gpumex_malloc", &size, "wanted"], &what);
            assert!(at.is_null(), "{what}: the pointer is NULL after an error");
            let after = stats_of(ctx.handle);
            assert_eq!((after.allocated, after.peak), (before.allocated, before.peak), "{what}");
            ok(count(ctx.handle), format!("gpumex_histogram after {what}"));
        }
        let memory = Memory::new(ctx.handle, MemoryKind::Device, 1000);
        memory.free();
    }
}

#[test]
fn arguments_that_are_none_are_refused() {
    for ctx in backends() {
        let mut at = null_mut();
        for kind in [-1, 3, 99, i32::MIN, i32::MAX] {
            // SAFETY: a pointer to write to.
            let status = unsafe { gpumex_malloc(ctx.handle, kind, 100, &mut at) };
            let words = ["gpumex_malloc", &kind.to_string(), "gpumex_memory_kind"];
            refused(status, Status::InvalidArgument, &words, format!("kind {kind}"));
        }
        // SAFETY: NULL is refused.
        let status = unsafe { gpumex_malloc(ctx.handle, 0, 100, null_mut()) };
        refused(status, Status::NullPointer, &["gpumex_malloc", "pointer is NULL"], "NULL pointer");
        assert_eq!(stats_of(ctx.handle).allocated, 0, "nothing was lost");
    }
}

#[test]
fn any_thread_may_free() {
    for ctx in backends() {
        let memory: Vec<usize> = (0..64)
            .map(|i| {
                let memory = Memory::new(ctx.handle, LENT_KINDS[i % 3], 1000 * i + 1);
                let at = memory.at.addr();
                std::mem::forget(memory);
                at
            })
            .collect();
        std::thread::scope(|scope| {
            for part in memory.chunks(16) {
                scope.spawn(move || {
                    for &at in part {
                        ok(
                            gpumex_free(std::ptr::without_provenance_mut(at)),
                            "gpumex_free on another thread",
                        );
                    }
                });
            }
        });
        let stats = stats_of(ctx.handle);
        assert_eq!((stats.allocated, stats.allocated_blocks), (0, 0), "{:?}", ctx.backend);
    }
}

#[test]
fn memory_outlives_its_context() {
    for backend in backends().iter().map(|ctx| ctx.backend) {
        let open = || Context::open(backend).unwrap_or_else(|reason| panic!("{backend:?}: {reason}"));
        let (first, second) = (open(), open());
        let held = LENT_KINDS.map(|kind| Memory::new(first.handle, kind, 5000));
        let idle = Memory::new(first.handle, MemoryKind::Device, 5000);
        idle.free();
        let want = random_bytes(9, 5000);
        for memory in &held {
            copy(first.handle, memory.at, want.as_ptr().cast(), want.len());
        }
        drop(first);
        for (memory, kind) in held.into_iter().zip(LENT_KINDS) {
            let mut got = vec![0; want.len()];
            copy(second.handle, got.as_mut_ptr().cast(), memory.at, got.len());
            assert_same(&got, &want, format!("{backend:?}, {kind:?}, its context is gone"));
            memory.free();
        }
    }
}

//! A custom allocator: two functions of the caller give the device memory of a context and take it back.

use std::ptr::null_mut;

use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::memory::{Allocator, MemoryKind};

use super::arrays::*;
use crate::common::{supplier::Supplier, *};

#[test]
fn device_memory_and_temporaries_come_from_the_callers_functions() {
    for ctx in backends() {
        let supplier = Supplier::default();
        ok(supplier.select(ctx.handle), "gpumex_allocator_custom");
        assert_eq!(stats_of(ctx.handle).allocator, Allocator::Custom as i32);
        let memory = Memory::new(ctx.handle, MemoryKind::Device, 1000);
        assert_eq!(supplier.book().out.get(&memory.at.addr()), Some(&1024), "whole units of 512 bytes");
        let others =
            [MemoryKind::Pinned, MemoryKind::Managed].map(|kind| Memory::new(ctx.handle, kind, 1000));
        assert_eq!(supplier.book().given, 1, "other kinds are the driver's");
        ok(work_in_temporaries(ctx.handle), "gpumex_life");
        let temporaries = supplier.book().given - 1;
        assert_eq!(
            temporaries > 0,
            ctx.backend == gpumex::platform::settings::Backend::Cuda,
            "{temporaries} temporaries"
        );
        memory.free();
        others.into_iter().for_each(Memory::free);
        ok(gpumex_allocator_select(ctx.handle, 0), "back to CACHING");
        let book = supplier.book();
        assert_eq!((book.given, book.out.len()), (book.taken_back, 0), "{:?}", ctx.backend);
    }
}

#[test]
fn a_refusal_is_asked_once_more_and_then_out_of_memory() {
    let _turn = caches_are_mine();
    for ctx in backends() {
        let supplier = Supplier::default();
        ok(supplier.select(ctx.handle), "gpumex_allocator_custom");
        supplier.book().failures = 1;
        Memory::new(ctx.handle, MemoryKind::Device, 1000).free();
        assert_eq!(supplier.book().refused, 1, "the second time it was served");
        supplier.book().failures = 2;
        let status = Memory::try_new(ctx.handle, MemoryKind::Device, 1000).err().unwrap_or(0);
        refused(
            status,
            Status::OutOfMemory,
            &["gpumex_malloc", "custom allocator", "1024 bytes wanted, a block for 1000"],
            "two refusals",
        );
        Memory::new(ctx.handle, MemoryKind::Device, 1000).free();
        if ctx.backend == gpumex::platform::settings::Backend::Cuda {
            supplier.book().failures = 2;
            refused(
                work_in_temporaries(ctx.handle),
                Status::OutOfMemory,
                &["gpumex_life", "custom allocator"],
                "a temporary",
            );
        }
        ok(work_in_temporaries(ctx.handle), "gpumex_life afterwards");
        assert_eq!(stats_of(ctx.handle).allocated, 0);
        assert_eq!(supplier.book().out.len(), 0, "{:?}: nothing was lost", ctx.backend);
    }
}

#[test]
fn memory_that_is_not_aligned_is_given_back_and_refused() {
    for ctx in backends() {
        for off in [1, 8, 256] {
            let supplier = Supplier::default();
            supplier.book().off = off;
            ok(supplier.select(ctx.handle), "gpumex_allocator_custom");
            let status = Memory::try_new(ctx.handle, MemoryKind::Device, 1000).err().unwrap_or(0);
            let words = ["gpumex_malloc", "custom allocator gave", "not a multiple of 512 bytes"];
            refused(status, Status::InvalidArgument, &words, format!("{off} bytes off"));
            let book = supplier.book();
            assert_eq!((book.given, book.taken_back), (1, 1), "{:?}: it went back", ctx.backend);
            drop(book);
            ok(gpumex_allocator_select(ctx.handle, 0), "back to CACHING");
        }
    }
}

#[test]
fn memory_goes_back_to_its_functions_after_the_context() {
    for backend in backends().iter().map(|ctx| ctx.backend) {
        let supplier = Supplier::default();
        let ctx = Context::open(backend).unwrap_or_else(|reason| panic!("{backend:?}: {reason}"));
        ok(supplier.select(ctx.handle), "gpumex_allocator_custom");
        let memory = Memory::new(ctx.handle, MemoryKind::Device, 1000);
        refused(supplier.select(ctx.handle), Status::Busy, &["1024 bytes in 1 blocks are held"], "held");
        drop(ctx);
        assert_eq!(supplier.book().out.len(), 1);
        memory.free();
        assert_eq!(supplier.book().out.len(), 0, "{backend:?}");
    }
}

#[test]
fn functions_that_are_null_are_refused() {
    unsafe extern "C" fn none(
        _: *mut std::ffi::c_void,
        _: usize,
        _: *mut std::ffi::c_void,
        _: *mut *mut std::ffi::c_void,
    ) -> i32 {
        1
    }
    for ctx in backends() {
        // SAFETY: NULL is refused.
        let (no_allocate, no_release) = unsafe {
            (
                gpumex_allocator_custom(ctx.handle, None, None, null_mut()),
                gpumex_allocator_custom(ctx.handle, Some(none), None, null_mut()),
            )
        };
        assert_eq!(no_allocate, Status::NullPointer as i32);
        refused(no_release, Status::NullPointer, &["gpumex_allocator_custom", "release is NULL"], "NULL");
        assert_eq!(stats_of(ctx.handle).allocator, Allocator::Caching as i32, "it stays what it was");
    }
}

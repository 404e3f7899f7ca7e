//! gpumex_prefetch: managed memory goes where it is said, and stays what it is.

use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::memory::MemoryKind;
use gpumex::platform::settings::Backend;

use super::arrays::*;
use crate::common::*;

fn prefetch(ctx: &Context, memory: &Memory, bytes: usize, target: i32) -> i32 {
    // SAFETY: memory of the library, which is checked against its end.
    unsafe { gpumex_prefetch(ctx.handle, memory.at, bytes, target) }
}

#[test]
fn managed_memory_keeps_its_contents_to_and_fro() {
    for ctx in backends() {
        let want = random_bytes(21, 5 << 20);
        let memory = Memory::new(ctx.handle, MemoryKind::Managed, want.len());
        copy(ctx.handle, memory.at, want.as_ptr().cast(), want.len());
        for target in [0, 1, 0, 0, 1] {
            ok(prefetch(&ctx, &memory, want.len(), target), format!("{:?}, target {target}", ctx.backend));
            let mut counts = [0u64; 256];
            let to = counts.as_mut_ptr().cast();
            // SAFETY: so many bytes, 256 counters.
            let status =
                unsafe { gpumex_histogram(ctx.handle, std::ptr::null(), memory.at, want.len(), to, 256) };
            ok(status, "gpumex_histogram of managed memory");
            assert_eq!(counts.iter().sum::<u64>(), want.len() as u64);
        }
        ok(prefetch(&ctx, &memory, 100, 0), "a part");
        let mut got = vec![0; want.len()];
        copy(ctx.handle, got.as_mut_ptr().cast(), memory.at, got.len());
        assert_same(&got, &want, format!("{:?}, after it", ctx.backend));
        ok(prefetch(&ctx, &memory, want.len(), 0), "under way while it is freed");
    }
}

#[test]
fn what_is_not_managed_or_too_short_is_refused() {
    for ctx in backends() {
        let memory = Memory::new(ctx.handle, MemoryKind::Managed, 1000);
        let words = ["gpumex_prefetch", "array", "has 1000 bytes, 1001 are needed"];
        refused(prefetch(&ctx, &memory, 1001, 0), Status::InvalidArgument, &words, "too short");
        for target in [-1, 2, 99] {
            let words = ["gpumex_prefetch", &target.to_string(), "gpumex_prefetch_target"];
            refused(prefetch(&ctx, &memory, 1000, target), Status::InvalidArgument, &words, "target");
        }
        let none = Memory { at: std::ptr::null_mut() };
        ok(prefetch(&ctx, &none, 0, 0), "no bytes at NULL");
        refused(prefetch(&ctx, &none, 1, 0), Status::NullPointer, &["array is NULL"], "NULL");
        if ctx.backend == Backend::Cuda {
            let host = [0u8; 1000];
            let words = ["gpumex_prefetch", "array is", "not managed"];
            for kind in [MemoryKind::Device, MemoryKind::Pinned] {
                let memory = Memory::new(ctx.handle, kind, 1000);
                refused(
                    prefetch(&ctx, &memory, 1000, 0),
                    Status::InvalidArgument,
                    &words,
                    format!("{kind:?}"),
                );
            }
            // SAFETY: memory of the host is refused.
            let status = unsafe { gpumex_prefetch(ctx.handle, host.as_ptr().cast_mut().cast(), 1000, 0) };
            refused(status, Status::InvalidArgument, &words, "memory of the host");
        }
    }
}

#[test]
fn the_cpu_backend_has_nothing_to_move() {
    let cpu = Context::cpu();
    for ctx in backends() {
        let memory = Memory::new(ctx.handle, MemoryKind::Managed, 1000);
        for target in [0, 1] {
            ok(prefetch(&cpu, &memory, 1000, target), format!("memory of {:?}", ctx.backend));
        }
    }
}

//! gpumex_copy between any two places.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::memory::MemoryKind;

use super::arrays::{Array, Memory, PLACES, Place};
use crate::common::*;

fn try_copy(ctx: &Context, to: *mut c_void, from: *const c_void, bytes: usize) -> i32 {
    // SAFETY: both hold that many bytes, or it is refused.
    unsafe { gpumex_copy(ctx.handle, to, from, bytes) }
}

#[test]
fn any_place_is_copied_to_any_place() {
    for ctx in backends() {
        for (from, to) in PLACES.into_iter().flat_map(|from| PLACES.map(|to| (from, to))) {
            for len in [0, 1, 511, 4099, (3 << 20) + 5] {
                let what = format!("{:?}, {len} bytes from {from:?} to {to:?}", ctx.backend);
                let want = random_bytes(len as u64 + 1, len);
                let mut source = Array::holding(&ctx, from, &want);
                let mut target = Array::poison(&ctx, to, len);
                ok(try_copy(&ctx, target.at(), source.at(), len), &what);
                assert_same(&target.bytes(), &want, &what);
                assert_same(&source.bytes(), &want, format!("{what}, the source"));
            }
        }
    }
}

/// Bytes within arrays, at addresses that no word is aligned to.
#[test]
fn parts_of_arrays_are_copied_at_odd_addresses() {
    for ctx in backends() {
        for (from, to) in PLACES.into_iter().flat_map(|from| PLACES.map(|to| (from, to))) {
            let what = format!("{:?}, from {from:?} to {to:?}", ctx.backend);
            let bytes = random_bytes(3, 10_000);
            let mut source = Array::holding(&ctx, from, &bytes);
            let mut target = Array::poison(&ctx, to, 10_000);
            let at = |array: &mut Array, offset: usize| array.at().wrapping_byte_add(offset);
            ok(try_copy(&ctx, at(&mut target, 3), at(&mut source, 1001), 7777), &what);
            let mut want = vec![u8::POISON; 10_000];
            want[3..7780].copy_from_slice(&bytes[1001..8778]);
            assert_same(&target.bytes(), &want, &what);
        }
    }
}

#[test]
fn overlapping_ranges_are_refused_and_ranges_that_touch_are_copied() {
    for ctx in backends() {
        for place in PLACES {
            let bytes = random_bytes(4, 3000);
            let mut array = Array::holding(&ctx, place, &bytes);
            let at = array.at();
            for (to, from) in [(0, 0), (0, 999), (999, 0), (500, 400)] {
                let what = format!("{:?}, {place:?}, 1000 bytes from {from} to {to}", ctx.backend);
                let status = try_copy(&ctx, at.wrapping_byte_add(to), at.wrapping_byte_add(from), 1000);
                refused(status, Status::InvalidArgument, &["gpumex_copy", "to overlaps from"], &what);
                assert_same(&array.bytes(), &bytes, what);
            }
            ok(try_copy(&ctx, at.wrapping_byte_add(1000), at, 1000), "ranges that touch");
            ok(try_copy(&ctx, at, at, 0), "no bytes on themselves");
            let want = [&bytes[..1000], &bytes[..1000], &bytes[2000..]].concat();
            assert_same(&array.bytes(), &want, format!("{:?}, {place:?}, ranges that touch", ctx.backend));
        }
    }
}

#[test]
fn null_is_refused_where_there_are_bytes() {
    for ctx in backends() {
        let mut byte = 1u8;
        let at = (&raw mut byte).cast();
        refused(
            try_copy(&ctx, null_mut(), at, 1),
            Status::NullPointer,
            &["gpumex_copy", "to is NULL"],
            "NULL to",
        );
        refused(
            try_copy(&ctx, at, null(), 1),
            Status::NullPointer,
            &["gpumex_copy", "from is NULL"],
            "NULL from",
        );
        ok(try_copy(&ctx, null_mut(), null(), 0), "no bytes at NULL");
        for bytes in [usize::MAX, 1 << 63] {
            let words = ["gpumex_copy", &bytes.to_string(), "beyond the address space"];
            refused(
                try_copy(&ctx, at, at, bytes),
                Status::InvalidArgument,
                &words,
                "beyond the address space",
            );
        }
    }
}

#[test]
fn a_range_of_ours_that_is_too_short_is_refused() {
    for ctx in backends() {
        for kind in super::arrays::LENT_KINDS {
            let memory = Memory::new(ctx.handle, kind, 1000);
            let mut host = vec![0u8; 4096];
            let at = host.as_mut_ptr().cast();
            for (offset, bytes, left) in [(0, 1001, 1000), (999, 2, 1), (1000, 1, 0), (1023, 1, 0)] {
                let ours = memory.at.wrapping_byte_add(offset);
                let what = format!("{:?}, {kind:?}, {bytes} bytes at {offset}", ctx.backend);
                let rule = format!("has {left} bytes, {bytes} are needed");
                let status = try_copy(&ctx, at, ours, bytes);
                refused(status, Status::InvalidArgument, &["gpumex_copy", "from", &rule], &what);
                let status = try_copy(&ctx, ours, at, bytes);
                refused(status, Status::InvalidArgument, &["gpumex_copy", "to", &rule], &what);
            }
            ok(try_copy(&ctx, at, memory.at.wrapping_byte_add(999), 1), "the last byte");
        }
    }
}

/// Memory that other code took from the driver is known by the driver.
#[test]
fn a_range_of_the_drivers_is_copied_and_refused_when_it_is_too_short() {
    let Some(ctx) = Context::cuda() else { return };
    let driver = cuda::Driver::load();
    driver.set_current(driver.retain_primary());
    let len = 2 << 20;
    let foreign = [driver.allocate(len), driver.allocate_managed(len), driver.allocate_pinned(len)];
    let want = random_bytes(5, len);
    for (memory, kind) in foreign.into_iter().zip(["device", "managed", "pinned"]) {
        ok(try_copy(&ctx, memory, want.as_ptr().cast(), len), format!("to {kind} memory of the driver"));
        let mut got = Array::poison(&ctx, Place::Of(MemoryKind::Device), len);
        ok(try_copy(&ctx, got.at(), memory, len), format!("from {kind} memory of the driver"));
        assert_same(&got.bytes(), &want, format!("{kind} memory of the driver"));
        let mut host = vec![0u8; len + 1];
        for (offset, bytes) in [(0, len + 1), (len - 1, 2), (len / 2, len)] {
            let what = format!("{kind} memory of the driver, {bytes} bytes at {offset}");
            let rule = format!("has {} bytes, {bytes} are needed", len - offset);
            let at = memory.wrapping_byte_add(offset);
            let status = try_copy(&ctx, host.as_mut_ptr().cast(), at, bytes);
            refused(status, Status::InvalidArgument, &["gpumex_copy", "from", &rule], &what);
            let status = try_copy(&ctx, at, host.as_ptr().cast(), bytes);
            refused(status, Status::InvalidArgument, &["gpumex_copy", "to", &rule], &what);
        }
    }
    let [device, managed, pinned] = foreign;
    driver.free(device);
    driver.free(managed);
    driver.free_pinned(pinned);
    driver.set_current(null_mut());
    driver.release_primary();
}

/// Device memory is nothing that the CPU backend can reach; pinned and managed memory it can.
#[test]
fn the_cpu_backend_refuses_device_memory_and_takes_the_rest() {
    let Some(cuda) = Context::cuda() else { return };
    let cpu = Context::cpu();
    let want = random_bytes(6, 5000);
    for place in PLACES {
        let mut array = Array::holding(&cuda, place, &want);
        let mut got = vec![0u8; want.len()];
        let (at, bytes) = (got.as_mut_ptr(), want.len());
        let [from, to] = [
            try_copy(&cpu, at.cast(), array.at(), bytes),
            try_copy(&cpu, array.at(), want.as_ptr().cast(), bytes),
        ];
        if place == Place::Of(MemoryKind::Device) {
            assert_eq!((from, to), (Status::Unsupported as i32, Status::Unsupported as i32));
            says(
                &["gpumex_copy", "memory of CUDA device", "CPU backend"],
                "device memory on the CPU backend",
            );
        } else {
            assert_eq!((from, to), (0, 0), "{place:?}: {}", last_error());
            assert_same(&got, &want, format!("{place:?} memory on the CPU backend"));
        }
    }
}

//! Contexts on streams of the caller's.

use std::ffi::c_void;
use std::ptr::null_mut;

use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::memory::MemoryKind;
use gpumex::platform::settings::Backend;

use super::arrays::*;
use crate::common::{cuda::Driver, *};

fn attach(stream: *mut c_void) -> Result<Context, String> {
    // SAFETY: a stream of the driver, or one that is refused.
    let handle = unsafe { gpumex_context_create_on_stream(0, stream) };
    if handle.is_null() { Err(last_error()) } else { Ok(Context { handle, backend: Backend::Cuda }) }
}

/// The driver with the primary context current, as a program of the CUDA runtime has it.
fn with_driver(test: impl FnOnce(&Driver)) {
    if Context::cuda().is_none() {
        return;
    }
    let driver = Driver::load();
    driver.with_current(driver.retain_primary(), || test(&driver));
    driver.release_primary();
}

#[test]
fn a_stream_without_a_device_is_refused() {
    for device in [-2, i32::MIN, 99] {
        // SAFETY: NULL is the legacy default stream.
        assert!(unsafe { gpumex_context_create_on_stream(device, null_mut()) }.is_null());
        says(&["gpumex_context_create_on_stream"], format!("device {device}"));
    }
    if Context::cuda().is_none() {
        assert!(attach(null_mut()).is_err());
        assert_eq!(gpumex_last_status(), Status::NoDevice as i32, "{}", last_error());
    }
}

#[test]
fn operations_run_on_the_legacy_stream_and_on_a_stream_of_the_callers() {
    with_driver(|driver| {
        let own = driver.create_stream();
        for stream in [null_mut(), own] {
            let ctx = attach(stream).unwrap_or_else(|reason| panic!("stream {stream:p}: {reason}"));
            assert_eq!(backend_of(ctx.handle), Ok(Backend::Cuda as i32));
            for operation in super::operations::operations() {
                let want = operation.result_on_host(&Context::cuda().expect("CUDA is here"));
                for place in PLACES {
                    let from = vec![place; operation.inputs.len()];
                    let what = format!("{} on stream {stream:p}", operation.what);
                    assert_same(&operation.result(&ctx, &from, place), &want, what);
                }
            }
        }
        driver.destroy_stream(own); // it was not ours to destroy
    });
}

/// What the caller puts into the stream before a call is seen by it, and what comes after waits for it.
#[test]
fn work_of_the_library_is_ordered_with_the_callers_in_one_stream() {
    with_driver(|driver| {
        let (stream, len) = (driver.create_stream(), 256 << 20);
        let ctx = attach(stream).unwrap_or_else(|reason| panic!("{reason}"));
        let data = driver.allocate(len);
        let counts = Memory::new(ctx.handle, MemoryKind::Device, 256 * 8);
        for round in 0..5u8 {
            driver.fill_on(stream, data, 3 + round, len);
            // SAFETY: so many bytes, 256 counters, all of it on the device.
            let status = unsafe { gpumex_histogram(ctx.handle, std::ptr::null(), data, len, counts.at, 256) };
            ok(status, "gpumex_histogram behind a fill");
            driver.fill_on(stream, data, 99, len);
            let mut got = [0u64; 256];
            copy(ctx.handle, got.as_mut_ptr().cast(), counts.at, 256 * 8);
            assert_eq!(got[3 + usize::from(round)], len as u64, "round {round}: {got:?}");
        }
        ok(gpumex_context_synchronize(ctx.handle), "gpumex_context_synchronize");
        driver.free(data);
        drop(counts);
        drop(ctx);
        driver.destroy_stream(stream);
    });
}

/// The stream may end with its context: memory of another context that was used on it is freed later without it.
#[test]
fn memory_of_another_context_outlives_the_stream_that_it_was_used_on() {
    with_driver(|driver| {
        let owner = Context::cuda().expect("CUDA is here");
        let len = 64 << 20;
        let want = random_bytes(8, len);
        let [from, to] = [(); 2].map(|()| Memory::new(owner.handle, MemoryKind::Device, len));
        copy(owner.handle, from.at, want.as_ptr().cast(), len);
        for round in 0..5 {
            let stream = driver.create_stream();
            let ctx = attach(stream).unwrap_or_else(|reason| panic!("{reason}"));
            copy(ctx.handle, to.at, from.at, len);
            drop(ctx);
            driver.destroy_stream(stream);
            let mut got = vec![0; len];
            copy(owner.handle, got.as_mut_ptr().cast(), to.at, len);
            assert_same(&got, &want, format!("round {round}"));
        }
        from.free();
        to.free();
    });
}

#[test]
fn a_stream_of_another_context_is_refused() {
    if Context::cuda().is_none() {
        return;
    }
    let driver = Driver::load();
    let before = driver.current();
    let own = driver.create_context(); // current from here on
    let stream = driver.create_stream();
    let words = ["gpumex_context_create_on_stream", "does not belong to the primary context of device 0"];
    assert!(attach(stream).is_err(), "a stream of a context that is not the primary one");
    says(&words, "a stream of another context");
    assert_eq!(gpumex_last_status(), Status::InvalidArgument as i32);
    assert_eq!(driver.current(), own, "the caller's context stays current");
    driver.destroy_stream(stream);
    driver.destroy_context(own);
    driver.set_current(before);
}

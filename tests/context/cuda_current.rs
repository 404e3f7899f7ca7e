//! The caller's CUDA context: whichever is current before a call is current after it.

use std::ptr::{null, null_mut};

use gpumex::ffi::*;
use gpumex::ops::life::LifeVariant;
use gpumex::ops::matmul::{MatmulOrder, MatmulVariant};
use gpumex::platform::settings::Backend;

use super::every_call::*;
use crate::common::{histogram, matmul, raytrace, *};

/// Makes every kind of call on CUDA, failing ones included, and asks after each which CUDA context is current.
fn current_context_survives_every_call(driver: &cuda::Driver, ctx: &Context, whose: &str) {
    let before = driver.current();
    let unchanged = |call: &str| assert_eq!(driver.current(), before, "after {call}, {whose} current before");

    for (name, call) in CALLS.iter().filter(|(name, _)| *name != "gpumex_context_destroy") {
        ok(call(ctx.handle), name);
        unchanged(name);
        assert_ne!(call(null_mut()), 0, "{name} with NULL");
        unchanged(&format!("{name} with NULL"));
        assert_ne!(call(handle_of(0x1234)), 0, "{name} with an invented context");
        unchanged(&format!("{name} with an invented context"));
    }
    for variant in ctx.variants() {
        life(ctx, variant, &[1; 400], 20, 20, 3);
        unchanged(&format!("gpumex_life, {variant:?}"));
    }
    for variant in ctx.variants().into_iter().filter(|&variant| variant != MatmulVariant::Cublas) {
        matmul(ctx, variant, MatmulOrder::Column, [2, 2, 2], &[1.0f32; 4], &[1.0; 4]);
        unchanged(&format!("gpumex_matmul, {variant:?}"));
    }
    for variant in ctx.variants() {
        histogram(ctx, variant, &[1; 1000]);
        unchanged(&format!("gpumex_histogram, {variant:?}"));
    }
    for variant in ctx.variants() {
        raytrace(ctx, variant, &random_spheres(7, 2341, 4, 4), 4, 4);
        unchanged(&format!("gpumex_raytrace, {variant:?}"));
    }

    // Refused before and after the device is entered.
    let options = LifeOptions { variant: LifeVariant::Sequential as i32, ..LifeOptions::default() };
    let mut cells = [1u8; 16];
    let at = cells.as_mut_ptr();
    let failing: [(&str, i32); 3] = [
        // SAFETY: 16 bytes, in place.
        ("SEQUENTIAL", unsafe { gpumex_life(ctx.handle, &options, at.cast(), 4, 4, 1, at.cast()) }),
        // SAFETY: the overlap is refused.
        ("overlap", unsafe {
            gpumex_life(ctx.handle, null(), at.cast(), 3, 4, 1, at.wrapping_add(1).cast())
        }),
        // SAFETY: NULL is refused.
        ("NULL board", unsafe { gpumex_life(ctx.handle, null(), null(), 4, 4, 1, at.cast()) }),
    ];
    for (name, status) in failing {
        assert_ne!(status, 0, "gpumex_life, {name}");
    }
    unchanged("calls of gpumex_life that fail");

    calls_about_memory(ctx, unchanged);

    let second = Context::open(Backend::Cuda).unwrap_or_else(|reason| panic!("a second context: {reason}"));
    unchanged("gpumex_context_create");
    drop(second);
    unchanged("gpumex_context_destroy");
    assert!(gpumex_context_create(Backend::Cuda as i32, 99).is_null());
    unchanged("gpumex_context_create that fails");
    ok(plain_count(), "histogram");
    unchanged("histogram on the default context");
    ok(gpumex_reset_default(), "gpumex_reset_default");
    unchanged("gpumex_reset_default");
    ok(plain_count(), "histogram");
    unchanged("histogram on a new default context");
}

/// What the calls of memory do beyond those of the list: every kind, every allocator, and what fails.
fn calls_about_memory(ctx: &Context, unchanged: impl Fn(&str)) {
    let handle = ctx.handle;
    for allocator in [1, 2, 0] {
        ok(gpumex_allocator_select(handle, allocator), format!("allocator {allocator}"));
        unchanged(&format!("gpumex_allocator_select of {allocator}"));
        for kind in 0..3 {
            let (mut at, mut host) = (null_mut(), [0u8; 1000]);
            // SAFETY: a pointer to write to, memory of 1000 bytes, and ranges that are refused.
            unsafe {
                ok(gpumex_malloc(handle, kind, 1000, &mut at), format!("gpumex_malloc, kind {kind}"));
                unchanged(&format!("gpumex_malloc, allocator {allocator}, kind {kind}"));
                ok(gpumex_copy(handle, at, host.as_ptr().cast(), 1000), "gpumex_copy to it");
                ok(gpumex_copy(handle, host.as_mut_ptr().cast(), at, 1000), "gpumex_copy from it");
                unchanged(&format!("gpumex_copy, kind {kind}"));
                assert_ne!(gpumex_copy(handle, at, host.as_ptr().cast(), 1001), 0, "too long");
                assert_ne!(gpumex_copy(handle, at, at.wrapping_byte_add(1), 10), 0, "overlap");
                unchanged(&format!("gpumex_copy that fails, kind {kind}"));
                assert_eq!(
                    gpumex_prefetch(handle, at, 1000, 0) == 0,
                    kind == 2,
                    "managed memory is prefetched"
                );
                unchanged(&format!("gpumex_prefetch, kind {kind}"));
                assert_ne!(gpumex_allocator_select(handle, 1), 0, "memory is held");
                assert_ne!(gpumex_malloc(handle, kind, 1 << 50, &mut null_mut()), 0, "too much");
                unchanged(&format!("gpumex_malloc that fails, allocator {allocator}, kind {kind}"));
            }
            assert_ne!(gpumex_free(at.wrapping_byte_add(1)), 0, "inside a block");
            ok(gpumex_free(at), "gpumex_free");
            unchanged(&format!("gpumex_free, allocator {allocator}, kind {kind}"));
            assert_ne!(gpumex_free(at), 0, "twice");
            ok(gpumex_allocator_trim(handle), "gpumex_allocator_trim");
            unchanged("gpumex_allocator_trim");
        }
    }
    let (mut held, mut count) = (null_mut(), 0);
    // SAFETY: NULL is the legacy default stream; a pointer and an int32_t to write to; no arguments.
    unsafe {
        let attached = gpumex_context_create_on_stream(-1, null_mut());
        assert!(!attached.is_null(), "{}", last_error());
        unchanged("gpumex_context_create_on_stream");
        ok(gpumex_malloc(attached, 0, 1000, &mut held), "gpumex_malloc");
        ok(gpumex_context_destroy(attached), "gpumex_context_destroy");
        unchanged("gpumex_context_destroy while memory is held");
        ok(gpumex_free(held), "gpumex_free after it");
        unchanged("gpumex_free of memory without a context");
        let with_arguments = gpumex_context_create_from_args(0, null(), 0);
        ok(gpumex_context_destroy(with_arguments), "gpumex_context_destroy");
        unchanged("gpumex_context_create_from_args");
        ok(gpumex_device_count(&mut count), "gpumex_device_count");
        unchanged("gpumex_device_count");
    }
}

pub const ROLES: [Role; 1] = [("keeps the caller's CUDA context", keeps_the_callers_cuda_context)];

#[test]
fn the_callers_cuda_context_stays_current() {
    on_cuda_in_a_new_process("keeps the caller's CUDA context");
}

fn keeps_the_callers_cuda_context() {
    let Some(ctx) = Context::cuda() else { return };
    let driver = cuda::Driver::load();

    driver.set_current(null_mut());
    current_context_survives_every_call(&driver, &ctx, "none");

    driver.set_current(driver.retain_primary());
    current_context_survives_every_call(&driver, &ctx, "the primary one");
    driver.set_current(null_mut());
    driver.release_primary();

    let own = driver.create_context();
    current_context_survives_every_call(&driver, &ctx, "one of the caller's own");
    driver.destroy_context(own);
    driver.set_current(null_mut());
}

#[test]
fn a_new_thread_has_no_cuda_context_after_create_and_destroy() {
    if Context::cuda().is_none() {
        return;
    }
    std::thread::spawn(|| {
        let driver = cuda::Driver::load();
        assert!(driver.current().is_null(), "a new thread has no CUDA context");
        let ctx = Context::cuda();
        assert!(driver.current().is_null(), "after gpumex_context_create");
        drop(ctx);
        assert!(driver.current().is_null(), "after gpumex_context_destroy");
    })
    .join()
    .expect("as said");
}

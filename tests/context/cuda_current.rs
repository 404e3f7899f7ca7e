//! The caller's CUDA context: whichever is current before a call is current after it.

use std::ptr::{null, null_mut};

use gpumex::ffi::*;
use gpumex::ops::life::LifeVariant;
use gpumex::ops::matmul::MatmulOrder;
use gpumex::settings::Backend;

use crate::common::{histogram, matmul, raytrace, *};
use crate::default_context::default_is_mine;
use crate::every_call::*;

/// Makes every kind of call on CUDA, failing ones included, and asks after each which CUDA context is current.
fn current_context_survives_every_call(driver: &cuda::Driver, ctx: &Context, whose: &str) {
    let before = driver.current();
    let unchanged = |call: &str| assert_eq!(driver.current(), before, "after {call}, {whose} current before");

    for (name, call) in CALLS.iter().filter(|(name, _)| *name != "gpumex_context_destroy") {
        ok(call(ctx.token), name);
        unchanged(name);
        assert_ne!(call(null_mut()), 0, "{name} with NULL");
        unchanged(&format!("{name} with NULL"));
        assert_ne!(call(token_of(0x1234)), 0, "{name} with an invented context");
        unchanged(&format!("{name} with an invented context"));
    }
    for variant in ctx.variants() {
        life(ctx, variant, &[1; 400], 20, 20, 3);
        unchanged(&format!("gpumex_life, {variant:?}"));
    }
    for variant in ctx.variants() {
        matmul(ctx, variant, MatmulOrder::Column, [2, 2, 2], &[1.0f64; 4], &[1.0; 4]);
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
        ("SEQUENTIAL", unsafe { gpumex_life(ctx.token, &options, at.cast(), 4, 4, 1, at.cast()) }),
        // SAFETY: the overlap is refused.
        ("overlap", unsafe { gpumex_life(ctx.token, null(), at.cast(), 3, 4, 1, at.wrapping_add(1).cast()) }),
        // SAFETY: NULL is refused.
        ("NULL board", unsafe { gpumex_life(ctx.token, null(), null(), 4, 4, 1, at.cast()) }),
    ];
    for (name, status) in failing {
        assert_ne!(status, 0, "gpumex_life, {name}");
    }
    unchanged("calls of gpumex_life that fail");

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

#[test]
fn the_callers_cuda_context_stays_current() {
    let _turn = default_is_mine();
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

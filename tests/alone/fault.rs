//! A fault that a device does not recover from: statuses with the first message, contexts that can be ended, a clean exit.

use std::ptr::null_mut;

use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::platform::settings::Backend;

use crate::alone_on_cuda;
use crate::common::{cuda::Driver, *};

pub const ROLES: [Role; 2] = [("faults", || faults(count)), ("faults at an allocation", || faults(allocate))];

#[test]
fn a_fault_is_told_by_every_later_call_and_nothing_crashes() {
    for role in ["faults", "faults at an allocation"] {
        alone_on_cuda(role, &[]);
    }
}

type Call = (&'static str, fn(Handle) -> i32);

/// Memory of a size that no cache has.
fn allocate(ctx: Handle) -> i32 {
    let mut at = null_mut();
    // SAFETY: a pointer to write to.
    unsafe { gpumex_malloc(ctx, 0, 77 << 20, &mut at) }
}

fn copies(ctx: Handle) -> i32 {
    let (from, mut to) = ([1u8; 100], [0u8; 100]);
    // SAFETY: 100 bytes each.
    unsafe { gpumex_copy(ctx, to.as_mut_ptr().cast(), from.as_ptr().cast(), 100) }
}

/// The device faults under two contexts and the default one; `first` is the first call that meets it.
fn faults(first: fn(Handle) -> i32) {
    let Some(ctx) = Context::cuda() else { return };
    let idle = Context::cuda();
    let (mut held, mut last) = (null_mut(), null_mut());
    // SAFETY: pointers to write to.
    unsafe {
        ok(gpumex_malloc(ctx.handle, 0, 1000, &mut held), "gpumex_malloc");
        ok(gpumex_malloc(ctx.handle, 1, 1000, &mut last), "gpumex_malloc of pinned memory");
    }
    ok(count(ctx.handle), "gpumex_histogram before the fault");
    ok(plain_count(), "histogram before the fault");

    let driver = Driver::load();
    driver.set_current(driver.retain_primary());
    assert_ne!(driver.fault(), 0, "the kernel faults");
    refused(first(ctx.handle), Status::Cuda, &[], "the first call");
    let sentence = last_error();
    let by_driver_or_launch = ["CUDA_ERROR", "illegal memory access"]; // whichever met it
    assert!(by_driver_or_launch.iter().any(|words| sentence.contains(words)), "{sentence}");
    let (_, message) = sentence.split_once(": ").expect("operation and message");
    eprintln!("{sentence}");

    let calls: [Call; 6] = [
        ("gpumex_histogram", count),
        ("gpumex_life", |ctx| work(ctx, 3)),
        ("gpumex_copy", copies),
        ("gpumex_malloc", allocate),
        ("gpumex_timer_start", |ctx| gpumex_timer_start(ctx)),
        ("gpumex_context_synchronize", |ctx| gpumex_context_synchronize(ctx)),
    ];
    for (name, call) in calls.iter().chain(&calls) {
        refused(call(ctx.handle), Status::Cuda, &[&format!("{name}: {message}")], format!("{name} later"));
    }
    assert_eq!(backend_of(ctx.handle), Ok(Backend::Cuda as i32), "what needs no device goes on");
    refused(plain_count(), Status::Cuda, &["histogram"], "the default context");

    // What is freed or ended now gives a status, and no more.
    eprintln!("gpumex_free: {}", explain(gpumex_free(held)));
    refused(gpumex_free(held), Status::InvalidArgument, &["freed before"], "twice");
    ok(gpumex_allocator_trim(ctx.handle), "gpumex_allocator_trim");
    ok(gpumex_reset_default(), "gpumex_reset_default");
    ok(plain_count(), "histogram, by the CPU until the device is reset");
    assert!(gpumex_context_create(Backend::Cuda as i32, 0).is_null(), "a device that does not answer");
    assert_eq!(gpumex_last_status(), Status::Cuda as i32, "{}", last_error());
    eprintln!("{}", last_error());
    drop((ctx, idle));
    eprintln!("gpumex_free: {}", explain(gpumex_free(last)));
    driver.set_current(null_mut());
}

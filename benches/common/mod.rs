//! What the benches share: a context on CUDA, calls that must succeed, medians, rows of a table.
#![allow(dead_code)] // each bench uses a part

use std::ffi::c_void;
use std::ptr::null_mut;
use std::time::Instant;

use cudarc::driver::sys;
use gpumex::ffi::*;
use gpumex::memory::MemoryKind;
use gpumex::model::dtype::Dtype;
use gpumex::platform::settings::Backend;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;

pub type Handle = *mut gpumex::context::Context;

/// The primary context of device 0 is current on this thread from here on.
pub fn open_primary() {
    let (mut device, mut context) = (0, null_mut());
    // SAFETY: cuInit and the primary context of device 0, which stays until the process ends.
    unsafe {
        ok(sys::cuInit(0));
        ok(sys::cuDeviceGet(&mut device, 0));
        ok(sys::cuDevicePrimaryCtxRetain(&mut context, device));
        ok(sys::cuCtxSetCurrent(context));
    }
}

pub fn context() -> Handle {
    let ctx = gpumex_context_create(Backend::Cuda as i32, -1);
    if ctx.is_null() {
        eprintln!("{}", text(gpumex_last_error()));
        std::process::exit(1);
    }
    ctx
}

/// The time of the kernels of a call, in ms, between the library's own two events; other calls are not timed.
pub fn kernel_ms(ctx: Handle, call: impl FnOnce()) -> f64 {
    let mut ms = 0.0;
    check(gpumex_context_set_timing(ctx, 1));
    call();
    // SAFETY: a double.
    check(unsafe { gpumex_context_kernel_ms(ctx, &mut ms) });
    check(gpumex_context_set_timing(ctx, 0));
    ms
}

/// The time of what is put into the stream of the context, in ms: between two events.
pub fn device_ms(ctx: Handle, call: impl FnOnce()) -> f64 {
    let mut ms = 0.0;
    check(gpumex_timer_start(ctx));
    call();
    // SAFETY: writes one number.
    check(unsafe { gpumex_timer_stop(ctx, &mut ms) });
    ms
}

/// A tenth of a millisecond of work, so that the call behind it waits for the device and not the device for it.
pub fn keep_busy(ctx: Handle) {
    const ELEMENTS: usize = 1 << 27;
    thread_local!(static BLOCK: std::cell::Cell<*mut c_void> = const { std::cell::Cell::new(null_mut()) });
    if BLOCK.get().is_null() {
        BLOCK.set(malloc(ctx, MemoryKind::Device, ELEMENTS * 4));
    }
    let zero = 0.0f32;
    let number = Dtype::F32 as i32;
    // SAFETY: the block holds that many floats.
    check(unsafe { gpumex_fill(ctx, number, BLOCK.get(), ELEMENTS, (&raw const zero).cast()) });
}

pub fn malloc(ctx: Handle, kind: MemoryKind, bytes: usize) -> *mut c_void {
    let mut pointer = null_mut();
    // SAFETY: writes one pointer.
    check(unsafe { gpumex_malloc(ctx, kind as i32, bytes, &mut pointer) });
    pointer
}

pub fn copy(ctx: Handle, to: *mut c_void, from: *const c_void, bytes: usize) {
    // SAFETY: both hold `bytes` bytes.
    check(unsafe { gpumex_copy(ctx, to, from, bytes) });
}

pub fn random(len: usize) -> Vec<u8> {
    let mut bytes = vec![0; len];
    Pcg64::seed_from_u64(len as u64).fill_bytes(&mut bytes);
    bytes
}

pub fn seconds(body: impl FnOnce()) -> f64 {
    let start = Instant::now();
    body();
    start.elapsed().as_secs_f64()
}

pub fn median(rounds: usize, mut round: impl FnMut() -> f64) -> f64 {
    middle((0..rounds).map(|_| round()).collect())
}

pub fn middle(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

pub fn row(name: &str, achieved: f64, peer: f64, wanted: &str) {
    let peer = if peer.is_nan() { String::new() } else { format!("{peer:.1}") };
    println!("{name:44} | {achieved:10.1} | {peer:>10} | {wanted:>10}");
}

pub fn text(pointer: *const std::ffi::c_char) -> String {
    // SAFETY: a text of the library.
    unsafe { std::ffi::CStr::from_ptr(pointer) }.to_string_lossy().into_owned()
}

#[track_caller]
pub fn check(status: i32) {
    assert_eq!(status, 0, "{}", text(gpumex_last_error()));
}

#[track_caller]
pub fn ok(result: sys::CUresult) {
    assert_eq!(result, sys::CUresult::CUDA_SUCCESS);
}

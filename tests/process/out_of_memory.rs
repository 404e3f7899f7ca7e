//! Running out of memory, on the host and on the device, is a status; the context goes on.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::ops::life::LifeVariant;

use crate::common::*;

pub const ROLES: [Role; 2] =
    [("runs out of memory", runs_out_of_memory), ("runs out of device memory", runs_out_of_device_memory)];

#[repr(C)]
struct Limit {
    soft: u64,
    hard: u64,
}

const RLIMIT_AS: i32 = 9; // the size of the address space
const MAP_PRIVATE_ANONYMOUS_NORESERVE: i32 = 0x4022;

unsafe extern "C" {
    fn getrlimit(what: i32, limit: *mut Limit) -> i32;
    fn setrlimit(what: i32, limit: *const Limit) -> i32;
    fn mmap(at: *mut c_void, bytes: usize, access: i32, flags: i32, file: i32, offset: i64) -> *mut c_void;
    fn munmap(at: *mut c_void, bytes: usize) -> i32;
}

#[test]
fn running_out_of_host_memory_is_a_status_and_the_context_goes_on() {
    in_a_new_process("runs out of memory", &[]);
}

fn runs_out_of_memory() {
    let ctx = Context::cpu();
    ok(work(ctx.handle, 3), "gpumex_life while there is memory");
    let (rows, cols, spheres) = (1 << 14, 1 << 15, (1 << 29) / 28);
    let bytes = rows * cols;
    let (mut big, mut picture) = (vec![0.0f32; bytes / 4], vec![0u8; 256 * 256 * 4]);
    // SAFETY: one sphere, 256 x 256 pixels.
    let started =
        unsafe { gpumex_raytrace(ctx.handle, null(), big.as_ptr(), 1, 256, 256, picture.as_mut_ptr()) };
    ok(started, "gpumex_raytrace, which starts the threads while there is room for their stacks");
    let mut limit = Limit { soft: 0, hard: 0 };
    // SAFETY: a struct rlimit.
    assert_eq!(unsafe { getrlimit(RLIMIT_AS, &mut limit) }, 0);
    let pages = std::fs::read_to_string("/proc/self/statm").expect("Linux tells the size of a process");
    let pages: u64 = pages.split(' ').next().and_then(|pages| pages.parse().ok()).expect("a number of pages");
    let tight = Limit { soft: pages * 4096 + (32 << 20), hard: limit.hard };
    // SAFETY: a struct rlimit, now with room for 32 MiB more.
    assert_eq!(unsafe { setrlimit(RLIMIT_AS, &tight) }, 0);

    let at = big.as_mut_ptr();
    for variant in ctx.variants::<LifeVariant>() {
        let options = LifeOptions { variant: variant as i32, ..LifeOptions::default() };
        // SAFETY: rows*cols bytes, in place.
        let status = unsafe { gpumex_life(ctx.handle, &options, at.cast(), rows, cols, 1, at.cast()) };
        let what = format!("gpumex_life, {variant:?}, 512 MiB with room for 32");
        // The plain loop takes a second board and a frame of it, the others one of bits.
        let is_sequential = variant == LifeVariant::Sequential;
        let wanted = if is_sequential { (rows + 2) * (cols + 2) } else { bytes / 8 };
        refused(status, Status::OutOfMemory, &["gpumex_life", &wanted.to_string()], what);
        ok(count(ctx.handle), "gpumex_histogram after it");
    }
    // SAFETY: the floats of `big`, whose every seventh from the fourth on is a radius.
    unsafe { std::slice::from_raw_parts_mut(at, bytes / 4) }
        .iter_mut()
        .skip(3)
        .step_by(7)
        .for_each(|r| *r = 1.0);
    let mut pixel = [0u8; 4];
    // SAFETY: as many spheres as 512 MiB hold, one pixel.
    let status = unsafe { gpumex_raytrace(ctx.handle, null(), at, spheres, 1, 1, pixel.as_mut_ptr()) };
    refused(
        status,
        Status::OutOfMemory,
        &["gpumex_raytrace", &(12 * spheres).to_string()],
        "12 bytes for each of 512 MiB of spheres",
    );

    // SAFETY: a struct rlimit, as it was.
    assert_eq!(unsafe { setrlimit(RLIMIT_AS, &limit) }, 0);
    ok(work(ctx.handle, 3), "gpumex_life when there is memory again");
}

#[test]
fn running_out_of_device_memory_is_a_status_and_the_context_goes_on() {
    on_cuda_in_a_new_process("runs out of device memory");
}

fn runs_out_of_device_memory() {
    let Some(ctx) = Context::cuda() else { return };
    let (rows, words) = (1 << 22, 1 << 20);
    let bytes = rows * words * 8; // 32 TiB of addresses, and no memory
    // SAFETY: a mapping that nobody touches: there is no such device.
    let at = unsafe { mmap(null_mut(), bytes, 3, MAP_PRIVATE_ANONYMOUS_NORESERVE, -1, 0) };
    if at.addr() == usize::MAX {
        return leave_out("memory: 32 TiB of addresses are not to be had");
    }
    for variant in ctx.variants::<LifeVariant>() {
        let is_textbook = matches!(variant as i32, 2 | 5 | 6);
        let (cells, cols) = if is_textbook { (0, words * 8) } else { (1, words * 64) };
        let options = LifeOptions { variant: variant as i32, cells, ..LifeOptions::default() };
        // SAFETY: rows*cols cells, in place.
        let status = unsafe { gpumex_life(ctx.handle, &options, at, rows, cols, 1, at) };
        let what = format!("gpumex_life, {variant:?}, 32 TiB");
        match variant {
            LifeVariant::Cluster => refused(status, Status::Unsupported, &["gpumex_life", "cluster"], what),
            _ => refused(status, Status::OutOfMemory, &["gpumex_life", "bytes wanted"], what),
        }
        ok(count(ctx.handle), "gpumex_histogram after it");
    }
    // SAFETY: our mapping.
    assert_eq!(unsafe { munmap(at, bytes) }, 0);
}

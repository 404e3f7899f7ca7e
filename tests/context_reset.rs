//! Other code resets the CUDA device under the library, as MATLAB's `reset (gpuDevice)` does. In a process of its own: the reset ends
//! everything that the process has on the device.

use std::ptr::null_mut;

use gpumex::error::Status;
use gpumex::ffi::{gpumex_context_destroy, gpumex_free, gpumex_malloc, gpumex_reset_default, life_texture};
use gpumex::platform::settings::Backend;

use crate::common::*;

fn plain_life() -> i32 {
    let mut cells = [1u8; 16];
    let at = cells.as_mut_ptr();
    // SAFETY: 16 bytes, in place.
    let status = unsafe { life_texture(at, 4, 4, 1, at) };
    assert!(status != 0 || cells == [0; 16], "life_texture: a full board dies, got {cells:?}");
    status
}

/// A warm cache from before the reset gives no memory, and does not meet what a new context has at the same address.
fn memory_of_before_the_reset_is_told(driver: &cuda::Driver) {
    let open = || Context::cuda().expect("CUDA is here");
    let lend = |ctx: &Context| {
        let mut pointer = null_mut();
        // SAFETY: writes one pointer.
        let status = unsafe { gpumex_malloc(ctx.handle, 0, 1 << 20, &mut pointer) };
        (status, pointer)
    };
    let old = open();
    let (status, pointer) = lend(&old);
    ok(status, "gpumex_malloc before the reset");
    ok(gpumex_free(pointer), "gpumex_free before the reset");
    driver.reset_primary();
    let new = open();
    let (status, pointer) = lend(&new);
    ok(status, "gpumex_malloc on a new context");
    let (status, dead) = lend(&old);
    if status == 0 {
        ok(gpumex_free(dead), "memory at an address that nobody else has");
    } else {
        refused(status, Status::Cuda, &["gpumex_malloc", "reset"], "gpumex_malloc on the old context");
    }
    ok(gpumex_free(pointer), "gpumex_free on the new context");
    let again = [lend(&new), lend(&new)];
    assert_ne!(again[0].1, again[1].1, "one address for two");
    for (status, pointer) in again {
        ok(status, "gpumex_malloc after all");
        ok(gpumex_free(pointer), "gpumex_free after all");
    }
}

pub const ROLES: [Role; 1] = [("resets the device", resets_the_device)];

#[test]
fn a_device_reset_is_told_and_reset_default_goes_on() {
    on_cuda_in_a_new_process("resets the device");
}

fn resets_the_device() {
    let Some(cuda) = Context::cuda() else { return };
    let handle = cuda.handle;
    std::mem::forget(cuda); // it dies in the reset
    let driver = cuda::Driver::load();
    ok(plain_count(), "histogram before the reset");

    for (round, is_used_by_others) in [false, true, false].into_iter().enumerate() {
        let what = |call: &str| {
            format!("{call}, round {round}, others use the device after the reset: {is_used_by_others}")
        };
        driver.reset_primary();
        if is_used_by_others {
            driver.set_current(driver.retain_primary());
        }
        let current = driver.current();
        for _ in 0..2 {
            refused(plain_count(), Status::Cuda, &["histogram", "gpumex_reset_default"], what("histogram"));
            refused(
                plain_life(),
                Status::Cuda,
                &["life_texture", "gpumex_reset_default"],
                what("life_texture"),
            );
        }
        ok(gpumex_reset_default(), what("gpumex_reset_default"));
        for _ in 0..2 {
            ok(plain_count(), what("histogram after gpumex_reset_default"));
            ok(plain_life(), what("life_texture after gpumex_reset_default"));
        }
        assert_eq!(driver.current(), current, "{}", what("the caller's current CUDA context"));
        if is_used_by_others {
            driver.set_current(null_mut());
            driver.release_primary();
        }
    }

    memory_of_before_the_reset_is_told(&driver);
    ok(gpumex_context_destroy(handle), "destroying a context that the reset has ended");
    let new = Context::open(Backend::Cuda)
        .unwrap_or_else(|reason| panic!("a new context after the reset: {reason}"));
    let board = random_board(1, 33 * 31);
    let want = life(&Context::cpu(), Default::default(), &board, 33, 31, 5);
    assert_same(
        &life(&new, Default::default(), &board, 33, 31, 5),
        &want,
        "gpumex_life on a new context, seed 1",
    );
}

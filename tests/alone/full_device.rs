//! A device whose memory is all in use: a status with the size; what is cached in any context is given back for it.

use std::ffi::c_void;
use std::ptr::null_mut;

use gpumex::error::Status;
use gpumex::ffi::*;

use crate::alone_on_cuda;
use crate::common::*;

pub const ROLES: [Role; 1] = [("fills the device", fills_the_device)];

#[test]
fn a_full_device_refuses_and_serves_again() {
    alone_on_cuda("fills the device", &[]);
}

fn allocate(ctx: &Context, bytes: usize) -> Result<*mut c_void, i32> {
    let mut at = null_mut();
    // SAFETY: a pointer to write to.
    match unsafe { gpumex_malloc(ctx.handle, 0, bytes, &mut at) } {
        0 => Ok(at),
        status => Err(status),
    }
}

fn fills_the_device() {
    let Some(ctx) = Context::cuda() else { return };
    let open = || Context::open(ctx.backend).unwrap_or_else(|reason| panic!("another context: {reason}"));
    let (cold, other) = (open(), open());
    ok(gpumex_allocator_set_capacity(ctx.handle, u64::MAX, u64::MAX), "without a bound");
    ok(count(ctx.handle), "gpumex_histogram while there is memory");
    let piece = usize::try_from(info_of(ctx.handle).total_memory).expect("a size") / 16 + 1;
    let mut pieces = Vec::new();
    let status = loop {
        match allocate(&ctx, piece) {
            Ok(at) => pieces.push(at),
            Err(status) => break status,
        }
        assert!(pieces.len() < 16, "sixteen sixteenths of the device and more");
    };
    refused(
        status,
        Status::OutOfMemory,
        &["gpumex_malloc", "device memory", &piece.to_string()],
        "a full device",
    );
    ok(count(ctx.handle), "gpumex_histogram in what is left");

    // What was left of the device goes too; an operation that needs more is refused, and works when there is memory again.
    let mut rest = Vec::new();
    for bits in (9..40).rev() {
        while let Ok(at) = allocate(&ctx, 1 << bits) {
            rest.push(at);
        }
    }
    refused(
        work_in_temporaries(cold.handle),
        Status::OutOfMemory,
        &["gpumex_life", "bytes wanted"],
        "a temporary",
    );
    rest.into_iter().for_each(|at| ok(gpumex_free(at), "gpumex_free"));
    ok(work_in_temporaries(cold.handle), "gpumex_life when there is memory again");

    // A piece that is idle in one context's cache serves another size of its own and another context's.
    ok(gpumex_free(pieces.pop().expect("a piece")), "gpumex_free");
    let smaller = allocate(&ctx, piece - piece / 4).unwrap_or_else(|status| panic!("{}", explain(status)));
    ok(gpumex_free(smaller), "gpumex_free");
    let piece_of_other = allocate(&other, piece).unwrap_or_else(|status| panic!("{}", explain(status)));
    ok(gpumex_free(piece_of_other), "gpumex_free");
    pieces.into_iter().for_each(|at| ok(gpumex_free(at), "gpumex_free"));
}

//! Contexts that come and go: create, compute, allocate, free, destroy, thousands of times.

use std::ptr::null_mut;

use gpumex::ffi::*;
use gpumex::platform::settings::Backend;

use crate::common::{cuda::Driver, *};
use crate::held::Held;
use crate::{alone, alone_on_cuda};

pub const ROLES: [Role; 2] = [
    ("cycles on the CPU", || cycles(Backend::Cpu, 10_000)),
    ("cycles on CUDA", || cycles(Backend::Cuda, 1000)),
];

#[test]
fn ten_thousand_contexts_on_the_cpu_leave_nothing() {
    alone("cycles on the CPU", &[]);
}

#[test]
fn a_thousand_contexts_on_cuda_leave_nothing() {
    alone_on_cuda("cycles on CUDA", &[]);
}

fn cycles(backend: Backend, rounds: usize) {
    let driver = (backend == Backend::Cuda).then(Driver::load);
    if let Some(driver) = &driver {
        driver.set_current(driver.retain_primary());
    }
    (0..10).for_each(|round| cycle(backend, round));
    let then = Held::now(driver.as_ref());
    (10..rounds).for_each(|round| cycle(backend, round));
    Held::now(driver.as_ref()).is_as(&then, &format!("{rounds} contexts on {backend:?}"));
    cycle(backend, rounds);
    ok(plain_count(), "histogram afterwards");
}

/// One context, with memory of each kind in turn; sometimes the memory is freed after the context.
fn cycle(backend: Backend, round: usize) {
    let ctx = Context::open(backend).unwrap_or_else(|reason| panic!("round {round}: {reason}"));
    let mut at = null_mut();
    // SAFETY: a pointer to write to.
    ok(unsafe { gpumex_malloc(ctx.handle, round as i32 % 3, 100_000, &mut at) }, "gpumex_malloc");
    ok(count(ctx.handle), "gpumex_histogram");
    ok(gpumex_timer_start(ctx.handle), "gpumex_timer_start");
    if round.is_multiple_of(2) {
        ok(gpumex_free(at), "gpumex_free");
        drop(ctx);
    } else {
        drop(ctx);
        ok(gpumex_free(at), "gpumex_free after gpumex_context_destroy");
    }
}

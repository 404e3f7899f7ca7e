//! The timer of a context: between two marks in its work.

use std::ptr::null_mut;
use std::time::{Duration, Instant};

use gpumex::error::Status;
use gpumex::ffi::*;

use crate::common::*;

fn stop(ctx: &Context) -> f64 {
    let mut ms = -1.0;
    // SAFETY: a double.
    ok(unsafe { gpumex_timer_stop(ctx.handle, &mut ms) }, "gpumex_timer_stop");
    ms
}

#[test]
fn a_timer_that_was_not_started_is_refused() {
    for ctx in backends() {
        let mut value = 77.0;
        // SAFETY: a double.
        let (stopped, rate) = unsafe {
            (gpumex_timer_stop(ctx.handle, &mut value), gpumex_timer_throughput(ctx.handle, 1, 1, &mut value))
        };
        assert_eq!((stopped, rate), (Status::InvalidArgument as i32, Status::InvalidArgument as i32));
        says(&["gpumex_timer_throughput", "the timer was not started"], format!("{:?}", ctx.backend));
        assert_eq!(value, 77.0, "nothing is written");
    }
}

#[test]
fn the_timer_covers_the_work_and_goes_on() {
    for ctx in backends() {
        let start = Instant::now();
        ok(gpumex_context_set_timing(ctx.handle, 1), "gpumex_context_set_timing");
        ok(gpumex_timer_start(ctx.handle), "gpumex_timer_start");
        ok(work(ctx.handle, 500), "gpumex_life");
        let mut kernel_ms = 0.0;
        // SAFETY: a double.
        ok(unsafe { gpumex_context_kernel_ms(ctx.handle, &mut kernel_ms) }, "gpumex_context_kernel_ms");
        let (first, second) = (stop(&ctx), stop(&ctx));
        let wall_ms = start.elapsed().as_secs_f64() * 1e3;
        let what =
            format!("{:?}: kernels {kernel_ms}, timer {first}, {second}, wall {wall_ms} ms", ctx.backend);
        assert!(kernel_ms <= first && first <= second && second <= wall_ms * 1.01 + 0.01, "{what}");
        ok(gpumex_timer_start(ctx.handle), "gpumex_timer_start again");
        std::thread::sleep(Duration::from_millis(1));
        assert!(stop(&ctx) < 60e3, "{what}");
    }
}

#[test]
fn throughput_is_items_times_iterations_by_the_time() {
    for ctx in backends() {
        ok(gpumex_timer_start(ctx.handle), "gpumex_timer_start");
        ok(work(ctx.handle, 100), "gpumex_life");
        let before = stop(&ctx);
        let (mut once, mut many) = (0.0, 0.0);
        // SAFETY: a double each.
        unsafe {
            ok(gpumex_timer_throughput(ctx.handle, 250_000, 100, &mut once), "gpumex_timer_throughput");
            ok(gpumex_timer_throughput(ctx.handle, u64::MAX, u64::MAX, &mut many), "gpumex_timer_throughput");
        }
        let after = stop(&ctx);
        let (slow, fast) = (2.5e7 / (after / 1e3), 2.5e7 / (before / 1e3));
        let what = format!("{:?}: {once} a second, between {slow} and {fast}", ctx.backend);
        assert!(slow <= once * 1.001 && once <= fast * 1.001, "{what}");
        assert!(many.is_finite() && many > 1e30, "{many} a second");
    }
}

#[test]
fn a_result_that_is_null_is_refused() {
    for ctx in backends() {
        ok(gpumex_timer_start(ctx.handle), "gpumex_timer_start");
        // SAFETY: NULL is refused.
        let (stopped, rate) = unsafe {
            (gpumex_timer_stop(ctx.handle, null_mut()), gpumex_timer_throughput(ctx.handle, 1, 1, null_mut()))
        };
        assert_eq!((stopped, rate), (Status::NullPointer as i32, Status::NullPointer as i32));
        says(&["gpumex_timer_throughput", "per_second is NULL"], format!("{:?}", ctx.backend));
    }
}

//! Threads: one at a time in a context, each with a context of its own all at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::ops::histogram::HistogramVariant;
use gpumex::ops::life::LifeVariant;
use gpumex::ops::matmul::{MatmulOrder, MatmulVariant};
use gpumex::ops::raytrace::RaytraceVariant;

use super::every_call::*;
use crate::common::{histogram, matmul, raytrace, *};

pub const LONG_ENOUGH: Duration = Duration::from_secs(20);

#[test]
fn a_second_thread_that_enters_a_context_is_told_busy() {
    for ctx in backends() {
        for (name, call) in CALLS.iter().filter(|(name, _)| *name != "gpumex_context_destroy") {
            let (handle, is_told, start) = (ctx.handle as usize, AtomicBool::new(false), Instant::now());
            let goes_on = || !is_told.load(Ordering::Relaxed) && start.elapsed() < LONG_ENOUGH;
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    while goes_on() {
                        let status = work(handle_of(handle), 20);
                        assert!(
                            [0, Status::Busy as i32].contains(&status),
                            "gpumex_life: {}",
                            explain(status)
                        );
                    }
                });
                while goes_on() {
                    std::thread::sleep(Duration::from_micros(300)); // or it would win every race
                    let status = call(handle_of(handle));
                    if status != 0 {
                        is_told.store(true, Ordering::Relaxed);
                        refused(status, Status::Busy, &[name, "in use by another thread"], name);
                    }
                }
            });
            assert!(
                is_told.into_inner(),
                "{name} on {:?}: never BUSY while another thread was inside",
                ctx.backend
            );
        }
    }
}

#[test]
fn a_context_that_a_thread_is_in_is_not_destroyed() {
    for ctx in backends() {
        let is_refused = (0..100).any(|_| {
            let handle = gpumex_context_create(ctx.backend as i32, -1) as usize;
            let worker = std::thread::spawn(move || work(handle_of(handle), 1000));
            while backend_of(handle_of(handle)) != Err(Status::Busy as i32) && !worker.is_finished() {}
            let status = gpumex_context_destroy(handle_of(handle));
            let sentence = last_error();
            let worked = worker.join().expect("gpumex_life does not panic");
            if status == Status::Busy as i32 {
                assert!(sentence.contains("in use by another thread"), "BUSY, \"{sentence}\"");
                assert_eq!(worked, 0, "the work in a context that was not destroyed goes on");
                ok(gpumex_context_destroy(handle_of(handle)), "gpumex_context_destroy afterwards");
            }
            status == Status::Busy as i32
        });
        assert!(is_refused, "{:?}: destroyed a hundred times while another thread was inside", ctx.backend);
    }
}

#[test]
fn a_context_serves_one_thread_after_another() {
    for ctx in backends() {
        let handle = ctx.handle as usize;
        for thread in 0..10 {
            let status = std::thread::spawn(move || (count(handle_of(handle)), last_error()))
                .join()
                .expect("no panic");
            assert_eq!(status, (0, String::new()), "{:?}, thread {thread}", ctx.backend);
        }
    }
}

#[test]
fn contexts_of_many_threads_do_not_disturb_one_another() {
    let (board, bytes) = (random_board(2, 61 * 67), random_bytes(3, 70_001));
    let (a, b) = (random_f32(4, 30 * 40), random_f32(5, 40 * 20));
    let spheres = random_spheres(6, 2500, 40, 30);
    let all = |ctx: &Context| {
        (
            life(ctx, LifeVariant::Auto, &board, 61, 67, 10),
            histogram(ctx, HistogramVariant::Auto, &bytes),
            matmul(ctx, MatmulVariant::Naive, MatmulOrder::Row, [30, 20, 40], &a, &b),
            raytrace(ctx, RaytraceVariant::Constant, &spheres, 40, 30),
        )
    };
    for backend in backends().iter().map(|ctx| ctx.backend) {
        let open = || Context::open(backend).unwrap_or_else(|reason| panic!("{backend:?}: {reason}"));
        let want = all(&open());
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let (all, want) = (&all, &want);
                scope.spawn(move || {
                    for round in 0..10 {
                        let got = all(&open());
                        let what = format!("{backend:?}, thread {thread}, round {round}");
                        assert_same(&got.0, &want.0, format!("gpumex_life, {what}"));
                        assert_same(&got.1, &want.1, format!("gpumex_histogram, {what}"));
                        assert_same(&got.2, &want.2, format!("gpumex_matmul, {what}"));
                        assert_same(&got.3, &want.3, format!("gpumex_raytrace, {what}"));
                    }
                });
            }
        });
    }
}

//! Contexts whose policy is WAIT: threads take turns in them.

use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use gpumex::context::BusyPolicy;
use gpumex::error::Status;
use gpumex::ffi::*;

use super::create_with::{create, on, on_cpu};
use super::every_call::handle_of;
use super::threads::LONG_ENOUGH;
use crate::common::*;

pub const ROLES: [Role; 1] = [("forks with a waiting context", forks_with_a_waiting_context)];

/// A waiting context of each backend that is here.
fn waiting() -> Vec<Context> {
    let make = |ctx: &Context| create(&ContextOptions { busy: BusyPolicy::Wait as i32, ..on(ctx.backend) });
    backends().iter().map(|ctx| make(ctx).unwrap_or_else(|reason| panic!("{reason}"))).collect()
}

#[test]
fn calls_of_eight_threads_all_succeed() {
    for ctx in waiting() {
        let handle = ctx.handle as usize;
        std::thread::scope(|scope| {
            for thread in 0..8 {
                scope.spawn(move || {
                    for round in 0..40 {
                        let what = format!("thread {thread}, round {round}");
                        ok(work(handle_of(handle), 2), &what);
                        ok(count(handle_of(handle)), &what);
                    }
                });
            }
        });
    }
}

#[test]
fn every_thread_gets_its_turn() {
    for ctx in waiting() {
        let (handle, calls) = (ctx.handle as usize, [const { AtomicUsize::new(0) }; 8]);
        let start = Barrier::new(calls.len()); // a thread may be made late
        std::thread::scope(|scope| {
            for calls in &calls {
                let start = &start;
                scope.spawn(move || {
                    start.wait();
                    let end = Instant::now() + Duration::from_millis(400);
                    while Instant::now() < end {
                        ok(count(handle_of(handle)), "gpumex_histogram");
                        calls.fetch_add(1, Relaxed);
                    }
                });
            }
        });
        let calls = calls.map(AtomicUsize::into_inner);
        let mean = calls.iter().sum::<usize>() / 8;
        assert!(calls.iter().all(|&calls| calls >= mean / 4), "{:?}: {calls:?}", ctx.backend);
    }
}

/// What the callback of a call got that entered the context of `user`.
static NESTED: AtomicI32 = AtomicI32::new(-1);

unsafe extern "C" fn enter_another(user: *mut c_void, _: u64, _: u64) -> i32 {
    NESTED.store(backend_of(user.cast()).err().unwrap_or(0), Relaxed);
    0
}

#[test]
fn a_callback_that_enters_its_own_context_is_told_busy() {
    for ctx in waiting() {
        NESTED.store(-1, Relaxed);
        // SAFETY: a function that lives, and a handle.
        let set = unsafe { gpumex_context_set_progress(ctx.handle, Some(enter_another), ctx.handle.cast()) };
        ok(set, "gpumex_context_set_progress");
        ok(work(ctx.handle, 10), "gpumex_life");
        assert_eq!(NESTED.load(Relaxed), Status::Busy as i32, "{:?}", ctx.backend);
        says(&["in use by another thread, or by the call that this one is a callback of"], "the sentence");
    }
}

/// Two threads, each in a context of its own, whose callbacks enter the other one: one of them has to give up.
#[test]
fn threads_that_enter_one_anothers_contexts_do_not_wait_for_ever() {
    unsafe extern "C" fn enter_other(user: *mut c_void, _: u64, _: u64) -> i32 {
        let status = backend_of(user.cast()).err().unwrap_or(0);
        assert!([0, Status::Busy as i32].contains(&status), "{}", explain(status));
        0
    }
    let contexts = [(); 2].map(|()| {
        create(&ContextOptions { busy: BusyPolicy::Wait as i32, ..on_cpu() })
            .expect("the CPU backend is here")
    });
    let handles = contexts.each_ref().map(|ctx| ctx.handle as usize);
    let start = Barrier::new(2);
    for (own, other) in [(0, 1), (1, 0)] {
        let user = handle_of(handles[other]).cast();
        // SAFETY: a function that lives, and a handle.
        let set = unsafe { gpumex_context_set_progress(handle_of(handles[own]), Some(enter_other), user) };
        ok(set, "gpumex_context_set_progress");
    }
    std::thread::scope(|scope| {
        for own in handles {
            let start = &start;
            scope.spawn(move || {
                start.wait();
                (0..30).for_each(|_| ok(work(handle_of(own), 20), "gpumex_life"));
            });
        }
    });
}

/// The end of a context takes its turn as well; who comes behind finds no context.
#[test]
fn the_end_of_a_context_waits_for_the_call_before() {
    for backend in backends().iter().map(|ctx| ctx.backend) {
        let options = ContextOptions { busy: BusyPolicy::Wait as i32, ..on(backend) };
        for _ in 0..10 {
            let ctx =
                std::mem::ManuallyDrop::new(create(&options).unwrap_or_else(|reason| panic!("{reason}")));
            let (handle, is_inside) = (ctx.handle as usize, AtomicBool::new(false));
            std::thread::scope(|scope| {
                let worker = scope.spawn(|| {
                    is_inside.store(true, Relaxed);
                    work(handle_of(handle), 200)
                });
                while !is_inside.load(Relaxed) {
                    std::thread::yield_now();
                }
                ok(gpumex_context_destroy(handle_of(handle)), "gpumex_context_destroy");
                let status = worker.join().expect("no panic");
                let known = [0, Status::InvalidArgument as i32]; // it came before or behind
                assert!(known.contains(&status), "{}", explain(status));
            });
            let status = count(handle_of(handle));
            refused(status, Status::InvalidArgument, &["not a live context"], "afterwards");
        }
    }
}

unsafe extern "C" {
    fn fork() -> i32;
    fn waitpid(pid: i32, status: *mut i32, options: i32) -> i32;
    fn alarm(seconds: u32) -> u32;
    fn _exit(code: i32) -> !;
}

#[test]
fn a_forked_child_does_not_wait_for_threads_that_it_has_not() {
    in_a_new_process("forks with a waiting context", &[("GPUMEX_BACKEND", "cpu")]);
}

/// A child finds the context free, or BUSY where another thread of its parent was in it at that moment; its own one works.
fn forks_with_a_waiting_context() {
    let options = ContextOptions { busy: BusyPolicy::Wait as i32, threads: 2, ..on_cpu() };
    let ctx = create(&options).expect("the CPU backend is here");
    let (handle, is_over, mut seen) = (ctx.handle as usize, AtomicBool::new(false), [0; 2]);
    let start = Instant::now();
    let look = || {
        let first = backend_of(handle_of(handle)).err().unwrap_or(0);
        let again = backend_of(handle_of(handle)).err().unwrap_or(0);
        let own = create(&options).map_or(-1, |own| work(own.handle, 2));
        match (first, again, own) {
            (0, 0, 0) => 0,
            (busy, again, 0) if busy == Status::Busy as i32 && again == busy => 1,
            _ => 2,
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while !is_over.load(Relaxed) && start.elapsed() < LONG_ENOUGH {
                    ok(work(handle_of(handle), 5), "gpumex_life");
                }
            });
        }
        for _ in 0..40 {
            std::thread::sleep(Duration::from_millis(1));
            let mut status = -1;
            // SAFETY: the child calls the library and leaves, at the latest when it hangs.
            unsafe {
                let child = fork();
                if child == 0 {
                    alarm(60);
                    _exit(look());
                }
                assert_eq!(waitpid(child, &mut status, 0), child);
            }
            assert!(status & 0xff == 0 && status >> 8 < 2, "wait status {status:#x}, 14: the child hung");
            seen[(status >> 8) as usize] += 1;
        }
        is_over.store(true, Relaxed);
    });
    assert!(seen[1] > 0, "the context was never busy in a child: {seen:?}");
    // SAFETY: nobody is told.
    ok(unsafe { gpumex_context_set_progress(ctx.handle, None, null_mut()) }, "the parent goes on");
}

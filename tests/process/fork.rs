//! Fork: what a child can do with the library of its parent.

use std::ffi::{c_char, c_void};
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::memory::MemoryKind;
use gpumex::platform::settings::Backend;

use crate::common::*;

pub const ROLES: [Role; 5] = [
    ("forks", forks),
    ("forks amid calls", forks_amid_calls),
    ("forks amid first calls", forks_amid_first_calls),
    ("forks in the callback", forks_in_the_callback),
    ("forks with contexts that are busy", forks_with_contexts_that_are_busy),
];

unsafe extern "C" {
    fn fork() -> i32;
    fn waitpid(pid: i32, status: *mut i32, options: i32) -> i32;
    fn alarm(seconds: u32) -> u32;
    fn _exit(code: i32) -> !;
}

/// How a child that runs `body` ended: 0 after 0, 256 times the exit status after another, 14 when it hung.
fn in_child(body: impl FnOnce() -> i32) -> i32 {
    // SAFETY: the child calls the library and leaves.
    let child = unsafe { fork() };
    if child == 0 {
        // SAFETY: ends the child, at the latest when it hangs, without running what the parent will run.
        unsafe {
            alarm(60);
            _exit(body());
        }
    }
    let mut status = -1;
    // SAFETY: our child, an int.
    assert_eq!(unsafe { waitpid(child, &mut status, 0) }, child, "fork and waitpid");
    status
}

/// Every kind of call, on a context of one's own and on the default one: 0, or the number of the first that went wrong.
fn calls() -> i32 {
    let own = gpumex_context_create(Backend::Cpu as i32, -1);
    let default = gpumex_context_default();
    let statuses = [
        i32::from(own.is_null() || default.is_null()),
        work(own, 3),
        count(own),
        product(own),
        lend(own),
        plain_count(),
        product(default),
        count(null_mut()) - Status::NullPointer as i32,
        gpumex_context_destroy(own),
        gpumex_reset_default(),
        plain_count(),
    ];
    (1..).zip(statuses).find(|(_, status)| *status != 0).map_or(0, |(number, _)| number)
}

/// The status of 40 x 40 times 40 x 40.
fn product(ctx: Handle) -> i32 {
    let (a, mut c) = ([1.0f32; 1600], [0.0f32; 1600]);
    let (from, to) = (a.as_ptr().cast(), c.as_mut_ptr().cast());
    // SAFETY: three times 40 x 40 floats.
    let status = unsafe { gpumex_matmul(ctx, null(), 40, 40, 40, from, from, to) };
    if status == 0 && c != [40.0; 1600] { -1 } else { status }
}

/// The status of taking memory and giving it back.
fn lend(ctx: Handle) -> i32 {
    let mut memory = null_mut();
    // SAFETY: a pointer.
    match unsafe { gpumex_malloc(ctx, MemoryKind::Device as i32, 1000, &mut memory) } {
        0 => gpumex_free(memory),
        failed => failed,
    }
}

static LINES: AtomicU32 = AtomicU32::new(0);

unsafe extern "C" fn count_line(_: *mut c_void, _: i32, _: *const c_char) {
    LINES.fetch_add(1, Relaxed);
}

fn set_callback(callback: gpumex_log_callback) -> i32 {
    // SAFETY: a function of the test, which needs no user pointer.
    unsafe { gpumex_set_log_callback(callback, null_mut()) }
}

/// Runs `body` while each of the hammers runs again and again on a thread of its own. The threads have begun before: std takes a lock
/// of its own to start one, and would leave it locked in a child.
fn amid<T>(hammers: &[fn()], body: impl FnOnce() -> T) -> T {
    let (begun, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
    std::thread::scope(|scope| {
        for hammer in hammers {
            scope.spawn(|| {
                begun.fetch_add(1, Relaxed);
                while !is_over.load(Relaxed) {
                    hammer();
                }
            });
        }
        while begun.load(Relaxed) < hammers.len() {
            std::hint::spin_loop();
        }
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(body));
        is_over.store(true, Relaxed);
        result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// The CPU backend goes on in a forked child, with a pool of its own; CUDA says that it cannot.
#[test]
fn a_forked_child_can_use_the_cpu_backend() {
    in_a_new_process("forks", &[]);
}

fn forks() {
    let (cpu, cuda) = (Context::cpu(), Context::cuda());
    ok(work(cpu.handle, 3), "gpumex_life before fork");
    ok(plain_count(), "histogram before fork");
    // SAFETY: the child calls the library, prints and leaves.
    let child = unsafe { fork() };
    if child == 0 {
        // SAFETY: ends a child that hangs.
        unsafe { alarm(60) };
        let mut wrong = Vec::new();
        let mut wants = |what: &str, status: i32, want: i32| {
            if status != want {
                wrong.push(format!("{what} in a forked child: want status {want}, got {}", explain(status)));
            }
        };
        wants("gpumex_life on the CPU", work(cpu.handle, 3), 0);
        wants("histogram", plain_count(), 0);
        if let Some(cuda) = &cuda {
            wants("gpumex_histogram on CUDA", count(cuda.handle), Status::Unsupported as i32);
        }
        eprint!("{}", wrong.join("\n"));
        // SAFETY: leaves without running what the parent will run.
        unsafe { _exit(i32::from(!wrong.is_empty())) };
    }
    let mut status = 0;
    // SAFETY: our child, an int.
    assert_eq!(unsafe { waitpid(child, &mut status, 0) }, child, "fork and waitpid");
    assert_eq!(status, 0, "the child's exit status (14: it hung)");
    ok(work(cpu.handle, 3), "gpumex_life in the parent after fork");
    if let Some(cuda) = &cuda {
        ok(count(cuda.handle), "gpumex_histogram on CUDA in the parent after fork");
    }
}

/// Whatever the other threads of the parent are doing at that moment: a child works, and none hangs.
#[test]
fn a_child_that_is_forked_amid_calls_of_other_threads_works() {
    in_a_new_process("forks amid calls", &[("GPUMEX_BACKEND", "cpu"), ("GPUMEX_LOG", "debug")]);
}

fn forks_amid_calls() {
    ok(set_callback(Some(count_line)), "gpumex_set_log_callback");
    let hammers: [fn(); 4] = [
        || drop(Context::cpu()),
        || {
            ok(plain_count(), "histogram");
            assert_ne!(count(null_mut()), 0);
            ok(set_callback(Some(count_line)), "gpumex_set_log_callback");
        },
        || assert!([0, Status::Busy as i32].contains(&gpumex_reset_default())),
        || {
            let ctx = Context::cpu();
            (0..100).for_each(|_| ok(lend(ctx.handle), "gpumex_malloc and gpumex_free"));
            ok(work(ctx.handle, 1), "gpumex_life");
            ok(product(ctx.handle), "gpumex_matmul");
        },
    ];
    amid(&hammers, || {
        for round in 0..200 {
            assert_eq!(in_child(calls), 0, "round {round}: exit status * 256 of the child, or 14: it hung");
        }
    });
    assert!(LINES.load(Relaxed) > 200, "the threads wrote to the log");
}

/// What is set up once, at a first call, is set up whole or not at all in a child.
#[test]
fn a_child_that_is_forked_amid_first_calls_works() {
    in_a_new_process("forks amid first calls", &[("GPUMEX_BACKEND", "cpu")]);
}

fn forks_amid_first_calls() {
    for round in 0..100 {
        // A child that has not used the library yet has two threads that begin, and forks one of its own.
        let status = in_child(|| {
            let first: fn() = || _ = calls();
            amid(&[first, first], || {
                std::thread::sleep(Duration::from_micros(round * 20));
                i32::from(in_child(calls) != 0)
            })
        });
        assert_eq!(status, 0, "round {round}");
    }
}

/// The callback is called with the log's turn taken, here while the default context is made, and after a failed call.
#[test]
fn a_log_callback_may_fork() {
    in_a_new_process("forks in the callback", &[("GPUMEX_BACKEND", "cpu"), ("GPUMEX_LOG", "info")]);
}

fn forks_in_the_callback() {
    static FORKED: AtomicU32 = AtomicU32::new(0);
    static IS_CHILD: AtomicBool = AtomicBool::new(false);
    unsafe extern "C" fn fork_here(_: *mut c_void, _: i32, _: *const c_char) {
        if !IS_CHILD.load(Relaxed) {
            let status = in_child(|| {
                IS_CHILD.store(true, Relaxed);
                calls()
            });
            FORKED.fetch_add(u32::from(status == 0), Relaxed);
        }
    }
    ok(set_callback(Some(fork_here)), "gpumex_set_log_callback");
    ok(plain_count(), "histogram, which makes the default context");
    assert_ne!(count(null_mut()), 0);
    assert_eq!(FORKED.load(Relaxed), 2, "children that were forked by the callback and worked");
}

#[test]
fn a_context_that_another_thread_was_in_at_fork_is_busy_in_the_child() {
    in_a_new_process("forks with contexts that are busy", &[("GPUMEX_BACKEND", "cpu")]);
}

fn forks_with_contexts_that_are_busy() {
    static OWN: AtomicUsize = AtomicUsize::new(0);
    let (own, default) =
        (gpumex_context_create(Backend::Cpu as i32, -1) as usize, gpumex_context_default() as usize);
    OWN.store(own, Relaxed);
    let hammers: [fn(); 2] = [
        || ok(work(OWN.load(Relaxed) as Handle, 500), "gpumex_life"),
        || ok(work(gpumex_context_default(), 500), "gpumex_life on the default context"),
    ];
    let wrong = 4;
    let look = || {
        let answers = [own, default].map(|handle| backend_of(handle as Handle).err().unwrap_or(0));
        let [own, other] = answers.map(|answer| i32::from(answer == Status::Busy as i32));
        let are_known = answers.iter().all(|answer| [0, Status::Busy as i32].contains(answer));
        let works = gpumex_context_default() as usize != default && calls() == 0;
        if are_known && works { own + 2 * other } else { wrong }
    };
    amid(&hammers, || {
        let mut seen = 0;
        for _ in 0..50 {
            std::thread::sleep(Duration::from_millis(1));
            let status = in_child(look);
            assert!(
                status & 0xff == 0 && status >> 8 < wrong,
                "wait status {status:#x} of the child, 14: it hung"
            );
            seen |= status >> 8;
        }
        assert_eq!(seen, 3, "1: one's own context was busy in a child, 2: the parent's default one was");
    });
}

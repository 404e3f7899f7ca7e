//! The default context: the library's own, shared by all threads in turn, and built anew after a reset. Each test has a process of
//! its own, since a process has one default context, and other tests call it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::platform::settings::Backend;

use super::every_call::*;
use super::threads::LONG_ENOUGH;
use crate::common::*;

pub const ROLES: [Role; 6] = [
    ("takes turns in the default context", takes_turns),
    ("destroys the default context", destroys),
    ("goes on without the default context", goes_on_without),
    ("resets the default context", resets),
    ("resets the default context amid a call", resets_amid_a_call),
    ("resets the default context amid plain calls", resets_amid_plain_calls),
];

#[test]
fn calls_on_the_default_context_take_turns() {
    in_a_new_process("takes turns in the default context", &[]);
}

fn takes_turns() {
    let handle = gpumex_context_default() as usize;
    std::thread::scope(|scope| {
        for thread in 0..6 {
            scope.spawn(move || {
                for round in 0..10 {
                    let what = format!("thread {thread}, round {round}");
                    ok(plain_count(), format!("histogram, {what}"));
                    ok(work(handle_of(handle), 20), format!("gpumex_life with the default context, {what}"));
                    ok(
                        backend_of(handle_of(handle)).err().unwrap_or(0),
                        format!("gpumex_context_backend, {what}"),
                    );
                }
            });
        }
    });
}

#[test]
fn the_default_context_is_the_librarys() {
    in_a_new_process("destroys the default context", &[]);
}

fn destroys() {
    let handle = gpumex_context_default();
    assert!(!handle.is_null(), "{}", last_error());
    assert_eq!(gpumex_context_default(), handle, "it stays the same");
    let status = gpumex_context_destroy(handle);
    refused(
        status,
        Status::InvalidArgument,
        &["gpumex_context_destroy", "default"],
        "destroying the default context",
    );
    ok(count(handle), "the default context afterwards");
}

#[test]
fn a_null_context_has_the_reason_why_none_was_made() {
    let no_device = [("GPUMEX_BACKEND", "cuda"), ("GPUMEX_DEVICE", "1000")];
    in_a_new_process("goes on without the default context", &no_device);
}

fn goes_on_without() {
    let absent = gpumex_context_default();
    assert!(absent.is_null());
    let words = [&format!("ctx is NULL; {}", last_error())[..]];
    refused(count(absent), Status::NullPointer, &words, "a call with the context that was not made");
    assert!(!gpumex_context_create(Backend::Cpu as i32, -1).is_null(), "{}", last_error());
    refused(count(absent), Status::NullPointer, &["ctx is NULL"], "after a context was made");
    assert!(!last_error().contains("gpumex_context_default"), "{}", last_error());
}

#[test]
fn reset_default_makes_the_next_call_build_a_new_one() {
    in_a_new_process("resets the default context", &[]);
}

fn resets() {
    let before = gpumex_context_default();
    ok(gpumex_reset_default(), "gpumex_reset_default");
    ok(gpumex_reset_default(), "gpumex_reset_default with nothing to reset");
    assert_eq!(backend_of(before), Err(Status::InvalidArgument as i32), "the old handle is void");
    ok(plain_count(), "histogram after gpumex_reset_default");
    let after = gpumex_context_default();
    assert_ne!(after, before, "a new handle");
    ok(count(after), "gpumex_histogram on the new default context");
}

#[test]
fn reset_default_is_told_busy_while_a_call_is_running() {
    in_a_new_process("resets the default context amid a call", &[]);
}

fn resets_amid_a_call() {
    let (is_told, start) = (AtomicBool::new(false), Instant::now());
    let goes_on = || !is_told.load(Ordering::Relaxed) && start.elapsed() < LONG_ENOUGH;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let (board, mut next) = (random_board(1, 250_000), vec![0u8; 250_000]);
            while goes_on() {
                // SAFETY: both hold 500*500 bytes.
                let status = unsafe { life_shmem(board.as_ptr(), 500, 500, 200, next.as_mut_ptr()) };
                ok(status, "life_shmem while another thread resets the default context");
            }
        });
        while goes_on() {
            std::thread::sleep(Duration::from_micros(300)); // or it would win every race for a new context
            let status = gpumex_reset_default();
            if status != 0 {
                is_told.store(true, Ordering::Relaxed);
                refused(status, Status::Busy, &["gpumex_reset_default", "in use"], "gpumex_reset_default");
            }
        }
    });
    assert!(is_told.into_inner(), "gpumex_reset_default: never BUSY while another thread was inside");
}

#[test]
fn plain_calls_succeed_while_another_thread_resets_the_default_context() {
    in_a_new_process("resets the default context amid plain calls", &[]);
}

fn resets_amid_plain_calls() {
    let start = Instant::now();
    let goes_on = || start.elapsed() < Duration::from_millis(1500);
    std::thread::scope(|scope| {
        for thread in 0..3 {
            scope.spawn(move || {
                for round in (0..).take_while(|_| goes_on()) {
                    ok(
                        plain_count(),
                        format!("histogram while another thread resets, thread {thread}, round {round}"),
                    );
                }
            });
        }
        while goes_on() {
            let status = gpumex_reset_default();
            assert!([0, Status::Busy as i32].contains(&status), "gpumex_reset_default: {}", explain(status));
        }
    });
}

//! Handles of contexts: slots.rs, turns.rs, the default context.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{scope, spawn};

use models::context::{BusyPolicy, Context, LIVE, Options};
use models::error::{Result, Status};
use models::{handle, interrupt};

use crate::explore;

/// A context as a number, which threads may have.
fn give(busy: BusyPolicy) -> usize {
    handle::give(Context::with(&Options { busy, ..Options::default() }).unwrap()).unwrap().addr()
}

fn pointer(token: usize) -> *mut Context {
    std::ptr::without_provenance_mut(token)
}

fn call(token: usize) -> Option<Status> {
    status(handle::with(pointer(token), |ctx| {
        ctx.call();
        Ok(())
    }))
}

fn status<T>(result: Result<T>) -> Option<Status> {
    result.err().map(|error| error.status())
}

/// Threads call a context, another one destroys it and makes one in the same slot: each call meets its own context alone, or is
/// refused.
fn calls_beside_destruction(busy: BusyPolicy, others: BusyPolicy) {
    let token = give(busy);
    let callers = [0, 1].map(|_| {
        spawn(move || {
            for _ in 0..2 {
                let status = call(token);
                let waits = busy == BusyPolicy::Wait;
                assert!(
                    matches!(status, None | Some(Status::InvalidArgument))
                        || status == Some(Status::Busy) && !waits,
                    "{status:?}"
                );
            }
        })
    });
    let destroyer = spawn(move || {
        let destroyed = status(handle::destroy(pointer(token)));
        assert!(destroyed.is_none() || destroyed == Some(Status::Busy) && busy == BusyPolicy::Return);
        let other = give(others);
        assert_ne!(other, token);
        assert_eq!(call(other), None, "nobody else knows it");
        assert_eq!(status(handle::destroy(pointer(other))), None);
        destroyed.is_none()
    });
    callers.into_iter().for_each(|caller| caller.join().unwrap());
    if !destroyer.join().unwrap() {
        assert_eq!(status(handle::destroy(pointer(token))), None);
    }
    assert_eq!(call(token), Some(Status::InvalidArgument));
    assert_eq!(LIVE.load(Ordering::SeqCst), 0);
}

#[test]
fn a_context_is_destroyed_beside_calls() {
    explore(|| calls_beside_destruction(BusyPolicy::Return, BusyPolicy::Return));
    explore(|| calls_beside_destruction(BusyPolicy::Wait, BusyPolicy::Wait));
    explore(|| calls_beside_destruction(BusyPolicy::Wait, BusyPolicy::Return));
    explore(|| calls_beside_destruction(BusyPolicy::Return, BusyPolicy::Wait));
}

/// A cancel reaches the call that is there, or none: not one that begins after it, and the context is BUSY as ever meanwhile.
#[test]
fn a_cancel_ends_one_call() {
    explore(|| {
        let token = give(BusyPolicy::Return);
        let answered = Arc::new(AtomicBool::new(false));
        let canceller = {
            let answered = answered.clone();
            spawn(move || {
                assert_eq!(status(handle::cancel(pointer(token))), None);
                answered.store(true, Ordering::SeqCst);
            })
        };
        let other = spawn(move || assert!(matches!(call(token), None | Some(Status::Busy))));
        let mut cancelled = 0;
        for _ in 0..3 {
            let is_later = answered.load(Ordering::SeqCst);
            let outcome = handle::with(pointer(token), |ctx| {
                ctx.call();
                Ok(interrupt::is_cancelled())
            });
            assert!(!interrupt::is_cancelled(), "outside of calls");
            cancelled += u32::from(outcome.as_ref().is_ok_and(|&is_cancelled| is_cancelled));
            assert!(!(is_later && matches!(outcome, Ok(true))), "a later call");
        }
        assert!(cancelled <= 1);
        canceller.join().unwrap();
        other.join().unwrap();
        assert_eq!(call(token), None);
        handle::destroy(pointer(token)).unwrap();
    });
}

/// A context is cancelled while it is destroyed, and its slot is used again: the other context knows nothing of it.
#[test]
fn a_cancel_may_meet_the_end_of_a_context() {
    explore(|| {
        let token = give(BusyPolicy::Return);
        let canceller = spawn(move || {
            assert!(matches!(status(handle::cancel(pointer(token))), None | Some(Status::InvalidArgument)));
        });
        handle::destroy(pointer(token)).unwrap();
        let other = give(BusyPolicy::Return);
        let is_cancelled = handle::with(pointer(other), |ctx| {
            ctx.call();
            Ok(interrupt::is_cancelled())
        });
        assert!(matches!(is_cancelled, Ok(false)));
        canceller.join().unwrap();
        assert_eq!(status(handle::cancel(pointer(token))), Some(Status::InvalidArgument));
        handle::destroy(pointer(other)).unwrap();
        assert_eq!(LIVE.load(Ordering::SeqCst), 0);
    });
}

/// Two threads destroy one context: one of them does.
#[test]
fn a_context_is_destroyed_once() {
    explore(|| {
        let token = give(BusyPolicy::Wait);
        let both = [0, 1].map(|_| spawn(move || status(handle::destroy(pointer(token)))));
        let mut statuses = both.map(|thread| thread.join().unwrap());
        statuses.sort_by_key(|status| status.is_some());
        assert_eq!(statuses, [None, Some(Status::InvalidArgument)]);
        assert_eq!(LIVE.load(Ordering::SeqCst), 0);
    });
}

/// Threads that create and destroy share slots: each meets its own contexts.
#[test]
fn slots_are_reused() {
    explore(|| {
        let threads = [0, 1].map(|_| {
            spawn(|| {
                for busy in [BusyPolicy::Return, BusyPolicy::Wait] {
                    let token = give(busy);
                    assert_eq!(call(token), None);
                    assert_eq!(status(handle::destroy(pointer(token))), None);
                }
            })
        });
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        assert_eq!(LIVE.load(Ordering::SeqCst), 0);
    });
}

/// A token that a thread guesses, while it is given: its context is whole, or it is not alive.
#[test]
fn a_token_may_be_guessed() {
    const NEXT_CREATION: usize = 1 << 22; // of the same slot
    explore(|| {
        let before = give(BusyPolicy::Return);
        handle::destroy(pointer(before)).unwrap();
        let guess = before + NEXT_CREATION;
        let guesses = spawn(move || {
            for _ in 0..3 {
                assert!(matches!(call(guess), None | Some(Status::InvalidArgument)));
            }
        });
        assert_eq!(give(BusyPolicy::Return), guess);
        guesses.join().unwrap();
        assert_eq!(call(guess), None);
        handle::destroy(pointer(guess)).unwrap();
    });
}

/// All who wait come to their turn; a wake-up that is lost is a deadlock.
#[test]
fn every_ticket_is_served() {
    explore(|| {
        let token = give(BusyPolicy::Wait);
        scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..2).for_each(|_| assert_eq!(call(token), None)));
            }
        });
        handle::destroy(pointer(token)).unwrap();
    });
}

/// Threads that enter two contexts in opposite orders, the second one from a callback: nobody waits for ever.
#[test]
fn nested_contexts_do_not_deadlock() {
    explore(|| {
        let (a, b) = (give(BusyPolicy::Wait), give(BusyPolicy::Wait));
        let nested = |outer: usize, inner: usize| {
            handle::with(pointer(outer), |ctx| {
                ctx.call();
                assert!(matches!(call(inner), None | Some(Status::Busy)));
                assert_eq!(call(outer), Some(Status::Busy));
                Ok(())
            })
        };
        scope(|scope| {
            scope.spawn(move || nested(a, b).unwrap());
            scope.spawn(move || nested(b, a).unwrap());
            scope.spawn(move || assert_eq!(call(a), None));
        });
        for token in [a, b] {
            handle::destroy(pointer(token)).unwrap();
        }
    });
}

/// Calls on the default context never meet its reset, and there is one at a time.
#[test]
fn the_default_context_is_reset_beside_calls() {
    explore(|| {
        let callers = [0, 1].map(|_| {
            spawn(|| {
                for _ in 0..2 {
                    let call = |ctx: &mut Context| {
                        ctx.call();
                        Ok(())
                    };
                    assert_eq!(status(handle::with_default(call)), None);
                }
            })
        });
        let resetters = [0, 1].map(|_| spawn(|| status(handle::reset_default())));
        callers.into_iter().for_each(|caller| caller.join().unwrap());
        for resetter in resetters {
            assert!(matches!(resetter.join().unwrap(), None | Some(Status::Busy)));
        }
        assert_eq!(status(handle::reset_default()), None);
        assert_eq!(LIVE.load(Ordering::SeqCst), 0, "two default contexts, or one that was lost");
    });
}

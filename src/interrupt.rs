//! Cancelling a call from another thread: the loops of the call poll a flag, and unwind to where the call began.
//!
//! Flag       The word that says which call is in a context (handle/slots.rs): while it has a certain value, that call is cancelled.
//! Threads    A thread knows the interrupt of the call that it works for: the caller's from the time it enters the context, a thread of
//!            a pool for each piece of work that it takes, since it may take pieces of several calls in turn.
//! Unwinding  [`poll`] raises a panic that runs no hook; [`caught`] makes an error of it. rayon hands it from its threads to the
//!            caller's. Code that returns errors asks [`check`] instead.
//! Cost       A thread-local and a relaxed load a poll: loops poll every few 100 µs.
#![forbid(unsafe_code)]

use std::cell::Cell;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use crate::error::{Error, Result, Status};

/// What tells a call that it is cancelled, and what its error says.
#[derive(Clone, Copy)]
pub struct Interrupt {
    flag: Flag,
    start: Option<Instant>,
    reached: Option<(u64, u64)>, // of the whole call, where it is counted
    of_loop: Option<(u64, u64)>, // of the last loop of this thread that counts its parts
}

/// A word and the value that it has when the call is cancelled; None: nobody can cancel.
type Flag = Option<(&'static AtomicUsize, usize)>;

thread_local! {
    static CURRENT: Cell<Interrupt> = const { Cell::new(Interrupt::NONE) };
}

/// Makes an interrupt that of this thread until it is dropped.
pub struct Scope {
    outer: Interrupt,
}

/// What `poll` unwinds with.
struct Cancelled(Error);

impl Interrupt {
    const NONE: Interrupt = Interrupt { flag: None, start: None, reached: None, of_loop: None };

    /// That of a call which is cancelled while `word` is `value`.
    pub fn new(word: &'static AtomicUsize, value: usize) -> Interrupt {
        Interrupt { flag: Some((word, value)), ..Interrupt::NONE }
    }

    /// That of the call which this thread works for.
    pub fn current() -> Interrupt {
        CURRENT.get()
    }

    /// This thread works for its call from here on.
    #[inline]
    pub fn enter(self) -> Scope {
        Scope { outer: CURRENT.replace(self) }
    }

    /// Runs `body` for its call.
    pub fn run<T>(self, body: impl FnOnce() -> T) -> T {
        let _scope = self.enter();
        body()
    }
}

impl Drop for Scope {
    fn drop(&mut self) {
        CURRENT.set(self.outer);
    }
}

/// The work of the call of this thread begins, unless it has begun before: for what its error says.
pub fn begin(start: Instant) {
    let call = CURRENT.get();
    if call.start.is_none() {
        CURRENT.set(Interrupt { start: Some(start), ..call });
    }
}

/// Whether the call that this thread works for has been cancelled.
#[inline]
pub fn is_cancelled() -> bool {
    CURRENT.get().flag.is_some_and(|(word, value)| word.load(Ordering::Relaxed) == value)
}

/// Unwinds to [`caught`] when the call has been cancelled.
#[inline]
pub fn poll() {
    poll_at(0, 0);
}

/// The same, in a loop of `total` parts of which `done` are.
#[inline]
pub fn poll_at(done: usize, total: usize) {
    if is_cancelled() {
        unwind(done as u64, total as u64);
    }
}

/// The same, where a part of the loop may poll by itself and count nothing: then this is what its error says.
pub fn begin_part(done: usize, total: usize) {
    poll_at(done, total);
    if total > 1 {
        CURRENT.set(Interrupt { of_loop: Some((done as u64, total as u64)), ..CURRENT.get() });
    }
}

#[cold]
#[inline(never)]
fn unwind(done: u64, total: u64) -> ! {
    resume_unwind(Box::new(Cancelled(error(done, total))))
}

/// An error when the call has been cancelled.
pub fn check(done: usize, total: usize) -> Result<()> {
    if is_cancelled() { Err(error(done as u64, total as u64)) } else { Ok(()) }
}

/// Says how far the call came; a total of 0 says nothing.
#[cold]
fn error(done: u64, total: u64) -> Error {
    let Interrupt { start, reached, of_loop, .. } = Interrupt::current();
    let mut text = "gpumex_context_cancel ended the call".to_string();
    if let Some(start) = start {
        text += &format!(" after {:.3} s", start.elapsed().as_secs_f64());
    }
    match (reached, Some((done, total)).filter(|_| total > 0).or(of_loop)) {
        (Some((done, total)), _) => text += &format!("; {done} of {total} were done"),
        (None, Some((done, total))) => {
            text += &format!("; of the loop that it was in {done} of {total} parts were done");
        }
        (None, None) => {}
    }
    Error::new(Status::Cancelled, text)
}

/// Runs `body`; what `poll` unwinds with comes back as an error.
#[inline]
pub fn caught<T>(body: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|payload| match payload.downcast::<Cancelled>() {
        Ok(cancelled) => Err(cancelled.0),
        Err(panic) => resume_unwind(panic),
    })
}

/// Runs `body`, before which `done` of `total` parts of the whole call are done: what an error in it says, unless a larger part knows.
pub fn at<T>(done: u64, total: u64, body: impl FnOnce() -> T) -> T {
    let call = Interrupt::current();
    Interrupt { reached: call.reached.or(Some((done, total))), ..call }.run(body)
}

/// Iterations between two polls of a loop whose body is short.
pub const PIECE: usize = 1 << 16;

/// body (range) on pieces of 0 .. len, in order, with a poll before each.
#[inline]
pub fn in_pieces(len: usize, mut body: impl FnMut(Range<usize>)) {
    let mut from = 0;
    while from < len {
        let end = len.min(from.saturating_add(PIECE));
        poll_at(from, len);
        body(from..end);
        from = end;
    }
}

/// Polls every PIECE steps, in a loop whose length is not known.
pub struct Polls(usize);

impl Polls {
    pub fn new() -> Polls {
        Polls(0)
    }

    #[inline]
    pub fn step(&mut self) {
        self.0 += 1;
        if self.0.is_multiple_of(PIECE) {
            poll();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static WORD: AtomicUsize = AtomicUsize::new(0);
    const RAISED: usize = 7;

    fn interrupt() -> Interrupt {
        Interrupt::new(&WORD, RAISED)
    }

    /// What WORD says while `body` runs, behind what other tests do with it.
    fn with_word(value: usize, body: impl FnOnce()) {
        static TURN: std::sync::Mutex<()> = std::sync::Mutex::new(());
        let _turn = TURN.lock().unwrap_or_else(|poison| poison.into_inner());
        WORD.store(value, Ordering::Relaxed);
        body();
    }

    #[test]
    fn a_cancelled_call_says_how_far_it_came() {
        with_word(RAISED, || {
            let outcome = interrupt().run(|| {
                caught(|| {
                    begin(Instant::now());
                    poll_at(3, 12);
                    Ok(())
                })
            });
            let error = outcome.unwrap_err();
            assert_eq!(error.status(), Status::Cancelled);
            assert!(error.message().ends_with("3 of 12 parts were done"), "{error}");
            assert!(error.message().contains(" after 0.0"), "{error}");
            let begun = || {
                WORD.store(0, Ordering::Relaxed);
                begin_part(2, 9);
                begin_part(0, 1);
                WORD.store(RAISED, Ordering::Relaxed);
                check(0, 0)
            };
            let error = interrupt().run(|| caught(begun)).unwrap_err();
            assert!(error.message().ends_with("2 of 9 parts were done"), "{error}");
            let outcome = interrupt().run(|| caught(|| at(40, 50, || at(1, 2, || check(3, 12)))));
            let error = outcome.unwrap_err();
            assert!(error.message().ends_with("the call; 40 of 50 were done"), "{error}");
        });
    }

    #[test]
    fn the_interrupt_of_an_outer_call_comes_back_however_the_inner_one_ends() {
        with_word(RAISED, || {
            let idle = Interrupt::new(&WORD, RAISED + 1);
            idle.run(|| {
                assert!(!is_cancelled());
                assert!(interrupt().run(|| caught(|| check(0, 0))).is_err());
                assert!(!is_cancelled());
                poll();
            });
            assert!(!is_cancelled(), "a thread outside of calls");
        });
    }

    #[test]
    fn other_panics_go_on() {
        let outcome = std::panic::catch_unwind(|| caught(|| -> Result<()> { resume_unwind(Box::new(5)) }));
        assert_eq!(outcome.unwrap_err().downcast_ref(), Some(&5));
    }

    #[test]
    fn pieces_are_the_whole_in_order_and_a_cancel_ends_them() {
        with_word(0, || {
            let mut reached = 0;
            in_pieces(3 * PIECE + 5, |range| {
                assert_eq!(range.start, reached);
                reached = range.end;
            });
            assert_eq!(reached, 3 * PIECE + 5);
            let mut pieces = 0;
            let outcome = interrupt().run(|| {
                caught(|| {
                    in_pieces(3 * PIECE, |_| {
                        pieces += 1;
                        WORD.store(RAISED, Ordering::Relaxed);
                    });
                    Ok(())
                })
            });
            assert!(outcome.is_err() && pieces == 1);
            let mut polls = Polls::new();
            let outcome = interrupt().run(|| {
                caught(|| {
                    (0..=PIECE).for_each(|_| polls.step());
                    Ok(())
                })
            });
            assert!(outcome.is_err() && polls.0 == PIECE);
        });
    }
}

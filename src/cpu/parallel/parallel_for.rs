//! Work that is shared out among the threads of the pool. What rayon makes of a loop is compiled here, once for all operations.
//!
//! Each item and each body polls whether the call is cancelled, before it begins: an item takes some milliseconds at most, or polls
//! by itself.
#![forbid(unsafe_code)]

use std::iter;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::workers::Workers;
use crate::cpu::run;
use crate::error::Result;
use crate::interrupt::{Interrupt, begin_part, poll, poll_at};

/// body (index, item) for each item, on the threads of the current pool; on this thread alone where it `is_alone`.
pub fn parallel_for<T: Send>(
    is_alone: bool,
    items: impl ExactSizeIterator<Item = T> + Send,
    body: impl Fn(usize, T) + Sync,
) -> Result<()> {
    try_parallel_for(is_alone, items, |index, item| {
        body(index, item);
        Ok(())
    })
}

/// The same for a body that may fail: then some error is returned, and items may be left out.
pub fn try_parallel_for<T: Send>(
    is_alone: bool,
    mut items: impl ExactSizeIterator<Item = T> + Send,
    body: impl Fn(usize, T) -> Result<()> + Sync,
) -> Result<()> {
    let len = items.len();
    for_each_item(if is_alone { 1 } else { len }, len, &mut || items.next(), &body)
}

/// An operation of one loop: body (index, item) for each item, on the caller's thread and beside it on threads of the pool; where it
/// `is_alone` on the caller's thread alone. No body uses rayon, or much of the stack, which may be small.
pub fn parallel_for_beside<T: Send>(
    workers: &Workers,
    is_alone: bool,
    items: impl ExactSizeIterator<Item = T> + Send,
    body: impl Fn(usize, T) + Send + Sync,
) -> Result<()> {
    try_parallel_for_beside(workers, is_alone, items, |index, item| {
        body(index, item);
        Ok(())
    })
}

/// The same for a body that may fail: then some error is returned, and items may be left out.
pub fn try_parallel_for_beside<T: Send>(
    workers: &Workers,
    is_alone: bool,
    mut items: impl ExactSizeIterator<Item = T> + Send,
    body: impl Fn(usize, T) -> Result<()> + Send + Sync,
) -> Result<()> {
    let len = items.len();
    for_each_beside(workers, is_alone, len, &mut || items.next(), &body)
}

/// Of try_parallel_for_beside, for items and bodies of any type.
fn for_each_beside<T: Send>(
    workers: &Workers,
    is_alone: bool,
    len: usize,
    next: &mut (dyn FnMut() -> Option<T> + Send),
    body: &(dyn Fn(usize, T) -> Result<()> + Send + Sync),
) -> Result<()> {
    // A thread of a rayon pool of the program's own would take jobs of that pool while it waits: see run_in of workers.rs.
    if is_alone || rayon::current_thread_index().is_some() {
        return run(workers, is_alone, || for_each_item(if is_alone { 1 } else { len }, len, next, body))?;
    }
    let (items, error) = (Mutex::new(iter::from_fn(next).enumerate().fuse()), Mutex::new(None));
    workers.run_beside(len, &|| {
        let next = items.lock().unwrap_or_else(PoisonError::into_inner).next(); // unlocks before the body runs
        let Some((index, item)) = next else { return false };
        begin_part(index, len);
        let outcome = body(index, item);
        let is_done = outcome.is_ok();
        if let Err(failure) = outcome {
            error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failure);
            items.lock().unwrap_or_else(PoisonError::into_inner).by_ref().for_each(drop); // no thread begins another one
        }
        is_done
    })?;
    error.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
}

/// Of try_parallel_for, for items and bodies of any type, `len` of them, on at most so many threads at once.
fn for_each_item<T: Send>(
    at_once: usize,
    len: usize,
    next: &mut (dyn FnMut() -> Option<T> + Send),
    body: &(dyn Fn(usize, T) -> Result<()> + Sync),
) -> Result<()> {
    let mut items = iter::from_fn(next).enumerate();
    let body = |index, item| {
        begin_part(index, len);
        body(index, item)
    };
    if at_once <= 1 {
        return items.try_for_each(|(index, item)| body(index, item));
    }
    let items = Mutex::new(items);
    repeat(at_once, &|| {
        let next = items.lock().unwrap_or_else(PoisonError::into_inner).next(); // unlocks before the body runs
        next.map_or(Ok(false), |(index, item)| body(index, item).map(|()| true))
    })
}

/// Calls `next` until it returns false, on at most so many threads of the pool at once.
fn repeat(at_once: usize, next: &(dyn Fn() -> Result<bool> + Sync)) -> Result<()> {
    let call = Interrupt::current();
    (0..at_once.min(rayon::current_num_threads())).into_par_iter().try_for_each(|_| {
        call.run(|| {
            while next()? {}
            Ok(())
        })
    })
}

/// What the first piece has that has something.
pub fn find_first(pieces: usize, find: &(dyn Fn(usize) -> Option<usize> + Sync)) -> Option<usize> {
    let call = Interrupt::current();
    (0..pieces).into_par_iter().find_map_first(|piece| {
        call.run(|| {
            poll_at(piece, pieces);
            find(piece)
        })
    })
}

/// Both results; the second body perhaps on another thread.
pub fn join<A: Send, B: Send>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
    let (mut a, mut b) = (Some(a), Some(b));
    let (mut of_a, mut of_b) = (None, None);
    join_bodies(&mut || of_a = a.take().map(|a| a()), &mut || of_b = b.take().map(|b| b()));
    (of_a.expect("it ran"), of_b.expect("it ran"))
}

fn join_bodies(a: &mut (dyn FnMut() + Send), b: &mut (dyn FnMut() + Send)) {
    let call = Interrupt::current();
    let polled = |body: &mut (dyn FnMut() + Send)| {
        call.run(|| {
            poll();
            body();
        });
    };
    rayon::join(|| polled(a), || polled(b));
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::cpu::parallel::workers::{workers, workers_of};
    use crate::error::{Error, Status};
    use crate::interrupt;

    static WORD: AtomicUsize = AtomicUsize::new(1);

    /// Runs a loop whose items cancel it: few of them begin, on whatever threads, and the pool works on.
    #[track_caller]
    fn is_cancelled(body: impl Fn(&AtomicUsize) + Sync) {
        is_cancelled_beside(|begun| workers().run(|| body(begun)));
    }

    /// The same of a loop that is the operation.
    #[track_caller]
    fn is_cancelled_beside(run: impl Fn(&AtomicUsize) -> Result<()>) {
        let begun = AtomicUsize::new(0);
        let call = Interrupt::new(&WORD, 1);
        let outcome = call.run(|| interrupt::caught(|| run(&begun)));
        assert_eq!(outcome.unwrap_err().status(), Status::Cancelled);
        assert!(begun.load(Ordering::Relaxed) == 0, "an item began");
        run(&begun).unwrap();
        assert!(begun.load(Ordering::Relaxed) > 0, "another call of the same threads");
    }

    #[test]
    fn every_kind_of_loop_is_cancelled_on_all_threads() {
        is_cancelled(|begun| {
            let count = |_, _| {
                begun.fetch_add(1, Ordering::Relaxed);
            };
            parallel_for(false, 0..1000, count).unwrap();
        });
        is_cancelled(|begun| {
            find_first(1000, &|_| {
                begun.fetch_add(1, Ordering::Relaxed);
                None
            });
        });
        is_cancelled(|begun| {
            let count = || begun.fetch_add(1, Ordering::Relaxed);
            join(count, count);
        });
        is_cancelled_beside(|begun| {
            parallel_for_beside(&workers(), false, 0..1000, |_, _| {
                begun.fetch_add(1, Ordering::Relaxed);
            })
        });
    }

    /// Runs `test` here, and on a thread of a rayon pool of the program's own.
    fn on_all_kinds_of_threads(test: impl Fn() + Send + Sync) {
        test();
        rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap().install(test);
    }

    #[test]
    fn a_loop_beside_its_caller_runs_each_item_once() {
        on_all_kinds_of_threads(|| {
            for (threads, is_alone, len) in [(1, false, 9), (2, false, 0), (2, true, 9), (3, false, 1000)] {
                let mut times = vec![0; len];
                parallel_for_beside(&workers_of(threads), is_alone, times.iter_mut(), |index, time| {
                    *time += index + 1;
                })
                .unwrap();
                assert!(
                    times.iter().enumerate().all(|(index, &time)| time == index + 1),
                    "{threads} threads, {len} items"
                );
            }
        });
    }

    #[test]
    fn an_error_ends_a_loop_beside_its_caller() {
        on_all_kinds_of_threads(|| {
            let begun = AtomicUsize::new(0);
            let outcome = try_parallel_for_beside(&workers(), false, 0..100_000, |_, item| {
                begun.fetch_add(1, Ordering::Relaxed);
                if item == 10 { Err(Error::invalid("item 10")) } else { Ok(()) }
            });
            assert_eq!(outcome.unwrap_err().message(), "item 10");
            assert!(begun.load(Ordering::Relaxed) < 100_000, "all began");
        });
    }
}

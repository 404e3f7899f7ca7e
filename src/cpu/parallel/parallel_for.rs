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

/// body (index, item) for each item, on the caller's thread and beside it on threads of the pool. No body uses rayon.
pub fn parallel_for_beside<T: Send>(
    workers: &Workers,
    items: impl ExactSizeIterator<Item = T> + Send,
    body: impl Fn(usize, T) + Send + Sync,
) -> Result<()> {
    if rayon::current_thread_index().is_some() {
        // A thread of a rayon pool of the program's own would take jobs of that pool while it waits: see run_in of workers.rs.
        return run(workers, false, || parallel_for(false, items, body))?;
    }
    let len = items.len();
    let items = Mutex::new(items.enumerate());
    workers.run_beside(&|| {
        let next = items.lock().unwrap_or_else(PoisonError::into_inner).next(); // unlocks before the body runs
        next.map(|(index, item)| {
            begin_part(index, len);
            body(index, item);
        })
        .is_some()
    })
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
    use crate::cpu::parallel::workers::workers;
    use crate::error::Status;
    use crate::interrupt;

    static WORD: AtomicUsize = AtomicUsize::new(1);

    /// Runs a loop whose items cancel it: few of them begin, on whatever threads, and the pool works on.
    #[track_caller]
    fn is_cancelled(body: impl Fn(&AtomicUsize) + Sync) {
        let begun = AtomicUsize::new(0);
        let call = Interrupt::new(&WORD, 1);
        let outcome = call.run(|| interrupt::caught(|| workers().run(|| body(&begun))));
        assert_eq!(outcome.unwrap_err().status(), Status::Cancelled);
        assert!(begun.load(Ordering::Relaxed) == 0, "an item began");
        workers().run(|| body(&begun)).unwrap();
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
    }
}

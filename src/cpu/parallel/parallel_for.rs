//! Work that is shared out among the threads of the pool. What rayon makes of a loop is compiled here, once for all operations.
#![forbid(unsafe_code)]

use std::iter;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::error::Result;

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
    let at_once = if is_alone { 1 } else { items.len() };
    for_each_item(at_once, &mut || items.next(), &body)
}

/// The same for items and bodies of any type, on at most so many threads at once.
fn for_each_item<T: Send>(
    at_once: usize,
    next: &mut (dyn FnMut() -> Option<T> + Send),
    body: &(dyn Fn(usize, T) -> Result<()> + Sync),
) -> Result<()> {
    let mut items = iter::from_fn(next).enumerate();
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
    (0..at_once.min(rayon::current_num_threads())).into_par_iter().try_for_each(|_| {
        while next()? {}
        Ok(())
    })
}

/// What the first piece has that has something.
pub fn find_first(pieces: usize, find: &(dyn Fn(usize) -> Option<usize> + Sync)) -> Option<usize> {
    (0..pieces).into_par_iter().find_map_first(find)
}

/// Both results; the second body perhaps on another thread.
pub fn join<A: Send, B: Send>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
    let (mut a, mut b) = (Some(a), Some(b));
    let (mut of_a, mut of_b) = (None, None);
    join_bodies(&mut || of_a = a.take().map(|a| a()), &mut || of_b = b.take().map(|b| b()));
    (of_a.expect("it ran"), of_b.expect("it ran"))
}

fn join_bodies(a: &mut (dyn FnMut() + Send), b: &mut (dyn FnMut() + Send)) {
    rayon::join(a, b);
}

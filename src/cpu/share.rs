//! Work that is shared out among the threads of the pool. What rayon makes of a loop is compiled here, once for all operations.
#![forbid(unsafe_code)]

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::collected;
use crate::error::Result;

/// body (index, item) for each item, on the threads of the current pool; on this thread alone where it `is_alone`.
pub fn share_out<T: Send>(
    is_alone: bool,
    items: impl ExactSizeIterator<Item = T>,
    body: impl Fn(usize, T) + Sync,
) -> Result<()> {
    try_share_out(is_alone, items, |index, item| {
        body(index, item);
        Ok(())
    })
}

/// The same for a body that may fail: then some error is returned, and items may be left out.
pub fn try_share_out<T: Send>(
    is_alone: bool,
    items: impl ExactSizeIterator<Item = T>,
    body: impl Fn(usize, T) -> Result<()> + Sync,
) -> Result<()> {
    if is_alone || items.len() <= 1 {
        return items.enumerate().try_for_each(|(index, item)| body(index, item));
    }
    let places = collected(items.map(|item| Mutex::new(Some(item))))?;
    for_each_index(places.len(), &|index| {
        let item = places[index].lock().unwrap_or_else(PoisonError::into_inner).take();
        item.map_or(Ok(()), |item| body(index, item))
    })
}

fn for_each_index(count: usize, body: &(dyn Fn(usize) -> Result<()> + Sync)) -> Result<()> {
    (0..count).into_par_iter().try_for_each(body)
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

//! Two arrays in order become one, on the CPU.
//!
//! Algorithm  The path of the merge is cut into pieces of equal length, each cut by bisection of a diagonal; the pieces are merged
//!            on all cores, each by the plain loop.
//! Cost       Reads and writes each element once; 2·log2 n loads a piece.
//! Source     S. Odeh, O. Green, Z. Mwassi, O. Shmueli, Y. Birk, "Merge Path - Parallel Merging Made Simple", 2012.
#![forbid(unsafe_code)]

use rayon::prelude::*;

use super::{Workers, is_small};
use crate::error::Result;
use crate::primitives::{Index, Key, Order};

/// Elements of a piece.
const PIECE: usize = 1 << 16;

/// What is merged: keys in order, and what comes to the array of values.
pub struct Merging<'a, K, V> {
    pub a: &'a [K],
    pub b: &'a [K],
    pub sources: Sources<'a, V>,
    pub order: Order,
}

/// What moves with the keys.
pub enum Sources<'a, V> {
    Nothing,
    Values(&'a [V], &'a [V]),
    /// Where in a, and then in b, the keys stood.
    Positions,
}

/// An element of the array of values; () is none.
pub trait Carried: Copy + Send + Sync {
    fn position(position: usize) -> Self;
}

impl Carried for () {
    fn position(_: usize) {}
}

impl Carried for u32 {
    fn position(position: usize) -> u32 {
        Index::from_usize(position)
    }
}

impl Carried for u64 {
    fn position(position: usize) -> u64 {
        Index::from_usize(position)
    }
}

/// keys, values ← the elements of a and b in one order.
pub fn merge<K: Key, V: Carried>(
    workers: &Workers,
    is_sequential: bool,
    merging: Merging<K, V>,
    keys: &mut [K],
    values: &mut [V],
) -> Result<()> {
    if is_sequential || is_small(keys) {
        workers.run_sequential(|| piece(&merging, 0, keys, values));
        return Ok(());
    }
    workers.run(|| {
        let pieces = keys.par_chunks_mut(PIECE).zip(values.par_chunks_mut(PIECE)).enumerate();
        pieces.for_each(|(index, (keys, values))| piece(&merging, index * PIECE, keys, values));
    })
}

/// How many of the first `diagonal` elements of the merge are a's; of equal elements those of a come first.
pub fn path<T, R: Ord>(a: &[T], b: &[T], diagonal: usize, rank: impl Fn(&T) -> R) -> usize {
    let (mut low, mut high) = (diagonal.saturating_sub(b.len()), diagonal.min(a.len()));
    while low < high {
        let middle = low + (high - low) / 2;
        match rank(&a[middle]) <= rank(&b[diagonal - 1 - middle]) {
            true => low = middle + 1,
            false => high = middle,
        }
    }
    low
}

/// The elements of the merge from `begin` on.
fn piece<K: Key, V: Carried>(merging: &Merging<K, V>, begin: usize, keys: &mut [K], values: &mut [V]) {
    let Merging { a, b, sources, order } = merging;
    let mut i = path(a, b, begin, |key| key.rank(*order));
    let mut j = begin - i;
    for (key, value) in keys.iter_mut().zip(values) {
        let is_a = i < a.len() && (j >= b.len() || a[i].rank(*order) <= b[j].rank(*order));
        *key = if is_a { a[i] } else { b[j] };
        *value = match sources {
            Sources::Values(from, _) if is_a => from[i],
            Sources::Values(_, from) => from[j],
            _ => V::position(if is_a { i } else { a.len() + j }),
        };
        if is_a { i += 1 } else { j += 1 }
    }
}

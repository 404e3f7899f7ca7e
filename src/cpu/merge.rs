//! Two arrays in order become one, on the CPU.
//!
//! Algorithm  The path of the merge is cut into pieces of equal length, each cut by bisection of a diagonal; the pieces are merged
//!            on all cores, each by the plain loop.
//! Cost       Reads and writes each element once; 2·log2 n loads a piece. No step of the loop is guessed: which element is next
//!            becomes a number.
//! Source     S. Odeh, O. Green, Z. Mwassi, O. Shmueli, Y. Birk, "Merge Path - Parallel Merging Made Simple", 2012.
#![forbid(unsafe_code)]

use std::hint::select_unpredictable;
use std::iter;

use super::Workers;
use super::gallop::partition_point;
use super::is_small_for_long_work;
use super::parallel::parallel_for::parallel_for_beside;
use crate::error::Result;
use crate::model::order::{Key, KeyOrder};
use crate::model::payload::{Value, Values};

/// Elements of a piece.
const PIECE: usize = 1 << 16;

/// keys, values ← the elements of a and b in one order; each has keys in order, and values beside them.
pub fn merge<K: Key, V: Value>(
    workers: &Workers,
    is_sequential: bool,
    order: KeyOrder,
    (a, a_values): (&[K], Values<V>),
    (b, b_values): (&[K], Values<V>),
    keys: &mut [K],
    values: &mut [V],
) -> Result<()> {
    let is_alone = is_sequential || is_small_for_long_work(keys);
    let pieces = keys.chunks_mut(PIECE).zip(values.chunks_mut(PIECE));
    parallel_for_beside(workers, is_alone, pieces, |index, to| match (&a_values, &b_values) {
        (Values::Given(x), Values::Given(y)) => {
            fill(order, (a, |i| x[i]), (b, |j| y[j]), index * PIECE, to);
        }
        _ => {
            let (x, y) = (a_values.first(), b_values.first());
            let positions = [x, y].map(|first| move |i| V::from_position(first + i));
            fill(order, (a, positions[0]), (b, positions[1]), index * PIECE, to);
        }
    })
}

/// keys, values ← the merge from its element `begin` on.
fn fill<K: Key, V: Value>(
    order: KeyOrder,
    (a, a_value): (&[K], impl Fn(usize) -> V),
    (b, b_value): (&[K], impl Fn(usize) -> V),
    begin: usize,
    (keys, values): (&mut [K], &mut [V]),
) {
    let (a_element, b_element) = (|i: usize| (a[i], a_value(i)), |j: usize| (b[j], b_value(j)));
    let elements = merged((a_element, a.len()), (b_element, b.len()), begin, |pair| pair.0.rank(order));
    for ((key, value), element) in keys.iter_mut().zip(values).zip(elements) {
        (*key, *value) = element;
    }
}

/// The merge of two runs in order, a (i) and b (j) for so many i and j, from its element `begin` on; of equal elements those of a
/// come first.
pub fn merged<T: Copy, R: Ord>(
    (a, a_len): (impl Fn(usize) -> T, usize),
    (b, b_len): (impl Fn(usize) -> T, usize),
    begin: usize,
    rank: impl Fn(&T) -> R,
) -> impl Iterator<Item = T> {
    let is_a = |i: usize| rank(&a(i)) <= rank(&b(begin - 1 - i));
    let mut i = partition_point(begin.saturating_sub(b_len), begin.min(a_len), is_a);
    let mut j = begin - i;
    iter::from_fn(move || {
        if i < a_len && j < b_len {
            let (x, y) = (a(i), b(j));
            let is_a = rank(&x) <= rank(&y);
            i += usize::from(is_a);
            j += usize::from(!is_a);
            return Some(select_unpredictable(is_a, x, y));
        }
        if i < a_len {
            i += 1;
            return Some(a(i - 1));
        }
        (j < b_len).then(|| {
            j += 1;
            b(j - 1)
        })
    })
}

//! How many elements of one sorted array equal each element of another, on the CPU.
//!
//!   lower[i] = lower bound of a[i] in b,  counts[i] = upper bound of a[i] in b - lower[i]
//!
//! Algorithm  Chunks of a in parallel: one search for the first element, then leaps from each element's place to the next one's.
//! Cost       Reads a, and b where it is near an element of a; writes what is asked for.
#![forbid(unsafe_code)]

use super::Workers;
use super::gallop::{gallop, partition_point};
use super::is_small_for_long_work;
use super::parallel::chunks::{CHUNK, take};
use super::parallel::parallel_for::parallel_for;
use super::run;
use crate::error::Result;
use crate::interrupt::in_pieces;
use crate::model::index::Index;
use crate::model::order::{Key, KeyOrder};

pub fn sorted_equality_count<T: Key, I: Index>(
    workers: &Workers,
    order: KeyOrder,
    a: &[T],
    b: &[T],
    counts: &mut [I],
    mut lower: Option<&mut [I]>,
) -> Result<()> {
    let body = |a: &[T], counts: &mut [I], mut lower: Option<&mut [I]>| {
        let Some(first) = a.first().map(|key| key.rank(order)) else { return };
        let mut begin = partition_point(0, b.len(), |j| b[j].rank(order) < first);
        let mut end = begin;
        for i in 0..a.len() {
            let rank = a[i].rank(order);
            begin = gallop(begin, b.len(), |j| b[j].rank(order) < rank);
            end = gallop(end.max(begin), b.len(), |j| b[j].rank(order) <= rank);
            counts[i] = I::from_usize(end - begin);
            if let Some(lower) = &mut lower {
                lower[i] = I::from_usize(begin);
            }
        }
    };
    run(workers, is_small_for_long_work(a), || {
        let chunks = a.chunks(CHUNK).zip(counts.chunks_mut(CHUNK)).map(|(a, counts)| {
            let lower = lower.as_mut().map(|rest| take(rest, a.len()));
            (a, counts, lower)
        });
        parallel_for(is_small_for_long_work(a), chunks, |_, (a, counts, lower)| body(a, counts, lower))
    })?
}

/// The plain loop.
pub fn sequential<T: Key, I: Index>(
    workers: &Workers,
    order: KeyOrder,
    a: &[T],
    b: &[T],
    counts: &mut [I],
    mut lower: Option<&mut [I]>,
) -> Result<()> {
    workers.run_sequential(|| {
        in_pieces(a.len(), |range| {
            for i in range {
                let rank = a[i].rank(order);
                let begin = b.partition_point(|key| key.rank(order) < rank);
                let end = b.partition_point(|key| key.rank(order) <= rank);
                counts[i] = I::from_usize(end.saturating_sub(begin));
                if let Some(lower) = &mut lower {
                    lower[i] = I::from_usize(begin);
                }
            }
        });
    });
    Ok(())
}

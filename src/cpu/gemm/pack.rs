//! Panels: parts of A and B in the order in which tiles read them.
#![forbid(unsafe_code)]

use std::array::from_fn;

use super::Float;
use crate::prefetch::{AHEAD, prefetch, prefetch_to_l2};

/// to ← the panel of `lines` ≤ N lines and `terms` terms, term by term, N elements each; the last line stands for those that are
/// not there. Element (line, term) is `from[line * across + term * along]`.
#[inline(always)] // so that it is compiled for the caller's instruction set
pub fn pack<T: Float, const N: usize>(
    to: &mut [T],
    from: &[T],
    (lines, terms): (usize, usize),
    (across, along): (usize, usize),
) {
    let panel = to.as_chunks_mut::<N>().0.iter_mut().enumerate();
    if lines == N && across == 1 {
        for (term, to) in panel {
            let (ahead, next) = ((term + AHEAD) * along, term * along + N); // in this panel and in the next one
            if let Some(ahead) = from.get(ahead..).and_then(|ahead| ahead.get(..N)) {
                prefetch(ahead);
            }
            if let Some(next) = from.get(next..).and_then(|next| next.get(..N)) {
                prefetch_to_l2(next);
            }
            to.copy_from_slice(&from[term * along..][..N]);
        }
        return;
    }
    let last = (terms - 1) * along;
    let lines: [&[T]; N] = from_fn(|line| &from[line.min(lines - 1) * across..][..=last]);
    if along == 1 {
        for (term, to) in panel {
            for (to, line) in to.iter_mut().zip(&lines) {
                *to = line[term];
            }
        }
    } else {
        for (term, to) in panel {
            for (to, line) in to.iter_mut().zip(&lines) {
                *to = line[term * along];
            }
        }
    }
}

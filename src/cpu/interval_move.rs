//! Many intervals of elements, each from its place to its place, on the CPU.
//!
//!   output[scatter[j] + r] = input[gather[j] + r]        j = upper_bound (scan, k) - 1, r = k - scan[j], 0 ≤ k < count
//!
//! Algorithm  Without scatter chunks of the output in parallel, a copy an interval. With it the intervals are sorted by their places
//!            in the output, unless they are; where they lie apart, pieces of the output are written in parallel. Where they
//!            overlap, one core copies them.
//! Cost       Reads and writes each element once; 24 bytes of memory an interval where there is a scatter.
#![forbid(unsafe_code)]

use super::Workers;
use super::intervals;
use super::is_small;
use super::parallel::chunks;
use super::parallel::chunks::take;
use super::parallel::parallel_for::parallel_for;
use super::parallel::sort::sort_unstable_by_key;
use super::reserved;
use super::run;
use crate::error::Result;
use crate::interrupt::{in_pieces, poll};
use crate::model::index::Index;
use crate::vector;

/// Where intervals of `count` elements in all lie: in a dense row by scan, and by gather in the input, by scatter in the output.
pub struct Places<'a, I> {
    pub count: usize,
    pub gather: Option<&'a [I]>,
    pub scatter: Option<&'a [I]>,
    pub scan: &'a [I],
}

/// A copy of `len` elements, which exist on both sides.
#[derive(Clone, Copy)]
struct Run {
    from: usize,
    to: usize,
    len: usize,
}

const PIECE: usize = 1 << 16; // elements that a thread takes at once

pub fn interval_move<T: Copy + Send + Sync, I: Index>(
    workers: &Workers,
    places: &Places<I>,
    input: &[T],
    output: &mut [T],
) -> Result<()> {
    let covered = places.count.min(output.len());
    if places.scatter.is_none() {
        let dense = &mut output[..covered];
        let body = |first: usize, chunk: &mut [T]| {
            intervals::for_each(places.scan, first, first + chunk.len(), |interval, from, to| {
                let gathered = places.run(interval, from, to, input.len(), first + chunk.len());
                chunk[from - first..][..gathered.len]
                    .copy_from_slice(&input[gathered.from..][..gathered.len]);
            });
        };
        return chunks::on_pool(workers, dense, &body);
    }

    let mut runs = reserved::<Run>(places.scan.len())?;
    let is_small = is_small(&output[..covered]) && is_small(places.scan);
    run(workers, is_small, || {
        intervals::for_each(places.scan, 0, places.count, |interval, from, to| {
            runs.push(places.run(interval, from, to, input.len(), output.len()));
            if runs.len().is_multiple_of(PIECE) {
                poll();
            }
        });
        if !are_apart(&runs) {
            sort_unstable_by_key(is_small, &mut runs, &|run| (run.to, run.len)); // empty ones first
        }
        if !are_apart(&runs) {
            for piece in runs.chunks(PIECE) {
                poll();
                piece.iter().for_each(|run| copy(run, input, output));
            }
            return Ok(());
        }
        parallel_for(is_small, pieces(&runs, output)?.into_iter(), |_, (runs, begin, part)| {
            for run in runs {
                copy(&Run { to: run.to - begin, ..*run }, input, part);
            }
        })
    })?
}

/// Whether runs ascend and do not overlap.
fn are_apart(runs: &[Run]) -> bool {
    let mut pieces =
        (0..runs.len()).step_by(PIECE).map(|begin| &runs[begin..runs.len().min(begin + PIECE + 1)]);
    pieces.all(|runs| {
        poll();
        runs.windows(2).all(|pair| pair[0].to + pair[0].len <= pair[1].to)
    })
}

/// Runs in a row, and the part of the output that they write, which begins at an element.
type Piece<'r, 'o, T> = (&'r [Run], usize, &'o mut [T]);

/// Runs that lie apart and ascend, in groups of PIECE elements and a few more.
fn pieces<'r, 'o, T>(mut runs: &'r [Run], mut output: &'o mut [T]) -> Result<Vec<Piece<'r, 'o, T>>> {
    let (mut pieces, mut begin) = (reserved(output.len() / PIECE + 1)?, 0);
    while !runs.is_empty() {
        poll();
        let mut elements = 0;
        let is_more = |run: &&Run| {
            let is_room = elements < PIECE;
            elements += run.len;
            is_room
        };
        let (group, rest) = runs.split_at(runs.iter().take_while(is_more).count());
        let end = rest.first().map_or(begin + output.len(), |run| run.to);
        pieces.push((group, begin, take(&mut output, end - begin)));
        (runs, begin) = (rest, end);
    }
    Ok(pieces)
}

fn copy<T: Copy>(run: &Run, input: &[T], output: &mut [T]) {
    let (input, output) = (&input[run.from..][..run.len], &mut output[run.to..][..run.len]);
    if run.len <= PIECE {
        output.copy_from_slice(input);
    } else {
        vector::copy(output, input);
    }
}

impl<I: Index> Places<'_, I> {
    /// The elements from .. to of an interval, as far as input and output have them.
    fn run(&self, interval: usize, from: usize, to: usize, input_count: usize, output_count: usize) -> Run {
        let place = |starts: Option<&[I]>, count: usize| match starts {
            Some(starts) => {
                let in_interval = from.saturating_sub(self.scan[interval].to_usize());
                starts[interval].to_usize().saturating_add(in_interval).min(count)
            }
            None => from.min(count),
        };
        let (read, written) = (place(self.gather, input_count), place(self.scatter, output_count));
        Run { from: read, to: written, len: (to - from).min(input_count - read).min(output_count - written) }
    }
}

/// The plain loop.
pub fn sequential<T: Copy + Send + Sync, I: Index>(
    workers: &Workers,
    places: &Places<I>,
    input: &[T],
    output: &mut [T],
) -> Result<()> {
    workers.run_sequential(|| {
        let mut intervals = intervals::Cursor::new(places.scan);
        let count = if places.scatter.is_none() { places.count.min(output.len()) } else { places.count };
        in_pieces(count, |range| {
            for k in range {
                let Run { from, to, len } = places.run(intervals.of(k), k, k + 1, input.len(), output.len());
                if len > 0 {
                    output[to] = input[from];
                }
            }
        });
    });
    Ok(())
}

//! Elements to positions of each dimension of an N-D array, on the CPU.
//!
//!   target\[s0\[i0\], s1\[i1\], …\] = values\[i0, i1, …\], where the positions are in range
//!
//! Algorithm  Chunks of the values in parallel, whose stores are relaxed atomics: plain stores of the machine. In order, where the
//!            last one of equal places has to win: chunk after chunk on one thread.
//! Cost       Reads values once; a cache line of target an element that is far from the one before.
#![forbid(unsafe_code)]

use super::indexing::{Run, Walker};
use super::parallel::chunks::CHUNK;
use super::parallel::parallel_for::parallel_for;
use super::{Workers, run};
use crate::error::Result;
use crate::interrupt::poll;
use crate::model::dtype::Bits;

const SMALL: usize = 1 << 12; // elements

/// values: all of them, or one that goes to all places. in_order: of equal places the last one wins.
pub fn scatter_nd<T: Bits>(
    workers: &Workers,
    walker: &Walker,
    values: &[T],
    target: &[T::Atomic],
    in_order: bool,
) -> Result<()> {
    let count = walker.walk.count();
    let is_single = values.len() == 1;
    let is_alone = in_order || count < SMALL;
    let chunks = (0..count).step_by(CHUNK);
    run(workers, is_alone, || {
        parallel_for(is_alone, chunks, |_, first| {
            let mut stored = 0;
            walker.for_each_run(first..count.min(first + CHUNK), |begin, count, run| {
                match is_single {
                    true => store_run(run, std::iter::repeat_n(values[0], count), target),
                    false => store_run(run, values[begin..begin + count].iter().copied(), target),
                }
                stored += 1;
                if stored % 4096 == 0 {
                    poll();
                }
            });
        })
    })?
}

fn store_run<T: Bits>(run: Run, values: impl ExactSizeIterator<Item = T>, target: &[T::Atomic]) {
    match run {
        Run::Nowhere => {}
        Run::Strided { first, stride: 1 } => {
            let to = &target[first..first + values.len()];
            to.iter().zip(values).for_each(|(to, value)| value.store(to));
        }
        Run::Strided { first, stride } => {
            for (i, value) in (0i64..).zip(values) {
                value.store(&target[(first as i64 + i * stride) as usize]);
            }
        }
        Run::Scattered { row, offsets } => {
            for (offset, value) in offsets.iter().zip(values) {
                if let Some(offset) = offset {
                    value.store(&target[(row + offset) as usize]);
                }
            }
        }
    }
}

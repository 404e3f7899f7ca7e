//! Elements of an N-D array at positions of each dimension, on the CPU.
//!
//!   result\[i0, i1, …\] = source\[s0\[i0\], s1\[i1\], …\], zero bytes where a position is out of range
//!
//! Algorithm  Chunks of the result in parallel (indexing).
//! Cost       Reads what is taken of source and writes result once; a cache line of source an element that is far from the one before.
#![forbid(unsafe_code)]

use super::Execution;
use super::indexing::{Run, Walker};
use super::parallel::chunks;
use crate::error::Result;
use crate::interrupt::poll;
use crate::model::dtype::Bits;

pub fn gather_nd<T: Bits>(how: Execution, walker: &Walker, source: &[T], result: &mut [T]) -> Result<()> {
    chunks::compute(how, result, &|first, chunk| {
        let mut copied = 0;
        walker.for_each_run(first..first + chunk.len(), |begin, count, run| {
            copy_run(run, source, &mut chunk[begin - first..begin - first + count]);
            copied += 1;
            if copied % 4096 == 0 {
                poll();
            }
        });
    })
}

fn copy_run<T: Bits>(run: Run, source: &[T], to: &mut [T]) {
    match run {
        Run::Nowhere => to.fill(T::default()),
        Run::Strided { first, stride: 1 } => to.copy_from_slice(&source[first..first + to.len()]),
        Run::Strided { first, stride: 0 } => to.fill(source[first]),
        Run::Strided { first, stride } if stride > 0 => {
            to.iter_mut()
                .zip(source[first..].iter().step_by(stride as usize))
                .for_each(|(to, &from)| *to = from);
        }
        Run::Strided { first, stride } => {
            let back = source[..=first].iter().rev().step_by(stride.unsigned_abs() as usize);
            to.iter_mut().zip(back).for_each(|(to, &from)| *to = from);
        }
        Run::Scattered { row, offsets } => {
            for (to, offset) in to.iter_mut().zip(offsets) {
                *to = offset.map_or(T::default(), |offset| source[(row + offset) as usize]);
            }
        }
    }
}

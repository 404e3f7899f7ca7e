//! Complex results: the lanes of two parts become pairs.
#![forbid(unsafe_code)]

use pulp::Arch;

use super::load::{block_of, for_each_run};
use super::pool::{BLOCK, Pooled};
use super::step::{Span, lanes};
use super::{Execution, Map, Target, When};
use crate::error::Result;
use crate::model::dtype::Bits;
use crate::model::expression::plan::Source;
use crate::vector::zeros;

/// Where the two parts of the lanes are.
type Sources = [Source; 2];

/// result ← the pairs of parts; the result is an array of parts.
pub fn paired<T: Pooled, B: Bits>(
    how: Execution,
    map: &Map,
    real: Source,
    result: &mut impl Target,
    bits: impl Fn(T) -> B + Copy + Sync,
) -> Result<()> {
    let sources = [real, map.plan.result];
    match map.layout.is_dense(&map.layout.result) {
        true => dense::<T>(how, map, sources, result),
        false => apart(how, map, sources, result, bits),
    }
}

fn dense<T: Pooled>(how: Execution, map: &Map, [re, im]: Sources, result: &mut impl Target) -> Result<()> {
    let (piece, inputs) = (map.piece(how), map.inputs.len() - map.program.planes.len());
    map.share_out(how, result.elements::<T>()?.chunks_mut(2 * piece), |index, chunk| {
        let mut thread = map.thread(index * piece)?;
        let lanes_of_block = thread.lanes;
        thread.for_each_block(chunk.len() / 2, false, |when, pools, span| {
            let block = &mut chunk[2 * span.first..2 * (span.first + span.len)];
            match when {
                When::Before(input) => {
                    let to = block_of(T::pool_mut(pools), input, lanes_of_block)?;
                    part_of(span.arch, block, usize::from(input >= inputs), &mut to[..span.len]);
                }
                When::After => {
                    join(span.arch, [lanes(pools, re, span), lanes(pools, im, span)], block, |lane| lane);
                }
            }
            Ok(())
        })
    })
}

/// Pairs that lie apart.
fn apart<T: Pooled, B: Bits>(
    how: Execution,
    map: &Map,
    [re, im]: Sources,
    result: &mut impl Target,
    bits: impl Fn(T) -> B + Copy + Sync,
) -> Result<()> {
    let shared = result.shared::<B>()?;
    let piece = map.piece(how);
    map.share_out(how, (0..map.count).step_by(piece), |_, first| {
        let mut block = zeros::<B>(2 * BLOCK)?;
        map.thread(first)?.for_each_block(piece.min(map.count - first), false, |_, pools, span: Span| {
            let block = &mut block[..2 * span.len];
            join(span.arch, [lanes(pools, re, span), lanes(pools, im, span)], block, bits);
            let (shape, strides) = (&map.layout.shape, &map.layout.result);
            for_each_run(shape, strides, first + span.first, span.len, |lane, to, count, stride| {
                let to = shared[2 * to..].chunks(2).step_by(stride.max(1));
                for (pair, to) in block[2 * lane..2 * (lane + count)].chunks_exact(2).zip(to) {
                    pair.iter().zip(to).for_each(|(part, to)| part.store(to));
                }
            });
            Ok(())
        })
    })
}

/// to\[i\] ← part of the pair i
fn part_of<T: Copy>(arch: Arch, pairs: &[T], part: usize, to: &mut [T]) {
    arch.dispatch(
        #[inline(always)]
        || to.iter_mut().zip(pairs.chunks_exact(2)).for_each(|(to, pair)| *to = pair[part]),
    );
}

fn join<T: Copy, B>(arch: Arch, [re, im]: [&[T]; 2], to: &mut [B], convert: impl Fn(T) -> B) {
    arch.dispatch(
        #[inline(always)]
        || {
            for ((pair, &re), &im) in to.chunks_exact_mut(2).zip(re).zip(im) {
                (pair[0], pair[1]) = (convert(re), convert(im));
            }
        },
    );
}

//! Pieces in order on several devices become one: the first merges read them where they are.
//!
//! Cost       As merge.rs, without a copy before it: the pieces of other devices cross while they are merged.
#![forbid(unsafe_code)]

use std::ops::Range;

use super::merge;
use super::run::Run;
use crate::array::Output;
use crate::comm::Comm;
use crate::context::{Context, Engine};
use crate::error::Result;
use crate::gpu::Device;
use crate::gpu::merge::{Piece, merge_pieces};
use crate::gpu::peer::{Lines, Source};
use crate::ops::sort::Options;

/// sorted, sorted_values ← the pieces that each rank has for this one; `pieces`: for each rank the range of this one's keys that goes there, and
/// how many come from there. `received` has room for them.
pub fn merge(
    ctx: &mut Context,
    comm: &mut Comm,
    options: &Options,
    (own, mut received): (Run, Run),
    pieces: &[(Range<usize>, usize)],
    (mut sorted, mut sorted_values): (Output, Output),
) -> Result<()> {
    let rank = comm.rank();
    let comes: Vec<(usize, usize)> =
        pieces.iter().map(|(_, count)| *count).enumerate().filter(|(_, count)| *count > 0).collect();
    let goes = pieces.iter().enumerate().filter(|(to, (range, _))| *to != rank && !range.is_empty());
    let mut sends = Vec::with_capacity(pieces.len());
    for (to, (range, _)) in goes {
        sends.push((to, sources(&own, range)?));
    }
    let from: Vec<usize> = comes.iter().map(|(from, _)| *from).filter(|&from| from != rank).collect();
    let is_last = comes.len() <= 2;
    ctx.begin();
    ctx.run(|engine| {
        let Engine::Cuda(device) = engine else { return Ok(()) };
        device.refuse_capture("it waits for other ranks")?;
        comm.read_others(device, &sends, &from, &mut |lent| {
            let mut lent = lent.iter();
            let mut found = Vec::with_capacity(comes.len());
            for &(from, count) in &comes {
                let lines = if from == rank {
                    lines(&own, &pieces[rank].0)?
                } else {
                    lent.next().cloned().unwrap_or_default()
                };
                found.push((piece_of(&lines), count));
            }
            let mut at = 0;
            for two in found.chunks(2) {
                let count = two.iter().map(|(_, count)| count).sum();
                let to = if is_last {
                    (sorted.reborrow(), sorted_values.reborrow())
                } else {
                    received.outputs(at, count)
                };
                join(device, options, &own, two, (to, count))?;
                at += count;
            }
            Ok(())
        })
    })?;
    if is_last {
        return Ok(());
    }
    let mut at = 0;
    let merged = comes.chunks(2).map(|two| {
        let start = at;
        at += two.iter().map(|(_, count)| count).sum::<usize>();
        start..at
    });
    merge::merge(ctx, options, (received, own), merged.collect(), (sorted, sorted_values))
}

/// Elements of a run for another rank.
fn sources<'r>(run: &'r Run, range: &Range<usize>) -> Result<Vec<Source<'r>>> {
    let sides = run.arrays.iter().zip(run.shape.sizes());
    let side = |(array, size): (&'r crate::array::Owned, usize)| {
        Source::of(&array.input("a run", range.start * size, range.len() * size).view(&[range.len() * size])?)
    };
    sides.map(side).collect()
}

/// The same for this rank's kernels.
fn lines<'r>(run: &'r Run, range: &Range<usize>) -> Result<Vec<Lines<'r>>> {
    let sides = run.arrays.iter().zip(run.shape.sizes());
    let side = |(array, size): (&'r crate::array::Owned, usize)| {
        Lines::of(&array.input("a run", range.start * size, range.len() * size).view(&[range.len() * size])?)
    };
    sides.map(side).collect()
}

fn piece_of<'l>(lines: &[Lines<'l>]) -> Option<Piece<'l>> {
    lines.first().map(|&keys| Piece { keys, values: lines.get(1).copied() })
}

/// One piece, or two in order, become one.
fn join(
    device: &Device,
    options: &Options,
    own: &Run,
    pieces: &[(Option<Piece>, usize)],
    ((keys, values), count): ((Output, Output), usize),
) -> Result<()> {
    let keys = keys.view_of(own.shape.key.dtype, &[count])?;
    let values = own.shape.moved.map(|dtype| values.view_of(dtype, &[count])).transpose()?;
    let two = [pieces[0].0, pieces.get(1).and_then(|piece| piece.0)];
    merge_pieces(device, options.order, two, keys, values)
}

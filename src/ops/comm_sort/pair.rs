//! Two ranks whose devices copy from each other: pieces cross in parts, each of which is merged while the next one crosses.
//!
//! Algorithm  Each rank cuts the keys that it will have at CHUNKS − 1 of them, about evenly spaced in its own piece; both find how many
//!            keys are before each. What is between two cuts is on both ranks, and is merged by itself.
//! Cost       That of crossing alone, where it takes longer than merging, and one part's merge.
#![forbid(unsafe_code)]

use std::ops::Range;

use super::keys::Keys;
use super::merge::options_of;
use super::run::Run;
use crate::array::{Input, Output};
use crate::comm::{Comm, DeviceParcel};
use crate::context::Context;
use crate::error::Result;
use crate::gpu::peer::{Source, Target};
use crate::ops::crossing::{self, Underway};
use crate::ops::merge;
use crate::ops::ranks::{bytes_of, bytes_of_mut};
use crate::ops::sort::Options;

const CHUNKS: usize = 8;

/// Keys of a rank from which on parts are worth their launches.
const LEAST: u64 = 1 << 16;

/// Whether ranks with these first keys, and the number of all, are served.
pub fn is_served(comm: &Comm, starts: &[u64]) -> bool {
    comm.has_peers() && starts.len() == 3 && starts[1] >= LEAST && starts[2] - starts[1] >= LEAST
}

/// Where a piece that stays, one that goes and one that comes are cut: CHUNKS parts of each.
pub struct Cuts {
    stays: Vec<Range<usize>>,
    goes: Vec<Range<usize>>,
    comes: Vec<usize>, // their lengths
}

impl Cuts {
    /// `pieces`: for each rank the range of this one's keys that goes there, and how many come from there. Follows an agreement.
    pub fn find(
        ctx: &mut Context,
        comm: &mut Comm,
        keys: &mut Keys,
        pieces: &[(Range<usize>, usize)],
    ) -> Result<Cuts> {
        const WIDTH: usize = CHUNKS - 1;
        let rank = comm.rank();
        let own = pieces[rank].0.clone();
        let spaced = (1..CHUNKS).map(|i| (own.start + own.len() / CHUNKS * i).min(keys.len() - 1));
        let chosen: Vec<u64> = keys.near(spaced).collect();
        let mut all = [0; 2 * WIDTH]; // of both ranks
        let room = all.len() * 8;
        comm.allgather(bytes_of(&chosen, WIDTH * 8)?, bytes_of_mut(&mut all, room)?)?;
        let mut before = [0; 2 * WIDTH];
        comm.moved(|_| keys.before(ctx, &all, &mut before))?;
        let parts = |to: usize| parts(&pieces[to].0, &before[to * WIDTH..][..WIDTH]);
        let (stays, goes) = (parts(rank), parts(1 - rank));
        let lengths: Vec<u64> = goes.iter().map(|part| part.len() as u64).collect();
        let mut told = [0; 2 * CHUNKS];
        comm.allgather(bytes_of(&lengths, CHUNKS * 8)?, bytes_of_mut(&mut told, 2 * CHUNKS * 8)?)?;
        let comes = told[(1 - rank) * CHUNKS..][..CHUNKS].iter().map(|&len| len as usize).collect();
        Ok(Cuts { stays, goes, comes })
    }
}

/// The parts of a piece between cuts, of which some may lie outside of it.
fn parts(piece: &Range<usize>, cuts: &[u64]) -> Vec<Range<usize>> {
    let mut start = piece.start;
    let ends = cuts.iter().map(|&cut| (cut as usize).min(piece.end)).chain([piece.end]);
    ends.map(|end| {
        let part = start..end.max(start);
        start = part.end;
        part
    })
    .collect()
}

/// sorted, sorted_values ← the piece of `own` that stays and what comes, in one order. Follows an agreement.
pub fn merge(
    ctx: &mut Context,
    comm: &mut Comm,
    options: &Options,
    (own, cuts): (&Run, &Cuts),
    (mut sorted, mut sorted_values): (Output, Output),
) -> Result<()> {
    let shape = own.shape;
    let mut received = Vec::with_capacity(CHUNKS);
    let made = cuts.comes.iter().try_for_each(|&len| Run::new(ctx, shape, len).map(|run| received.push(run)));
    comm.agree(made, &[])?;
    let mut crossing = Vec::with_capacity(CHUNKS);
    for ((received, goes), &comes) in received.iter_mut().zip(&cuts.goes).zip(&cuts.comes) {
        crossing.push(begin(ctx, comm, (own, goes), (received, comes))?);
    }
    let (options, sizes) = (options_of(options, shape), shape.sizes().collect::<Vec<_>>());
    let (mut at, mut outcome) = (0, Ok(()));
    for ((underway, comes), stays) in crossing.into_iter().zip(&cuts.stays) {
        underway.settle(ctx, comm)?;
        let (stays, end) = (own.part(stays.start, stays.len()), at + stays.len() + comes.count);
        let [a, b] = if comm.rank() == 0 { [stays, comes] } else { [comes, stays] };
        let to = (sorted.behind(at * sizes[0]), sorted_values.behind(at * sizes.get(1).unwrap_or(&0)));
        outcome = outcome.and_then(|()| merge::merge(ctx, &options, a, b, to.0, to.1)); // the other rank's parts cross in any case
        at = end;
    }
    outcome
}

/// A part on its way, and what can be read when it has settled.
fn begin<'r>(
    ctx: &mut Context,
    comm: &mut Comm,
    (own, goes): (&'r Run, &Range<usize>),
    (received, comes): (&'r mut Run, usize),
) -> Result<(Underway<'r>, merge::Run<'r>)> {
    let mut parcel = DeviceParcel { peer: 1 - comm.rank(), send: Vec::new(), receive: Vec::new() };
    let mut inputs = Vec::with_capacity(2);
    for ((to, from), size) in received.arrays.iter_mut().zip(&own.arrays).zip(own.shape.sizes()) {
        let (bytes, (input, output)) = (goes.len() * size, to.in_place("received keys"));
        if bytes > 0 {
            parcel.send.push(Source::of(&from.input("a run", goes.start * size, bytes).view(&[bytes])?)?);
        }
        if comes > 0 {
            parcel.receive.push(Target::of(output.view(&[comes * size])?)?);
        }
        inputs.push(input);
    }
    let mut inputs = inputs.into_iter();
    let keys = inputs.next().unwrap_or(Input::absent("keys"));
    let values = inputs.next().unwrap_or(Input::absent("values"));
    Ok((crossing::begin(ctx, comm, &[parcel])?, merge::Run { keys, values, count: comes }))
}

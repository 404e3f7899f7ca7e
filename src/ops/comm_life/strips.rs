//! A rank's rows between its halos as strips on its device, and halos that cross from device to device.
//!
//! Algorithm  The host goes ahead of its device: while that plays K generations, the ranks agree on the next exchange, and put it into
//!            their streams. AHEAD exchanges at most are under way, so that a call that is cancelled ends soon. Where exchanges
//!            follow each other closely the ranks agree before some of them only: nothing but the loss of a device can fail in between. A
//!            call that is cancelled, or that its watcher ends, goes on to the next agreement.
#![forbid(unsafe_code)]

use std::collections::VecDeque;

use super::Tell;
use super::halo::{Halo, Piece};
use super::slab::Part;
use crate::comm::{Comm, DeviceParcel};
use crate::context::{Context, Engine};
use crate::error::Result;
use crate::gpu::Device;
use crate::gpu::life::slab::{Board, Next, Slab};
use crate::gpu::peer::Mark;
use crate::interrupt;
use crate::model::life::{Game, Rule};
use crate::ops::life::{LifeCells, Options};
use crate::vector;

/// Exchanges that the device has not come to yet.
const AHEAD: usize = 2;

/// part.next ← the rank's rows after so many generations, with an agreement before every `between`-th exchange. `tell`: whether it is listened to, and what is called behind each exchange.
pub fn play(
    ctx: &mut Context,
    comm: &mut Comm,
    options: &Options,
    (halo, between): (&Halo, u64),
    part: Part,
    generations: u64,
    (is_watched, tell): (bool, Tell),
) -> Result<()> {
    let rows = part.rows;
    let (game, board, next) = views(options, halo, part)?;
    ctx.begin();
    ctx.run(|engine| {
        let Engine::Cuda(device) = engine else { return Ok(()) };
        device.refuse_capture("it waits for other ranks")?;
        let mut rank =
            Rank { device, halo: Pieces::of(halo)?, slab: Slab::new(device, game)?, marks: VecDeque::new() };
        if rows > 0 {
            rank.slab.load(halo.own.start, board)?;
        }
        let (mut done, mut exchanges, mut ended) = (0, 0, Ok(()));
        while done < generations {
            if exchanges % between == 0 {
                let cancelled = interrupt::check(done as usize, generations as usize);
                comm.agree(std::mem::replace(&mut ended, Ok(())).and(cancelled), &[])?;
            }
            let now = (generations - done).min(halo.depth as u64);
            rank.step(comm, now)?;
            (done, exchanges) = (done + now, exchanges + 1);
            if is_watched {
                rank.catch_up(comm, 0)?;
                ended = ended.and_then(|()| tell(done));
            }
        }
        ended?;
        comm.finish(device)?;
        if rows > 0 { rank.slab.store(halo.own.start, next) } else { Ok(()) }
    })
}

/// The game of a slab with its halos, and a rank's rows before and behind it.
pub(super) fn views<'a>(
    options: &Options,
    halo: &Halo,
    part: Part<'a>,
) -> Result<(Game, Board<'a>, Next<'a>)> {
    let rule = options.rule.map_or(Ok(Rule::LIFE), Rule::parse)?;
    let game = Game { rows: halo.rows, cols: part.cols, boundary: options.boundary, rule };
    let board = match options.cells {
        LifeCells::Bytes => Board::Bytes(part.board.view(&[part.rows, part.cols])?),
        LifeCells::Bits => Board::Bits(part.board.view(&[part.rows, game.words()])?),
    };
    let next = match options.cells {
        LifeCells::Bytes => Next::Bytes(part.next.view(&[part.rows, part.cols])?),
        LifeCells::Bits => Next::Bits(part.next.view(&[part.rows, game.words()])?),
    };
    Ok((game, board, next))
}

struct Rank<'d> {
    device: &'d Device,
    halo: Pieces,
    slab: Slab<'d>,
    marks: VecDeque<Mark>, // behind each exchange
}

impl Rank<'_> {
    fn step(&mut self, comm: &mut Comm, generations: u64) -> Result<()> {
        self.catch_up(comm, AHEAD)?;
        self.halo.exchange(comm, self.device, &mut self.slab)?;
        if !self.halo.is_empty {
            self.slab.play(generations)?;
        }
        self.marks.push_back(self.device.mark()?);
        Ok(())
    }

    /// Waits until the device has come past all exchanges but so many.
    fn catch_up(&mut self, comm: &mut Comm, ahead: usize) -> Result<()> {
        while self.marks.len() > ahead
            && let Some(mark) = self.marks.pop_front()
        {
            comm.wait_for(&mark)?;
        }
        Ok(())
    }
}

/// Rows of the slab for each rank, and from each rank.
pub(super) struct Pieces {
    sends: Vec<Vec<(usize, usize)>>,
    receives: Vec<Vec<(usize, usize)>>,
    is_empty: bool, // the rank has no rows
}

impl Pieces {
    pub(super) fn of(halo: &Halo) -> Result<Pieces> {
        let pair = |piece: &Piece| (piece.slab_row, piece.rows);
        let all = |of_ranks: &[Vec<Piece>]| {
            vector::try_collected(of_ranks.iter().map(|pieces| vector::collected(pieces.iter().map(pair))))
        };
        Ok(Pieces { sends: all(&halo.sends)?, receives: all(&halo.receives)?, is_empty: halo.own.is_empty() })
    }

    /// The slab's halos ← the rows of others. Follows an agreement.
    pub(super) fn exchange(&self, comm: &mut Comm, device: &Device, slab: &mut Slab) -> Result<()> {
        let (rank, Pieces { sends, receives, .. }) = (comm.rank(), self);
        let pieces = (0..sends.len())
            .filter(|&peer| peer != rank)
            .map(|peer| (peer, &sends[peer][..], &receives[peer][..]));
        comm.moved(|comm| {
            let crossings = slab.crossings(pieces)?.into_iter();
            let parcels = crossings.map(|(peer, send, receive)| DeviceParcel { peer, send, receive });
            comm.exchange_on(device, &vector::collected(parcels)?)
        })?;
        slab.copy_within(&sends[rank], &receives[rank])
    }
}

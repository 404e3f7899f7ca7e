//! A rank's rows between its halos, as the board that they are in C; halos cross in memory of the host.
#![forbid(unsafe_code)]

use std::ops::Range;

use super::Tell;
use super::halo::{self, Halo, Piece};
use crate::array::{Input, Output, Owned};
use crate::comm::Comm;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::ops::life::{self, Options};
use crate::ops::{copy, ranks};

/// A rank's rows, and where they go.
pub struct Part<'a> {
    pub board: Input<'a>,
    pub rows: usize,
    pub cols: usize,
    pub row_bytes: usize,
    pub next: Output<'a>,
}

/// part.next ← the rank's rows after so many generations.
pub fn play(
    ctx: &mut Context,
    comm: &mut Comm,
    options: &Options,
    halo: Halo,
    part: Part,
    generations: u64,
    tell: Tell,
) -> Result<()> {
    let mut slab = Slab::new(ctx, halo, part.row_bytes, part.cols)?;
    if part.rows > 0 {
        slab.load(ctx, part.board)?;
    }
    slab.play(ctx, comm, options, generations, tell)?;
    if part.rows > 0 { slab.store(ctx, part.next) } else { Ok(()) }
}

/// A rank's rows between its halos, where its context computes.
struct Slab {
    halo: Halo,
    row: usize, // bytes
    cols: usize,
    cells: Owned,
    sent: Vec<u64>,
    received: Vec<u64>,
    sends: Vec<Range<usize>>, // in bytes, for each rank
    receives: Vec<Range<usize>>,
}

impl Slab {
    fn new(ctx: &mut Context, halo: Halo, row: usize, cols: usize) -> Result<Slab> {
        let bytes = halo.rows.checked_mul(row).filter(|&bytes| isize::try_from(bytes).is_ok());
        let bytes = bytes.ok_or_else(|| Error::out_of_memory("memory", usize::MAX))?;
        let in_bytes = |pieces: &[Vec<Piece>]| ranks::ranges(pieces.iter().map(|of| halo::rows_of(of) * row));
        let (sends, receives) = (in_bytes(&halo.sends)?, in_bytes(&halo.receives)?);
        let room = |ranges: &[Range<usize>]| ranks::words(ranges.last().map_or(0, |last| last.end));
        Ok(Slab {
            row,
            cols,
            cells: ctx.work(bytes)?,
            sent: room(&sends)?,
            received: room(&receives)?,
            halo,
            sends,
            receives,
        })
    }

    /// Bytes of the rank's own rows.
    fn own(&self) -> Range<usize> {
        self.halo.own.start * self.row..self.halo.own.end * self.row
    }

    fn load(&mut self, ctx: &mut Context, board: Input) -> Result<()> {
        let own = self.own();
        copy::copy(ctx, self.cells.output("a slab", own.start, own.len()), board, own.len())
    }

    fn store(&self, ctx: &mut Context, next: Output) -> Result<()> {
        let own = self.own();
        copy::copy(ctx, next, self.cells.input("a slab", own.start, own.len()), own.len())
    }

    fn play(
        &mut self,
        ctx: &mut Context,
        comm: &mut Comm,
        options: &Options,
        generations: u64,
        tell: Tell,
    ) -> Result<()> {
        let mut done = 0;
        while done < generations {
            let part = (generations - done).min(self.halo.depth as u64);
            let packed = self.pack(ctx);
            comm.agree(packed, &[])?;
            let (sent, received) = (self.sends.last(), self.receives.last());
            let (sent, received) = (sent.map_or(0, |last| last.end), received.map_or(0, |last| last.end));
            ranks::all_to_all(
                comm,
                ranks::bytes_of(&self.sent, sent)?,
                &self.sends,
                ranks::bytes_of_mut(&mut self.received, received)?,
                &self.receives,
            )?;
            self.unpack(ctx)?;
            if !self.halo.own.is_empty() {
                let rows = self.halo.rows;
                let (from, to) = self.cells.in_place("a slab");
                life::life(ctx, options, from, rows, self.cols, part, to)?;
            }
            done += part;
            tell(done)?;
        }
        Ok(())
    }

    /// sent ← the rows that others need.
    fn pack(&mut self, ctx: &mut Context) -> Result<()> {
        let mut at = 0;
        for piece in self.halo.sends.iter().flatten() {
            let (from, bytes) = (piece.slab_row * self.row, piece.rows * self.row);
            let mut sent = Output::new("rows to send", &mut self.sent);
            copy::copy(ctx, sent.behind(at), self.cells.input("a slab", from, bytes), bytes)?;
            at += bytes;
        }
        Ok(())
    }

    /// The halos ← the rows of others.
    fn unpack(&mut self, ctx: &mut Context) -> Result<()> {
        let mut at = 0;
        for piece in self.halo.receives.iter().flatten() {
            let (to, bytes) = (piece.slab_row * self.row, piece.rows * self.row);
            let received = Input::new("rows received", &self.received);
            copy::copy(ctx, self.cells.output("a slab", to, bytes), received.behind(at), bytes)?;
            at += bytes;
        }
        Ok(())
    }
}

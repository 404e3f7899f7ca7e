//! Life on a board whose rows are on several ranks.
#![forbid(unsafe_code)]

mod halo;

use std::ops::Range;

use super::copy;
use super::life::{self, LifeBoundary, LifeCells, Options};
use super::ranks;
use crate::array::{Input, Output, Owned, is_same_or_apart};
use crate::comm::{Comm, Field};
use crate::context::{Context, Watched};
use crate::error::{Error, Result, Status};
use crate::model::dtype::Dtype;
use halo::Halo;

/// The rows of each rank after `generations` steps of Life on the board that the parts of all ranks are, one below the other.
///
/// Algorithm: a slab of rows a rank, with K rows more on both sides, the halo, which are those of its neighbours. Of K generations on a slab
/// with its halo, wrong cells at the ends of the halo come in by a row a generation: the slab itself is right, and gets new halos.
/// A slab may be thinner than K: its neighbours' neighbours then send as well. Boundaries: at the ends of the board a slab has no halo,
/// but on a torus the rows of the other end.
/// Cost: 2·K rows more a generation; one exchange of K rows with each neighbour, and an agreement, every K generations.
/// Source: M. Ripeanu, A. Iamnitchi, I. Foster, "Cactus application: performance predictions in grid environments", 2001 (wide halos).
pub fn life(
    ctx: &mut Context,
    comm: &mut Comm,
    options: &Options,
    (board, rows, cols): (Input, usize, usize),
    generations: u64,
    mut next: Output,
) -> Result<()> {
    let (dtype, width) = match options.cells {
        LifeCells::Bytes => (Dtype::U8, cols),
        LifeCells::Bits => (Dtype::U64, cols.div_ceil(64)),
    };
    let from = board.view_of(dtype, &[rows, width])?;
    is_same_or_apart(&next.reborrow().view_of(dtype, &[rows, width])?, &from)?;
    life::life(ctx, options, Input::absent("board"), 0, cols, 0, Output::absent("next"))?; // checks the options
    let wanted = if rows == 0 { 0 } else { wanted_halo(ctx, cols) };
    let ((), told) = comm.agree(
        Ok(()),
        &[
            Field::own(rows),
            Field::own(wanted),
            Field::same("cols", cols),
            Field::same("generations", generations),
            Field::same("options.boundary", options.boundary as i32),
            Field::same("options.cells", options.cells as i32),
            Field::same_bytes("options.rule", Some(options.rule.unwrap_or("B3/S23").as_bytes())),
        ],
    )?;
    let starts = ranks::offsets(told.of_all(0))?;
    let total = starts[comm.ranks()];
    if told.of_all(0).filter(|&rows| rows > 0).count() <= 1 || width == 0 || generations == 0 {
        return match rows {
            0 => Ok(()),
            _ => life::life(ctx, options, board, rows, cols, generations, next), // a whole board
        };
    }
    let depth = told.of_all(1).max().unwrap_or(1).clamp(1, generations.min(total)) as usize;
    let is_torus = options.boundary == LifeBoundary::Torus;
    let halo = Halo::new(&starts, comm.rank(), depth, is_torus);
    let mut slab = Slab::new(ctx, halo, width * dtype.size(), cols)?;
    if rows > 0 {
        slab.load(ctx, board)?;
    }
    let mut watched = ctx.watched();
    let outcome = slab.play(ctx, comm, options, generations, &mut watched);
    ctx.watch_again(watched);
    outcome?;
    if rows > 0 { slab.store(ctx, next) } else { Ok(()) }
}

/// K by cost: a generation of a row takes cols/rate, an exchange takes a latency, and K generations compute K rows more, on average, on both
/// sides together: the least time a generation is at K = √(latency·rate/cols).
fn wanted_halo(ctx: &Context, cols: usize) -> usize {
    let (cells_per_second, latency) = if ctx.is_on_cuda() { (4e13, 50e-6) } else { (5e10, 50e-6) };
    let rows = f64::sqrt(latency * cells_per_second / cols.max(1) as f64);
    (rows as usize).next_multiple_of(8).clamp(8, 256)
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
        let [sends, receives] = [&halo.sends, &halo.receives]
            .map(|pieces| ranks::ranges(pieces.iter().map(|of| halo::rows_of(of) * row)));
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
        watched: &mut Watched,
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
            if watched.tell(done, generations) != 0 {
                let text = format!("the progress callback ended the call after {done} of {generations}");
                return Err(Error::new(Status::Cancelled, text));
            }
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

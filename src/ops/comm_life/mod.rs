//! Life on a board whose rows are on several ranks.
#![forbid(unsafe_code)]

mod cost;
mod halo;
mod joined;
mod slab;
mod strips;

use super::life::{self, LifeBoundary, LifeCells, LifeVariant, Options};
use super::ranks;
use crate::array::{Input, Output, is_same_or_apart};
use crate::comm::{Comm, Field};
use crate::context::{Context, Watched};
use crate::error::{Error, Result, Status};
use crate::model::dtype::Dtype;
use halo::Halo;
use slab::Part;

/// The rows of each rank after `generations` steps of Life on the board that the parts of all ranks are, one below the other.
///
/// Algorithm: a slab of rows a rank, with K rows more on both sides, the halo, which are those of its neighbours. Of K generations on a slab
/// with its halo, wrong cells at the ends of the halo come in by a row a generation: the slab itself is right, and gets new halos.
/// A slab may be thinner than K: its neighbours' neighbours then send as well. Boundaries: at the ends of the board a slab has no halo,
/// but on a torus the rows of the other end. Between devices that see each other the kernels themselves exchange 8 rows a step.
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
    let wanted = if rows == 0 { 0 } else { cost::halo(ctx, cols) };
    let are_strips = has_strips(ctx, comm, options);
    let turn = if are_strips && comm.rank() == 0 { joined::turn() } else { None };
    let ((), told) = comm.agree(
        Ok(()),
        &[
            Field::own(rows),
            Field::own(wanted as usize),
            Field::own(comm.life_halo()),
            Field::own(usize::from(turn.is_some())),
            Field::same("cols", cols),
            Field::same("generations", generations),
            Field::same("whether options.variant is AUTO or REGISTERS", u64::from(are_strips)),
            Field::same("options.boundary", options.boundary as i32),
            Field::same("options.cells", options.cells as i32),
            Field::same_bytes("options.rule", Some(options.rule.unwrap_or("B3/S23").as_bytes())),
        ],
    )?;
    let starts = ranks::offsets(told.of_all(0))?;
    let (total, with_rows) = (starts[comm.ranks()], told.of_all(0).filter(|&rows| rows > 0).count());
    if with_rows <= 1 || width == 0 || generations == 0 {
        return match rows {
            0 => Ok(()),
            _ => life::life(ctx, options, board, rows, cols, generations, next), // a whole board
        };
    }
    let is_torus = options.boundary == LifeBoundary::Torus;
    let sides = if is_torus || with_rows > 2 { 2 } else { 1 };
    let most = |at| told.of_all(at).max().unwrap_or(0);
    let has_turn = told.of_all(3).next() == Some(1);
    let are_joined = are_strips && has_turn && joined::is_served(comm, &starts, cols, most(2));
    let depth = match (most(2), are_strips) {
        _ if are_joined => joined::DEPTH,
        (0, true) => cost::on_strips(comm, cols, most(0), sides),
        (0, false) => most(1),
        (set, _) => set, // by a caller
    };
    // Kernels that write each other's halos lay these out for whole steps, however few generations there are.
    let most_needed = if are_joined { joined::DEPTH } else { generations.min(total) };
    let depth = depth.clamp(1, most_needed) as usize;
    let halo = Halo::new(&starts, comm.rank(), depth, is_torus)?;
    let mut watched = ctx.watched();
    let is_watched = watched.is_watched();
    let part = Part { board, rows, cols, row_bytes: width * dtype.size(), next };
    let mut tell = |done| tell(&mut watched, done, generations);
    let outcome = match are_strips {
        true if are_joined => {
            joined::play(ctx, comm, options, (&halo, &starts), part, generations, (is_watched, &mut tell))
        }
        true => {
            let between = cost::between_agreements(cols, most(0), depth as u64);
            strips::play(ctx, comm, options, (&halo, between), part, generations, (is_watched, &mut tell))
        }
        false => slab::play(ctx, comm, options, halo, part, generations, &mut tell),
    };
    ctx.watch_again(watched);
    outcome
}

/// What a watcher is told behind each exchange, and may end the call by. Without one nobody has to wait for the cells.
type Tell<'t> = &'t mut dyn FnMut(u64) -> Result<()>;

fn tell(watched: &mut Watched, done: u64, generations: u64) -> Result<()> {
    match watched.tell(done, generations) {
        0 => Ok(()),
        _ => {
            let text = format!("the progress callback ended the call after {done} of {generations}");
            Err(Error::new(Status::Cancelled, text))
        }
    }
}

/// Whether the ranks are devices whose memory crosses directly, and play the variant for large boards.
fn has_strips(ctx: &Context, comm: &Comm, options: &Options) -> bool {
    let is_auto = matches!(options.variant, LifeVariant::Auto | LifeVariant::Registers);
    comm.is_direct() && ctx.is_on_cuda() && is_auto
}

//! Expressions of neighbours on the CPU.
//!
//!   result[y, x] = expression (a[y + dy, x + dx], …)
//!
//! Algorithm  The interpreter of cpu/map on tiles of about 16 rows and at most 1024 columns, which have a halo as wide as the farthest
//!            neighbour and stay in the caches of a core: elements are converted once a tile, what lies outside the array is written into the
//!            halo, and a neighbour is a slice of the tile. Rows of narrow arrays share a block; lanes of the halo between them are computed
//!            and dropped.
//! Cost       Reads each input about once, 1.2 times for neighbours next to the element, and writes the result once; a step on an element as
//!            in cpu/map. In bytes (model/expression/narrow.rs) a vector has four times as many elements as in 32 bits.
//! Source     P. Boncz, M. Zukowski, N. Nes, "MonetDB/X100: hyper-pipelining query execution", CIDR 2005 (vectorised interpretation).
#![forbid(unsafe_code)]

mod tile;

use pulp::Arch;

use super::map::load::Elements;
use super::map::pool::{BLOCK, Lanes, Pooled, Pools, dispatch_type};
use super::map::step::{Span, execute, lanes};
use super::map::store::dispatch_store;
use super::map::{PIECE, SMALL, Target, narrow_all};
use super::parallel::parallel_for::try_parallel_for;
use super::window::Window;
use super::{Execution, run};
use crate::error::Result;
use crate::interrupt;
use crate::model::dtype::{Bits, Dtype};
use crate::model::expression::half::{to_bf16, to_f16};
use crate::model::expression::plan::Plan;
use crate::model::expression::program::{Program, Tap, Type};
use crate::model::stencil::Plane;
use crate::model::variant::Variant;
use crate::vector::zeros;

/// Lanes of a tile without its halo, at least a few rows.
const TILE: usize = 16 * BLOCK;

/// A call: what is computed of what.
struct Stencil<'a> {
    program: &'a Program,
    plan: &'a Plan,
    plane: &'a Plane,
    inputs: &'a [Elements<'a>],
    /// What lies outside each input, in the type in which it is computed.
    outside: &'a [u64],
    /// How far neighbours are.
    radius: (usize, usize),
}

/// result ← the program of the neighbours; arrays (rows, cols), dense.
pub fn stencil(
    how: Execution,
    program: &Program,
    plane: &Plane,
    inputs: &[Elements],
    outside: &[u64],
    result: &mut impl Target,
) -> Result<()> {
    let program = program.in_bytes.as_deref().unwrap_or(program);
    let plan = program.plan();
    let radius = radius_of(plan, &program.taps);
    let stencil = Stencil { program, plan, plane, inputs, outside, radius };
    dispatch_store!(program.ty, result.dtype(), stored(how, &stencil, result))
}

/// The farthest neighbours that a program reads: rows and columns.
fn radius_of(plan: &Plan, taps: &[Tap]) -> (usize, usize) {
    let taps = || plan.inputs.iter().map(|&(_, tap)| taps[tap]);
    let farthest = |distances: &mut dyn Iterator<Item = i8>| {
        distances.map(|distance| usize::from(distance.unsigned_abs())).max().unwrap_or(0)
    };
    (farthest(&mut taps().map(|tap| tap.rows)), farthest(&mut taps().map(|tap| tap.cols)))
}

fn stored<T: Pooled, B: Bits>(
    how: Execution,
    stencil: &Stencil,
    result: &mut impl Target,
    narrow: impl Fn(T) -> B + Copy + Sync,
) -> Result<()> {
    let cols = stencil.plane.cols;
    let rows = stencil.rows_of_a_piece(how);
    let is_alone = how.1 == Variant::Sequential || stencil.is_small();
    let pieces = result.elements::<B>()?.chunks_mut(rows * cols);
    run(how.0, is_alone, || {
        try_parallel_for(is_alone, pieces, |index, piece| {
            Thread::new(stencil)?.run(index * rows, piece, narrow)
        })
    })?
}

impl Stencil<'_> {
    fn is_small(&self) -> bool {
        let count = self.plane.rows.saturating_mul(self.plane.cols);
        count.saturating_mul(self.program.steps_of_work()) < SMALL
    }

    /// Whole rows, four pieces a thread at least where there are as many.
    fn rows_of_a_piece(&self, (workers, variant): Execution) -> usize {
        let most = PIECE.div_ceil(self.plane.cols).max(4 * self.radius.0);
        let wanted = match variant {
            Variant::Auto => self.plane.rows / (4 * workers.threads()),
            Variant::Sequential => self.plane.rows,
        };
        wanted.clamp(1, most).min(self.plane.rows)
    }

    /// The columns of a tile: nearly the same number in each.
    fn cols_of_a_tile(&self) -> usize {
        let tiles = self.plane.cols.div_ceil(BLOCK - 2 * self.radius.1);
        self.plane.cols.div_ceil(tiles)
    }
}

/// A thread's work on a piece.
struct Thread<'m> {
    stencil: &'m Stencil<'m>,
    arch: Arch,
    pools: Pools<'m>,
    cols: usize,
    rows: usize,
}

/// Rows and columns of a piece.
#[derive(Clone, Copy)]
struct Part {
    row: usize,
    col: usize,
    rows: usize,
    cols: usize,
}

impl<'m> Thread<'m> {
    fn new(stencil: &'m Stencil<'m>) -> Result<Thread<'m>> {
        let mut pools = Pools::new(stencil.plan, &stencil.program.literals, BLOCK)?;
        let (cols, (rows_around, cols_around)) = (stencil.cols_of_a_tile(), stencil.radius);
        let rows = (TILE / (cols + 2 * cols_around)).max(4 * rows_around).max(1).min(stencil.plane.rows);
        let size = (rows + 2 * rows_around) * (cols + 2 * cols_around);
        for &(ty, tap) in &stencil.plan.inputs {
            dispatch_type!(ty, add_tile(&mut pools, stencil.program.taps[tap].input, size))?;
        }
        Ok(Thread { stencil, arch: Arch::new(), pools, cols, rows })
    }

    /// Computes rows from `first` on.
    fn run<T: Pooled, B: Bits>(
        mut self,
        first: usize,
        piece: &mut [B],
        narrow: impl Fn(T) -> B + Copy,
    ) -> Result<()> {
        let cols = self.stencil.plane.cols;
        let rows = piece.len() / cols;
        for col in (0..cols).step_by(self.cols) {
            for row in (0..rows).step_by(self.rows) {
                interrupt::poll();
                let part =
                    Part { row, col, rows: self.rows.min(rows - row), cols: self.cols.min(cols - col) };
                self.load(first, part);
                self.compute(part, piece, narrow);
            }
        }
        Ok(())
    }

    /// The tiles of a part and of what is around it.
    fn load(&mut self, first: usize, part: Part) {
        let (stencil, (rows_around, cols_around)) = (self.stencil, self.stencil.radius);
        let window = Window {
            row: (first + part.row) as isize - rows_around as isize,
            col: part.col as isize - cols_around as isize,
            rows: part.rows + 2 * rows_around,
            cols: part.cols + 2 * cols_around,
        };
        let mut is_loaded = [false; 256];
        for &(ty, index) in &stencil.plan.inputs {
            let tap = stencil.program.taps[index];
            if !std::mem::replace(&mut is_loaded[tap.input % 256], true) {
                let (elements, outside) = (stencil.inputs[tap.input], stencil.outside[tap.input]);
                let tile = tile::Tile { arch: self.arch, plane: stencil.plane, window, input: tap.input };
                tile.load(elements, ty, outside, &mut self.pools);
            }
            let row = rows_around.wrapping_add_signed(tap.rows.into());
            let from = row * window.cols + cols_around.wrapping_add_signed(tap.cols.into());
            dispatch_type!(ty, place_tap(&mut self.pools, index, tap.input, from));
        }
    }

    fn compute<T: Pooled, B: Bits>(&mut self, part: Part, piece: &mut [B], narrow: impl Fn(T) -> B + Copy) {
        let (plan, words) = (self.stencil.plan, &self.stencil.program.literals);
        let pitch = part.cols + 2 * self.stencil.radius.1;
        let at_once = (BLOCK / pitch).max(1);
        for row in (0..part.rows).step_by(at_once) {
            let rows = at_once.min(part.rows - row);
            let span = Span { arch: self.arch, first: row * pitch, len: (rows - 1) * pitch + part.cols };
            for instruction in &plan.instructions {
                execute(span, instruction, &mut self.pools, words, false);
            }
            let lanes = lanes::<T>(&self.pools, plan.result, span);
            for (k, lanes) in lanes.chunks(pitch).enumerate() {
                let to = (part.row + row + k) * self.stencil.plane.cols + part.col;
                narrow_all(self.arch, &lanes[..part.cols], &mut piece[to..to + part.cols], narrow);
            }
        }
    }
}

fn add_tile<T: Pooled>(pools: &mut Pools, input: usize, size: usize) -> Result<()> {
    let tiles = &mut T::pool_mut(pools).tiles;
    if tiles.len() <= input {
        tiles.resize(input + 1, Vec::new());
    }
    if tiles[input].is_empty() {
        tiles[input] = zeros(size)?;
    }
    Ok(())
}

fn place_tap<T: Pooled>(pools: &mut Pools, tap: usize, tile: usize, from: usize) {
    T::pool_mut(pools).inputs[tap] = Lanes::Tile(tile, from);
}

//! Convolution of a matrix with a filter on the CPU.
//!
//!   result[y, x] = Σ w[i, j] · data[y + first + i, x + first + j]        w ≠ 0
//!
//! Algorithm  Tiles of 32 rows and at most 256 columns of the result, whose elements and what is around them are converted once, into memory
//!            that stays in the caches of a core. Sums of two or four rows and 128 bytes of columns are held in registers while the weights
//!            that are not 0 pass by (register blocking); pulp chooses the instruction set. Filters of more than 32 × 64 weights take part
//!            by part.
//! Cost       A multiply-add a weight and result; a register is loaded for each, from L1. Reads data (1 + m/32)(1 + n/256) times.
//! Accuracy   Weights are added in the order of rows, fused where the processor does: the bits do not depend on the threads.
//! Source     K. Goto, R. van de Geijn, "Anatomy of high-performance matrix multiplication", ACM TOMS 2008 (blocking for registers and caches).
#![forbid(unsafe_code)]

mod number;

use pulp::Arch;

use super::map::{Elements, Target, narrow_all};
use super::parallel::parallel_for::try_parallel_for;
use super::window::Window;
use super::{Execution, run};
use crate::error::Result;
use crate::interrupt;
use crate::model::dtype::{Dtype, Element};
use crate::model::variant::Variant;
use crate::model::window::Windows;
use crate::vector::{reserved, zeros};
pub use number::Accumulator;
use number::loaded;

/// Rows and columns of a tile, at most.
const ROWS: usize = 32;
const COLS: usize = 256;

/// Rows and columns of the part of a filter that is taken at once.
const PART: (usize, usize) = (32, 64);

/// Bytes of a row of sums in registers.
const BLOCK: usize = 128;

/// Multiply-adds that are done sooner than a pool of threads wakes up.
const SMALL: usize = 1 << 15;

/// A weight, and where the element that it weighs lies in a tile.
#[derive(Clone, Copy)]
pub struct Tap<A> {
    offset: usize,
    weight: A,
}

/// Weights of a filter that are not 0, and where in the filter they begin.
struct Part<A> {
    row: usize,
    col: usize,
    rows: usize,
    cols: usize,
    taps: Vec<Tap<A>>,
}

/// A call: what is computed of what.
struct Convolution<'a, A> {
    windows: &'a Windows,
    data: Elements<'a>,
    outside: A,
    parts: Vec<Part<A>>,
    cols: usize,
    pitch: usize,
}

/// result ← the sums of each window, whose weights are the filter, or the filter turned; nothing is empty.
pub fn convolve<A: Accumulator>(
    how: Execution,
    windows: &Windows,
    data: Elements,
    (filter, is_turned): (&[A], bool),
    result: &mut impl Target,
) -> Result<()> {
    let weight = |index: usize| filter[if is_turned { filter.len() - 1 - index } else { index }];
    let cols = windows.result[1].min(COLS).next_multiple_of(A::LANES);
    let pitch = cols + windows.size[1].min(PART.1) - 1;
    let parts = parts(windows.size, pitch, &weight)?;
    let outside = number::outside(&windows.plane, &data);
    let convolution = Convolution { windows, data, outside, parts, cols, pitch };
    match result.dtype() {
        Dtype::F32 => convolution.stored(how, result.elements()?, A::to_f32),
        Dtype::F64 => convolution.stored(how, result.elements()?, A::to_f64),
        Dtype::I8 => convolution.stored(how, result.elements()?, A::to_i8),
        Dtype::I16 => convolution.stored(how, result.elements()?, A::to_i16),
        Dtype::I32 => convolution.stored(how, result.elements()?, A::to_i32),
        Dtype::I64 => convolution.stored(how, result.elements()?, A::to_i64),
        Dtype::U8 => convolution.stored(how, result.elements()?, A::to_u8),
        Dtype::U16 => convolution.stored(how, result.elements()?, A::to_u16),
        Dtype::U32 => convolution.stored(how, result.elements()?, A::to_u32),
        Dtype::Bool => convolution.stored(how, result.elements()?, |sum| u8::from(sum != A::default())),
        _ => convolution.stored(how, result.elements()?, A::to_u64),
    }
}

/// The weights that are not 0, part by part.
fn parts<A: Accumulator>(
    [rows, cols]: [usize; 2],
    pitch: usize,
    weight: &dyn Fn(usize) -> A,
) -> Result<Vec<Part<A>>> {
    let mut parts = reserved(rows.div_ceil(PART.0) * cols.div_ceil(PART.1))?;
    for row in (0..rows).step_by(PART.0) {
        interrupt::poll();
        for col in (0..cols).step_by(PART.1) {
            let mut part = Part {
                row,
                col,
                rows: PART.0.min(rows - row),
                cols: PART.1.min(cols - col),
                taps: Vec::new(),
            };
            let all = || (0..part.rows).flat_map(|i| (0..part.cols).map(move |j| (i, j)));
            let tap = |(i, j)| Tap { offset: i * pitch + j, weight: weight((row + i) * cols + col + j) };
            let is_there = |tap: &Tap<A>| tap.weight != A::default();
            let mut taps = reserved(all().map(tap).filter(is_there).count())?;
            taps.extend(all().map(tap).filter(is_there));
            part.taps = taps;
            parts.push(part);
        }
    }
    Ok(parts)
}

impl<A: Accumulator> Convolution<'_, A> {
    fn stored<R: Element>(
        &self,
        how: Execution,
        result: &mut [R],
        narrow: impl Fn(A) -> R + Copy + Sync,
    ) -> Result<()> {
        let (cols, elements) = (self.windows.result[1], self.piece(how));
        let is_alone = how.1 == Variant::Sequential || self.is_small();
        run(how.0, is_alone, || {
            try_parallel_for(is_alone, result.chunks_mut(elements), |index, piece| {
                let first = (index * elements / cols, index * elements % cols);
                match how.1 {
                    Variant::Sequential => self.plain(first.0, piece, narrow),
                    Variant::Auto => Thread::new(self)?.run(first, piece, narrow),
                }
            })
        })?
    }

    fn is_small(&self) -> bool {
        let taps: usize = self.parts.iter().map(|part| part.taps.len()).sum();
        self.windows.result[0].saturating_mul(self.windows.result[1]).saturating_mul(taps) < SMALL
    }

    /// Elements of a piece: whole rows, or of a single row tiles, two pieces a thread at least where there are as many.
    fn piece(&self, (workers, variant): Execution) -> usize {
        let ([rows, cols], pieces) = (self.windows.result, 2 * workers.threads());
        match variant {
            Variant::Auto if rows == 1 => cols.div_ceil(pieces).next_multiple_of(COLS).min(64 * COLS),
            Variant::Auto => rows.div_ceil(pieces).clamp(1, 8 * ROWS) * cols,
            Variant::Sequential => cols,
        }
    }

    /// The plain loop: a row of the result.
    fn plain<R>(&self, row: usize, piece: &mut [R], narrow: impl Fn(A) -> R) -> Result<()> {
        let Windows { plane, size, first, .. } = *self.windows;
        let mut elements = zeros(size[1].min(PART.1))?;
        for (col, to) in piece.iter_mut().enumerate() {
            interrupt::poll();
            let mut sum = A::default();
            for part in &self.parts {
                let mut loaded_row = None; // of the part, in elements
                for tap in &part.taps {
                    let (i, j) = (tap.offset / self.pitch, tap.offset % self.pitch);
                    if loaded_row != Some(i) {
                        let window = Window {
                            row: (row + part.row + i) as isize + first[0],
                            col: (col + part.col) as isize + first[1],
                            rows: 1,
                            cols: part.cols,
                        };
                        let to = (&mut elements[..part.cols], part.cols);
                        loaded((Arch::Scalar, &plane, &window), &self.data, to, self.outside);
                        loaded_row = Some(i);
                    }
                    sum = sum.plus::<false>(tap.weight, elements[j]);
                }
            }
            *to = narrow(sum);
        }
        Ok(())
    }
}

/// A thread's work on a piece.
struct Thread<'c, A> {
    convolution: &'c Convolution<'c, A>,
    arch: Arch,
    tile: Vec<A>,
    sums: Vec<A>,
}

impl<'c, A: Accumulator> Thread<'c, A> {
    fn new(convolution: &'c Convolution<'c, A>) -> Result<Thread<'c, A>> {
        let rows = ROWS + convolution.windows.size[0].min(PART.0) - 1;
        let (tile, sums) = (zeros(rows * convolution.pitch)?, zeros(ROWS * convolution.cols)?);
        Ok(Thread { convolution, arch: Arch::new(), tile, sums })
    }

    /// Computes rows of the result, or a part of a single one, from `first` on.
    fn run<R>(
        mut self,
        first: (usize, usize),
        piece: &mut [R],
        narrow: impl Fn(A) -> R + Copy,
    ) -> Result<()> {
        let all = self.convolution.windows.result[1].min(piece.len());
        let rows = piece.len() / all;
        for col in (0..all).step_by(self.convolution.cols) {
            let cols = self.convolution.cols.min(all - col);
            for row in (0..rows).step_by(ROWS) {
                let count = ROWS.min(rows - row);
                self.sum((first.0 + row, first.1 + col), (count, cols));
                for (k, sums) in self.sums.chunks(self.convolution.cols).take(count).enumerate() {
                    let to = &mut piece[(row + k) * all + col..][..cols];
                    narrow_all(self.arch, &sums[..cols], to, narrow);
                }
            }
        }
        Ok(())
    }

    /// The sums of a tile.
    fn sum(&mut self, (row, col): (usize, usize), (rows, cols): (usize, usize)) {
        let Convolution { windows, data, outside, parts, .. } = self.convolution;
        self.sums.fill(A::default());
        for part in parts.iter().filter(|part| !part.taps.is_empty()) {
            interrupt::poll();
            let window = Window {
                row: (row + part.row) as isize + windows.first[0],
                col: (col + part.col) as isize + windows.first[1],
                rows: rows + part.rows - 1,
                cols: cols + part.cols - 1,
            };
            let to = (&mut *self.tile, self.convolution.pitch);
            loaded((self.arch, &windows.plane, &window), data, to, *outside);
            self.add(&part.taps, rows);
        }
    }

    /// Adds the products of weights; of whole blocks of columns, and of one, two or four rows, some of which may be behind the tile's last.
    fn add(&mut self, taps: &[Tap<A>], rows: usize) {
        let (pitch, cols) = (self.convolution.pitch, self.convolution.cols);
        let (tile, sums) = (&*self.tile, &mut *self.sums);
        match self.arch {
            Arch::Scalar => blocks::<A, 2, false>(tile, pitch, taps, (sums, cols, rows)),
            arch if rows == 1 => arch.dispatch(
                #[inline(always)]
                || blocks::<A, 1, true>(tile, pitch, taps, (sums, cols, rows)),
            ),
            arch if has_many_registers(arch) => arch.dispatch(
                #[inline(always)]
                || blocks::<A, 4, true>(tile, pitch, taps, (sums, cols, rows)),
            ),
            arch => arch.dispatch(
                #[inline(always)]
                || blocks::<A, 2, true>(tile, pitch, taps, (sums, cols, rows)),
            ),
        }
    }
}

/// Whether there are 32 registers of 64 bytes.
fn has_many_registers(arch: Arch) -> bool {
    match arch {
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        Arch::V4(_) => true,
        _ => false,
    }
}

#[inline(always)] // so that it is compiled for the instruction set of `dispatch`
fn blocks<A: Accumulator, const R: usize, const FUSED: bool>(
    tile: &[A],
    pitch: usize,
    taps: &[Tap<A>],
    (sums, cols, rows): (&mut [A], usize, usize),
) {
    for row in (0..rows).step_by(R) {
        for col in (0..cols).step_by(A::LANES) {
            let sums = &mut sums[row * cols + col..];
            A::block::<R, FUSED>(&tile[row * pitch + col..], pitch, taps, (sums, cols));
        }
    }
}

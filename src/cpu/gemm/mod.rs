//! One matrix product: C ← alpha·A·B + beta·C.
//!
//! Algorithm  C is cut into pieces, each of which one thread computes alone (`piece`). Products of which C is a row, a column or a
//!            few columns have loops of their own (`vector`).
//! Bits       They depend on the machine's instruction set, not on the number of threads: every element of C is summed in the same
//!            order wherever the cuts are.
#![forbid(unsafe_code)]

mod pack;
mod piece;
mod tile;
mod vector;

pub use piece::Workspace;

use super::Float;
use super::parallel::parallel_for::try_parallel_for;
use crate::error::Result;
use crate::vector::{push, reserved};
use piece::{Rows, multiply};

/// A matrix to read: element (i, j) is `elements[i * row + j * col]`, and one of the steps is 1.
#[derive(Clone, Copy)]
pub struct Factor<'a, T> {
    pub elements: &'a [T],
    pub row: usize,
    pub col: usize,
}

/// What one matrix C becomes: alpha·A·B + beta·C. All of m, n, k are at least 1, and beta = 0 does not read C.
#[derive(Clone, Copy)]
pub struct Task<'a, T> {
    pub m: usize,
    pub n: usize,
    pub k: usize,
    pub a: Factor<'a, T>,
    pub b: Factor<'a, T>,
    pub alpha: T,
    pub beta: T,
    /// Elements from one row of C to the next.
    pub ld: usize,
    /// 1: on this thread; else on those of the current pool, which has so many.
    pub threads: usize,
}

impl<'a, T> Factor<'a, T> {
    fn reaches(&self, rows: usize, cols: usize) -> bool {
        (rows - 1) * self.row + (cols - 1) * self.col < self.elements.len()
    }

    /// The matrix from an element on.
    fn from(&self, i: usize, j: usize) -> Factor<'a, T> {
        Factor { elements: &self.elements[i * self.row + j * self.col..], ..*self }
    }

    fn transposed(&self) -> Factor<'a, T> {
        Factor { row: self.col, col: self.row, ..*self }
    }
}

impl<T: Float> Task<'_, T> {
    /// `c`: the first element of C to the last. `workspace`: of this thread, for the next product too.
    pub fn run(&self, c: &mut [T], workspace: &mut Workspace<T>) -> Result<()> {
        let Task { m, n, k, a, b, ld, .. } = *self;
        assert!(
            a.reaches(m, k) && b.reaches(k, n) && (m - 1) * ld + n <= c.len(),
            "ops::matmul checks the sizes"
        );
        if m == 1 {
            return vector::multiply(self, (a.elements, a.col), &b, (&mut c[..n], 1));
        }
        if n == 1 {
            return vector::multiply(
                self,
                (b.elements, b.row),
                &a.transposed(),
                (&mut c[..(m - 1) * ld + 1], ld),
            );
        }
        if n <= vector::FEW && a.col == 1 {
            return vector::multiply_rows(self, &mut c[..(m - 1) * ld + n]);
        }
        let (height, width) = self.piece_extents();
        if m <= height && n <= width {
            return multiply(self, (0, 0), (m, n), Rows::Whole(c, ld), workspace);
        }
        let pieces = self.pieces(c, height, width)?;
        try_parallel_for(self.threads == 1, pieces.into_iter(), |_, Piece { first, extents, rows }| {
            multiply(self, first, extents, rows, &mut Workspace::default())
        })
    }

    /// Rows and columns of a piece: up to PIECES a thread, the squarest ones that are not small.
    fn piece_extents(&self) -> (usize, usize) {
        const PIECES: usize = 2; // with more, parts of A and B are packed more often
        const AREA: usize = 256 * 256; // of smaller pieces, packing is more than a tenth of the work
        let Task { m, n, threads, .. } = *self;
        let cols = |parts: usize| n.div_ceil(parts).next_multiple_of(GRAIN).min(COLS_MAX);
        let a_thread = (m * n / (AREA * threads)).clamp(1, PIECES);
        let pieces = if threads > 1 { threads * a_thread } else { 1 };
        let divisors = (1..=pieces).filter(|down| pieces.is_multiple_of(*down));
        let shapes = divisors.map(|down| (m.div_ceil(down), cols(pieces / down)));
        shapes.min_by_key(|&(rows, cols)| rows + cols).expect("there is at least one piece")
    }

    /// C in pieces, row by row.
    fn pieces<'c>(&self, c: &'c mut [T], height: usize, width: usize) -> Result<Vec<Piece<'c, T>>> {
        let Task { m, n, ld, .. } = *self;
        let across = n.div_ceil(width);
        let mut pieces = reserved(m.div_ceil(height) * across)?;
        for (band, c) in c.chunks_mut(height * ld).enumerate() {
            let (i, height) = (band * height, height.min(m - band * height));
            let piece = |j, rows| Piece { first: (i, j), extents: (height, width.min(n - j)), rows };
            if across == 1 {
                pieces.push(piece(0, Rows::Whole(c, ld)));
                continue;
            }
            let first = pieces.len();
            for j in (0..n).step_by(width) {
                pieces.push(piece(j, Rows::Each(reserved(height)?)));
            }
            for row in c.chunks_mut(ld) {
                for (piece, part) in pieces[first..].iter_mut().zip(row[..n].chunks_mut(width)) {
                    if let Rows::Each(rows) = &mut piece.rows {
                        push(rows, part)?;
                    }
                }
            }
        }
        Ok(pieces)
    }
}

/// Columns of which pieces have multiples, but for the last ones: those of a narrow tile.
const GRAIN: usize = 16;

/// Columns of a piece at most: their packed part of B, 4 MiB, or 8 with AVX-512, is in the last cache, or comes from memory in time.
const COLS_MAX: usize = 2048;

/// A piece of C.
struct Piece<'c, T> {
    first: (usize, usize),
    extents: (usize, usize),
    rows: Rows<'c, T>,
}

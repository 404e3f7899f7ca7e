//! A piece of C on one thread, after Goto and van de Geijn, "Anatomy of High-Performance Matrix Multiplication" (2008).
//!
//! Algorithm  For each block of terms: panels of W columns of B, and for each block of ROWS rows panels of R rows of A, are packed; a panel
//!            of B stays in L1 while those of A pass by from L2, and each pair makes a tile of C in registers. A panel of B is packed
//!            before its first use.
//! Cost       2·m·n·k operations in fused multiply-adds; per term and tile R broadcasts and W lanes are loaded.
#![forbid(unsafe_code)]

use pulp::{Arch, Simd, WithSimd};

use super::pack::pack;
use super::tile::{tile, tile_beside, write};
use super::{Float, Task};
use crate::error::Result;
use crate::interrupt::poll_at;
use crate::prefetch::{prefetch, prefetch_to_l2};
use crate::vector::reserve;

/// Rows of A that are packed at once, at most.
const ROWS: usize = 96;

/// So few terms that rows of C are computed whole: what they cost is writing C.
const FEW_TERMS: usize = 32;

/// Bytes of a line of A or B of the terms that are added at once, with registers of so many bytes: packed rows of A have less than a
/// half of L2, of which another thread may have the other half. Processors with AVX-512 have 1 MiB, others 512 KiB.
const fn bytes_of_terms(register: usize) -> usize {
    if register == 64 { 4096 } else { 2048 }
}

/// Bytes of a line of the cache.
const LINE: usize = 64;

/// The rows of a piece of C.
pub enum Rows<'c, T> {
    /// From the first element to the last, and elements from one row to the next.
    Whole(&'c mut [T], usize),
    Each(Vec<&'c mut [T]>),
}

impl<T> Rows<'_, T> {
    #[inline(always)]
    fn part(&mut self, i: usize, j: usize, len: usize) -> &mut [T] {
        match self {
            Rows::Whole(elements, ld) => &mut elements[i * *ld + j..][..len],
            Rows::Each(rows) => &mut rows[i][j..][..len],
        }
    }
}

/// Room for panels, and where those of columns begin: at a line of the cache.
#[derive(Default)]
pub struct Workspace<T> {
    cols: Vec<T>,
    rows: Vec<T>,
    start: usize,
}

impl<T: Float> Workspace<T> {
    /// Memory for so many elements.
    fn prepare(&mut self, cols: usize, rows: usize) -> Result<()> {
        let most = LINE / size_of::<T>();
        for (elements, most) in [(&mut self.cols, cols + most), (&mut self.rows, rows)] {
            let more = most.saturating_sub(elements.len());
            reserve(elements, more)?;
        }
        self.start = self.cols.as_ptr().align_offset(LINE).min(most);
        Ok(())
    }
}

/// Elements of a vector that has memory for them: zeros until they are written, panel by panel, so that L1 has them.
#[inline(always)]
fn room<T: Float>(elements: &mut Vec<T>, first: usize, len: usize) -> &mut [T] {
    if elements.len() < first + len {
        elements.resize(first + len, T::default());
    }
    &mut elements[first..first + len]
}

/// The piece of C from row and column `first` on.
pub fn multiply<T: Float>(
    task: &Task<T>,
    (i, j): (usize, usize),
    (m, n): (usize, usize),
    c: Rows<T>,
    workspace: &mut Workspace<T>,
) -> Result<()> {
    let task = Task { m, n, a: task.a.from(i, 0), b: task.b.from(0, j), ..*task };
    Arch::new().dispatch(Multiply { task, c, workspace })
}

struct Multiply<'a, T> {
    task: Task<'a, T>,
    c: Rows<'a, T>,
    workspace: &'a mut Workspace<T>,
}

/// A function that computes the tiles of some columns, with as many registers as these need: (registers, columns) of a tile of so many rows.
macro_rules! tiles {
    ($simd:ident, $rows:literal; $(($registers:literal, $cols:literal)),+) => {
        #[inline(always)]
        |block: &Block<T>, (j, width): (usize, usize), c: &mut Rows<T>, panel: Panel<T>| {
            $(if width <= $cols {
                return block.tiles::<S, $rows, $registers, $cols>($simd, (j, width), c, panel);
            })+
        }
    };
}

impl<T: Float> WithSimd for Multiply<'_, T> {
    type Output = Result<()>;

    /// Tiles by the bytes of a register: AVX-512 with 32 of them, AVX2 with 16, NEON with 32, none.
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Result<()> {
        match (size_of::<T::Lanes<S>>(), size_of::<T>()) {
            (64, 8) => self.run::<S, 8, 24>(tiles!(simd, 8; (1, 8), (2, 16), (3, 24))),
            (64, _) => self.run::<S, 8, 48>(tiles!(simd, 8; (1, 16), (2, 32), (3, 48))),
            (32, 8) => self.run::<S, 6, 8>(tiles!(simd, 6; (1, 4), (2, 8))),
            (32, _) => self.run::<S, 6, 16>(tiles!(simd, 6; (1, 8), (2, 16))),
            (16, 8) => self.run::<S, 6, 8>(tiles!(simd, 6; (2, 4), (4, 8))),
            (16, _) => self.run::<S, 6, 16>(tiles!(simd, 6; (2, 8), (4, 16))),
            (_, 8) => self.run::<S, 2, 8>(tiles!(simd, 2; (4, 4), (8, 8))),
            _ => self.run::<S, 2, 16>(tiles!(simd, 2; (8, 8), (16, 16))),
        }
    }
}

impl<T: Float> Multiply<'_, T> {
    /// With tiles of R rows and at most W columns.
    #[inline(always)]
    fn run<S: Simd, const R: usize, const W: usize>(
        self,
        tiles: impl Fn(&Block<T>, (usize, usize), &mut Rows<T>, Panel<T>),
    ) -> Result<()> {
        let Multiply { task, mut c, workspace } = self;
        let Task { m, n, k, a, .. } = task;
        let terms_at_once = bytes_of_terms(size_of::<T::Lanes<S>>()) / size_of::<T>();
        let rows_at_once = if k <= FEW_TERMS { R } else { m.div_ceil(m.div_ceil(ROWS)).next_multiple_of(R) };
        let is_kept = m > rows_at_once; // panels of B, for the next rows
        let panels = if is_kept { n.div_ceil(W) } else { 1 };
        let most = terms_at_once.min(k);
        workspace.prepare(panels * W * most, m.min(rows_at_once).next_multiple_of(R) * most)?;
        let Workspace { cols, rows, start } = workspace;
        for first in (0..k).step_by(terms_at_once) {
            let terms = terms_at_once.min(k - first);
            for top in (0..m).step_by(rows_at_once) {
                poll_at(first * m + top * terms, k * m);
                let bottom = (top + rows_at_once).min(m);
                let rows = room(rows, 0, (bottom - top).next_multiple_of(R) * terms);
                for (i, panel) in (top..bottom).step_by(R).zip(rows.chunks_exact_mut(R * terms)) {
                    let height = R.min(bottom - i);
                    pack::<T, R>(panel, a.from(i, first).elements, (height, terms), (a.row, a.col));
                }
                let block = Block { task, first, terms, top, bottom, rows };
                let is_packed = is_kept && top > 0;
                let mut at = *start;
                for j in (0..n).step_by(W) {
                    tiles(&block, (j, W.min(n - j)), &mut c, (cols, at, is_packed));
                    if is_kept {
                        at += W * terms;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Packed columns of B: those of a panel are at a place of them, or will be.
type Panel<'a, T> = (&'a mut Vec<T>, usize, bool);

/// Rows of A that are packed, of some terms.
struct Block<'a, T> {
    task: Task<'a, T>,
    first: usize,
    terms: usize,
    top: usize,
    bottom: usize,
    rows: &'a [T],
}

impl<T: Float> Block<'_, T> {
    /// The tiles of `width` ≤ W columns of C, with the panel at `at` of `cols`, which is packed or will be.
    #[inline(always)]
    fn tiles<S: Simd, const R: usize, const V: usize, const W: usize>(
        &self,
        simd: S,
        (j, width): (usize, usize),
        c: &mut Rows<T>,
        (cols, at, is_packed): Panel<T>,
    ) {
        let Block { task: Task { m, b, alpha, beta, .. }, first, terms, top, bottom, rows } = *self;
        let factors = (alpha, if first == 0 { beta } else { T::ONE });
        let b_cols = b.from(first, j).elements;
        if b.col == 1 && m <= R && width == W {
            // Each element of B is used once.
            let sums = tile_beside::<S, T, V, R>(simd, b_cols, b.row, rows);
            for (i, sums) in (0..m).zip(&sums) {
                write(simd, c.part(i, j, W), sums, factors);
            }
            return;
        }
        if !is_packed {
            pack::<T, W>(room(cols, at, W * terms), b_cols, (width, terms), (b.col, b.row));
        }
        let (cols, next) = cols[at..].split_at(W * terms);
        let next = if is_packed { &next[..next.len().min(cols.len())] } else { &[] };
        let mut next = next.chunks(cols.len().div_ceil(ROWS / R));
        for (i, rows) in (top..bottom).step_by(R).zip(rows.chunks_exact(R * terms)) {
            let mut next = next.next().unwrap_or_default().chunks(LINE / size_of::<T>());
            let is_whole = width == W && i + R <= bottom;
            let sums = tile::<S, T, V, R>(simd, cols, rows, |pass| {
                if let Some(line) = next.next() {
                    prefetch_to_l2(&line[..1]);
                }
                if is_whole && pass < R {
                    prefetch(c.part(i + pass, j, W));
                }
            });
            if is_whole {
                for (row, sums) in sums.iter().enumerate() {
                    write(simd, c.part(i + row, j, W), sums, factors);
                }
                continue;
            }
            for (i, sums) in (i..bottom).zip(&sums) {
                let (c, mut whole) = (c.part(i, j, width), [T::default(); W]);
                whole[..width].copy_from_slice(c);
                write(simd, &mut whole, sums, factors);
                c.copy_from_slice(&whole[..width]);
            }
        }
    }
}

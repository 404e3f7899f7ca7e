//! The one call out of plain Rust: the `gemm-f32` and `gemm-f64` crates take raw pointers. C is shared out in pieces, each of which
//! one thread computes alone: threads that never wait for each other are faster than the crate's own, which meet at each panel.
#![allow(unsafe_code)]

use std::cell::Cell;
use std::ops::{Add, Div, Mul, Range};

use gemm_common::Parallelism;
use gemm_common::cache::CACHE_INFO;
use gemm_common::gemm::L2_SLAB;

use super::parallel::parallel_for::try_parallel_for;
use crate::error::Result;
use crate::interrupt::{in_pieces, poll_at};
use crate::vector::{with_prepared, zeros};

/// The element types of a product.
pub trait Float:
    Copy
    + Default
    + PartialEq
    + Send
    + Sync
    + Add<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + 'static
{
    const ONE: Self;
    /// self·factor + summand, rounded once.
    fn fused(self, factor: Self, summand: Self) -> Self;
    fn root(self) -> Self;
    fn rounded(value: f64) -> Self;
    /// The crate's product for the instruction set of this machine.
    fn kernel() -> Kernel<Self>;
}

/// dst ← alpha·dst + beta·lhs·rhs for (m, n, k), each matrix by its address, column step and row step; dst is not read where the flag
/// is false. Three flags for conjugates follow.
pub type Kernel<T> = unsafe fn(
    usize,
    usize,
    usize,
    *mut T,
    isize,
    isize,
    bool,
    *const T,
    isize,
    isize,
    *const T,
    isize,
    isize,
    T,
    T,
    bool,
    bool,
    bool,
    Parallelism,
);

impl Float for f32 {
    const ONE: f32 = 1.0;

    #[inline(always)] // so that it is compiled for the caller's instruction set
    fn fused(self, factor: f32, summand: f32) -> f32 {
        self.mul_add(factor, summand)
    }

    fn root(self) -> f32 {
        self.sqrt()
    }

    fn rounded(value: f64) -> f32 {
        value as f32
    }

    fn kernel() -> Kernel<f32> {
        gemm_f32::gemm::f32::get_gemm_fn()
    }
}

impl Float for f64 {
    const ONE: f64 = 1.0;

    #[inline(always)] // so that it is compiled for the caller's instruction set
    fn fused(self, factor: f64, summand: f64) -> f64 {
        self.mul_add(factor, summand)
    }

    fn root(self) -> f64 {
        self.sqrt()
    }

    fn rounded(value: f64) -> f64 {
        value
    }

    fn kernel() -> Kernel<f64> {
        gemm_f64::gemm::f64::get_gemm_fn()
    }
}

/// A matrix to read: element (i, j) is `elements[i * row + j * col]`.
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

impl<T: Float> Factor<'_, T> {
    fn reaches(&self, rows: usize, cols: usize) -> bool {
        (rows - 1) * self.row + (cols - 1) * self.col < self.elements.len()
    }
}

impl<T: Float> Task<'_, T> {
    /// `c`: the first element of C to the last.
    pub fn run(&self, c: &mut [T]) -> Result<()> {
        let Task { m, n, alpha, beta, ld, .. } = *self;
        if alpha == T::ONE || (m > 1 && n > 1) {
            return self.run_pieces(c);
        }
        // Of vectors the crate multiplies A or B by alpha, which may overflow where alpha·(A·B) does not.
        if beta == T::default() {
            Task { alpha: T::ONE, ..*self }.run_pieces(c)?;
            for row in c.chunks_mut(ld) {
                let row = &mut row[..n];
                in_pieces(n, |range| row[range].iter_mut().for_each(|c| *c = alpha * *c));
            }
            return Ok(());
        }
        let mut products = zeros(m * n)?;
        Task { alpha: T::ONE, beta: T::default(), ld: n, ..*self }.run_pieces(&mut products)?;
        for (c, products) in c.chunks_mut(ld).zip(products.chunks(n)) {
            in_pieces(n, |range| {
                for (c, &product) in c[range.clone()].iter_mut().zip(&products[range]) {
                    *c = alpha * product + beta * *c;
                }
            });
        }
        Ok(())
    }

    fn run_pieces(&self, c: &mut [T]) -> Result<()> {
        let Task { m, n, k, ld, .. } = *self;
        assert!(
            self.a.reaches(m, k) && self.b.reaches(k, n) && (m - 1) * ld + n <= c.len(),
            "ops::matmul checks the sizes"
        );
        let c = Target(c.as_mut_ptr());
        let (down, across) = self.cuts();
        let run = |index: usize| {
            let (rows, cols) = (down.piece(index / across.count), across.piece(index % across.count));
            // SAFETY: rows < m and columns < n; pieces do not overlap, and all lie in the slices, as asserted above.
            unsafe { self.run_piece(&c, rows, cols) }
        };
        let pieces = down.count * across.count;
        try_parallel_for(pieces == 1, 0..pieces, |_, piece| run(piece))
    }

    /// How C is cut: into about PIECES a thread, the squarest ones. The crate takes other kernels, which add in another order, for a
    /// single row or column and for up to DOTS elements. Only a C that is one piece has so few: results do not depend on the number of
    /// threads.
    fn cuts(&self) -> (Cuts, Cuts) {
        const PIECES: usize = 4;
        const DOTS: usize = 256;
        let Task { m, n, threads, .. } = *self;
        let round = |extent: usize, parts: usize| extent.div_ceil(parts).next_multiple_of(GRAIN);
        let mut shape = (EXTENT_MAX, EXTENT_MAX);
        if threads > 1 {
            let pieces = PIECES * threads;
            let divisors = (1..=pieces).filter(|down| pieces.is_multiple_of(*down));
            let shapes = divisors.map(|down| (round(m, down), round(n, pieces / down)));
            shape = shapes.min_by_key(|&(rows, cols)| rows + cols).expect("there is at least one piece");
        }
        while shape.0 * shape.1 > EXTENT_MAX * EXTENT_MAX {
            let longer = if shape.0 > shape.1 { &mut shape.0 } else { &mut shape.1 };
            *longer = round(*longer, 2);
        }
        // GRAIN·(GRAIN + 1) > DOTS; an extent below these is not cut.
        let down = Cuts::new(m, shape.0, GRAIN.max(DOTS / n + 1));
        (down, Cuts::new(n, shape.1, (GRAIN + 1).max(DOTS / m + 1)))
    }

    /// # Safety
    /// C's rows and columns exist and are this thread's alone; A and B hold their part.
    unsafe fn run_piece(&self, c: &Target<T>, rows: Range<usize>, cols: Range<usize>) -> Result<()> {
        own_slab()?;
        let (i, m, j, n) = (rows.start, rows.len(), cols.start, cols.len());
        let Task { k, a, b, alpha, beta, ld, .. } = *self;
        let step = |step: usize| isize::try_from(step).expect("a slice is shorter than isize::MAX");
        // Rows, first element, and the steps from one row and one term to the next, of A and of Bᵀ.
        let a = (m, &a.elements[i * a.row..], step(a.row), step(a.col));
        let b = (n, &b.elements[j * b.col..], step(b.col), step(b.row));
        // The kernels write columns: they compute Cᵀ = Bᵀ·Aᵀ, unless C is a single column.
        let (left, right) = if ld > 1 { (b, a) } else { (a, b) };
        let terms_at_once = terms_at_once();
        for first in (0..k).step_by(terms_at_once) {
            poll_at(first, k);
            let beta = if first == 0 { beta } else { T::ONE };
            let terms = terms_at_once.min(k - first);
            // SAFETY: the caller's promise; C is not read where beta is 0. The crate's alpha is the factor of C.
            with_prepared(workspace::<T>(m, n, terms), || unsafe {
                T::kernel()(
                    left.0,
                    right.0,
                    terms,
                    c.0.add(i * ld + j),
                    step(ld),
                    1,
                    beta != T::default(),
                    left.1.as_ptr().offset(step(first) * left.3),
                    left.3,
                    left.2,
                    right.1.as_ptr().offset(step(first) * right.3),
                    right.2,
                    right.3,
                    beta,
                    alpha,
                    false,
                    alpha != T::ONE, // conjugates, of which numbers have none: not the path that multiplies A or B by alpha
                    false,
                    Parallelism::None,
                )
            })?;
        }
        Ok(())
    }
}

/// Rows and columns of C that are computed at once, at most and a few more: they bound the workspace, and how long a call goes on that is
/// cancelled, 0.03 s with 43 GFLOP/s a core. Of more columns the crate packs A, which then leaves the caches: 2000 x 2000 x 2000
/// doubles took 1.15 times as long in one piece.
const EXTENT_MAX: usize = 1024;
const GRAIN: usize = 16; // rows or columns of which pieces have multiples, but for the last one

/// Terms that are added at once: fewer where the L2 cache is small, so that it holds the packed part of B, also where another thread
/// has a half of it. On a Zen 3 with 512 KiB, doubles of 2000 x 2000: 27.9 GFLOP/s with 384 terms, 30.4 with 192, while others worked
/// on the core; 35 and 38 where they did not.
fn terms_at_once() -> usize {
    if CACHE_INFO[1].cache_bytes < 1 << 20 { 192 } else { 384 }
}

/// An extent of C in pieces.
struct Cuts {
    extent: usize,
    step: usize,
    count: usize,
}

impl Cuts {
    /// Pieces of `step` or a little more, none of fewer than `least` unless it is the only one.
    fn new(extent: usize, step: usize, least: usize) -> Cuts {
        let step = step.max(least.next_multiple_of(GRAIN));
        let has_rest = extent % step >= least;
        Cuts { extent, step, count: (extent / step + usize::from(has_rest)).max(1) }
    }

    fn piece(&self, index: usize) -> Range<usize> {
        let start = index * self.step;
        start..if index + 1 == self.count { self.extent } else { start + self.step }
    }
}

/// Bytes that the crate allocates at most for a product of so many rows, columns and terms: packed panels of A and of B, whose widths
/// are multiples of their tiles', up to 96 and not powers of two; where it knows of no L3 cache one has 128 tiles of up to 8.
fn workspace<T>(m: usize, n: usize, terms: usize) -> usize {
    const TILE: usize = 96;
    const ALIGNMENT: usize = 1024;
    let least = if CACHE_INFO[2].cache_bytes == 0 { 128 * 8 } else { 0 };
    (m.max(least) + n.max(least) + 2 * TILE) * terms * size_of::<T>() + ALIGNMENT
}

/// The crate keeps a buffer of the size of the L2 cache for each thread, which it allocates at the thread's first product.
fn own_slab() -> Result<()> {
    const ALIGNMENT: usize = 1024;
    thread_local! { static IS_THERE: Cell<bool> = const { Cell::new(false) } }
    if !IS_THERE.get() {
        with_prepared(CACHE_INFO[1].cache_bytes + ALIGNMENT, || L2_SLAB.with(|_| ()))?;
        IS_THERE.set(true);
    }
    Ok(())
}

/// C, whose pieces go to different threads.
struct Target<T>(*mut T);

// SAFETY: `run` hands out pieces that do not overlap.
unsafe impl<T: Send> Sync for Target<T> {}

/// A product so small that nobody sees it, on this thread: at its first one the crate reads what caches the
/// machine has.
pub fn prepare() -> Result<()> {
    let ones = Factor { elements: &[1.0f32; 16], row: 4, col: 1 };
    let task = Task { m: 4, n: 4, k: 4, a: ones, b: ones, alpha: 1.0, beta: 0.0, ld: 4, threads: 1 };
    task.run(&mut [0.0; 16])
}

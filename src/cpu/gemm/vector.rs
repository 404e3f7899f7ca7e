//! Products of a vector and a matrix: y ← alpha·x·M + beta·y. They read M once, which is what they cost.
//!
//! Algorithm  Where rows of M are contiguous, they are added up, four at a time, into SUMS sums; where columns are, each is an inner
//!            product in two SIMD registers, COLS of them at a time.
#![forbid(unsafe_code)]

use std::array::from_fn;

use pulp::{Arch, Simd, WithSimd};

use super::{Factor, Float, Task};
use crate::cpu::parallel::parallel_for::try_parallel_for;
use crate::error::Result;
use crate::interrupt::{in_pieces, poll_at};
use crate::vector::reserved;

const SUMS: usize = 1024;
const SUMS_LEAST: usize = 64; // of a piece, so that rows are read by lines of the cache
const COLS: usize = 4;
const PIECES: usize = 4; // a thread
const BAND: usize = 1 << 22; // operations between polls
const TERMS: usize = 1 << 14; // the same, of a piece

/// C of so many columns at most is computed row by row.
pub const FEW: usize = 4;

/// A matrix C of one row or column. x and y: elements so many apart.
pub fn multiply<T: Float>(
    task: &Task<T>,
    (x, x_step): (&[T], usize),
    matrix: &Factor<T>,
    (y, y_step): (&mut [T], usize),
) -> Result<()> {
    let Task { k, threads, .. } = *task;
    let gathered;
    let x = if x_step == 1 {
        &x[..k]
    } else {
        gathered = gather(k, |l| x[l * x_step])?;
        &gathered
    };
    let len = y.len().div_ceil(y_step);
    let grain = if matrix.col == 1 { SUMS_LEAST } else { COLS };
    let at_once = len.div_ceil(PIECES * threads).next_multiple_of(grain).min(SUMS);
    try_parallel_for(threads == 1, y.chunks_mut(at_once * y_step), |piece, y| {
        let mut sums = [T::default(); SUMS];
        let sums = &mut sums[..y.len().div_ceil(y_step)];
        add(sums, x, &matrix.from(0, piece * at_once));
        put(task, y.iter_mut().step_by(y_step), sums);
        Ok(())
    })
}

/// C of at most FEW columns, row by row, where A is row-major.
pub fn multiply_rows<T: Float>(task: &Task<T>, c: &mut [T]) -> Result<()> {
    let Task { m, n, k, a, b, ld, threads, .. } = *task;
    let gathered;
    let columns = if b.row == 1 {
        b
    } else {
        gathered = gather(n * k, |at| b.elements[at / k * b.col + at % k * b.row])?;
        Factor { elements: &gathered, row: 1, col: k }
    };
    let height = m.div_ceil(PIECES * threads).min(BAND / (n * k) + 1);
    try_parallel_for(threads == 1, c.chunks_mut(height * ld), |band, c| {
        poll_at(band * height, m);
        for (i, c) in (band * height..).zip(c.chunks_mut(ld)) {
            let mut sums = [T::default(); FEW];
            add(&mut sums[..n], &a.from(i, 0).elements[..k], &columns);
            put(task, c[..n].iter_mut(), &sums);
        }
        Ok(())
    })
}

fn gather<T>(len: usize, element: impl Fn(usize) -> T) -> Result<Vec<T>> {
    let mut gathered = reserved(len)?;
    in_pieces(len, |range| gathered.extend(range.map(&element)));
    Ok(gathered)
}

/// y ← alpha·sums + beta·y; beta = 0 does not read y.
fn put<'y, T: Float>(task: &Task<T>, y: impl Iterator<Item = &'y mut T>, sums: &[T]) {
    let Task { alpha, beta, .. } = *task;
    for (y, &sum) in y.zip(sums) {
        *y = if beta == T::default() { alpha * sum } else { alpha * sum + beta * *y };
    }
}

/// sums\[j\] ← sums\[j\] + Σ x\[l\]·M(l, j).
fn add<T: Float>(sums: &mut [T], x: &[T], matrix: &Factor<T>) {
    let arch = Arch::new();
    for (part, terms) in x.chunks(TERMS).enumerate() {
        poll_at(part * TERMS, x.len());
        arch.dispatch(Add { sums, x: terms, matrix: matrix.from(part * TERMS, 0) });
    }
}

struct Add<'a, T> {
    sums: &'a mut [T],
    x: &'a [T],
    matrix: Factor<'a, T>,
}

impl<T: Float> WithSimd for Add<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        if self.matrix.col == 1 { self.rows() } else { self.cols(simd) }
    }
}

impl<T: Float> Add<'_, T> {
    /// In the order of l.
    #[inline(always)] // so that it is compiled for the instruction set of `dispatch`
    fn rows(self) {
        let Add { sums, x, matrix } = self;
        let len = sums.len();
        let row = |l: usize| &matrix.elements[l * matrix.row..][..len];
        let (groups, rest) = x.as_chunks::<4>();
        for (group, x) in groups.iter().enumerate() {
            let at = 4 * group;
            let (first, second, third, fourth) = (row(at), row(at + 1), row(at + 2), row(at + 3));
            for j in 0..len {
                sums[j] = sums[j] + x[0] * first[j] + x[1] * second[j] + x[2] * third[j] + x[3] * fourth[j];
            }
        }
        for (i, &x) in rest.iter().enumerate() {
            for (sum, &element) in sums.iter_mut().zip(row(groups.len() * 4 + i)) {
                *sum = *sum + x * element;
            }
        }
    }

    #[inline(always)]
    fn cols<S: Simd>(self, simd: S) {
        let Add { sums, x, matrix } = self;
        let col = |j: usize| &matrix.elements[j * matrix.col..][..x.len()];
        let (groups, rest) = sums.as_chunks_mut::<COLS>();
        let cols = groups.len() * COLS;
        for (group, sums) in groups.iter_mut().enumerate() {
            let added = inner_products::<S, T, COLS>(simd, x, from_fn(|i| col(group * COLS + i)));
            *sums = from_fn(|i| sums[i] + added[i]);
        }
        for (i, sum) in rest.iter_mut().enumerate() {
            let [added] = inner_products::<S, T, 1>(simd, x, [col(cols + i)]);
            *sum = *sum + added;
        }
    }
}

#[inline(always)]
fn inner_products<S: Simd, T: Float, const N: usize>(simd: S, x: &[T], cols: [&[T]; N]) -> [T; N] {
    const REGISTERS: usize = 2;
    let whole = T::lanes::<S>(x).as_chunks::<REGISTERS>().0;
    let registers = cols.map(|col| &T::lanes::<S>(col).as_chunks::<REGISTERS>().0[..whole.len()]);
    let mut sums = [[T::splat(simd, T::default()); REGISTERS]; N];
    for (group, x) in whole.iter().enumerate() {
        for (sums, col) in sums.iter_mut().zip(&registers) {
            for (register, sum) in sums.iter_mut().enumerate() {
                *sum = T::times_plus(simd, x[register], col[group][register], *sum);
            }
        }
    }
    let first = whole.len() * REGISTERS * size_of::<T::Lanes<S>>() / size_of::<T>();
    from_fn(|i| {
        let sum = T::sum(simd, T::plus(simd, sums[i][0], sums[i][1]));
        x[first..].iter().zip(&cols[i][first..]).fold(sum, |sum, (&x, &element)| sum + x * element)
    })
}

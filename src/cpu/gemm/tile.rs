//! A tile of C in registers: R rows of V SIMD registers.
#![forbid(unsafe_code)]

use pulp::Simd;

use super::Float;
use crate::prefetch::{AHEAD, prefetch};

pub type Tile<T, S, const V: usize, const R: usize> = [[<T as Float>::Lanes<S>; V]; R];

/// Terms in one pass of the loop.
const TERMS: usize = 4;

/// Σ row·columns over the terms of two panels: V registers of B and R elements of A a term. `beside` is called at each pass of TERMS
/// terms.
#[inline(always)] // so that it is compiled for the caller's instruction set
pub fn tile<S: Simd, T: Float, const V: usize, const R: usize>(
    simd: S,
    cols: &[T],
    rows: &[T],
    mut beside: impl FnMut(usize),
) -> Tile<T, S, V, R> {
    let (cols, rows) = (T::lanes::<S>(cols).as_chunks::<V>().0, rows.as_chunks::<R>().0);
    let ((cols, last_cols), (rows, last_rows)) = (cols.as_chunks::<TERMS>(), rows.as_chunks::<TERMS>());
    let mut sums = [[T::splat(simd, T::default()); V]; R];
    for (pass, (cols, rows)) in cols.iter().zip(rows).enumerate() {
        beside(pass);
        for term in 0..TERMS {
            add::<S, T, V, R>(simd, &mut sums, &cols[term], &rows[term]);
        }
    }
    for (cols, rows) in last_cols.iter().zip(last_rows) {
        add::<S, T, V, R>(simd, &mut sums, cols, rows);
    }
    sums
}

/// The same with columns of B where they lie, `row` elements from one term to the next.
#[inline(always)]
pub fn tile_beside<S: Simd, T: Float, const V: usize, const R: usize>(
    simd: S,
    cols: &[T],
    row: usize,
    rows: &[T],
) -> Tile<T, S, V, R> {
    let width = V * size_of::<T::Lanes<S>>() / size_of::<T>();
    let mut sums = [[T::splat(simd, T::default()); V]; R];
    for (term, rows) in rows.as_chunks::<R>().0.iter().enumerate() {
        if let Some(ahead) = cols.get((term + AHEAD) * row..).and_then(|ahead| ahead.get(..width)) {
            prefetch(ahead);
        }
        let (cols, _) = T::lanes::<S>(&cols[term * row..][..width]).as_chunks::<V>();
        add::<S, T, V, R>(simd, &mut sums, &cols[0], rows);
    }
    sums
}

/// One term.
#[inline(always)]
fn add<S: Simd, T: Float, const V: usize, const R: usize>(
    simd: S,
    sums: &mut Tile<T, S, V, R>,
    cols: &[T::Lanes<S>; V],
    rows: &[T; R],
) {
    for (sums, &row) in sums.iter_mut().zip(rows) {
        let row = T::splat(simd, row);
        for (sum, &col) in sums.iter_mut().zip(cols) {
            *sum = T::times_plus(simd, row, col, *sum);
        }
    }
}

/// c ← alpha·sums + beta·c for one row of a tile; beta = 0 does not read c.
#[inline(always)]
pub fn write<S: Simd, T: Float, const V: usize>(
    simd: S,
    c: &mut [T],
    sums: &[T::Lanes<S>; V],
    (alpha, beta): (T, T),
) {
    let [factor, of_c] = [alpha, beta].map(|factor| T::splat(simd, factor));
    for (c, &sum) in T::lanes_mut::<S>(c).iter_mut().zip(sums) {
        *c = if beta == T::default() {
            T::times(simd, factor, sum)
        } else {
            T::times_plus(simd, factor, sum, T::times(simd, of_c, *c))
        };
    }
}

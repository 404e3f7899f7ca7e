//! Conway's Life on the CPU, a byte a cell.
//!
//!   next[i][j] = 1  iff  S = 3, or S = 4 and board[i][j] = 1,    S = sum of the 3×3 window, edges clamped
//!
//! Algorithm  Rows in parallel; a row adds its three source rows into column sums, then three neighbouring sums a cell, both in
//!            loops without branches that the compiler turns into SIMD for the best instruction set of the machine (pulp).
//! Cost       6 byte operations a cell and generation; two boards of memory.
#![forbid(unsafe_code)]

use pulp::Arch;
use rayon::prelude::*;

use super::{Workers, zeros};
use crate::error::Result;

/// cells (rows, cols) ← after `generations` steps, 0 or 1.
pub fn life(workers: &Workers, cells: &mut [u8], rows: usize, cols: usize, generations: u64) -> Result<()> {
    let mut other = zeros::<u8>(cells.len())?;
    let arch = Arch::new();
    workers.run(|| {
        cells
            .par_chunks_mut(1 << 16)
            .for_each(|cells| cells.iter_mut().for_each(|cell| *cell = u8::from(*cell != 0)));
        let band = rows_per_task(rows, cols);
        let (mut front, mut back) = (&mut *cells, &mut other[..]);
        for _ in 0..generations {
            let board: &[u8] = front;
            back.par_chunks_mut(band * cols).enumerate().for_each(|(task, next)| {
                let row = |i: usize| &board[i * cols..(i + 1) * cols];
                for (i, next) in (task * band..).zip(next.chunks_mut(cols)) {
                    let window = [row(i.saturating_sub(1)), row(i), row((i + 1).min(rows - 1))];
                    arch.dispatch(|| step_row(window, next));
                }
            });
            std::mem::swap(&mut front, &mut back);
        }
        if generations % 2 == 1 {
            back.copy_from_slice(front);
        }
    })
}

/// Enough rows that a task outweighs its scheduling.
fn rows_per_task(rows: usize, cols: usize) -> usize {
    const CELLS: usize = 1 << 15;
    CELLS.div_ceil(cols).clamp(1, rows)
}

/// One row, a strip of columns at a time: the sums of its columns, with one more at either side, stay in the first
/// cache.
#[inline(always)] // so that it is compiled for the instruction set of `dispatch`
fn step_row([above, row, below]: [&[u8]; 3], next: &mut [u8]) {
    const STRIP: usize = 4096;
    let cols = row.len();
    let mut sums = [0u8; STRIP + 2];
    for first in (0..cols).step_by(STRIP) {
        let last = (first + STRIP).min(cols) - 1;
        let column = |j: usize| above[j] + row[j] + below[j];
        let strip = first..=last;
        let columns = above[strip.clone()].iter().zip(&row[strip.clone()]).zip(&below[strip.clone()]);
        for (sum, ((above, row), below)) in sums[1..].iter_mut().zip(columns) {
            *sum = above + row + below;
        }
        sums[0] = column(first.saturating_sub(1));
        sums[last - first + 2] = column((last + 1).min(cols - 1));
        for ((next, alive), sums) in next[strip.clone()].iter_mut().zip(&row[strip]).zip(sums.windows(3)) {
            let sum = sums[0] + sums[1] + sums[2];
            *next = u8::from(sum == 3) | (u8::from(sum == 4) & alive);
        }
    }
}

/// The plain loop over cells and neighbours.
pub fn sequential(
    workers: &Workers,
    cells: &mut [u8],
    rows: usize,
    cols: usize,
    generations: u64,
) -> Result<()> {
    let mut next = zeros::<u8>(cells.len())?;
    workers.run_sequential(|| {
        for cell in cells.iter_mut() {
            *cell = u8::from(*cell != 0);
        }
        for _ in 0..generations {
            for (i, next) in next.chunks_mut(cols).enumerate() {
                let row = |i: usize| &cells[i * cols..(i + 1) * cols];
                let (above, here, below) = (row(i.saturating_sub(1)), row(i), row((i + 1).min(rows - 1)));
                for j in 0..cols {
                    let (left, right) = (j.saturating_sub(1), (j + 1).min(cols - 1));
                    let neighbours = above[left]
                        + above[j]
                        + above[right]
                        + here[left]
                        + here[right]
                        + below[left]
                        + below[j]
                        + below[right];
                    next[j] = u8::from(neighbours == 3 || (neighbours == 2 && here[j] == 1));
                }
            }
            cells.copy_from_slice(&next);
        }
    });
    Ok(())
}

//! Matrix products on the CPU: C ← alpha·op(A)·op(B) + beta·C for each of a batch, as crate::model::matmul describes it.
//!
//! A large matrix is worked on by all threads, a batch of small ones is shared out whole (super::gemm). alpha and beta are rounded to
//! the element type. What lies between the rows of C and between its matrices is neither read nor written.
#![forbid(unsafe_code)]

#[cfg(test)]
mod tests;

use super::Float;
use super::Workers;
use super::gemm::{Factor, Task, Workspace};
use super::parallel::parallel_for::try_parallel_for;
use super::run;
use crate::error::Result;
use crate::interrupt::in_pieces;
use crate::model::matmul::{Layout, Product};

const SMALL: usize = 160 * 160 * 160; // multiplications that one thread has done before two have gained what waking them costs
const LARGE: usize = 256 * 256 * 256; // those from which on all threads share one matrix, where the batch has not enough for them

/// All of a batch on all cores.
///
/// Accuracy: |error| ≤ γ_(k+2)(|alpha||A||B| + |beta||C|), γ_d = du/(1 − du), u = 2⁻²⁴ (f32) or 2⁻⁵³ (f64); N. Higham, "Accuracy and
/// Stability of Numerical Algorithms", §3.5. With alpha = 1, beta = 0 it is γ_k.
pub fn matmul<T: Float>(workers: &Workers, product: &Product, a: &[T], b: &[T], c: &mut [T]) -> Result<()> {
    let Product { m, n, batch, .. } = *product;
    if c.is_empty() {
        return Ok(());
    }
    if !product.has_terms() {
        workers.run_sequential(|| scale(product, c));
        return Ok(());
    }
    let (each, is_small) = (product.work_of_each(), product.work() < SMALL);
    run(workers, is_small, || {
        let threads = if is_small { 1 } else { rayon::current_num_threads() };
        let one = |index: usize, c: &mut [T], threads, workspace: &mut Workspace<T>| {
            let (a, b) = (&a[offset(&product.a, index)..], &b[offset(&product.b, index)..]);
            task(product, a, b, threads).run(c, workspace)
        };
        let len = product.c.extent(1, m, n).unwrap_or(c.len());
        if threads > 1 && batch > 1 && (each < LARGE || batch >= 4 * threads) {
            let group = SMALL / (4 * each) + 1;
            let groups = c.chunks_mut(product.c.stride.saturating_mul(group));
            try_parallel_for(false, groups, |first, c| {
                let mut matrices = (first * group..).zip(c.chunks_mut(product.c.stride));
                let mut workspace = Workspace::default();
                matrices.try_for_each(|(index, c)| one(index, &mut c[..len], 1, &mut workspace))
            })
        } else {
            let (mut indices, mut workspace) = (0..batch, Workspace::default());
            indices.try_for_each(|index| {
                one(index, &mut c[offset(&product.c, index)..][..len], threads, &mut workspace)
            })
        }
    })?
}

/// The plain triple loop on one core, accumulated in the order of k; each product is rounded before it is added.
pub fn sequential<T: Float>(
    workers: &Workers,
    product: &Product,
    a: &[T],
    b: &[T],
    c: &mut [T],
) -> Result<()> {
    if c.is_empty() {
        return Ok(());
    }
    workers.run_sequential(|| {
        if !product.has_terms() {
            return scale(product, c);
        }
        let (alpha, beta) = (T::rounded(product.alpha), T::rounded(product.beta));
        let ((a_row, a_col), (b_row, b_col)) = (product.a.steps(), product.b.steps());
        for index in 0..product.batch {
            let [a0, b0, c0] = [product.a, product.b, product.c].map(|layout| offset(&layout, index));
            for i in 0..product.m {
                for j in 0..product.n {
                    let mut sum = T::default();
                    in_pieces(product.k, |range| {
                        for l in range {
                            sum = sum + a[a0 + i * a_row + l * a_col] * b[b0 + l * b_row + j * b_col];
                        }
                    });
                    let c = &mut c[c0 + i * product.c.ld + j];
                    *c = if beta == T::default() { alpha * sum } else { alpha * sum + beta * *c };
                }
            }
        }
    });
    Ok(())
}

/// C ← beta·C; beta = 0 does not read it.
fn scale<T: Float>(product: &Product, c: &mut [T]) {
    let beta = T::rounded(product.beta);
    if beta == T::ONE {
        return;
    }
    for index in 0..product.batch {
        for i in 0..product.m {
            let row = &mut c[offset(&product.c, index) + i * product.c.ld..][..product.n];
            in_pieces(row.len(), |range| {
                let row = &mut row[range];
                if beta == T::default() {
                    row.fill(beta);
                } else {
                    row.iter_mut().for_each(|c| *c = beta * *c);
                }
            });
        }
    }
}

/// The first element of a matrix of the batch.
fn offset(layout: &Layout, index: usize) -> usize {
    index * layout.stride
}

/// One matrix of the batch.
fn task<'a, T: Float>(product: &Product, a: &'a [T], b: &'a [T], threads: usize) -> Task<'a, T> {
    let Product { m, n, k, .. } = *product;
    let ((a_row, a_col), (b_row, b_col)) = (product.a.steps(), product.b.steps());
    let stepped = |step: usize, extent: usize| if extent > 1 { step } else { 1 }; // else it may be any number
    Task {
        m,
        n,
        k,
        a: Factor { elements: a, row: stepped(a_row, m), col: stepped(a_col, k) },
        b: Factor { elements: b, row: stepped(b_row, k), col: stepped(b_col, n) },
        alpha: T::rounded(product.alpha),
        beta: T::rounded(product.beta),
        ld: if m > 1 { product.c.ld.max(n) } else { n },
        threads,
    }
}

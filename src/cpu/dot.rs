//! Inner product of two vectors on the CPU.
//!
//!   Σ x[i]·y[i]        x, y (n) f32 or f64, accumulated in the type; n = 0 gives 0
//!
//! Algorithm  A tree of fixed shape: blocks of 4096 elements, each in 32 partial sums that a loop fills side by
//!            side (SIMD for the best instruction set of the machine, pulp) and that are added in pairs; blocks
//!            are added in pairs as well. The shape depends on n alone, and nothing is fused: the bits are the
//!            same whatever the number of threads and the machine.
//! Accuracy   A product passes d = 1 + 128 + 5 + ⌈log2 ⌈n/4096⌉⌉ roundings at most: |error| ≤ γ_d Σ|x[i]·y[i]|,
//!            γ_d = du/(1 − du), u = 2⁻²⁴ (f32) or 2⁻⁵³ (f64); the plain loop has d = n. N. Higham, "Accuracy and
//!            Stability of Numerical Algorithms", §3.1 and §4.2; as there, products that underflow are left out.
//! Cost       Reads x and y once.
#![forbid(unsafe_code)]

use std::ops::Range;

use pulp::Arch;

use super::Float;
use super::Workers;
use super::is_small;
use super::parallel::tree::{in_halves, in_tree};
use crate::error::Result;
use crate::interrupt::in_pieces;

const LANES: usize = 32;

/// Σ x·y on all cores.
pub fn dot<T: Float>(workers: &Workers, x: &[T], y: &[T]) -> Result<T> {
    sum(workers, Arch::new(), x, y)
}

/// The plain loop, accumulated in the order of i.
pub fn sequential<T: Float>(workers: &Workers, x: &[T], y: &[T]) -> Result<T> {
    Ok(workers.run_sequential(|| {
        let mut sum = T::default();
        in_pieces(x.len(), |range| {
            for i in range {
                sum = sum + x[i] * y[i];
            }
        });
        sum
    }))
}

fn sum<T: Float>(workers: &Workers, arch: Arch, x: &[T], y: &[T]) -> Result<T> {
    let leaf = |elements: Range<usize>| {
        arch.dispatch(
            #[inline(always)]
            || block(&x[elements.clone()], &y[elements.clone()]),
        )
    };
    in_tree(workers, is_small(x), x.len(), &leaf, &|left, right| left + right)
}

#[inline(always)] // so that it is compiled for the instruction set of `dispatch`
fn block<T: Float>(x: &[T], y: &[T]) -> T {
    let mut sums = [T::default(); LANES];
    let ((groups_x, rest_x), (groups_y, rest_y)) = (x.as_chunks::<LANES>(), y.as_chunks::<LANES>());
    for (x, y) in groups_x.iter().zip(groups_y) {
        sums = std::array::from_fn(|lane| sums[lane] + x[lane] * y[lane]);
    }
    for (sum, (x, y)) in sums.iter_mut().zip(rest_x.iter().zip(rest_y)) {
        *sum = *sum + *x * *y;
    }
    in_halves(sums, |left, right| left + right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::parallel::tree::{BLOCK, TASK};
    use crate::cpu::parallel::workers::{workers, workers_of};

    fn wave<T>(len: usize, number: impl Fn(f64) -> T) -> Vec<T> {
        (0..len).map(|i| number((i as f64 * 0.7).sin())).collect()
    }

    #[test]
    fn the_bits_do_not_depend_on_the_number_of_threads() {
        let len = 40 * BLOCK + 77;
        let (x, y) = (wave(len, |v| v as f32), wave(len, |v| 1.0 - v as f32));
        let on =
            |threads, arch, len| sum(&workers_of(threads), arch, &x[..len], &y[..len]).unwrap().to_bits();
        assert_eq!(on(1, Arch::new(), TASK), on(1, Arch::Scalar, TASK));
        assert!(
            [2, 3, 7].into_iter().all(|threads| on(threads, Arch::new(), len) == on(1, Arch::new(), len))
        );
    }

    #[test]
    fn whole_numbers_are_added_exactly_at_every_length() {
        let x: Vec<f64> = (0..3 * BLOCK + 1).map(|i| (i % 1001) as f64).collect();
        let ends = [BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 3 * BLOCK + 1];
        for len in (0..2 * LANES + 2).chain(ends) {
            let want: f64 = x[..len].iter().map(|value| value * value).sum();
            assert_eq!(dot(&workers(), &x[..len], &x[..len]).unwrap(), want, "{len} elements");
        }
    }
}

//! Reduction of an array on the CPU.
//!
//!   data[0] ∘ … ∘ data[n - 1]        n = 0 gives the identity
//!
//! Algorithm  A tree of fixed shape: blocks of 4096 elements, each in 32 partial results that a loop fills side by side (SIMD for
//!            the best instruction set of the machine, pulp) and that are joined in pairs; blocks are joined in pairs as well.
//!            The shape depends on n alone: the bits are the same whatever the number of threads and the machine.
//! Accuracy   An element of a sum passes d = 128 + 5 + ⌈log2 ⌈n/4096⌉⌉ roundings at most: |error| ≤ γ_d Σ|x[i]|, γ_d = du/(1 −
//!            du), u = 2⁻²⁴ (f32) or 2⁻⁵³ (f64); the plain loop has d = n. N. Higham, "Accuracy and Stability of Numerical
//!            Algorithms", §4.2.
//! Cost       Reads data once.
#![forbid(unsafe_code)]

use pulp::Arch;

use super::Workers;
use super::parallel::parallel_for::parallel_for_beside;
use super::{is_small, reserved};
use crate::error::Result;
use crate::interrupt::in_pieces;
use crate::model::operator::{Operand, Reduction};

const LANES: usize = 32;
pub(super) const BLOCK: usize = 4096;
const TASK: usize = 8 * BLOCK; // elements that a thread takes at a time; 2^k blocks, which are a node of the tree

/// Calls a function that is generic over an operator's number with that of `op`, so that loops are compiled for each.
macro_rules! dispatch_operator {
    ($op:expr, $number:ty, $function:ident($($argument:expr),* $(,)?)) => {{
        use $crate::model::operator::Reduction as Op;
        match $op {
            Op::Sum => $function::<$number, { Op::Sum as usize }>($($argument),*),
            Op::Product => $function::<$number, { Op::Product as usize }>($($argument),*),
            Op::Min => $function::<$number, { Op::Min as usize }>($($argument),*),
            Op::Max => $function::<$number, { Op::Max as usize }>($($argument),*),
            Op::And => $function::<$number, { Op::And as usize }>($($argument),*),
            Op::Or => $function::<$number, { Op::Or as usize }>($($argument),*),
            Op::Xor => $function::<$number, { Op::Xor as usize }>($($argument),*),
            Op::SignedMin => $function::<$number, { Op::SignedMin as usize }>($($argument),*),
            Op::SignedMax => $function::<$number, { Op::SignedMax as usize }>($($argument),*),
        }
    }};
}
pub(super) use dispatch_operator;

/// The operator of that number.
pub(super) const fn operator(number: usize) -> Reduction {
    Reduction::ALL[number]
}

/// The result over data, on all cores.
pub fn reduce<T: Operand>(workers: &Workers, op: Reduction, data: &[T]) -> Result<T> {
    let tasks = data.len().div_ceil(TASK);
    let mut results = reserved(tasks)?;
    results.resize(tasks, T::identity(op));
    parallel_for_beside(
        workers,
        is_small(data),
        data.chunks(TASK).zip(&mut results),
        |_, (task, result)| {
            *result = fold(op, task);
        },
    )?;
    Ok(join_nodes(op, &results))
}

/// The plain loop.
pub fn sequential<T: Operand>(workers: &Workers, op: Reduction, data: &[T]) -> Result<T> {
    Ok(workers.run_sequential(|| dispatch_operator!(op, T, plain(data))))
}

fn plain<T: Operand, const OP: usize>(data: &[T]) -> T {
    let mut result = T::identity(operator(OP));
    in_pieces(data.len(), |range| {
        for &value in &data[range] {
            result = T::apply(operator(OP), result, value);
        }
    });
    result
}

/// The result over data, on this thread.
pub(super) fn fold<T: Operand>(op: Reduction, data: &[T]) -> T {
    let arch = Arch::new();
    dispatch_operator!(op, T, tree(arch, data))
}

/// The same bits, of the results of nodes of 2^k blocks each, but the last one.
pub(super) fn join_nodes<T: Operand>(op: Reduction, nodes: &[T]) -> T {
    match nodes {
        [] => T::identity(op),
        &[node] => node,
        _ => {
            let (left, right) = nodes.split_at(nodes.len().next_power_of_two() / 2);
            T::apply(op, join_nodes(op, left), join_nodes(op, right))
        }
    }
}

/// The tree of tree.rs, but not by it: a block as a closure that is handed on loses the inlining of `from_fn`, and half its speed.
/// The left half of a node is the largest power of two of blocks that leaves something for the right one.
fn tree<T: Operand, const OP: usize>(arch: Arch, data: &[T]) -> T {
    let blocks = data.len().div_ceil(BLOCK);
    if blocks <= 1 {
        return arch.dispatch(
            #[inline(always)]
            || block::<T, OP>(data),
        );
    }
    let (left, right) = data.split_at(blocks.next_power_of_two() / 2 * BLOCK);
    T::apply(operator(OP), tree::<T, OP>(arch, left), tree::<T, OP>(arch, right))
}

/// Extrema of floats first by one comparison an element, which leaves open the sign of 0 and whether all are NaN.
#[inline(always)] // so that it is compiled for the instruction set of `dispatch`
fn block<T: Operand, const OP: usize>(data: &[T]) -> T {
    let op = operator(OP);
    if let Some(bound) = T::bound(op) {
        let is_better = |x, best| if op == Reduction::Min { x < best } else { x > best }; // never NaN
        let best = side_by_side(data, bound, |best, x| if is_better(x, best) { x } else { best });
        if best != bound && best != T::from_f64(0.0) {
            return best;
        }
    }
    side_by_side(data, T::identity(op), |result, x| T::apply(op, result, x))
}

#[inline(always)] // as block
fn side_by_side<T: Operand>(data: &[T], identity: T, apply: impl Fn(T, T) -> T) -> T {
    let mut results = [identity; LANES];
    let (groups, rest) = data.as_chunks::<LANES>();
    for group in groups {
        results = std::array::from_fn(|lane| apply(results[lane], group[lane]));
    }
    for (result, &value) in results.iter_mut().zip(rest) {
        *result = apply(*result, value);
    }
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half {
            results[lane] = apply(results[lane], results[lane + half]);
        }
        half /= 2;
    }
    results[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::parallel::workers::{workers, workers_of};

    #[test]
    fn numbers_of_operators_are_their_places() {
        assert!((0..Reduction::ALL.len()).all(|number| operator(number) as usize == number));
    }

    #[test]
    fn the_bits_do_not_depend_on_the_number_of_threads() {
        let data: Vec<f32> = (0..40 * BLOCK + 77).map(|i| (i as f32 * 0.7).sin()).collect();
        for len in [TASK, TASK + 1, 2 * TASK, 3 * TASK - BLOCK, 4 * TASK + BLOCK, data.len()] {
            let data = &data[..len];
            let on = |threads| reduce(&workers_of(threads), Reduction::Sum, data).unwrap().to_bits();
            let want = fold(Reduction::Sum, data).to_bits(); // one tree
            assert!([1, 2, 3, 7].into_iter().all(|threads| on(threads) == want), "{len} elements");
        }
    }

    #[test]
    fn extrema_have_the_sign_of_zeros_and_leave_out_nan() {
        let (inf, nan) = (f64::INFINITY, f64::NAN);
        for (op, data, want) in [
            (Reduction::Max, vec![-0.0, -1.0, 0.0, nan, -0.0], 0.0),
            (Reduction::Min, vec![0.0, 1.0, -0.0, nan, 0.0], -0.0),
            (Reduction::Max, vec![nan, -inf, nan], -inf),
            (Reduction::Min, vec![nan, inf, nan], inf),
            (Reduction::Max, vec![nan, -2.0, nan, -3.0], -2.0),
            (Reduction::Min, vec![nan; 5], nan),
        ] {
            for before in [0, LANES - 2, BLOCK - 2, 3 * BLOCK + 7] {
                let data: Vec<f64> = vec![nan; before].into_iter().chain(data.iter().copied()).collect();
                let found = fold(op, &data);
                assert!(
                    found.to_bits() == f64::to_bits(want) || found.is_nan() && want.is_nan(),
                    "{op:?} of {data:?}: {found}"
                );
            }
        }
    }

    #[test]
    fn every_length_agrees_with_the_plain_loop() {
        let data: Vec<u64> = (0..3 * BLOCK as i64 + 1).map(|i| ((i * 7919) % 1001 - 500) as u64).collect();
        let ends = [BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 3 * BLOCK + 1];
        for (len, op) in
            (0..2 * LANES + 2).chain(ends).flat_map(|len| Reduction::ALL.map(move |op| (len, op)))
        {
            let want = sequential(&workers(), op, &data[..len]).unwrap();
            assert_eq!(reduce(&workers(), op, &data[..len]).unwrap(), want, "{op:?}, {len} elements");
        }
    }
}

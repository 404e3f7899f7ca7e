//! Results of many elements, joined in a tree of fixed shape.
//!
//! Blocks of 4096 elements are joined in pairs: the left half of a node is the largest power of two of blocks that leaves something
//! for the right one. The shape depends on the number of elements alone: the bits are the same whatever the number of threads.
#![forbid(unsafe_code)]

use std::ops::Range;

use super::parallel_for::parallel_for_beside;
use crate::cpu::{Workers, reserved};
use crate::error::Result;

/// Elements of a leaf.
pub const BLOCK: usize = 4096;
/// Elements that a thread takes at a time; 2^k blocks, which are a node of the tree.
pub const TASK: usize = 8 * BLOCK;

/// The result of `leaf` for each block of so many elements, joined by `both`, on the threads of an operation; where it `is_alone` on the
/// caller's.
pub fn in_tree<T: Copy + Send>(
    workers: &Workers,
    is_alone: bool,
    count: usize,
    leaf: &(impl Fn(Range<usize>) -> T + Sync),
    both: &(impl Fn(T, T) -> T + Sync),
) -> Result<T> {
    let tasks = count.div_ceil(TASK).max(1);
    let mut results = reserved(tasks)?;
    results.resize(tasks, None);
    parallel_for_beside(workers, is_alone, results.iter_mut(), |task, result| {
        *result = Some(node(task * TASK..count.min((task + 1) * TASK), leaf, both));
    })?;
    Ok(join_nodes(&results, both).expect("there is one"))
}

/// The result of some elements on this thread.
fn node<T>(elements: Range<usize>, leaf: &impl Fn(Range<usize>) -> T, both: &impl Fn(T, T) -> T) -> T {
    let blocks = elements.len().div_ceil(BLOCK);
    if blocks <= 1 {
        return leaf(elements);
    }
    let middle = elements.start + blocks.next_power_of_two() / 2 * BLOCK;
    let (left, right) = (elements.start..middle, middle..elements.end);
    both(node(left, leaf, both), node(right, leaf, both))
}

/// The same of the results of nodes of 2^k blocks each, but the last one.
fn join_nodes<T: Copy>(nodes: &[Option<T>], both: &impl Fn(T, T) -> T) -> Option<T> {
    if nodes.len() <= 1 {
        return nodes.first().copied().flatten();
    }
    let (left, right) = nodes.split_at(nodes.len().next_power_of_two() / 2);
    Some(both(join_nodes(left, both)?, join_nodes(right, both)?))
}

/// The results of lanes, a power of two of them, each joined with that of the other half.
#[inline(always)] // so that it is compiled for the caller's instruction set
pub fn in_halves<T: Copy, const LANES: usize>(mut lanes: [T; LANES], both: impl Fn(T, T) -> T) -> T {
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half {
            lanes[lane] = both(lanes[lane], lanes[lane + half]);
        }
        half /= 2;
    }
    lanes[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::parallel::workers::workers_of;

    #[test]
    fn the_shape_depends_on_the_number_of_elements_alone() {
        let add = |(a, _): (f32, usize), (b, right): (f32, usize)| (a + b, right); // and the last element of the right one
        let leaf = |elements: Range<usize>| ((elements.start as f32 * 0.7).sin(), elements.end);
        for count in [0, 1, TASK, TASK + 1, 3 * TASK - BLOCK, 12 * TASK + 77, 16 * TASK] {
            let whole = node(0..count, &leaf, &add);
            for threads in [1, 2, 7] {
                let found = in_tree(&workers_of(threads), false, count, &leaf, &add).unwrap();
                assert_eq!(found, whole, "{count} elements on {threads} threads");
            }
        }
    }
}

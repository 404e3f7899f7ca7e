//! Results of many elements, joined in a tree of fixed shape.
//!
//! Blocks of 4096 elements are joined in pairs: the left half of a node is the largest power of two of blocks that leaves something
//! for the right one. The shape depends on the number of elements alone: the bits are the same whatever the number of threads.
#![forbid(unsafe_code)]

use std::ops::Range;

use super::parallel_for::join;

/// Elements of a leaf.
pub const BLOCK: usize = 4096;
/// Elements that one thread takes without asking for help.
pub const TASK: usize = 1 << 15;

/// The result of `leaf` for each block of the elements, joined by `both`, on the threads of the current pool.
pub fn in_tree<T: Send>(
    elements: Range<usize>,
    leaf: &(impl Fn(Range<usize>) -> T + Sync),
    both: &(impl Fn(T, T) -> T + Sync),
) -> T {
    let blocks = elements.len().div_ceil(BLOCK);
    if blocks <= 1 {
        return leaf(elements);
    }
    let middle = elements.start + blocks.next_power_of_two() / 2 * BLOCK;
    let (left, right) = (elements.start..middle, middle..elements.end);
    let (left, right) = match elements.len() {
        0..=TASK => (in_tree(left, leaf, both), in_tree(right, leaf, both)),
        _ => join(|| in_tree(left, leaf, both), || in_tree(right, leaf, both)),
    };
    both(left, right)
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

//! Unstable sort in place, which polls whether the call is cancelled; cpu/parallel/sort.rs has it on all cores.
//!
//! Algorithm  Quicksort: an array is partitioned, with a poll before each of its pieces, and its parts are sorted until they have LEAF
//!            elements, which the standard library sorts. The pivot is the median of 15 elements; where none is less than it, those
//!            equal to it are put in front, and are done.
//! Cost       n log n comparisons; no memory. An array whose partitions stay lopsided goes to the standard library as a whole, which
//!            bounds the worst case but does not poll.
//! Source     C. Hoare, "Quicksort", 1962; N. Lomuto's partition without branches, A. Alexandrescu, 2020.
#![forbid(unsafe_code)]

use crate::interrupt::in_pieces;

/// Elements that are sorted without a poll.
const LEAF: usize = 1 << 14;
/// Elements of which the pivot is the median, taken at random from as many parts of the array.
const SAMPLE: usize = 15;

/// Partitions of an array of so many elements, after which it is lopsided.
pub fn levels(len: usize) -> u32 {
    3 * len.checked_ilog2().unwrap_or(0)
}

fn is_leaf(len: usize, levels: u32) -> bool {
    len <= LEAF || levels == 0
}

/// Sorts elements by their keys.
pub fn sort_unstable_by_key<T: Copy, K: Ord>(array: &mut [T], key: &impl Fn(&T) -> K) {
    let levels = levels(array.len());
    sort(array, key, levels);
}

fn sort<T: Copy, K: Ord>(array: &mut [T], key: &impl Fn(&T) -> K, levels: u32) {
    if let Some((left, right)) = parts(array, key, levels) {
        sort(left, key, levels - 1);
        sort(right, key, levels - 1);
    }
}

/// Brings the k first elements by their keys, in any order, to the front.
pub fn select<T: Copy, K: Ord>(mut array: &mut [T], mut k: usize, key: &impl Fn(&T) -> K) {
    let mut levels = levels(array.len());
    while k < array.len() {
        let len = array.len();
        if is_leaf(len, levels) {
            array.select_nth_unstable_by_key(k, key);
            return;
        }
        let Some((left, right)) = parts(array, key, levels) else { return };
        let before = len - right.len();
        if k < left.len() {
            array = left;
        } else if k > before {
            (array, k) = (right, k - before);
        } else {
            return;
        }
        levels -= 1;
    }
}

/// Sorts an array that is short, or else partitions it: no element of the second part is less than one of the first. What is in
/// neither is in its place.
pub fn parts<'a, T: Copy, K: Ord>(
    array: &'a mut [T],
    key: &impl Fn(&T) -> K,
    levels: u32,
) -> Option<(&'a mut [T], &'a mut [T])> {
    if is_leaf(array.len(), levels) {
        array.sort_unstable_by_key(key);
        return None;
    }
    let pivot = key(&pivot(array, key));
    match partition(array, |element| key(element) < pivot) {
        0 => {
            let equal = partition(array, |element| key(element) <= pivot);
            Some(array.split_at_mut(equal)).map(|(equal, right)| (&mut equal[..0], right))
        }
        less => Some(array.split_at_mut(less)),
    }
}

/// The median of some elements.
fn pivot<T: Copy, K: Ord>(array: &[T], key: &impl Fn(&T) -> K) -> T {
    let (stride, mut random) = (array.len() / SAMPLE, array.len() as u64);
    let mut sample: [T; SAMPLE] = std::array::from_fn(|part| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        array[part * stride + (random >> 33) as usize % stride]
    });
    sample.sort_unstable_by_key(key);
    sample[SAMPLE / 2]
}

/// Brings the elements that are `first` to the front; returns how many they are.
fn partition<T: Copy>(array: &mut [T], first: impl Fn(&T) -> bool) -> usize {
    let mut end = 0; // of those that are
    in_pieces(array.len(), |range| {
        for i in range {
            let element = array[i];
            array.swap(i, end);
            end += usize::from(first(&element));
        }
    });
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEN: u32 = 9 * LEAF as u32 + 77;

    #[track_caller]
    fn is_sorted_as_by_the_standard_library(keys: impl Iterator<Item = u32>) {
        let array: Vec<(u32, usize)> = keys.enumerate().map(|(i, key)| (key, i)).collect();
        let (mut want, mut sorted) = (array.clone(), array.clone());
        want.sort();
        sort_unstable_by_key(&mut sorted, &|pair| *pair);
        assert!(sorted == want, "{} elements", array.len());
        sorted.reverse();
        sort_unstable_by_key(&mut sorted, &|pair| pair.0);
        assert!(sorted.is_sorted_by_key(|pair| pair.0));
        for k in
            [0, 1, array.len() / 3, array.len().saturating_sub(1), array.len()].map(|k| k.min(array.len()))
        {
            let mut first = array.clone();
            select(&mut first, k, &|pair| *pair);
            first.truncate(k);
            first.sort();
            assert!(first == want[..k], "the first {k} of {}", array.len());
        }
    }

    #[test]
    fn arrays_of_any_order_are_sorted_and_selected_from() {
        is_sorted_as_by_the_standard_library(0..0);
        is_sorted_as_by_the_standard_library(0..LEN);
        is_sorted_as_by_the_standard_library((0..LEN).rev());
        is_sorted_as_by_the_standard_library((0..LEN).map(|i| i.wrapping_mul(2_654_435_769)));
        is_sorted_as_by_the_standard_library((0..LEN).map(|i| i.wrapping_mul(2_654_435_769) >> 30));
        is_sorted_as_by_the_standard_library((0..LEN).map(|_| 7));
        is_sorted_as_by_the_standard_library((0..LEN).map(|i| i.min(LEN - i)));
        is_sorted_as_by_the_standard_library((0..LEN).map(|i| if i % 1000 == 0 { i } else { 0 }));
    }

    #[test]
    fn lopsided_partitions_end() {
        let mut array: Vec<u32> = (0..LEN).rev().collect();
        sort(&mut array, &|&key| key, 1);
        assert!(array.is_sorted());
    }
}

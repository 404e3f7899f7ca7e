//! Quicksort on all cores (model/quicksort.rs): the parts of a partition are sorted in parallel.
#![forbid(unsafe_code)]

use super::parallel_for::join;
use crate::model::quicksort::{self, levels, parts};

/// Sorts elements by their keys; `is_alone`: on this thread.
pub fn sort_unstable_by_key<T: Copy + Send, K: Ord>(
    is_alone: bool,
    array: &mut [T],
    key: &(impl Fn(&T) -> K + Sync),
) {
    match is_alone {
        true => quicksort::sort_unstable_by_key(array, key),
        false => {
            let levels = levels(array.len());
            sort(array, key, levels);
        }
    }
}

fn sort<T: Copy + Send, K: Ord>(array: &mut [T], key: &(impl Fn(&T) -> K + Sync), levels: u32) {
    if let Some((left, right)) = parts(array, key, levels) {
        join(|| sort(left, key, levels - 1), || sort(right, key, levels - 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::parallel::workers::workers;

    #[test]
    fn an_array_is_sorted_by_several_threads_or_one() {
        let array: Vec<u32> = (0..200_000u32).map(|i| i.wrapping_mul(2_654_435_769) >> 12).collect();
        let mut want = array.clone();
        want.sort_unstable();
        for is_alone in [true, false] {
            let mut sorted = array.clone();
            workers().run(|| sort_unstable_by_key(is_alone, &mut sorted, &|&key| key)).unwrap();
            assert!(sorted == want, "alone: {is_alone}");
        }
    }
}

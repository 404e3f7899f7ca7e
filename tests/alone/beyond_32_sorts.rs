//! More than 2^32 keys that are merged and sorted: bytes, of which there are as many of each before and after.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use gpumex::ffi::*;
use gpumex::model::payload::Payload;

use crate::huge::{FAR, Huge, N, U8, U64, on_cuda, on_each, run};

#[test]
fn merge() {
    on_each(40, |at| {
        let (half, keys) = (N / 2, at.zeros(N)?);
        let (ones, zeros) = (at.zeros(half)?, at.zeros(N - half)?);
        at.fill(U8, ones, half, 1u8);
        let (options, no) = (MergeOptions { dtype: U8, ..Default::default() }, null());
        run!(gpumex_merge(at.handle(), &options, ones, no, half, zeros, no, N - half, keys, null_mut()));
        at.holds(keys, N - half - 2, [0u8, 0, 1, 1]);
        assert_eq!(at.histogram(keys, N)[..2], [(N - half) as u64, half as u64]);
        Some(())
    });
}

/// Random bytes, and how many there are of each.
pub fn random_keys(at: &Huge, count: usize) -> Option<(*mut c_void, [u64; 256])> {
    let keys = at.zeros(count)?;
    run!(gpumex_random(at.handle(), U8, keys, count, 3, 0.0, 255.0));
    Some((keys, at.histogram(keys, count)))
}

#[test]
fn sort() {
    on_each(60, |at| {
        let (keys, counts) = random_keys(at, N)?;
        let (sorted, no) = (at.zeros(N)?, null_mut());
        let options = SortOptions { dtype: U8, ..Default::default() };
        run!(gpumex_sort(at.handle(), &options, keys, null(), N, sorted, no));
        assert_eq!((at.histogram(sorted, N), at.first_unsorted(U8, sorted, N)), (counts, N as u64));
        Some(())
    });
}

/// Keys in random order on CUDA; on the CPU backend, whose merges take twenty passes over those, nearly sorted ones.
#[test]
fn sorts_of_segments_and_of_nearly_sorted_keys() {
    on_each(76, |at| {
        let (keys, sorted, no, segment) = (at.zeros(N)?, at.zeros(N)?, null_mut(), FAR + 5);
        if at.is_cuda() {
            run!(gpumex_random(at.handle(), U8, keys, N, 3, 0.0, 255.0));
        } else {
            // SAFETY: the rest of the keys.
            at.fill(U8, unsafe { keys.byte_add(FAR) }, N - FAR, 3u8);
            at.put(keys, segment, &[0u8]);
            [700, N - 2].iter().for_each(|&place| at.put(keys, place, &[2u8, 1]));
        }
        let counts = at.histogram(keys, N);
        let options = LocalitySortOptions { dtype: U8, ..Default::default() };
        run!(gpumex_locality_sort(at.handle(), &options, keys, null(), N, sorted, no));
        assert_eq!((at.histogram(sorted, N), at.first_unsorted(U8, sorted, N)), (counts, N as u64));

        let heads = at.of(&[0u64, segment as u64])?;
        let options = SegmentedSortOptions { dtype: U8, index_dtype: U64, ..Default::default() };
        run!(gpumex_segmented_sort(at.handle(), &options, keys, null(), N, heads, 2, sorted, no));
        assert_eq!((at.histogram(sorted, N), at.first_unsorted(U8, sorted, N)), (counts, segment as u64));
        Some(())
    });
}

/// About 117 GiB.
#[test]
fn positions_of_a_sort() {
    on_cuda(|at| {
        let (keys, positions) = (at.zeros(N)?, at.zeros(8 * N)?);
        at.put(keys, FAR, &[1u8]);
        let options = SortOptions {
            dtype: U8,
            payload: Payload::Indices as i32,
            index_dtype: U64,
            ..Default::default()
        };
        // SAFETY: N keys, N positions.
        let status = unsafe { gpumex_sort(at.handle(), &options, keys, null(), N, null_mut(), positions) };
        at.serves(status, "a sort of so many positions")?;
        at.holds(positions, FAR - 1, [FAR as u64 - 1, FAR as u64 + 1]);
        assert_eq!((at.get(positions, 0), at.get(positions, N - 1)), ([0u64, 1], [FAR as u64]));
        Some(())
    });
}

/// The numbers of gpumex_random. A device with less than 105 GB sorts half as many, which are more than 2^31.
#[test]
fn random_sorted() {
    on_each(21, |at| {
        let keys = at.zeros(N)?;
        let sort = |count| {
            // SAFETY: as many keys, or fewer.
            let status = unsafe { gpumex_random_sorted(at.handle(), U8, keys, count, 3, 0.0, 15.0) };
            at.serves(status, &format!("{count} sorted random numbers"))?;
            let sorted = at.histogram(keys, count);
            assert_eq!(at.first_unsorted(U8, keys, count), count as u64);
            run!(gpumex_random(at.handle(), U8, keys, count, 3, 0.0, 15.0));
            assert_eq!(at.histogram(keys, count), sorted);
            Some(())
        };
        sort(N).or_else(|| sort(N / 2))
    });
}

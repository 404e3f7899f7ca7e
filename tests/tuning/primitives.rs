//! The tuned primitives: sums of whole numbers, which are the same in any order, and what is made of sorted keys.

use std::ptr::{null, null_mut};

use gpumex::ffi::*;
use gpumex::model::dtype::Dtype;
use gpumex::model::join::JoinKind;
use gpumex::model::payload::Payload;
use gpumex::model::set_operation::SetOperator;

use super::{Case, LEN, bytes};
use crate::common::*;

const U32: i32 = Dtype::U32 as i32;
const U64: i32 = Dtype::U64 as i32;

pub const CASES: [Case; 8] = [
    ("reduce", |ctx| {
        let (data, mut sum) = (numbers(20), Output::<u32>::new(1));
        let options = ReduceOptions { dtype: U32, ..ReduceOptions::default() };
        let (from, to) = (data.as_ptr().cast(), sum.as_mut_ptr().cast());
        // SAFETY: LEN numbers, one result.
        ok(unsafe { gpumex_reduce(ctx.handle, &options, from, LEN, to) }, "gpumex_reduce");
        bytes(&sum.written("gpumex_reduce"))
    }),
    ("scan", |ctx| {
        let (data, mut sums) = (numbers(21), Output::<u32>::new(LEN));
        let options = ScanOptions { dtype: U32, ..ScanOptions::default() };
        let (from, to) = (data.as_ptr().cast(), sums.as_mut_ptr().cast());
        // SAFETY: LEN numbers each.
        ok(unsafe { gpumex_scan(ctx.handle, &options, from, LEN, to, null_mut()) }, "gpumex_scan");
        bytes(&sums.written("gpumex_scan"))
    }),
    ("segmented_reduce", |ctx| {
        let data = numbers(22);
        let offsets: Vec<u64> = (0..=LEN as u64).step_by(77).chain([LEN as u64]).collect();
        let (segments, mut sums) = (offsets.len() - 1, Output::<u32>::new(offsets.len() - 1));
        let options =
            SegmentedReduceOptions { dtype: U32, index_dtype: U64, ..SegmentedReduceOptions::default() };
        let (from, at, to) = (data.as_ptr().cast(), offsets.as_ptr().cast(), sums.as_mut_ptr().cast());
        // SAFETY: LEN numbers, as many offsets as segments and one more, a result a segment.
        let status =
            unsafe { gpumex_segmented_reduce(ctx.handle, &options, from, LEN, at, segments, null(), to) };
        ok(status, "gpumex_segmented_reduce");
        bytes(&sums.written("gpumex_segmented_reduce"))
    }),
    ("sort", |ctx| {
        let (keys, mut sorted) = (numbers(23), Output::<u32>::new(LEN));
        let mut places = Output::<u64>::new(LEN);
        let payload = Payload::Indices as i32;
        let options = SortOptions { dtype: U32, payload, index_dtype: U64, ..SortOptions::default() };
        let (from, to, also) = (keys.as_ptr().cast(), sorted.as_mut_ptr().cast(), places.as_mut_ptr().cast());
        // SAFETY: LEN keys each, LEN positions.
        ok(unsafe { gpumex_sort(ctx.handle, &options, from, null(), LEN, to, also) }, "gpumex_sort");
        [bytes(&sorted.written("gpumex_sort")), bytes(&places.written("gpumex_sort"))].concat()
    }),
    ("merge", |ctx| [Payload::None, Payload::Indices].map(|payload| merged(ctx, payload)).concat()),
    ("sorted_search", |ctx| {
        let ([a, b], mut places) = (sorted_pair(26), Output::<u64>::new(LEN));
        let options = SortedSearchOptions { dtype: U32, index_dtype: U64, ..SortedSearchOptions::default() };
        let (of_a, of_b, to) = (a.as_ptr().cast(), b.as_ptr().cast(), places.as_mut_ptr().cast());
        let none = null_mut();
        // SAFETY: LEN keys each, LEN positions.
        let status = unsafe {
            gpumex_sorted_search(ctx.handle, &options, of_a, LEN, of_b, LEN, to, none, none, none, none)
        };
        ok(status, "gpumex_sorted_search");
        bytes(&places.written("gpumex_sorted_search"))
    }),
    ("set_operation", |ctx| [Payload::None, Payload::Indices].map(|payload| united(ctx, payload)).concat()),
    ("join", |ctx| {
        // A key that is in both some hundred times makes tiles of many pairs.
        let [a, b] = sorted_pair(28).map(|keys| keys.into_iter().map(|key| key % 997).collect::<Vec<_>>());
        let [a, b] = [a, b].map(ascending);
        let (few, capacity) = (1000, 200_000);
        let (mut of_a, mut of_b) = (Output::<u64>::new(capacity), Output::<u64>::new(capacity));
        let mut needed = Output::<u64>::new(1);
        let options = JoinOptions {
            dtype: U32,
            index_dtype: U64,
            kind: JoinKind::Inner as i32,
            ..JoinOptions::default()
        };
        let (from, with) = (a.as_ptr().cast(), b.as_ptr().cast());
        let (to_a, to_b, at) = (of_a.as_mut_ptr().cast(), of_b.as_mut_ptr().cast(), needed.as_mut_ptr());
        // SAFETY: `few` and LEN keys, capacity positions of each, one number.
        let status =
            unsafe { gpumex_join(ctx.handle, &options, from, few, with, LEN, to_a, to_b, capacity, at) };
        ok(status, "gpumex_join");
        let pairs = needed.written("gpumex_join")[0] as usize;
        assert!(pairs > 0 && pairs <= capacity, "{pairs} pairs");
        let written = |output: Output<u64>| bytes(&output.written("gpumex_join")[..pairs]);
        [written(of_a), written(of_b)].concat()
    }),
];

fn merged(ctx: &Context, payload: Payload) -> Vec<u8> {
    let ([a, b], mut keys) = (sorted_pair(24), Output::<u32>::new(2 * LEN));
    let mut places = Output::<u64>::new(if payload == Payload::None { 0 } else { 2 * LEN });
    let options =
        MergeOptions { dtype: U32, index_dtype: U64, payload: payload as i32, ..MergeOptions::default() };
    let (of_a, of_b, to) = (a.as_ptr().cast(), b.as_ptr().cast(), keys.as_mut_ptr().cast());
    let also = if payload == Payload::None { null_mut() } else { places.as_mut_ptr().cast() };
    // SAFETY: LEN keys each, as many of both, positions where they are asked for.
    let status =
        unsafe { gpumex_merge(ctx.handle, &options, of_a, null(), LEN, of_b, null(), LEN, to, also) };
    ok(status, "gpumex_merge");
    [bytes(&keys.written("gpumex_merge")), bytes(&places.written("gpumex_merge"))].concat()
}

fn united(ctx: &Context, payload: Payload) -> Vec<u8> {
    let ([a, b], mut keys) = (sorted_pair(27), Output::<u32>::new(2 * LEN));
    let (mut places, mut needed) = (Output::<u64>::new(2 * LEN), Output::<u64>::new(1));
    let (op, payload) = (SetOperator::Union as i32, payload as i32);
    let index_dtype = U64;
    let options =
        SetOperationOptions { dtype: U32, op, payload, index_dtype, ..SetOperationOptions::default() };
    let (of_a, of_b, to) = (a.as_ptr().cast(), b.as_ptr().cast(), keys.as_mut_ptr().cast());
    let also = if payload == Payload::None as i32 { null_mut() } else { places.as_mut_ptr().cast() };
    let (none, at) = (null(), needed.as_mut_ptr());
    // SAFETY: LEN keys each, room for all of both, one number.
    let status = unsafe {
        gpumex_set_operation(ctx.handle, &options, of_a, none, LEN, of_b, none, LEN, to, also, 2 * LEN, at)
    };
    ok(status, "gpumex_set_operation");
    let length = needed.written("gpumex_set_operation")[0] as usize;
    let keys = bytes(&keys.written("gpumex_set_operation")[..length]);
    match also.is_null() {
        true => keys,
        false => [keys, bytes(&places.written("gpumex_set_operation")[..length])].concat(),
    }
}

/// LEN numbers below 2^24.
fn numbers(seed: u64) -> Vec<u32> {
    let word = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], 0]);
    random_bytes(seed, 3 * LEN).chunks(3).map(word).collect()
}

/// Two arrays of LEN ascending numbers, some of them in both.
fn sorted_pair(seed: u64) -> [Vec<u32>; 2] {
    [seed, seed + 100]
        .map(|seed| ascending(numbers(seed).into_iter().map(|number| number % 50_000).collect()))
}

fn ascending(mut numbers: Vec<u32>) -> Vec<u32> {
    numbers.sort_unstable();
    numbers
}

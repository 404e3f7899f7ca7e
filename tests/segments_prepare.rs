//! A prepared geometry changes no result, whoever prepared it and wherever it lies.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use gpumex::error::Status;
use gpumex::ffi::{
    SegmentedReduceOptions, SegmentsPrepareOptions, SpmvOptions, gpumex_segmented_reduce,
    gpumex_segments_prepare, gpumex_spmv,
};
use gpumex::model::dtype::Dtype;
use gpumex::platform::settings::Backend;

use crate::common::*;

/// Offsets of segments of 0 to 40 elements, and one long one.
fn offsets(segments: usize) -> Vec<u32> {
    let mut random = random(1);
    let mut offsets = vec![0u32];
    for segment in 0..segments {
        let len = if segment == segments / 2 { 50_000 } else { random.random_range(0..41) };
        offsets.push(offsets[segment] + len);
    }
    offsets
}

#[track_caller]
fn needed(ctx: &Context, offsets: &[u32], to: *mut c_void, capacity: usize) -> (i32, usize) {
    let options =
        SegmentsPrepareOptions { index_dtype: Dtype::U32 as i32, ..SegmentsPrepareOptions::default() };
    let (segments, count) = (offsets.len() - 1, offsets[offsets.len() - 1] as usize);
    let mut needed = 77u64;
    let from = offsets.as_ptr().cast();
    // SAFETY: segments + 1 offsets, `capacity` elements of geometry, one number.
    let status = unsafe {
        gpumex_segments_prepare(ctx.handle, &options, from, segments, count, to, capacity, &mut needed)
    };
    (status, needed as usize)
}

/// The sums of segments of 1, 2, 3 …, and the same as products with a vector of ones.
#[track_caller]
fn sums(ctx: &Context, offsets: &[u32], geometry: *const c_void) -> [Vec<u32>; 2] {
    let (segments, count) = (offsets.len() - 1, offsets[offsets.len() - 1] as usize);
    let data: Vec<u32> = (0..count as u32).collect();
    let (columns, ones) = (vec![0u32; count], [1u32]);
    let (mut result, mut y) = (Output::<u32>::new(segments), Output::<u32>::new(segments));
    let reduce = SegmentedReduceOptions {
        dtype: Dtype::U32 as i32,
        index_dtype: Dtype::U32 as i32,
        geometry,
        ..SegmentedReduceOptions::default()
    };
    let spmv = SpmvOptions {
        dtype: Dtype::U32 as i32,
        index_dtype: Dtype::U32 as i32,
        geometry,
        ..SpmvOptions::default()
    };
    let (from, cuts) = (data.as_ptr().cast(), offsets.as_ptr().cast());
    let (at, x, none) = (columns.as_ptr().cast(), ones.as_ptr().cast(), null());
    let (to, product) = (result.as_mut_ptr().cast(), y.as_mut_ptr().cast());
    // SAFETY: arrays of these lengths.
    unsafe {
        let status = gpumex_segmented_reduce(ctx.handle, &reduce, from, count, cuts, segments, none, to);
        ok(status, "gpumex_segmented_reduce");
        let status = gpumex_spmv(ctx.handle, &spmv, from, at, count, cuts, segments, x, 1, none, product);
        ok(status, "gpumex_spmv");
    }
    [result.written("result"), y.written("y")]
}

#[test]
fn a_geometry_changes_no_result() {
    for ctx in backends() {
        for segments in [0, 1, 300, 20_000] {
            let offsets = offsets(segments);
            let want = sums(&ctx, &offsets, null());
            let (status, capacity) = needed(&ctx, &offsets, null_mut(), 0);
            ok(status, "counting");
            for kind in EVERYWHERE {
                let mut geometry = Placed::<u64>::new(&ctx, kind, capacity);
                let (status, elements) = needed(&ctx, &offsets, geometry.as_mut_ptr(), capacity);
                ok(status, "preparing");
                assert_eq!(elements, capacity);
                let at = if capacity == 0 { null() } else { geometry.as_ptr() };
                assert_eq!(sums(&ctx, &offsets, at), want, "{:?}, {segments}, {kind:?}", ctx.backend);
            }
        }
    }
}

#[test]
fn a_geometry_that_lies_touches_nothing_else() {
    for ctx in backends() {
        let offsets = offsets(20_000);
        let (_, capacity) = needed(&ctx, &offsets, null_mut(), 0);
        let mut random = random(2);
        for most in [30_000, u64::MAX] {
            let lies: Vec<u64> = (0..capacity).map(|_| random.random_range(0..most)).collect();
            let at = if capacity == 0 { null() } else { lies.as_ptr().cast() };
            assert_eq!(sums(&ctx, &offsets, at)[0].len(), 20_000);
        }
    }
}

#[test]
fn bad_calls_are_refused_with_a_sentence() {
    for ctx in backends() {
        let offsets = offsets(20_000);
        let (_, capacity) = needed(&ctx, &offsets, null_mut(), 0);
        if capacity > 1 {
            let mut geometry = vec![0u64; capacity - 1];
            let (status, told) = needed(&ctx, &offsets, geometry.as_mut_ptr().cast(), capacity - 1);
            assert_eq!((status, told), (2, capacity), "{}", last_error());
            assert!(last_error().contains(&capacity.to_string()), "{}", last_error());
        }
        // SAFETY: NULL, which is refused.
        let status =
            unsafe { gpumex_segments_prepare(ctx.handle, null(), null(), 0, 0, null_mut(), 0, null_mut()) };
        assert_eq!(status, 1, "{}", last_error());
    }
}

#[test]
fn a_result_over_its_geometry_is_refused() {
    let Some(ctx) = Context::cuda() else { return };
    let offsets = offsets(300);
    let (_, capacity) = needed(&ctx, &offsets, null_mut(), 0);
    let mut geometry = vec![0u64; capacity.max(150)]; // as large as the results
    let (status, _) = needed(&ctx, &offsets, geometry.as_mut_ptr().cast(), capacity);
    ok(status, "preparing");
    let count = offsets[300] as usize;
    let data = vec![1u32; count];
    let options = SegmentedReduceOptions {
        dtype: Dtype::U32 as i32,
        index_dtype: Dtype::U32 as i32,
        geometry: geometry.as_ptr().cast(),
        ..SegmentedReduceOptions::default()
    };
    let (from, cuts, over) = (data.as_ptr().cast(), offsets.as_ptr().cast(), geometry.as_mut_ptr().cast());
    // SAFETY: nothing is written.
    let status =
        unsafe { gpumex_segmented_reduce(ctx.handle, &options, from, count, cuts, 300, null(), over) };
    refused(status, Status::InvalidArgument, &["result", "geometry", "overlap"], "gpumex_segmented_reduce");
}

#[test]
fn a_geometry_over_its_offsets_is_refused_where_there_is_one() {
    for ctx in backends() {
        let offsets = offsets(300);
        let (_, capacity) = needed(&ctx, &offsets, null_mut(), 0);
        assert_eq!(capacity == 0, ctx.backend == Backend::Cpu, "the CPU backend needs no geometry");
        let mut memory = vec![0u64; capacity + offsets.len()];
        let over: *mut u32 = memory.as_mut_ptr().cast();
        // SAFETY: room for all offsets; nothing else looks at them.
        let there = unsafe {
            over.copy_from_nonoverlapping(offsets.as_ptr(), offsets.len());
            std::slice::from_raw_parts(over, offsets.len())
        };
        let (status, told) = needed(&ctx, there, over.cast(), capacity.max(1));
        match ctx.backend {
            Backend::Cpu => ok(status, "a geometry that is not looked at"),
            _ => refused(
                status,
                Status::InvalidArgument,
                &["geometry overlaps offsets"],
                "gpumex_segments_prepare",
            ),
        }
        assert_eq!(told, capacity);
        assert_eq!(there, offsets, "{:?}: the offsets are left alone", ctx.backend);
    }
}

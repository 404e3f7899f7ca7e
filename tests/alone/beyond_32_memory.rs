//! More than 2^32 elements in what fills arrays, prints and checks them; and positions of 32 bits, which do not reach so far.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::memory::MemoryKind;
use gpumex::model::dtype::Dtype;
use gpumex::model::payload::Payload;
use gpumex::model::reduction::DimReduction;
use gpumex::ops::prefetch::PrefetchTarget;

use crate::common::*;
use crate::huge::{F32, FAR, Huge, N, U8, U32, on_each, run};

#[test]
fn fill_ascending() {
    on_each(17, |at| {
        let numbers = at.zeros(4 * N)?;
        run!(gpumex_fill_ascending(at.handle(), F32, numbers, N, -3.0, 1.0));
        assert_eq!(at.first_unsorted(F32, numbers, N), N as u64);
        for place in [0, 7, 1 << 31, (1 << 31) + 1000, 1 << 32, FAR, N - 1] {
            at.holds(numbers, place, [(place as f64 - 3.0) as f32]);
        }
        Some(())
    });
}

/// The mean of as many elements, and that of their squares.
fn moments(at: &Huge, numbers: *const c_void, count: usize) -> [f64; 2] {
    [c"a", c"a*a"].map(|expression| {
        let mut mean = 0f64;
        let options = MapReduceOptions {
            dtype: F32,
            op: DimReduction::Mean as i32,
            accumulator_dtype: Dtype::F64 as i32,
            dtypes: &F32,
            shape: &count,
            ..Default::default()
        };
        let to = (&raw mut mean).cast();
        run!(gpumex_map_reduce(at.handle(), &options, expression.as_ptr(), &numbers, 1, to));
        mean
    })
}

#[test]
fn random_normal() {
    on_each(20, |at| {
        let numbers = at.zeros(4 * N)?;
        run!(gpumex_random_normal(at.handle(), F32, numbers, N, 5, 0.0, 1.0));
        // SAFETY: elements from 2^32 on.
        let behind = unsafe { numbers.byte_add(4 << 32) };
        for (numbers, count) in [(numbers, N), (behind, N - (1 << 32))] {
            let ([mean, squares], sigma) = (moments(at, numbers, count), 1.0 / (count as f64).sqrt());
            assert!(mean.abs() < 7.0 * sigma, "{count}: a mean of {mean}");
            assert!((squares - 1.0).abs() < 7.0 * 2f64.sqrt() * sigma, "{count}: a variance of {squares}");
        }
        let [first, wrapped] = [0, 1 << 32].map(|from| at.get::<f32, 4096>(numbers, from));
        assert_ne!(first, wrapped, "numbers repeat after 2^32");
        Some(())
    });
}

/// A NaN or a descent beyond 2^32 among edges of 34 GB.
#[test]
fn check_edges() {
    on_each(1, |at| {
        let edges = at.zeros(8 * N)?;
        let first_bad = || {
            let mut found = 0;
            // SAFETY: N edges; a number.
            let status = unsafe { gpumex_check_edges(at.handle(), edges.cast(), N, &mut found) };
            at.serves(status, "a copy of so many edges").map(|()| found)
        };
        assert_eq!(first_bad()?, N as u64);
        for (bad, place) in [(f64::NAN, FAR), (-1.0, FAR), (1.0, FAR + 1)] {
            at.put(edges, FAR, &[bad]);
            assert_eq!(first_bad()?, place as u64, "{bad}");
        }
        // SAFETY: N edges.
        let status = unsafe { gpumex_check_edges(at.handle(), edges.cast(), N, null_mut()) };
        refused(status, Status::InvalidArgument, &[&format!("edges[{}]", FAR + 1)], "edges that descend");
        Some(())
    });
}

/// Texts of so many numbers take minutes (about 46 ns a number): that none are forgotten shows in the first row, of 2^32 numbers and a
/// few, of which the callback wants the first piece alone. Indices of more than 32 bits have a unit test (src/model/print).
#[test]
fn print_to() {
    unsafe extern "C" fn first_piece(user: *mut c_void, text: *const std::ffi::c_char, length: usize) -> i32 {
        // SAFETY: the vector of the test, and length bytes.
        unsafe { (*user.cast::<Vec<u8>>()).extend(std::slice::from_raw_parts(text.cast::<u8>(), length)) };
        1
    }
    on_each(1, |at| {
        let (numbers, format) = (at.zeros(N)?, c"%d".as_ptr());
        for count in [1 << 32, (1 << 32) + 1, N] {
            let mut text = Vec::new();
            let user = (&raw mut text).cast();
            // SAFETY: N bytes; what the callback takes.
            let status = unsafe {
                gpumex_print_to(at.handle(), U8, numbers, count, format, count, Some(first_piece), user)
            };
            assert_eq!(status, Status::Cancelled as i32, "{}", explain(status));
            assert!(text.starts_with(b"    0:  0 0 0 ") && text.len() > 1 << 16, "{} bytes", text.len());
        }
        Some(())
    });
}

/// Memory of each kind, which is copied, and prefetched where it is managed.
#[test]
fn kinds_of_memory() {
    on_each(13, |at| {
        let copy = at.zeros(N)?;
        for kind in [MemoryKind::Managed, MemoryKind::Pinned] {
            let mut array = null_mut();
            run!(gpumex_malloc(at.handle(), kind as i32, N, &mut array));
            at.fill(U8, array, N, 7u8);
            at.put(array, FAR, &[8u8]);
            if kind == MemoryKind::Managed {
                run!(gpumex_prefetch(at.handle(), array, N, PrefetchTarget::Device as i32));
            }
            run!(gpumex_copy(at.handle(), copy, array, N));
            assert_eq!(at.histogram(copy, N)[6..9], [0, N as u64 - 1, 1], "{kind:?}");
            at.holds(copy, FAR - 1, [7u8, 8, 7]);
            ok(gpumex_free(array), "gpumex_free");
        }
        Some(())
    });
}

/// Positions and counts of U32 do not reach 2^32 elements: each function says so before it does anything. gpumex_sort, gpumex_merge,
/// gpumex_sorted_search, gpumex_load_balance_search, gpumex_bulk_insert, gpumex_segmented_reduce and gpumex_spmv have that in their tests.
#[test]
fn counts_that_u32_does_not_hold() {
    const COUNT: usize = 1 << 32;
    let arrays = Huge::on_cpu();
    let [a, b, c, d] = [8 * COUNT; 4].map(|bytes| arrays.zeros(bytes).expect("addresses"));
    let (dtype, index_dtype, key_dtype) = (U8, U32, U8);
    let (payload, op, no) = (Payload::Indices as i32, DimReduction::Max as i32, null_mut());
    let refuses = |status, what| refused(status, Status::InvalidArgument, &["4294967296", "U32"], what);
    for context in &backends() {
        let (ctx, mut comm) = (context.handle, null_mut());
        run!(gpumex_comm_create(ctx, null(), 0, 1, None, None, no, &mut comm));
        // SAFETY: arrays of 2^32 elements, of which none is looked at.
        unsafe {
            let options = CompactOptions { index_dtype, ..Default::default() };
            refuses(gpumex_compact(ctx, &options, null(), a.cast(), COUNT, no, b, 3, &mut 0), "compact");
            let options = JoinOptions { dtype, index_dtype, ..Default::default() };
            refuses(gpumex_join(ctx, &options, a, 1, b, COUNT, c, d, 3, &mut 0), "join");
            let options = BulkRemoveOptions { dtype: U32, index_dtype, ..Default::default() };
            refuses(gpumex_bulk_remove(ctx, &options, a, COUNT, b, 1, c), "bulk_remove");
            let options = IntervalExpandOptions { dtype: U32, index_dtype, ..Default::default() };
            refuses(gpumex_interval_expand(ctx, &options, COUNT, a, b, 1, c), "interval_expand");
            let options = IntervalMoveOptions { dtype: U32, index_dtype, ..Default::default() };
            let moved = gpumex_interval_move(ctx, &options, COUNT, no, no, a, 1, b, COUNT, c, COUNT);
            refuses(moved, "interval_move");
            let options = LocalitySortOptions { dtype, payload, index_dtype, ..Default::default() };
            refuses(gpumex_locality_sort(ctx, &options, a, no, COUNT, b, c), "locality_sort");
            let options = SegmentedSortOptions { dtype, payload, index_dtype, ..Default::default() };
            refuses(gpumex_segmented_sort(ctx, &options, a, no, COUNT, d, 1, b, c), "segmented_sort");
            let options = SortOptions { dtype, payload, index_dtype, ..Default::default() };
            refuses(gpumex_comm_sort(comm, &options, a, no, COUNT, b, c), "comm_sort");
            let options = ReduceByKeyOptions { key_dtype, index_dtype, ..Default::default() };
            let reduced = gpumex_reduce_by_key(ctx, &options, a, no, COUNT, no, no, b, 3, &mut 0);
            refuses(reduced, "reduce_by_key");
            let options = ReduceDimOptions { dtype, op, index_dtype, positions: b, ..Default::default() };
            refuses(gpumex_reduce_dim(ctx, &options, a, 1, COUNT, 1, c), "reduce_dim");
            let options = MapReduceOptions {
                dtype,
                op,
                index_dtype,
                dtypes: &dtype,
                shape: &COUNT,
                positions: b,
                ..Default::default()
            };
            let input = a.cast_const();
            refuses(gpumex_map_reduce(ctx, &options, c"a".as_ptr(), &input, 1, c), "map_reduce");
            let options = SegmentsPrepareOptions { index_dtype, ..Default::default() };
            refuses(gpumex_segments_prepare(ctx, &options, a, 1, COUNT, no, 0, &mut 0), "segments_prepare");
            let options = SortedEqualityCountOptions { dtype, index_dtype, ..Default::default() };
            refuses(gpumex_sorted_equality_count(ctx, &options, a, 1, b, COUNT, c, d), "equality_count");
        }
        ok(gpumex_comm_destroy(comm), "gpumex_comm_destroy");
    }
}

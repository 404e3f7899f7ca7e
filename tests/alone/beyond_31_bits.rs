//! More than 2^31 elements in each parallel primitive, in device memory. The inputs are made so that every result is an array of
//! numbers that ascend by one: what strictly ascends from the right first to the right last number has them all.
//!
//! A device without the memory (up to 100 GB) leaves a test out.

use std::cell::RefCell;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::model::dtype::Dtype;
use gpumex::model::operator::Operator;
use gpumex::model::payload::Payload;
use gpumex::model::set_operation::SetOperator;

use crate::common::*;
use crate::huge::device_memory;

const N: usize = (1 << 31) + 1_000_004;
const U32: i32 = Dtype::U32 as i32;
const U64: i32 = Dtype::U64 as i32;
/// Elements of a segment, and of a row.
const SEGMENT: usize = 2048;
const SEGMENTS: usize = N.div_ceil(SEGMENT);

/// A context with arrays, which end with it.
struct Device {
    ctx: Context,
    arrays: RefCell<Vec<*mut c_void>>,
}

impl Drop for Device {
    fn drop(&mut self) {
        self.arrays.borrow().iter().for_each(|&array| ok(gpumex_free(array), "gpumex_free"));
    }
}

impl Device {
    fn handle(&self) -> Handle {
        self.ctx.handle
    }

    /// None where the memory is not there.
    fn array(&self, bytes: usize) -> Option<*mut c_void> {
        let array = device_memory(&self.ctx, bytes)?;
        self.arrays.borrow_mut().push(array);
        Some(array)
    }

    fn fill(&self, dtype: Dtype, count: usize, first: f64, step: f64) -> Option<*mut c_void> {
        let array = self.array(dtype.size() * count)?;
        self.fill_at(array, dtype, count, first, step);
        Some(array)
    }

    fn fill_at(&self, array: *mut c_void, dtype: Dtype, count: usize, first: f64, step: f64) {
        // SAFETY: count elements.
        ok(unsafe { gpumex_fill_ascending(self.handle(), dtype as i32, array, count, first, step) }, "fill");
    }

    /// 0, 1, 2, ...
    fn numbers(&self, dtype: Dtype) -> Option<*mut c_void> {
        self.fill(dtype, N, 0.0, 1.0)
    }

    fn number_at(&self, array: *const c_void, dtype: Dtype, index: usize) -> u64 {
        let mut number = 0u64;
        // SAFETY: an element of the array, little-endian, into eight bytes.
        let status = unsafe {
            let from = array.byte_add(index * dtype.size());
            gpumex_copy(self.handle(), (&raw mut number).cast(), from, dtype.size())
        };
        ok(status, "gpumex_copy");
        number
    }

    /// The array holds first, first + 1, ...
    #[track_caller]
    fn ascends(&self, array: *const c_void, dtype: Dtype, count: usize, first: u64) {
        let options = CheckSortedOptions { dtype: dtype as i32, strict: 1, ..Default::default() };
        // SAFETY: count elements.
        ok(
            unsafe { gpumex_check_sorted(self.handle(), &options, array, count, null_mut()) },
            "every number once",
        );
        let ends = [0, count - 1].map(|index| self.number_at(array, dtype, index));
        assert_eq!(ends, [first, first + count as u64 - 1]);
    }

    /// So many parts of SEGMENT ones each, and the rest.
    #[track_caller]
    fn are_sums_of_segments(&self, sums: *const c_void) {
        for (op, want) in [(Operator::Sum, N), (Operator::Max, SEGMENT)] {
            let options = ReduceOptions { dtype: U32, op: op as i32, ..Default::default() };
            let mut got = 0u32;
            // SAFETY: a sum for each segment; a word.
            let status =
                unsafe { gpumex_reduce(self.handle(), &options, sums, SEGMENTS, (&raw mut got).cast()) };
            ok(status, "gpumex_reduce");
            assert_eq!(got as usize, want);
        }
    }

    /// Where the segments begin, and N.
    fn offsets(&self) -> Option<*mut c_void> {
        let offsets = self.fill(Dtype::U64, SEGMENTS + 1, 0.0, SEGMENT as f64)?;
        // SAFETY: the last of them.
        self.fill_at(unsafe { offsets.byte_add(8 * SEGMENTS) }, Dtype::U64, 1, N as f64, 0.0);
        Some(offsets)
    }
}

/// One at a time: each takes most of the memory. None of `body`: too little of it is there.
fn on_device(body: impl Fn(Device) -> Option<()>) {
    let _turn = crate::turn();
    if let Some(ctx) = Context::cuda() {
        body(Device { ctx, arrays: RefCell::default() });
    }
}

#[test]
fn reduce_and_segments() {
    on_device(|gpu| {
        let ones = gpu.fill(Dtype::U32, N, 1.0, 0.0)?;
        let (offsets, sums) = (gpu.offsets()?, gpu.array(4 * SEGMENTS)?);
        let mut sum = 0u32;
        let options = ReduceOptions { dtype: U32, ..Default::default() };
        // SAFETY: N words; a word.
        ok(unsafe { gpumex_reduce(gpu.handle(), &options, ones, N, (&raw mut sum).cast()) }, "gpumex_reduce");
        assert_eq!(sum as usize, N);
        let options = SegmentedReduceOptions { dtype: U32, index_dtype: U64, ..Default::default() };
        // SAFETY: N words, an offset more than segments, a sum each.
        let status = unsafe {
            gpumex_segmented_reduce(gpu.handle(), &options, ones, N, offsets, SEGMENTS, null(), sums)
        };
        ok(status, "gpumex_segmented_reduce");
        gpu.are_sums_of_segments(sums);
        Some(())
    });
}

#[test]
fn spmv() {
    on_device(|gpu| {
        let (ones, columns) = (gpu.fill(Dtype::U32, N, 1.0, 0.0)?, gpu.fill(Dtype::U64, N, 0.0, 0.0)?);
        let (offsets, x, sums) =
            (gpu.offsets()?, gpu.fill(Dtype::U32, 1, 1.0, 0.0)?, gpu.array(4 * SEGMENTS)?);
        let options = SpmvOptions { dtype: U32, index_dtype: U64, ..Default::default() };
        // SAFETY: N nonzeros, an offset more than rows, one column, a sum a row.
        let status = unsafe {
            gpumex_spmv(gpu.handle(), &options, ones, columns, N, offsets, SEGMENTS, x, 1, null(), sums)
        };
        ok(status, "gpumex_spmv");
        gpu.are_sums_of_segments(sums);
        Some(())
    });
}

#[test]
fn scan() {
    on_device(|gpu| {
        let (ones, sums) = (gpu.fill(Dtype::U32, N, 1.0, 0.0)?, gpu.array(4 * N)?);
        let options = ScanOptions { dtype: U32, ..Default::default() };
        // SAFETY: N words each; no total.
        ok(unsafe { gpumex_scan(gpu.handle(), &options, ones, N, sums, null_mut()) }, "gpumex_scan");
        gpu.ascends(sums, Dtype::U32, N, 0);
        Some(())
    });
}

#[test]
fn compact() {
    on_device(|gpu| {
        let (numbers, flags) = (gpu.numbers(Dtype::U32)?, gpu.fill(Dtype::U8, N, 1.0, 0.0)?);
        let (kept, positions) = (gpu.array(4 * N)?, gpu.array(8 * N)?);
        let mut needed = 0u64;
        let options = CompactOptions { dtype: U32, index_dtype: U64, ..Default::default() };
        // SAFETY: N elements and flags, capacity for N; a number.
        let status = unsafe {
            let needed = &raw mut needed;
            gpumex_compact(gpu.handle(), &options, numbers, flags.cast(), N, kept, positions, N, needed)
        };
        ok(status, "gpumex_compact");
        assert_eq!(needed as usize, N);
        gpu.ascends(kept, Dtype::U32, N, 0);
        gpu.ascends(positions, Dtype::U64, N, 0);
        Some(())
    });
}

#[test]
fn reduce_by_key() {
    on_device(|gpu| {
        let (keys, data) = (gpu.numbers(Dtype::U32)?, gpu.numbers(Dtype::U32)?);
        let (unique, sums) = (gpu.array(4 * N)?, gpu.array(4 * N)?);
        let mut needed = 0u64;
        let options = ReduceByKeyOptions { dtype: U32, key_dtype: U32, ..Default::default() };
        // SAFETY: N keys and elements, capacity for N; a number.
        let status = unsafe {
            let needed = &raw mut needed;
            gpumex_reduce_by_key(gpu.handle(), &options, keys, data, N, unique, sums, null_mut(), N, needed)
        };
        ok(status, "gpumex_reduce_by_key");
        assert_eq!(needed as usize, N);
        gpu.ascends(unique, Dtype::U32, N, 0);
        gpu.ascends(sums, Dtype::U32, N, 0);
        Some(())
    });
}

#[test]
fn sort() {
    on_device(|gpu| {
        let descending = gpu.fill(Dtype::U32, N, (N - 1) as f64, -1.0)?;
        let (sorted, positions) = (gpu.array(4 * N)?, gpu.array(8 * N)?);
        let options = SortOptions {
            dtype: U32,
            payload: Payload::Indices as i32,
            index_dtype: U64,
            ..Default::default()
        };
        // SAFETY: N keys each, N positions.
        let status = unsafe { gpumex_sort(gpu.handle(), &options, descending, null(), N, sorted, positions) };
        if status == Status::OutOfMemory as i32 {
            return None;
        }
        ok(status, "gpumex_sort");
        gpu.ascends(sorted, Dtype::U32, N, 0);
        assert_eq!(
            [0, N / 2, N - 1].map(|i| gpu.number_at(positions, Dtype::U64, i) as usize + i),
            [N - 1; 3]
        );
        Some(())
    });
}

#[test]
fn locality_sort() {
    on_device(|gpu| {
        let descending = gpu.fill(Dtype::U32, N, (N - 1) as f64, -1.0)?;
        let sorted = gpu.array(4 * N)?;
        let options = LocalitySortOptions { dtype: U32, ..Default::default() };
        // SAFETY: N keys each.
        let status = unsafe {
            gpumex_locality_sort(gpu.handle(), &options, descending, null(), N, sorted, null_mut())
        };
        ok(status, "gpumex_locality_sort");
        gpu.ascends(sorted, Dtype::U32, N, 0);
        Some(())
    });
}

#[test]
fn segmented_sort() {
    on_device(|gpu| {
        let (keys, sorted, offsets) = (gpu.array(4 * N)?, gpu.array(4 * N)?, gpu.offsets()?);
        // Two halves that descend, at the begin of a segment.
        let half = N / 2 / SEGMENT * SEGMENT;
        let segment = gpu.fill(Dtype::U64, 1, half as f64, 0.0)?;
        gpu.fill_at(keys, Dtype::U32, half, (half - 1) as f64, -1.0);
        // SAFETY: the other half.
        gpu.fill_at(unsafe { keys.byte_add(4 * half) }, Dtype::U32, N - half, (N - 1) as f64, -1.0);
        let options = SegmentedSortOptions { dtype: U32, index_dtype: U64, ..Default::default() };
        let sort = |keys, segments, count, sorted| {
            // SAFETY: N keys each, `count` positions.
            let status = unsafe {
                gpumex_segmented_sort(
                    gpu.handle(),
                    &options,
                    keys,
                    null(),
                    N,
                    segments,
                    count,
                    sorted,
                    null_mut(),
                )
            };
            ok(status, "gpumex_segmented_sort");
        };
        sort(keys, segment, 1, sorted);
        gpu.ascends(sorted, Dtype::U32, N, 0);
        // Sorted segments stay as they are.
        sort(sorted, offsets, SEGMENTS, keys);
        gpu.ascends(keys, Dtype::U32, N, 0);
        Some(())
    });
}

#[test]
fn merge_and_union() {
    on_device(|gpu| {
        let (even, odd) = (gpu.fill(Dtype::U32, N / 2, 0.0, 2.0)?, gpu.fill(Dtype::U32, N / 2, 1.0, 2.0)?);
        let (merged, united) = (gpu.array(4 * N)?, gpu.array(4 * N)?);
        let options = MergeOptions { dtype: U32, ..Default::default() };
        // SAFETY: N / 2 keys each, capacity for N.
        let status = unsafe {
            let (handle, no) = (gpu.handle(), null());
            gpumex_merge(handle, &options, even, no, N / 2, odd, no, N / 2, merged, null_mut())
        };
        ok(status, "gpumex_merge");
        gpu.ascends(merged, Dtype::U32, N, 0);
        let options = SetOperationOptions { dtype: U32, op: SetOperator::Union as i32, ..Default::default() };
        let mut needed = 0u64;
        // SAFETY: as above; a number.
        let status = unsafe {
            let (handle, no, needed) = (gpu.handle(), null(), &raw mut needed);
            gpumex_set_operation(
                handle,
                &options,
                even,
                no,
                N / 2,
                odd,
                no,
                N / 2,
                united,
                null_mut(),
                N,
                needed,
            )
        };
        ok(status, "gpumex_set_operation");
        assert_eq!(needed as usize, N);
        gpu.ascends(united, Dtype::U32, N, 0);
        Some(())
    });
}

#[test]
fn sorted_search() {
    on_device(|gpu| {
        let (a, b, lower) = (gpu.numbers(Dtype::U32)?, gpu.numbers(Dtype::U32)?, gpu.array(8 * N)?);
        let options = SortedSearchOptions { dtype: U32, index_dtype: U64, ..Default::default() };
        let mut matches = 0u64;
        // SAFETY: N keys each, N positions, a number.
        let status = unsafe {
            let (none, flags, matches) = (null_mut(), null_mut(), (&raw mut matches).cast());
            gpumex_sorted_search(gpu.handle(), &options, a, N, b, N, lower, none, flags, flags, matches)
        };
        ok(status, "gpumex_sorted_search");
        assert_eq!(matches as usize, N);
        gpu.ascends(lower, Dtype::U64, N, 0);
        Some(())
    });
}

#[test]
fn sorted_equality_count() {
    on_device(|gpu| {
        let (a, b) = (gpu.numbers(Dtype::U32)?, gpu.numbers(Dtype::U32)?);
        let (counts, lower) = (gpu.array(8 * N)?, gpu.array(8 * N)?);
        let options = SortedEqualityCountOptions { dtype: U32, index_dtype: U64, ..Default::default() };
        // SAFETY: N keys each, N counts and positions.
        let status =
            unsafe { gpumex_sorted_equality_count(gpu.handle(), &options, a, N, b, N, counts, lower) };
        ok(status, "gpumex_sorted_equality_count");
        gpu.ascends(lower, Dtype::U64, N, 0);
        let options = ScanOptions { dtype: Dtype::U64 as i32, ..Default::default() };
        // SAFETY: N counts; their sums in their place.
        ok(unsafe { gpumex_scan(gpu.handle(), &options, counts, N, counts, null_mut()) }, "gpumex_scan");
        gpu.ascends(counts, Dtype::U64, N, 0);
        Some(())
    });
}

#[test]
fn join() {
    on_device(|gpu| {
        let (a, b) = (gpu.numbers(Dtype::U32)?, gpu.numbers(Dtype::U32)?);
        let (a_indices, b_indices) = (gpu.array(8 * N)?, gpu.array(8 * N)?);
        let options = JoinOptions { dtype: U32, index_dtype: U64, ..Default::default() };
        let mut needed = 0u64;
        // SAFETY: N keys each, capacity for N pairs, a number.
        let status = unsafe {
            let needed = &raw mut needed;
            gpumex_join(gpu.handle(), &options, a, N, b, N, a_indices, b_indices, N, needed)
        };
        ok(status, "gpumex_join");
        assert_eq!(needed as usize, N);
        gpu.ascends(a_indices, Dtype::U64, N, 0);
        gpu.ascends(b_indices, Dtype::U64, N, 0);
        Some(())
    });
}

#[test]
fn intersection() {
    on_device(|gpu| {
        let (a, b, both) = (gpu.numbers(Dtype::U32)?, gpu.numbers(Dtype::U32)?, gpu.array(4 * N)?);
        let options =
            SetOperationOptions { dtype: U32, op: SetOperator::Intersection as i32, ..Default::default() };
        let mut needed = 0u64;
        // SAFETY: N keys each, capacity for N, a number.
        let status = unsafe {
            let (handle, no, needed) = (gpu.handle(), null(), &raw mut needed);
            gpumex_set_operation(handle, &options, a, no, N, b, no, N, both, null_mut(), N, needed)
        };
        ok(status, "gpumex_set_operation");
        assert_eq!(needed as usize, N);
        gpu.ascends(both, Dtype::U32, N, 0);
        Some(())
    });
}

#[test]
fn load_balance_search_and_intervals() {
    on_device(|gpu| {
        // Every object has one item.
        let (scan, objects) = (gpu.numbers(Dtype::U64)?, gpu.array(8 * N)?);
        let options = LoadBalanceSearchOptions { index_dtype: U64, ..Default::default() };
        // SAFETY: N objects, N items.
        ok(unsafe { gpumex_load_balance_search(gpu.handle(), &options, N, scan, N, objects) }, "search");
        gpu.ascends(objects, Dtype::U64, N, 0);
        let (numbers, output) = (gpu.numbers(Dtype::U32)?, gpu.array(4 * N)?);
        let options = IntervalExpandOptions { dtype: U32, index_dtype: U64, ..Default::default() };
        // SAFETY: N intervals of one element.
        ok(unsafe { gpumex_interval_expand(gpu.handle(), &options, N, scan, numbers, N, output) }, "expand");
        gpu.ascends(output, Dtype::U32, N, 0);
        let moved = gpu.array(4 * N)?;
        let options = IntervalMoveOptions { dtype: U32, index_dtype: U64, ..Default::default() };
        // SAFETY: as above; each interval comes from where `objects` says.
        let status = unsafe {
            gpumex_interval_move(gpu.handle(), &options, N, objects, null(), scan, N, output, N, moved, N)
        };
        ok(status, "gpumex_interval_move");
        gpu.ascends(moved, Dtype::U32, N, 0);
        Some(())
    });
}

#[test]
fn bulk_remove_and_insert() {
    on_device(|gpu| {
        let (numbers, result) = (gpu.numbers(Dtype::U32)?, gpu.array(4 * N)?);
        let first = gpu.fill(Dtype::U64, 2, 0.0, 1.0)?;
        let options = BulkRemoveOptions { dtype: U32, index_dtype: U64, ..Default::default() };
        // SAFETY: N elements, two positions, capacity for the rest.
        ok(unsafe { gpumex_bulk_remove(gpu.handle(), &options, numbers, N, first, 2, result) }, "remove");
        gpu.ascends(result, Dtype::U32, N - 2, 2);
        let (begin, zero, whole) =
            (gpu.fill(Dtype::U32, 2, 0.0, 1.0)?, gpu.fill(Dtype::U64, 2, 0.0, 0.0)?, numbers);
        let options = BulkInsertOptions { dtype: U32, index_dtype: U64, ..Default::default() };
        // SAFETY: two elements and positions, the rest, capacity for all.
        let status =
            unsafe { gpumex_bulk_insert(gpu.handle(), &options, begin, zero, 2, result, N - 2, whole) };
        ok(status, "gpumex_bulk_insert");
        gpu.ascends(whole, Dtype::U32, N, 0);
        Some(())
    });
}

//! Searches and moves between sorted arrays in device memory, beside what the device copies.

use std::ptr::{null, null_mut};

use gpumex::ffi::*;
use gpumex::memory::MemoryKind;
use gpumex::model::dtype::Dtype;

use crate::common::*;

const COUNTS: [usize; 3] = [1 << 28, 10_000_000, 4096];
const ROUNDS: usize = 11;
const U32: i32 = Dtype::U32 as i32;
const INDEX: i32 = Dtype::U32 as i32;

/// Gigabytes a second by the time of the kernels, of those that have to be read and written; u32 elements, indices of U32.
pub fn table(ctx: Handle) {
    const COPY: &str = "4300.0"; // GB/s that an H200 copies
    let [x, y, z] = [(); 3].map(|()| malloc(ctx, MemoryKind::Device, 4 * COUNTS[0]));
    for n in COUNTS {
        let row = |name: &str, elements: usize, body: &dyn Fn() -> i32| {
            check(body());
            let kernels = || kernel_ms(ctx, || check(body()));
            let rate = 4.0 * elements as f64 / median(ROUNDS, kernels) / 1e6;
            row(&format!("{name}, {n}, GB/s"), rate, f64::NAN, COPY);
        };
        let sorted = |array, count: usize, last: f64| {
            // SAFETY: count elements.
            check(unsafe { gpumex_random_sorted(ctx, U32, array, count, 1, 0.0, last) });
        };

        let (quarter, rest) = (n / 4, n - n / 4);
        sorted(x, quarter, f64::from(u32::MAX));
        sorted(y, rest, f64::from(u32::MAX));
        let search = SortedSearchOptions { dtype: U32, index_dtype: INDEX, ..SortedSearchOptions::default() };
        row("sorted search, a quarter in the rest", n + quarter, &|| {
            let none = null_mut();
            // SAFETY: arrays of so many elements on the device.
            unsafe { gpumex_sorted_search(ctx, &search, x, quarter, y, rest, z, none, none, none, none) }
        });
        let count = SortedEqualityCountOptions {
            dtype: U32,
            index_dtype: INDEX,
            ..SortedEqualityCountOptions::default()
        };
        row("equality count, a quarter in the rest", n + quarter, &|| {
            // SAFETY: arrays of so many elements on the device.
            unsafe { gpumex_sorted_equality_count(ctx, &count, x, quarter, y, rest, z, null_mut()) }
        });

        for mean in [25, 4] {
            let objects = n / mean;
            sorted(x, objects, (n - 1) as f64);
            let options =
                LoadBalanceSearchOptions { index_dtype: INDEX, ..LoadBalanceSearchOptions::default() };
            row(&format!("load-balancing search, {mean} items an object"), objects + n, &|| {
                // SAFETY: objects numbers, n indices.
                unsafe { gpumex_load_balance_search(ctx, &options, n, x, objects, z) }
            });
        }
        let intervals = n / 25;
        sorted(x, intervals, (n - 1) as f64);
        let expand =
            IntervalExpandOptions { dtype: U32, index_dtype: INDEX, ..IntervalExpandOptions::default() };
        row("interval expand, 25 elements", 2 * intervals + n, &|| {
            // SAFETY: intervals numbers and values, n elements.
            unsafe { gpumex_interval_expand(ctx, &expand, n, x, y, intervals, z) }
        });
        let options =
            IntervalMoveOptions { dtype: U32, index_dtype: INDEX, ..IntervalMoveOptions::default() };
        row("interval move, 25 elements, in order", 2 * intervals + 2 * n, &|| {
            // SAFETY: intervals numbers, n elements each.
            unsafe { gpumex_interval_move(ctx, &options, n, x, null(), x, intervals, y, n, z, n) }
        });

        let half = n / 2;
        // SAFETY: half elements.
        check(unsafe { gpumex_fill_ascending(ctx, U32, x, half, 0.0, 2.0) });
        let remove = BulkRemoveOptions { dtype: U32, index_dtype: INDEX, ..BulkRemoveOptions::default() };
        row("bulk remove, half", n + half + (n - half), &|| {
            // SAFETY: n elements, half indices.
            unsafe { gpumex_bulk_remove(ctx, &remove, y, n, x, half, z) }
        });
        sorted(x, half, half as f64);
        let insert = BulkInsertOptions { dtype: U32, index_dtype: INDEX, ..BulkInsertOptions::default() };
        row("bulk insert, half", 2 * n + half, &|| {
            let behind = y.wrapping_byte_add(4 * half);
            // SAFETY: half elements and indices, n - half elements.
            unsafe { gpumex_bulk_insert(ctx, &insert, y, x, half, behind, n - half, z) }
        });
    }
    for array in [x, y, z] {
        check(gpumex_free(array));
    }
}

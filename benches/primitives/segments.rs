//! Reductions of segments, reductions by key and sparse products in device memory, beside CUB.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use gpumex::ffi::*;
use gpumex::memory::MemoryKind;
use gpumex::model::dtype::Dtype;

use crate::common::*;
use crate::peers::Peers;

const COUNTS: [usize; 3] = [1 << 28, 10_000_000, 4096];
const ROUNDS: usize = 11;
const READ: &str = "4470.0"; // GB/s that an H200 reads
const COPY: &str = "4300.0"; // and copies
const MEANS: [usize; 3] = [500, 16, 1];
const F32: i32 = Dtype::F32 as i32;
const INDEX: i32 = Dtype::U32 as i32;
type OfSegments = unsafe extern "C" fn(*const c_void, *const c_void, usize, *mut c_void) -> f32;
type OfRuns =
    unsafe extern "C" fn(*const c_void, *const c_void, usize, *mut c_void, *mut c_void, *mut c_void) -> f32;

/// The arrays that all tables share, of COUNTS[0] elements of 4 bytes, and one number.
struct Arrays {
    ctx: Handle,
    peers: Option<Peers>,
    data: *mut c_void,
    indices: *mut c_void,
    keys: *mut c_void,
    results: *mut c_void,
    needed: *mut c_void,
}

/// Gigabytes a second by the time of the kernels, of those that have to be read and written; f32 data, indices and keys of u32.
pub fn table(ctx: Handle, peers: Option<Peers>) {
    let array = || malloc(ctx, MemoryKind::Device, 4 * (COUNTS[0] + 1));
    let (data, indices, keys, results) = (array(), array(), array(), array());
    let needed = malloc(ctx, MemoryKind::Device, 8);
    let arrays = Arrays { ctx, peers, data, indices, keys, results, needed };
    for (count, mean) in COUNTS.into_iter().flat_map(|count| MEANS.map(|mean| (count, mean))) {
        // SAFETY: count numbers.
        check(unsafe { gpumex_random(ctx, Dtype::F32 as i32, data, count, 5, -1.0, 1.0) });
        arrays.segments(count, mean);
        arrays.runs(count, mean);
    }
    for mean in [25, 4] {
        arrays.product(COUNTS[0] / 4, mean);
    }
    for array in [data, indices, keys, results, needed] {
        check(gpumex_free(array));
    }
}

impl Arrays {
    fn segments(&self, count: usize, mean: usize) {
        let &Arrays { ctx, peers, data, indices, results, .. } = self;
        let segments = self.cut(count, mean);
        let options =
            SegmentedReduceOptions { dtype: F32, index_dtype: INDEX, ..SegmentedReduceOptions::default() };
        let ours = || {
            // SAFETY: count elements, segments + 1 offsets, room for a result a segment.
            unsafe { gpumex_segmented_reduce(ctx, &options, data, count, indices, segments, null(), results) }
        };
        let theirs = || match peers.filter(|_| mean > 1) {
            None => f64::NAN, // CUB takes a block for each segment
            // SAFETY: the type of this function, the same arrays.
            Some(peers) => f64::from(unsafe {
                peers.function::<OfSegments>("peer_segmented_reduce_f32")(data, indices, segments, results)
            }),
        };
        let name = format!("segmented sum, {count} in {mean}, GB/s");
        self.row(&name, 4 * count + 8 * segments, READ, &ours, &theirs);
    }

    fn runs(&self, count: usize, mean: usize) {
        let &Arrays { ctx, peers, data, indices, keys, results, needed } = self;
        let last = (count / mean) as f64;
        // SAFETY: count keys.
        check(unsafe { gpumex_random_sorted(ctx, Dtype::U32 as i32, keys, count, 6, 0.0, last) });
        let options =
            ReduceByKeyOptions { dtype: F32, key_dtype: Dtype::U32 as i32, ..ReduceByKeyOptions::default() };
        let ours = || {
            // SAFETY: arrays of count elements, one number.
            unsafe {
                gpumex_reduce_by_key(
                    ctx,
                    &options,
                    keys,
                    data,
                    count,
                    indices,
                    results,
                    null_mut(),
                    count,
                    needed.cast(),
                )
            }
        };
        let theirs = || match peers {
            None => f64::NAN,
            // SAFETY: the type of this function, the same arrays.
            Some(peers) => f64::from(unsafe {
                let reduce = peers.function::<OfRuns>("peer_reduce_by_key_u32_f32");
                reduce(keys, data, count, indices, results, needed)
            }),
        };
        check(ours());
        let mut runs = 0u64;
        copy(ctx, (&raw mut runs).cast(), needed, 8);
        let name = format!("sum by key, {count} in {mean}, GB/s");
        self.row(&name, 8 * (count + runs as usize), COPY, &ours, &theirs);
    }

    /// Columns near the diagonal, so that x stays in the cache; the values are the data.
    fn product(&self, nonzeros: usize, mean: usize) {
        let &Arrays { ctx, data, indices, keys, results, .. } = self;
        let (rows, cols) = (self.cut(nonzeros, mean), nonzeros / mean);
        let last = (cols - 1) as f64;
        // SAFETY: a column a nonzero; cols numbers behind those of y.
        check(unsafe { gpumex_random_sorted(ctx, Dtype::U32 as i32, keys, nonzeros, 7, 0.0, last) });
        let x = results.cast::<f32>().wrapping_add(rows).cast::<c_void>();
        check(unsafe { gpumex_random(ctx, Dtype::F32 as i32, x, cols, 8, -1.0, 1.0) });
        let options = SpmvOptions { dtype: F32, index_dtype: INDEX, ..SpmvOptions::default() };
        let ours = || {
            // SAFETY: a value and a column a nonzero, rows + 1 offsets, cols elements of x, room for rows.
            unsafe {
                gpumex_spmv(ctx, &options, data, keys, nonzeros, indices, rows, x, cols, null(), results)
            }
        };
        let name = format!("sparse product, {nonzeros} in {mean}, GB/s");
        self.row(&name, 8 * nonzeros + 8 * rows + 4 * cols, READ, &ours, &|| f64::NAN);
    }

    /// indices ← offsets of count / mean segments; how many they are.
    fn cut(&self, count: usize, mean: usize) -> usize {
        let segments = (count / mean).max(1);
        let ends = [0u32, count as u32];
        // SAFETY: segments + 1 numbers.
        check(unsafe {
            let dtype = Dtype::U32 as i32;
            gpumex_random_sorted(self.ctx, dtype, self.indices, segments + 1, 9, 0.0, count as f64)
        });
        let last = self.indices.wrapping_byte_add(4 * segments);
        copy(self.ctx, self.indices, (&raw const ends[0]).cast(), 4);
        copy(self.ctx, last, (&raw const ends[1]).cast(), 4);
        segments
    }

    fn row(&self, name: &str, bytes: usize, limit: &str, ours: &dyn Fn() -> i32, theirs: &dyn Fn() -> f64) {
        let kernels = || kernel_ms(self.ctx, || check(ours()));
        kernels();
        let rate = |ms: f64| bytes as f64 / ms / 1e6;
        row(name, rate(median(ROUNDS, kernels)), rate(median(ROUNDS, theirs)), limit);
    }
}

//! Complex numbers that are only moved: fill, gather, scatter, permute, gather_nd, scatter_nd.

use std::ffi::c_void;
use std::ptr::null;

use gpumex::error::Status;
use gpumex::ffi::{GatherNdOptions, GatherOptions, PermuteOptions, ScatterNdOptions, ScatterOptions};
use gpumex::ffi::{
    gpumex_fill, gpumex_gather, gpumex_gather_nd, gpumex_permute, gpumex_scatter, gpumex_scatter_nd,
};
use gpumex::model::dtype::Dtype;
use gpumex::model::variant::Variant;

use super::number::{C, decoded, encoded};
use crate::common::*;

const DTYPES: [Dtype; 2] = [Dtype::C64, Dtype::C128];

fn of(index: usize) -> C {
    C(index as f64, 0.5 - index as f64)
}

fn numbers(count: usize) -> Vec<C> {
    (0..count).map(of).collect()
}

#[test]
fn elements_at_indices() {
    for ctx in backends() {
        for (dtype, kind) in DTYPES.into_iter().flat_map(|dtype| EVERYWHERE.map(|kind| (dtype, kind))) {
            for variant in ctx.variants::<Variant>() {
                let indices = [3u32, 0, 99, 4, 100, 7];
                let mut source = Placed::holding(&ctx, kind, &encoded(dtype, &numbers(100)));
                let mut at = Placed::holding(&ctx, kind, &indices);
                let mut result = Placed::<u8>::new(&ctx, kind, 6 * dtype.size());
                let (variant, number, index_dtype) = (variant as i32, dtype as i32, Dtype::U32 as i32);
                let options =
                    GatherOptions { variant, dtype: number, index_dtype, ..GatherOptions::default() };
                let (from, places, to) = (source.as_ptr(), at.as_ptr(), result.as_mut_ptr());
                // SAFETY: 100 elements, 6 indices, 6 elements.
                ok(unsafe { gpumex_gather(ctx.handle, &options, from, 100, places, 6, to) }, "gather");
                let want = [of(3), of(0), of(99), of(4), C(0.0, 0.0), of(7)];
                assert_eq!(decoded(dtype, &result.written()), want);
                let options =
                    ScatterOptions { variant, dtype: number, index_dtype, ..ScatterOptions::default() };
                let mut values = Placed::holding(&ctx, kind, &encoded(dtype, &want));
                let mut target = Placed::holding(&ctx, kind, &encoded(dtype, &vec![C(-1.0, 0.0); 100]));
                let (from, to) = (values.as_ptr(), target.as_mut_ptr());
                // SAFETY: 6 elements, 6 indices, 100 elements.
                ok(unsafe { gpumex_scatter(ctx.handle, &options, from, places, 6, to, 100) }, "scatter");
                for (i, found) in decoded(dtype, &target.written()).into_iter().enumerate() {
                    let want = if indices.contains(&(i as u32)) { of(i) } else { C(-1.0, 0.0) };
                    assert_eq!(found, want, "{dtype:?}, {kind:?}");
                }
            }
        }
    }
}

#[test]
fn fills_and_permutations() {
    for ctx in backends() {
        for (dtype, kind) in DTYPES.into_iter().flat_map(|dtype| EVERYWHERE.map(|kind| (dtype, kind))) {
            for count in [0, 1, 1000] {
                let mut array = Placed::<u8>::new(&ctx, kind, count * dtype.size());
                let value = encoded(dtype, &[C(1.5, -2.5)]);
                let value: Vec<u64> =
                    value.chunks(8).map(|word| u64::from_le_bytes(word.try_into().unwrap())).collect();
                let to = array.as_mut_ptr();
                // SAFETY: count elements, and one on the host.
                ok(
                    unsafe { gpumex_fill(ctx.handle, dtype as i32, to, count, value.as_ptr().cast()) },
                    "fill",
                );
                assert_eq!(decoded(dtype, &array.written()), vec![C(1.5, -2.5); count]);
            }
            let (shape, order) = ([3usize, 4, 5], [2i32, 0, 1]);
            let mut source = Placed::holding(&ctx, kind, &encoded(dtype, &numbers(60)));
            let mut result = Placed::<u8>::new(&ctx, kind, 60 * dtype.size());
            let options = PermuteOptions { dtype: dtype as i32, rank: 3, ..PermuteOptions::default() };
            let (from, to) = (source.as_ptr(), result.as_mut_ptr());
            // SAFETY: 60 elements each.
            let status =
                unsafe { gpumex_permute(ctx.handle, &options, from, shape.as_ptr(), order.as_ptr(), to) };
            ok(status, "permute");
            let places =
                (0..4).flat_map(|j| (0..3).flat_map(move |i| (0..5).map(move |k| i + 3 * (j + 4 * k))));
            assert_eq!(decoded(dtype, &result.written()), places.map(of).collect::<Vec<_>>());
        }
    }
}

/// Through tiles in shared memory.
#[test]
fn large_matrices_are_transposed() {
    let (rows, cols) = (130usize, 71usize);
    for ctx in backends() {
        for dtype in DTYPES {
            let source = encoded(dtype, &numbers(rows * cols));
            let mut result = Output::<u8>::new(source.len());
            let options = PermuteOptions { dtype: dtype as i32, rank: 2, ..PermuteOptions::default() };
            let (shape, order) = ([rows, cols], [1i32, 0]);
            let (from, to) = (source.as_ptr().cast(), result.as_mut_ptr().cast());
            // SAFETY: rows*cols elements each.
            let status =
                unsafe { gpumex_permute(ctx.handle, &options, from, shape.as_ptr(), order.as_ptr(), to) };
            ok(status, "permute");
            let places = (0..rows).flat_map(|i| (0..cols).map(move |j| i + rows * j));
            assert_eq!(decoded(dtype, &result.written("permute")), places.map(of).collect::<Vec<_>>());
        }
    }
}

#[test]
fn selections_of_dimensions() {
    let (shape, counts, indices) = ([4usize, 6], [2usize, 3], [5i32, 0, 9]);
    for ctx in backends() {
        for (dtype, kind) in DTYPES.into_iter().flat_map(|dtype| EVERYWHERE.map(|kind| (dtype, kind))) {
            let mut source = Placed::holding(&ctx, kind, &encoded(dtype, &numbers(24)));
            let mut at = Placed::holding(&ctx, kind, &indices);
            let (vectors, dtypes): ([*const c_void; 2], _) = ([null(), at.as_ptr()], [0, Dtype::I32 as i32]);
            let (starts, steps) = ([1i64, 0], [2i64, 1]);
            let options = GatherNdOptions {
                dtype: dtype as i32,
                rank: 2,
                shape: shape.as_ptr(),
                counts: counts.as_ptr(),
                starts: starts.as_ptr(),
                steps: steps.as_ptr(),
                indices: vectors.as_ptr(),
                index_dtypes: dtypes.as_ptr(),
                ..GatherNdOptions::default()
            };
            let mut result = Placed::<u8>::new(&ctx, kind, 6 * dtype.size());
            let (from, to) = (source.as_ptr(), result.as_mut_ptr());
            // SAFETY: arrays of these extents.
            ok(unsafe { gpumex_gather_nd(ctx.handle, &options, from, to) }, "gather_nd");
            let want = [of(21), of(23), of(1), of(3), C(0.0, 0.0), C(0.0, 0.0)];
            assert_eq!(decoded(dtype, &result.written()), want, "{dtype:?}, {kind:?}");
            let checked = GatherNdOptions { check: 1, ..options };
            let mut result = Placed::<u8>::new(&ctx, kind, 6 * dtype.size());
            // SAFETY: as above.
            let status = unsafe { gpumex_gather_nd(ctx.handle, &checked, from, result.as_mut_ptr()) };
            refused(status, Status::InvalidArgument, &["indices of dimension 1 at position 2 is 9"], "check");
            let options = ScatterNdOptions {
                dtype: dtype as i32,
                rank: 2,
                shape: shape.as_ptr(),
                counts: counts.as_ptr(),
                starts: starts.as_ptr(),
                steps: steps.as_ptr(),
                indices: vectors.as_ptr(),
                index_dtypes: dtypes.as_ptr(),
                ..ScatterNdOptions::default()
            };
            let mut values = Placed::holding(&ctx, kind, &encoded(dtype, &want));
            let mut target = Placed::holding(&ctx, kind, &encoded(dtype, &vec![C(-1.0, 0.0); 24]));
            let (from, to) = (values.as_ptr(), target.as_mut_ptr());
            // SAFETY: arrays of these extents.
            ok(unsafe { gpumex_scatter_nd(ctx.handle, &options, from, to) }, "scatter_nd");
            for (i, found) in decoded(dtype, &target.written()).into_iter().enumerate() {
                assert_eq!(found, if [1, 3, 21, 23].contains(&i) { of(i) } else { C(-1.0, 0.0) });
            }
        }
    }
}

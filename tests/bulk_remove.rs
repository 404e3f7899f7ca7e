//! Bulk remove leaves what no index names, in its order.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use gpumex::error::Status;
use gpumex::ffi::{BulkRemoveOptions, gpumex_bulk_remove};
use gpumex::model::dtype::Dtype;
use gpumex::model::variant::Variant;

use crate::common::*;

const SIZES: [usize; 11] = [0, 1, 2, 33, 4095, 4096, 4097, 8191, 65_536, 65_537, 200_003];

#[track_caller]
fn remove<T: Number, I: Indexed>(
    ctx: &Context,
    variant: Variant,
    kind: Kind,
    source: &[T],
    indices: &[I],
) -> Vec<T> {
    let what =
        format!("{:?}, {variant:?}, {:?}, {} of {}", ctx.backend, T::DTYPE, indices.len(), source.len());
    let options = BulkRemoveOptions {
        variant: variant as i32,
        dtype: T::DTYPE as i32,
        index_dtype: I::DTYPE as i32,
        ..BulkRemoveOptions::default()
    };
    let (mut from, mut at) = (Placed::holding(ctx, kind, source), Placed::holding(ctx, kind, indices));
    let mut to = Placed::<T>::new(ctx, kind, source.len() - indices.len());
    let (from, at, result) = (from.as_ptr(), at.as_ptr(), to.as_mut_ptr());
    // SAFETY: arrays of the lengths that are stated with them.
    ok(
        unsafe { gpumex_bulk_remove(ctx.handle, &options, from, source.len(), at, indices.len(), result) },
        what,
    );
    to.written()
}

/// Which elements are removed: about half, none, all, few, and long runs.
fn is_removed(mode: usize, i: usize, random: u32) -> bool {
    match mode {
        0 => random.is_multiple_of(2),
        1 => false,
        2 => true,
        3 => random.is_multiple_of(100),
        _ => (i / 6000).is_multiple_of(2),
    }
}

fn agrees<T: Ordered>(ctx: &Context) {
    for (len, mode) in SIZES.into_iter().flat_map(|len| (0..5).map(move |mode| (len, mode))) {
        let (source, mut random) = (numbered::<T>(len), random(mode as u64));
        let removed: Vec<bool> =
            (0..len).map(|i| is_removed(mode, i, random.random_range(0..1 << 20))).collect();
        let indices: Vec<usize> = (0..len).filter(|&i| removed[i]).collect();
        let want: Vec<T> = (0..len).filter(|&i| !removed[i]).map(|i| source[i]).collect();
        let (narrow, wide): (Vec<u32>, Vec<u64>) = indices.iter().map(|&i| (i as u32, i as u64)).unzip();
        for variant in ctx.variants() {
            let what = format!("{:?}, {variant:?}, {:?}, {len}, way {mode}", ctx.backend, T::DTYPE);
            assert_same_bits(&remove(ctx, variant, None, &source, &narrow), &want, &what);
            assert_same_bits(&remove(ctx, variant, None, &source, &wide), &want, &what);
        }
    }
}

#[test]
fn every_type_of_elements_is_left_in_its_order() {
    for ctx in backends() {
        for_every_key!(agrees(&ctx));
    }
}

#[test]
fn the_example_of_the_documentation_holds() {
    let source: Vec<i32> = (0..10).collect();
    for ctx in backends() {
        for (variant, kind) in ctx.variants().into_iter().flat_map(|v| EVERYWHERE.map(|kind| (v, kind))) {
            let got = remove(&ctx, variant, kind, &source, &[1u32, 3, 4, 5, 7, 8]);
            assert_same(&got, &[0, 2, 6, 9], format!("{:?}, {variant:?}, {kind:?}", ctx.backend));
        }
    }
}

#[test]
fn indices_that_break_the_rules_do_no_harm() {
    let mut random = random(6);
    let source = numbered::<f32>(150_000);
    for ctx in backends() {
        for variant in ctx.variants() {
            for shift in [0, 40, 47, 50] {
                let any: Vec<u64> = (0..70_000).map(|_| random.random_range(0..u64::MAX) >> shift).collect();
                remove(&ctx, variant, None, &source, &any); // the guards are intact
            }
            remove(&ctx, variant, None, &source, &[7u32; 100_000]);
        }
    }
}

#[test]
fn bad_arguments_are_refused() {
    let (source, indices) = ([1.0f32, 2.0, 3.0], [0u64, 2]);
    for ctx in backends() {
        let mut result = [0.0f32; 1];
        let (from, at) = (source.as_ptr().cast::<c_void>(), indices.as_ptr().cast::<c_void>());
        let to = result.as_mut_ptr().cast::<c_void>();
        let plain = BulkRemoveOptions {
            dtype: Dtype::F32 as i32,
            index_dtype: Dtype::U64 as i32,
            ..BulkRemoveOptions::default()
        };
        let call = |options: *const BulkRemoveOptions,
                    source: *const c_void,
                    index_count: usize,
                    result: *mut c_void| {
            // SAFETY: three elements, two indices, one result, or what is refused.
            unsafe { gpumex_bulk_remove(ctx.handle, options, source, 3, at, index_count, result) }
        };
        refused(call(&plain, null(), 2, to), Status::NullPointer, &["source is NULL"], "source");
        refused(call(&plain, from, 2, null_mut()), Status::NullPointer, &["result is NULL"], "result");
        refused(
            call(&plain, from, 4, to),
            Status::InvalidArgument,
            &["index_count is 4", "count is 3"],
            "indices",
        );
        refused(call(&plain, from, 2, from.cast_mut()), Status::InvalidArgument, &["overlaps"], "overlap");
        let bytes = BulkRemoveOptions { dtype: Dtype::U8 as i32, ..plain };
        refused(call(&bytes, from, 2, to), Status::Unsupported, &["U8"], "dtype");
        ok(call(&plain, from, 2, to), "one is left");
        assert_same(&result, &[2.0], "one is left");
    }
}

//! Load-balancing search agrees with the lengths of the objects, however hard they are to balance.

use std::ffi::c_void;
use std::ptr::null;

use gpumex::error::Status;
use gpumex::ffi::{LoadBalanceSearchOptions, gpumex_load_balance_search};
use gpumex::model::dtype::Dtype;
use gpumex::model::variant::Variant;

use crate::common::*;

#[track_caller]
fn search<I: Indexed>(ctx: &Context, variant: Variant, kind: Kind, scan: &[I], count: usize) -> Vec<I> {
    let what = format!("{:?}, {variant:?}, {count} items of {}, {kind:?}", ctx.backend, scan.len());
    let options = LoadBalanceSearchOptions {
        variant: variant as i32,
        index_dtype: I::DTYPE as i32,
        ..LoadBalanceSearchOptions::default()
    };
    let (mut from, mut to) = (Placed::holding(ctx, kind, scan), Placed::<I>::new(ctx, kind, count));
    let (at, indices) = (from.as_ptr(), to.as_mut_ptr());
    // SAFETY: arrays of the lengths that are stated with them.
    ok(unsafe { gpumex_load_balance_search(ctx.handle, &options, count, at, scan.len(), indices) }, what);
    to.written()
}

fn agrees<I: Indexed>(ctx: &Context, lengths: &[usize]) {
    let (scan, count) = exclusive_sum::<I>(lengths);
    let want: Vec<I> = owners(lengths).into_iter().map(I::at).collect();
    for variant in ctx.variants() {
        let what = format!("{:?}, {variant:?}, {} objects", ctx.backend, lengths.len());
        assert_same(&search(ctx, variant, None, &scan, count), &want, what);
    }
}

#[test]
fn items_find_their_objects() {
    for ctx in backends() {
        for objects in [0, 1, 2, 163, 164, 4096, 9000, 30_001] {
            for lengths in hard_lengths(objects as u64, objects) {
                agrees::<u32>(&ctx, &lengths);
                agrees::<u64>(&ctx, &lengths);
            }
        }
        for items in [1, 31, 4095, 4096, 4097, 65_537] {
            agrees::<u64>(&ctx, &[items]);
            agrees::<u32>(&ctx, &[0, items / 2, 0, 0, items - items / 2, 0]);
        }
    }
}

#[test]
fn the_example_of_the_documentation_holds() {
    for ctx in backends() {
        for variant in ctx.variants() {
            let got = search::<u32>(&ctx, variant, None, &[0, 2, 7, 10, 10], 11);
            assert_same(&got, &[0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 4], "counts 2, 5, 3, 0, 1");
        }
    }
}

#[test]
fn arrays_may_lie_in_every_kind_of_memory() {
    let lengths = &hard_lengths(5, 2000)[0];
    let (scan, count) = exclusive_sum::<u64>(lengths);
    let want: Vec<u64> = owners(lengths).into_iter().map(|j| j as u64).collect();
    for ctx in backends() {
        for kind in EVERYWHERE {
            let got = search(&ctx, Variant::Auto, kind, &scan, count);
            assert_same(&got, &want, format!("{:?}, {kind:?}", ctx.backend));
        }
    }
}

#[test]
fn a_scan_that_does_not_ascend_gives_objects_that_are_there() {
    let mut random = random(3);
    let scan: Vec<u64> =
        (0..20_000).map(|_| random.random_range(0..1 << 40) >> random.random_range(0..40)).collect();
    for ctx in backends() {
        for variant in ctx.variants() {
            let got = search(&ctx, variant, None, &scan, 100_000);
            assert!(got.iter().all(|&object| object < 20_000), "{:?}, {variant:?}", ctx.backend);
        }
    }
}

#[test]
fn bad_arguments_are_refused() {
    let mut scan = [0u64, 2, 4];
    for ctx in backends() {
        let mut indices = [0u64; 6];
        let (from, to) = (scan.as_mut_ptr().cast::<c_void>(), indices.as_mut_ptr().cast::<c_void>());
        let plain = LoadBalanceSearchOptions {
            index_dtype: Dtype::U64 as i32,
            ..LoadBalanceSearchOptions::default()
        };
        let call = |count: usize, scan: *const c_void, objects: usize, indices: *mut c_void| {
            // SAFETY: three numbers, six indices, or what is refused.
            unsafe { gpumex_load_balance_search(ctx.handle, &plain, count, scan, objects, indices) }
        };
        refused(call(6, null(), 3, to), Status::NullPointer, &["scan is NULL"], "scan");
        refused(call(6, from, 0, to), Status::InvalidArgument, &["count is 6", "no objects"], "objects");
        refused(call(3, from, 3, from), Status::InvalidArgument, &["indices overlaps scan"], "overlap");
        ok(call(0, null(), 0, std::ptr::null_mut()), "nothing");
        let narrow = LoadBalanceSearchOptions { index_dtype: Dtype::U32 as i32, ..plain };
        // SAFETY: refused.
        let status = unsafe { gpumex_load_balance_search(ctx.handle, &narrow, 1 << 32, from, 3, to) };
        refused(status, Status::InvalidArgument, &["count is 4294967296", "U64"], "U32");
    }
}

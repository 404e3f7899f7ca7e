//! Bulk insert puts elements before those that its indices name, in their order.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use gpumex::error::Status;
use gpumex::ffi::{BulkInsertOptions, gpumex_bulk_insert};
use gpumex::model::dtype::Dtype;
use gpumex::model::variant::Variant;

use crate::common::*;

/// Of a and of b.
const SIZES: [[usize; 2]; 12] = [
    [0, 0],
    [0, 7],
    [7, 0],
    [1, 1],
    [2000, 2095],
    [2000, 2096],
    [2001, 2096],
    [9000, 3],
    [3, 70_000],
    [40_000, 25_536],
    [40_000, 25_537],
    [100_001, 100_002],
];

#[track_caller]
fn insert<T: Number, I: Indexed>(
    ctx: &Context,
    variant: Variant,
    kind: Kind,
    a: &[T],
    indices: &[I],
    b: &[T],
) -> Vec<T> {
    let what = format!("{:?}, {variant:?}, {:?}, {} into {}", ctx.backend, T::DTYPE, a.len(), b.len());
    let options = BulkInsertOptions {
        variant: variant as i32,
        dtype: T::DTYPE as i32,
        index_dtype: I::DTYPE as i32,
        ..BulkInsertOptions::default()
    };
    let (mut from_a, mut from_b) = (Placed::holding(ctx, kind, a), Placed::holding(ctx, kind, b));
    let mut at = Placed::holding(ctx, kind, indices);
    let mut to = Placed::<T>::new(ctx, kind, a.len() + b.len());
    let (what_at, into, at) = (from_a.as_ptr(), from_b.as_ptr(), at.as_ptr());
    let result = to.as_mut_ptr();
    // SAFETY: arrays of the lengths that are stated with them.
    ok(
        unsafe { gpumex_bulk_insert(ctx.handle, &options, what_at, at, a.len(), into, b.len(), result) },
        what,
    );
    to.written()
}

fn expected<T: Copy>(a: &[T], indices: &[usize], b: &[T]) -> Vec<T> {
    let (mut result, mut next) = (Vec::new(), 0);
    for place in 0..=b.len() {
        while next < a.len() && indices[next] <= place {
            result.push(a[next]);
            next += 1;
        }
        result.extend(b.get(place));
    }
    result
}

fn agrees<T: Ordered>(ctx: &Context) {
    for (sizes, mode) in SIZES.into_iter().flat_map(|sizes| (0..4).map(move |mode| (sizes, mode))) {
        let [a_len, b_len] = sizes;
        let (whole, mut random) = (numbered::<T>(a_len + b_len), random(mode));
        let (a, b) = whole.split_at(a_len);
        let mut indices: Vec<usize> = (0..a_len)
            .map(|_| match mode {
                0 => random.random_range(0..=b_len),
                1 => b_len,
                2 => 0,
                _ => b_len / 2 + random.random_range(0..3) * (b_len / 7),
            })
            .collect();
        indices.sort();
        let want = expected(a, &indices, b);
        let (narrow, wide): (Vec<u32>, Vec<u64>) = indices.iter().map(|&i| (i as u32, i as u64)).unzip();
        for variant in ctx.variants() {
            let what = format!("{:?}, {variant:?}, {:?}, {sizes:?}, way {mode}", ctx.backend, T::DTYPE);
            assert_same_bits(&insert(ctx, variant, None, a, &narrow, b), &want, &what);
            assert_same_bits(&insert(ctx, variant, None, a, &wide, b), &want, &what);
        }
    }
}

#[test]
fn every_type_of_elements_comes_to_its_place() {
    for ctx in backends() {
        for_every_key!(agrees(&ctx));
    }
}

#[test]
fn the_example_of_the_documentation_holds() {
    for ctx in backends() {
        for (variant, kind) in ctx.variants().into_iter().flat_map(|v| EVERYWHERE.map(|kind| (v, kind))) {
            let got = insert(&ctx, variant, kind, &[0, 1, 2, 3, 4], &[1u32, 1, 2, 3, 3], &[10, 11, 12]);
            assert_same(
                &got,
                &[10, 0, 1, 11, 2, 12, 3, 4],
                format!("{:?}, {variant:?}, {kind:?}", ctx.backend),
            );
        }
    }
}

#[test]
fn indices_behind_the_end_mean_the_end() {
    for ctx in backends() {
        for variant in ctx.variants() {
            let got = insert(&ctx, variant, None, &[1, 2, 3], &[1, 9, u64::MAX], &[10, 11]);
            assert_same(&got, &[10, 1, 11, 2, 3], format!("{:?}, {variant:?}", ctx.backend));
        }
    }
}

#[test]
fn indices_that_do_not_ascend_do_no_harm() {
    let mut random = random(6);
    let (a, b) = (numbered::<f32>(70_000), numbered::<f32>(90_000));
    for ctx in backends() {
        for variant in ctx.variants() {
            for shift in [0, 40, 47, 50] {
                let any: Vec<u64> = (0..70_000).map(|_| random.random_range(0..u64::MAX) >> shift).collect();
                insert(&ctx, variant, None, &a, &any, &b); // the guards are intact
            }
        }
    }
}

#[test]
fn bad_arguments_are_refused() {
    let (a, indices, b) = ([1.0f32, 2.0], [0u64, 2], [5.0f32, 6.0]);
    for ctx in backends() {
        let mut result = [0.0f32; 4];
        let (from, at) = (a.as_ptr().cast::<c_void>(), indices.as_ptr().cast::<c_void>());
        let (into, to) = (b.as_ptr().cast::<c_void>(), result.as_mut_ptr().cast::<c_void>());
        let plain = BulkInsertOptions {
            dtype: Dtype::F32 as i32,
            index_dtype: Dtype::U64 as i32,
            ..BulkInsertOptions::default()
        };
        let call =
            |options: *const BulkInsertOptions, a: *const c_void, b_count: usize, result: *mut c_void| {
                // SAFETY: two elements each, four results, or what is refused.
                unsafe { gpumex_bulk_insert(ctx.handle, options, a, at, 2, into, b_count, result) }
            };
        refused(call(&plain, null(), 2, to), Status::NullPointer, &["a is NULL"], "a");
        refused(call(&plain, from, 2, null_mut()), Status::NullPointer, &["result is NULL"], "result");
        refused(
            call(&plain, from, 2, into.cast_mut()),
            Status::InvalidArgument,
            &["result overlaps"],
            "overlap",
        );
        refused(call(&plain, from, usize::MAX, to), Status::InvalidArgument, &["address space"], "sizes");
        let narrow = BulkInsertOptions { index_dtype: Dtype::U32 as i32, ..plain };
        refused(call(&narrow, from, 1 << 32, to), Status::InvalidArgument, &["4294967296", "U64"], "U32");
        let bytes = BulkInsertOptions { dtype: Dtype::U16 as i32, ..plain };
        refused(call(&bytes, from, 2, to), Status::Unsupported, &["U16"], "dtype");
        ok(call(&plain, from, 2, to), "two into two");
        assert_same(&result, &[1.0, 5.0, 6.0, 2.0], "two into two");
    }
}

//! Equality counts agree with two searches an element, whatever runs of equal keys there are.

use std::cmp::Ordering;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

use gpumex::error::Status;
use gpumex::ffi::{SortedEqualityCountOptions, gpumex_sorted_equality_count};
use gpumex::model::dtype::Dtype;
use gpumex::model::variant::Variant;

use crate::common::*;

const SIZES: [[usize; 2]; 10] = [
    [0, 5],
    [5, 0],
    [1, 1],
    [1024, 3071],
    [1024, 3072],
    [1025, 3072],
    [5000, 10],
    [10, 70_000],
    [66_000, 65_537],
    [4097, 200_001],
];

fn options<T: Number, I: Indexed>(variant: Variant, is_descending: bool) -> SortedEqualityCountOptions {
    SortedEqualityCountOptions {
        variant: variant as i32,
        dtype: T::DTYPE as i32,
        order: is_descending.into(),
        index_dtype: I::DTYPE as i32,
        ..SortedEqualityCountOptions::default()
    }
}

/// Counts and lower bounds.
#[track_caller]
fn count<T: Number, I: Indexed>(
    ctx: &Context,
    variant: Variant,
    is_descending: bool,
    kind: Kind,
    [a, b]: [&[T]; 2],
) -> [Vec<I>; 2] {
    let what =
        format!("{:?}, {variant:?}, {:?}, {} in {}, {kind:?}", ctx.backend, T::DTYPE, a.len(), b.len());
    let options = options::<T, I>(variant, is_descending);
    let (mut from_a, mut from_b) = (Placed::holding(ctx, kind, a), Placed::holding(ctx, kind, b));
    let mut found = [0; 2].map(|_| Placed::<I>::new(ctx, kind, a.len()));
    let [counts, lower] = found.each_mut().map(Placed::as_mut_ptr);
    let (at_a, at_b) = (from_a.as_ptr(), from_b.as_ptr());
    // SAFETY: arrays of the lengths that are stated with them.
    ok(
        unsafe {
            gpumex_sorted_equality_count(ctx.handle, &options, at_a, a.len(), at_b, b.len(), counts, lower)
        },
        what,
    );
    found.map(Placed::written)
}

fn expected<T: Ordered, I: Indexed>(is_descending: bool, a: &[T], b: &[T]) -> [Vec<I>; 2] {
    let compare = |x: T, y: T| if is_descending { y.compare(x) } else { x.compare(y) };
    let bounds = a.iter().map(|&key| {
        let lower = b.partition_point(|&other| compare(other, key) == Ordering::Less);
        let upper = b.partition_point(|&other| compare(other, key) != Ordering::Greater);
        (I::at(upper - lower), I::at(lower))
    });
    let (counts, lower) = bounds.unzip();
    [counts, lower]
}

#[track_caller]
fn assert_counted<I: Indexed>(got: [Vec<I>; 2], want: &[Vec<I>; 2], what: &str) {
    assert_same(&got[0], &want[0], format!("{what}: counts"));
    assert_same(&got[1], &want[1], format!("{what}: lower"));
}

fn agrees<T: Ordered>(ctx: &Context) {
    for (keys, [a_len, b_len]) in ALL_KEYS.into_iter().flat_map(|keys| SIZES.map(|sizes| (keys, sizes))) {
        let is_long = a_len + b_len > 20_000 && (size_of::<T>() == 4 || !matches!(keys, Keys::Few));
        if cfg!(debug_assertions) && is_long {
            continue;
        }
        let is_descending = b_len % 2 == 0;
        let a = sorted_keys::<T>(keys, 1, a_len, is_descending);
        let b = sorted_keys::<T>(keys, 2, b_len, is_descending);
        let what = format!("{:?}, {:?}, {keys:?}, {a_len} in {b_len}", ctx.backend, T::DTYPE);
        let (wide, narrow) =
            (expected::<T, u64>(is_descending, &a, &b), expected::<T, u32>(is_descending, &a, &b));
        for variant in ctx.variants() {
            assert_counted(count::<T, u64>(ctx, variant, is_descending, None, [&a, &b]), &wide, &what);
            assert_counted(count::<T, u32>(ctx, variant, is_descending, None, [&a, &b]), &narrow, &what);
        }
    }
}

#[test]
fn every_type_of_keys_agrees_with_two_searches_an_element() {
    for ctx in backends() {
        for_every_key!(agrees(&ctx));
    }
}

#[test]
fn arrays_may_lie_in_every_kind_of_memory() {
    let (a, b) =
        (sorted_keys::<f32>(Keys::Few, 9, 3000, false), sorted_keys::<f32>(Keys::Few, 10, 6001, false));
    let want = expected::<f32, u64>(false, &a, &b);
    for ctx in backends() {
        for kind in EVERYWHERE {
            let got = count(&ctx, Variant::Auto, false, kind, [&a, &b]);
            assert_counted(got, &want, &format!("{:?}, {kind:?}", ctx.backend));
        }
    }
}

#[test]
fn arrays_that_are_not_sorted_do_no_harm() {
    for ctx in backends() {
        for variant in ctx.variants() {
            let mut random = random(11);
            let mut keys = |len: usize| (0..len).map(|_| random.random_range(0..99)).collect::<Vec<u64>>();
            let (a, b) = (keys(20_000), keys(30_001));
            count::<u64, u32>(&ctx, variant, false, None, [&a, &b]); // the guards are intact
        }
    }
}

#[test]
fn lower_bounds_may_be_left_out_and_bad_arguments_are_refused() {
    let a = [1.0f32, 2.0, 2.0];
    for ctx in backends() {
        let mut counts = Output::<u64>::new(3);
        let (from, to) = (a.as_ptr().cast::<c_void>(), counts.as_mut_ptr().cast::<c_void>());
        let plain = SortedEqualityCountOptions {
            dtype: Dtype::F32 as i32,
            index_dtype: Dtype::U64 as i32,
            ..SortedEqualityCountOptions::default()
        };
        let call = |a: *const c_void, counts: *mut c_void, lower: *mut c_void| {
            // SAFETY: three keys each, three counts, or what is refused.
            unsafe { gpumex_sorted_equality_count(ctx.handle, &plain, a, 3, from, 3, counts, lower) }
        };
        refused(call(null(), to, null_mut()), Status::NullPointer, &["a is NULL"], "a");
        refused(call(from, null_mut(), null_mut()), Status::NullPointer, &["counts is NULL"], "counts");
        refused(call(from, to, to), Status::InvalidArgument, &["lower overlaps counts"], "outputs");
        ok(call(from, to, null_mut()), "without lower");
        assert_same(&counts.written("counts"), &[1, 2, 2], "counts");
    }
}

//! gpumex_check_sorted names the first position that is out of order, on every backend.

use std::ptr::{null, null_mut};

use gpumex::error::Status;
use gpumex::ffi::{CheckSortedOptions, gpumex_check_sorted};
use gpumex::model::dtype::Dtype;
use gpumex::model::order::SortOrder;

use crate::common::*;

fn options<K: Number>(order: SortOrder, strict: bool) -> CheckSortedOptions {
    CheckSortedOptions {
        dtype: K::DTYPE as i32,
        order: order as i32,
        strict: strict.into(),
        ..CheckSortedOptions::default()
    }
}

/// The status of a call that asks for no position.
fn check<K: Number>(ctx: &Context, order: SortOrder, strict: bool, kind: Kind, keys: &[K]) -> i32 {
    let (options, mut placed) = (options::<K>(order, strict), Placed::holding(ctx, kind, keys));
    // SAFETY: as many keys as are said to be there; first_bad may be NULL.
    unsafe { gpumex_check_sorted(ctx.handle, &options, placed.as_ptr(), keys.len(), null_mut()) }
}

/// The position that a call answers with.
#[track_caller]
fn first_bad<K: Number>(ctx: &Context, order: SortOrder, strict: bool, kind: Kind, keys: &[K]) -> u64 {
    let (options, mut placed) = (options::<K>(order, strict), Placed::holding(ctx, kind, keys));
    let mut found = u64::MAX;
    // SAFETY: as many keys as are said to be there, a number.
    let status =
        unsafe { gpumex_check_sorted(ctx.handle, &options, placed.as_ptr(), keys.len(), &mut found) };
    ok(status, "gpumex_check_sorted");
    found
}

#[track_caller]
fn is_good<K: Number>(ctx: &Context, order: SortOrder, strict: bool, keys: &[K]) {
    let what = format!("{:?}, {order:?}, strict {strict}, {} of {:?}", ctx.backend, keys.len(), K::DTYPE);
    ok(check(ctx, order, strict, None, keys), &what);
    assert_eq!(first_bad(ctx, order, strict, None, keys), keys.len() as u64, "{what}");
}

#[track_caller]
fn is_bad_at<K: Number>(
    ctx: &Context,
    order: SortOrder,
    strict: bool,
    kind: Kind,
    keys: &[K],
    position: usize,
) {
    let words = [format!("position {position}:"), format!("keys[{}] is", position - 1)];
    let what = format!("{:?}, {order:?}, strict {strict}, {} of {:?}", ctx.backend, keys.len(), K::DTYPE);
    assert_eq!(first_bad(ctx, order, strict, kind, keys), position as u64, "{what}");
    let status = check(ctx, order, strict, kind, keys);
    refused(status, Status::InvalidArgument, &["gpumex_check_sorted", &words[0], &words[1]], what);
}

fn every_dtype_is_checked<K: Number>() {
    let mut keys: Vec<K> = (0..127).map(|i| K::from_f64(f64::from(i / 2))).collect();
    for ctx in backends() {
        is_good(&ctx, SortOrder::Ascending, false, &keys);
        is_bad_at(&ctx, SortOrder::Ascending, true, None, &keys, 1);
        is_bad_at(&ctx, SortOrder::Descending, false, None, &keys, 2);
        keys.reverse();
        is_good(&ctx, SortOrder::Descending, false, &keys);
        is_bad_at(&ctx, SortOrder::Ascending, false, None, &keys, 1);
        is_bad_at(&ctx, SortOrder::Descending, true, None, &keys, 2);
        keys.reverse();
    }
}

#[test]
fn every_dtype_is_checked_in_both_orders() {
    for_every_dtype!(every_dtype_is_checked(): f32 f64 i32 i64 u32 u64);
}

#[test]
fn the_first_of_many_positions_is_named() {
    let len = if cfg!(debug_assertions) { 100_003 } else { 1_000_003 };
    for ctx in backends() {
        for at in [1, 2, 31, 32, 33, 2047, 2048, 2049, 32_768, 32_769, 65_537, len - 1] {
            let mut keys: Vec<u32> = (0..len as u32).collect();
            keys[at] = 0;
            keys[len - 1] = 0;
            let position = if at == 1 { 2 } else { at };
            if at == 1 {
                (keys[0], keys[1], keys[2]) = (0, 5, 0);
            }
            is_bad_at(&ctx, SortOrder::Ascending, false, None, &keys, position);
        }
        let keys: Vec<u64> = (0..len as u64).collect();
        is_good(&ctx, SortOrder::Ascending, true, &keys);
    }
}

#[test]
fn nothing_and_one_key_are_sorted() {
    for ctx in backends() {
        is_good::<f32>(&ctx, SortOrder::Ascending, true, &[]);
        is_good(&ctx, SortOrder::Descending, true, &[f64::NAN]);
        // SAFETY: NULL with no keys.
        let status = unsafe {
            gpumex_check_sorted(
                ctx.handle,
                &options::<f32>(SortOrder::Ascending, false),
                null(),
                0,
                null_mut(),
            )
        };
        ok(status, "NULL");
    }
}

#[test]
fn zeros_are_equal_and_nan_is_the_greatest_key() {
    for ctx in backends() {
        is_good(&ctx, SortOrder::Ascending, false, &[-1.0f32, 0.0, -0.0, 1.0, f32::NAN, -f32::NAN]);
        is_bad_at(&ctx, SortOrder::Ascending, true, None, &[-1.0f32, 0.0, -0.0], 2);
        says(&["equals it"], "equal keys");
        is_bad_at(&ctx, SortOrder::Ascending, false, None, &[f64::NAN, 7.5], 1);
        says(
            &["keys[0] is NaN", "keys[1] is 7.5", "comes before it in order GPUMEX_SORT_ORDER_ASCENDING"],
            "both keys are named",
        );
    }
}

#[test]
fn every_kind_of_memory_is_checked() {
    for ctx in backends() {
        for kind in EVERYWHERE {
            is_bad_at(&ctx, SortOrder::Ascending, false, kind, &[1i64, 2, 3, 2, 1], 3);
            says(&["keys[2] is 3", "keys[3] is 2"], "both keys are named");
        }
    }
}

#[test]
fn bad_calls_are_refused() {
    let ctx = Context::cpu();
    let keys = [1.0f32, 2.0];
    let call = |options: CheckSortedOptions, keys: *const f32| {
        // SAFETY: two keys, or NULL.
        unsafe { gpumex_check_sorted(ctx.handle, &options, keys.cast(), 2, null_mut()) }
    };
    let good = options::<f32>(SortOrder::Ascending, false);
    ok(call(good, keys.as_ptr()), "a good call");
    refused(call(good, null()), Status::NullPointer, &["keys"], "no keys");
    let halves = CheckSortedOptions { dtype: Dtype::F16 as i32, ..good };
    refused(
        call(halves, keys.as_ptr()),
        Status::Unsupported,
        &["options.dtype is GPUMEX_DTYPE_F16"],
        "halves",
    );
    let unknown = CheckSortedOptions { order: first_unknown::<SortOrder>(), ..good };
    refused(call(unknown, keys.as_ptr()), Status::InvalidArgument, &["gpumex_sort_order"], "an order");
    let strict = CheckSortedOptions { strict: 2, ..good };
    refused(call(strict, keys.as_ptr()), Status::InvalidArgument, &["strict"], "strict 2");
}

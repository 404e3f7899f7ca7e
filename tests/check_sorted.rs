//! gpumex_check_sorted names the first position that is out of order, on every backend.

use gpumex::error::Status;
use gpumex::ffi::{CheckSortedOptions, gpumex_check_sorted};
use gpumex::model::primitives::Order;

use crate::common::*;

fn check<K: Number>(ctx: &Context, order: Order, strict: bool, kind: Kind, keys: &[K]) -> i32 {
    let options = CheckSortedOptions {
        dtype: K::DTYPE as i32,
        order: order as i32,
        strict: strict.into(),
        ..CheckSortedOptions::default()
    };
    let mut placed = Placed::holding(ctx, kind, keys);
    // SAFETY: as many keys as are said to be there.
    unsafe { gpumex_check_sorted(ctx.token, &options, placed.as_ptr(), keys.len()) }
}

#[track_caller]
fn is_bad_at<K: Number>(ctx: &Context, order: Order, strict: bool, kind: Kind, keys: &[K], position: usize) {
    let words = [format!("position {position}:"), format!("keys[{}] is", position - 1)];
    let what = format!("{:?}, {order:?}, strict {strict}, {} of {:?}", ctx.backend, keys.len(), K::DTYPE);
    let status = check(ctx, order, strict, kind, keys);
    refused(status, Status::InvalidArgument, &["gpumex_check_sorted", &words[0], &words[1]], what);
}

fn every_dtype_is_checked<K: Number>() {
    let mut keys: Vec<K> = (0..127).map(|i| K::from_f64(f64::from(i / 2))).collect();
    for ctx in backends() {
        ok(check(&ctx, Order::Less, false, None, &keys), "ascending");
        is_bad_at(&ctx, Order::Less, true, None, &keys, 1);
        is_bad_at(&ctx, Order::Greater, false, None, &keys, 2);
        keys.reverse();
        ok(check(&ctx, Order::Greater, false, None, &keys), "descending");
        is_bad_at(&ctx, Order::Less, false, None, &keys, 1);
        is_bad_at(&ctx, Order::Greater, true, None, &keys, 2);
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
            is_bad_at(&ctx, Order::Less, false, None, &keys, position);
        }
        let keys: Vec<u64> = (0..len as u64).collect();
        ok(check(&ctx, Order::Less, true, None, &keys), "all distinct");
    }
}

#[test]
fn nothing_and_one_key_are_sorted() {
    for ctx in backends() {
        ok(check::<f32>(&ctx, Order::Less, true, None, &[]), "nothing");
        ok(check(&ctx, Order::Greater, true, None, &[f64::NAN]), "one key");
        // SAFETY: NULL with no keys.
        ok(unsafe { gpumex_check_sorted(ctx.token, std::ptr::null(), std::ptr::null(), 0) }, "NULL");
    }
}

#[test]
fn zeros_are_equal_and_nan_is_the_greatest_key() {
    for ctx in backends() {
        ok(
            check(&ctx, Order::Less, false, None, &[-1.0f32, 0.0, -0.0, 1.0, f32::NAN, -f32::NAN]),
            "ascending",
        );
        is_bad_at(&ctx, Order::Less, true, None, &[-1.0f32, 0.0, -0.0], 2);
        says(&["equals it"], "equal keys");
        is_bad_at(&ctx, Order::Less, false, None, &[f64::NAN, 7.5], 1);
        says(&["keys[0] is NaN", "keys[1] is 7.5", "comes before it in order Less"], "both keys are named");
    }
}

#[test]
fn every_kind_of_memory_is_checked() {
    for ctx in backends() {
        for kind in EVERYWHERE {
            is_bad_at(&ctx, Order::Less, false, kind, &[1i64, 2, 3, 2, 1], 3);
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
        unsafe { gpumex_check_sorted(ctx.token, &options, keys.cast(), 2) }
    };
    let good = CheckSortedOptions::default();
    ok(call(good, keys.as_ptr()), "a good call");
    refused(call(good, std::ptr::null()), Status::NullPointer, &["keys"], "no keys");
    let bytes = CheckSortedOptions { dtype: 2, ..good };
    refused(call(bytes, keys.as_ptr()), Status::Unsupported, &["I8"], "bytes");
    let unknown = CheckSortedOptions { order: 2, ..good };
    refused(call(unknown, keys.as_ptr()), Status::InvalidArgument, &["gpumex_order"], "an order");
    let strict = CheckSortedOptions { strict: 2, ..good };
    refused(call(strict, keys.as_ptr()), Status::InvalidArgument, &["strict"], "strict 2");
}

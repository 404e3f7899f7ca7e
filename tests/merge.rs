//! Merging: on every backend, in every kind of memory, the result is that of the plain loop of this file.

use std::ptr::{null, null_mut};

use gpumex::error::Status;
use gpumex::ffi::{MergeOptions, gpumex_merge};
use gpumex::model::dtype::Dtype;
use gpumex::model::order::SortOrder;
use gpumex::model::payload::Payload;
use gpumex::model::variant::Variant;

use crate::common::*;
use crate::merging::keys::*;

// ------------------------------------------------------------------------------------------------------------ the oracle

/// Which elements of a followed by b, in the order of the merge.
fn merged<K: TestKey>(order: SortOrder, a: &[K], b: &[K]) -> Vec<usize> {
    let (mut i, mut j) = (0, 0);
    let mut next = || {
        let is_a = i < a.len() && (j >= b.len() || compare(order, &a[i], &b[j]).is_le());
        if is_a {
            i += 1
        } else {
            j += 1
        }
        if is_a { i - 1 } else { a.len() + j - 1 }
    };
    (0..a.len() + b.len()).map(|_| next()).collect()
}

fn taken<T: Copy>(a: &[T], b: &[T], places: &[usize]) -> Vec<T> {
    places.iter().map(|&place| if place < a.len() { a[place] } else { b[place - a.len()] }).collect()
}

// -------------------------------------------------------------------------------------------------------------- the call

fn options<K: Number>(variant: Variant, order: SortOrder, payload: Payload) -> MergeOptions {
    MergeOptions {
        variant: variant as i32,
        dtype: K::DTYPE as i32,
        order: order as i32,
        payload: payload as i32,
        index_dtype: Dtype::U64 as i32,
        ..MergeOptions::default()
    }
}

/// Merges with each payload, and compares with the oracle; memory of these kinds, in the order of the arguments.
#[track_caller]
fn agrees<K: TestKey>(ctx: &Context, variant: Variant, order: SortOrder, kinds: [Kind; 6], a: &[K], b: &[K]) {
    let places = merged(order, a, b);
    let want = taken(a, b, &places);
    let len = places.len();
    let what =
        format!("{:?}, {variant:?}, {order:?}, {:?}, {} + {}", ctx.backend, K::DTYPE, a.len(), b.len());
    let (a_len, b_len) = (a.len(), b.len());
    let mut a = Placed::holding(ctx, kinds[0], a);
    let mut b = Placed::holding(ctx, kinds[2], b);
    let (a_at, b_at) = (a.as_ptr(), b.as_ptr());

    let mut keys = Placed::<K>::new(ctx, kinds[4], len);
    let none = options::<K>(variant, order, Payload::None);
    // SAFETY: arrays of these lengths and dtypes, here and below.
    let status = unsafe {
        gpumex_merge(
            ctx.handle,
            &none,
            a_at,
            null(),
            a_len,
            b_at,
            null(),
            b_len,
            keys.as_mut_ptr(),
            null_mut(),
        )
    };
    ok(status, &what);
    assert_same_bits(&keys.written(), &want, format!("{what}, keys alone"));

    let a_values: Vec<f64> = (0..a_len).map(|i| i as f64 + 0.5).collect();
    let b_values: Vec<f64> = (0..b_len).map(|i| -(i as f64)).collect();
    let mut from_a = Placed::holding(ctx, kinds[1], &a_values);
    let mut from_b = Placed::holding(ctx, kinds[3], &b_values);
    let mut keys = Placed::<K>::new(ctx, kinds[4], len);
    let mut values = Placed::<f64>::new(ctx, kinds[5], len);
    let with_values =
        MergeOptions { value_dtype: Dtype::F64 as i32, ..options::<K>(variant, order, Payload::Values) };
    let (from_a, from_b) = (from_a.as_ptr(), from_b.as_ptr());
    let (to, values_to) = (keys.as_mut_ptr(), values.as_mut_ptr());
    // SAFETY: as above.
    let status = unsafe {
        gpumex_merge(ctx.handle, &with_values, a_at, from_a, a_len, b_at, from_b, b_len, to, values_to)
    };
    ok(status, &what);
    assert_same_bits(&keys.written(), &want, format!("{what}, keys with values"));
    assert_same_bits(&values.written(), &taken(&a_values, &b_values, &places), format!("{what}, values"));

    let mut keys = Placed::<K>::new(ctx, kinds[4], len);
    let mut positions = Placed::<u32>::new(ctx, kinds[5], len);
    let indices =
        MergeOptions { index_dtype: Dtype::U32 as i32, ..options::<K>(variant, order, Payload::Indices) };
    let (to, positions_to) = (keys.as_mut_ptr(), positions.as_mut_ptr());
    // SAFETY: as above.
    let status = unsafe {
        gpumex_merge(ctx.handle, &indices, a_at, null(), a_len, b_at, null(), b_len, to, positions_to)
    };
    ok(status, &what);
    assert_same_bits(&keys.written(), &want, format!("{what}, keys with positions"));
    let places: Vec<u32> = places.iter().map(|&place| place as u32).collect();
    assert_same(&positions.written(), &places, format!("{what}, positions"));
}

fn in_order<K: TestKey>(seed: u64, len: usize, arrangement: Arrangement, order: SortOrder) -> Vec<K> {
    let mut keys = keys::<K>(seed, len, arrangement, order);
    keys.sort_by(|x, y| compare(order, x, y));
    keys
}

// ----------------------------------------------------------------------------------------------------------------- tests

#[test]
fn merges_agree_with_the_plain_loop_at_every_size() {
    fn of<K: TestKey>(ctx: &Context) {
        for (index, total) in sizes().into_iter().enumerate() {
            for (turn, variant) in ctx.variants().into_iter().enumerate() {
                let arrangement =
                    [Arrangement::Random, Arrangement::Few, Arrangement::Equal][(index + turn) % 3];
                let order = ORDERS[(index / 2 + turn) % 2];
                let a = [total / 2, total, total / 7, 0][(index + turn) % 4];
                let (a, b) =
                    (in_order::<K>(1, a, arrangement, order), in_order(2, total - a, arrangement, order));
                agrees(ctx, variant, order, [None; 6], &a, &b);
            }
        }
    }
    for ctx in backends() {
        for_every_dtype!(of(&ctx): i32 u32 i64 u64 f32 f64);
    }
}

#[test]
fn runs_that_follow_each_other_are_copied() {
    for ctx in backends() {
        for variant in ctx.variants() {
            let (low, high): (Vec<i32>, Vec<i32>) = ((0..9000).collect(), (9000..20_000).collect());
            agrees(&ctx, variant, SortOrder::Ascending, [None; 6], &low, &high);
            agrees(&ctx, variant, SortOrder::Ascending, [None; 6], &high, &low);
        }
    }
}

#[test]
fn equal_keys_of_a_come_first() {
    for ctx in backends() {
        for variant in ctx.variants() {
            agrees(
                &ctx,
                variant,
                SortOrder::Ascending,
                [None; 6],
                &[-0.0f32, f32::NAN],
                &[0.0, -f32::NAN, f32::NAN],
            );
            agrees(
                &ctx,
                variant,
                SortOrder::Descending,
                [None; 6],
                &[-f64::NAN, 0.0],
                &[f64::NAN, -0.0, -0.0],
            );
        }
    }
}

#[test]
fn every_kind_of_memory_is_merged() {
    let (a, b) = (in_order::<f32>(5, 5003, Arrangement::Random, SortOrder::Ascending), [0.0f32; 700]);
    for ctx in backends() {
        for shift in 0..EVERYWHERE.len() {
            let kinds = std::array::from_fn(|i| EVERYWHERE[(i + shift) % EVERYWHERE.len()]);
            agrees(&ctx, Variant::Auto, SortOrder::Ascending, kinds, &a, &b);
            agrees(&ctx, Variant::Auto, SortOrder::Ascending, [EVERYWHERE[shift]; 6], &a, &b);
        }
    }
}

#[test]
fn arrays_out_of_order_give_some_order() {
    for ctx in backends() {
        let (a, b) = (keys::<u64>(7, 20_001, Arrangement::Random, SortOrder::Ascending), vec![9u64; 9000]);
        let mut result = Output::<u64>::new(29_001);
        let options = options::<u64>(Variant::Auto, SortOrder::Ascending, Payload::None);
        let (from_a, from_b, to) = (a.as_ptr().cast(), b.as_ptr().cast(), result.as_mut_ptr().cast());
        // SAFETY: arrays of these lengths.
        let status = unsafe {
            gpumex_merge(ctx.handle, &options, from_a, null(), 20_001, from_b, null(), 9000, to, null_mut())
        };
        ok(status, "out of order");
        result.written("out of order");
    }
}

#[test]
fn bad_input_is_refused() {
    for ctx in backends() {
        let mut memory = [0u32; 64];
        let base = memory.as_mut_ptr();
        let call = |options: &MergeOptions, a: usize, b: usize, to: usize, values: Option<usize>| {
            let at = |place: usize| base.wrapping_add(place).cast();
            let values = values.map_or(null_mut(), at);
            // SAFETY: ten elements from each place on, within the array.
            unsafe { gpumex_merge(ctx.handle, options, at(a), null(), 5, at(b), null(), 5, at(to), values) }
        };
        let plain = options::<u32>(Variant::Auto, SortOrder::Ascending, Payload::None);
        let indices = options::<u32>(Variant::Auto, SortOrder::Ascending, Payload::Indices);
        refused(call(&plain, 0, 10, 4, None), Status::InvalidArgument, &["keys", "a_keys", "overlaps"], "a");
        refused(call(&plain, 0, 22, 20, None), Status::InvalidArgument, &["keys", "b_keys"], "b");
        let over_keys = call(&indices, 0, 10, 20, Some(24));
        refused(over_keys, Status::InvalidArgument, &["values", "keys", "overlaps"], "values over keys");
        let values = MergeOptions {
            value_dtype: Dtype::F32 as i32,
            ..options::<u32>(Variant::Auto, SortOrder::Ascending, Payload::Values)
        };
        refused(call(&values, 0, 10, 20, Some(40)), Status::NullPointer, &["a_values is NULL"], "a_values");
        refused(call(&indices, 0, 10, 20, None), Status::NullPointer, &["values is NULL"], "values");

        let of = |dtype: Dtype| MergeOptions { dtype: dtype as i32, ..plain };
        refused(
            call(&of(Dtype::F16), 0, 10, 20, None),
            Status::Unsupported,
            &["GPUMEX_DTYPE_F16", "F64"],
            "dtype",
        );
        let bytes = MergeOptions { value_dtype: Dtype::I16 as i32, ..values };
        refused(
            call(&bytes, 0, 10, 20, Some(40)),
            Status::Unsupported,
            &["options.value_dtype is GPUMEX_DTYPE_I16"],
            "value_dtype",
        );
        for wrong in [
            MergeOptions { order: first_unknown::<SortOrder>(), ..plain },
            MergeOptions { payload: first_unknown::<Payload>(), ..plain },
            MergeOptions { index_dtype: first_unknown::<Dtype>(), ..plain },
            MergeOptions { variant: first_unknown::<Variant>(), ..plain },
        ] {
            refused(call(&wrong, 0, 10, 20, None), Status::InvalidArgument, &["; a gpumex_"], "options");
        }
        let small = MergeOptions { index_dtype: Dtype::U32 as i32, ..indices };
        // SAFETY: refused for its size before anything is read.
        let status = unsafe {
            gpumex_merge(
                ctx.handle,
                &small,
                null(),
                null(),
                1 << 32,
                null(),
                null(),
                1,
                null_mut(),
                null_mut(),
            )
        };
        refused(status, Status::NullPointer, &["a_keys is NULL"], "NULL");
        // SAFETY: as above.
        let status = unsafe {
            let null = null();
            gpumex_merge(ctx.handle, &plain, null, null, usize::MAX, null, null, 2, null_mut(), null_mut())
        };
        refused(status, Status::InvalidArgument, &["a and b have"], "too many");
        if ctx.backend == gpumex::platform::settings::Backend::Cuda {
            let plain_loop = options::<u32>(Variant::Sequential, SortOrder::Ascending, Payload::None);
            refused(call(&plain_loop, 0, 10, 20, None), Status::Unsupported, &["SEQUENTIAL"], "plain loop");
        }
    }
}

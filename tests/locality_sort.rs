//! The merge sort for keys that are nearly in order: on every backend the result is that of Rust's stable sort.

use std::ptr::{null, null_mut};

use gpumex::error::Status;
use gpumex::ffi::{LocalitySortOptions, gpumex_locality_sort};
use gpumex::model::dtype::Dtype;
use gpumex::model::order::SortOrder;
use gpumex::model::payload::Payload;
use gpumex::model::variant::Variant;

use crate::common::*;
use crate::merging::keys::*;

fn options<K: Number>(variant: Variant, order: SortOrder, payload: Payload) -> LocalitySortOptions {
    LocalitySortOptions {
        variant: variant as i32,
        dtype: K::DTYPE as i32,
        order: order as i32,
        payload: payload as i32,
        index_dtype: Dtype::U64 as i32,
        ..LocalitySortOptions::default()
    }
}

/// Sorts with each payload, and compares; memory of these kinds, in the order of the arguments.
#[track_caller]
fn agrees<K: TestKey>(ctx: &Context, variant: Variant, order: SortOrder, kinds: [Kind; 4], keys: &[K]) {
    let len = keys.len();
    let what = format!("{:?}, {variant:?}, {order:?}, {len} of {:?}", ctx.backend, K::DTYPE);
    let mut places: Vec<u64> = (0..len as u64).collect();
    places.sort_by(|&x, &y| compare(order, &keys[x as usize], &keys[y as usize]));
    let want: Vec<K> = places.iter().map(|&place| keys[place as usize]).collect();
    let mut from = Placed::holding(ctx, kinds[0], keys);
    let from = from.as_ptr();

    let mut sorted = Placed::<K>::new(ctx, kinds[2], len);
    let none = options::<K>(variant, order, Payload::None);
    // SAFETY: arrays of this length and dtype, here and below.
    let status = unsafe {
        gpumex_locality_sort(ctx.handle, &none, from, null(), len, sorted.as_mut_ptr(), null_mut())
    };
    ok(status, &what);
    assert_same_bits(&sorted.written(), &want, format!("{what}, keys alone"));

    let values: Vec<u32> = (0..len as u32).map(|i| i.wrapping_mul(2_654_435_769)).collect();
    let want_values: Vec<u32> = places.iter().map(|&place| values[place as usize]).collect();
    let mut values = Placed::holding(ctx, kinds[1], &values);
    let mut sorted = Placed::<K>::new(ctx, kinds[2], len);
    let mut moved = Placed::<u32>::new(ctx, kinds[3], len);
    let with_values = LocalitySortOptions {
        value_dtype: Dtype::U32 as i32,
        ..options::<K>(variant, order, Payload::Values)
    };
    let (to, moved_to) = (sorted.as_mut_ptr(), moved.as_mut_ptr());
    // SAFETY: as above.
    let status =
        unsafe { gpumex_locality_sort(ctx.handle, &with_values, from, values.as_ptr(), len, to, moved_to) };
    ok(status, &what);
    assert_same_bits(&sorted.written(), &want, format!("{what}, keys with values"));
    assert_same(&moved.written(), &want_values, format!("{what}, values"));

    let mut sorted = Placed::<K>::new(ctx, kinds[2], len);
    let mut positions = Placed::<u64>::new(ctx, kinds[3], len);
    let indices = options::<K>(variant, order, Payload::Indices);
    let (to, positions_to) = (sorted.as_mut_ptr(), positions.as_mut_ptr());
    // SAFETY: as above.
    let status = unsafe { gpumex_locality_sort(ctx.handle, &indices, from, null(), len, to, positions_to) };
    ok(status, &what);
    assert_same_bits(&sorted.written(), &want, format!("{what}, keys with positions"));
    assert_same(&positions.written(), &places, format!("{what}, positions"));
}

#[test]
fn every_arrangement_is_sorted_at_every_size() {
    fn of<K: TestKey>(ctx: &Context) {
        for (index, len) in sizes().into_iter().enumerate() {
            for (turn, variant) in ctx.variants().into_iter().enumerate() {
                let order = ORDERS[(index + turn) % 2];
                let rounds = match len {
                    0..=1000 => ARRANGEMENTS.len(),
                    _ if cfg!(debug_assertions) => 1,
                    _ => 2,
                };
                for round in 0..rounds {
                    if is_not_in_share() {
                        continue;
                    }
                    let arrangement = ARRANGEMENTS[(index + 3 * turn + round) % ARRANGEMENTS.len()];
                    agrees(ctx, variant, order, [None; 4], &keys::<K>(index as u64, len, arrangement, order));
                }
            }
        }
    }
    for ctx in backends() {
        for_every_dtype!(of(&ctx): i32 u32 i64 u64 f32 f64);
    }
}

#[test]
fn long_arrays_are_sorted_in_every_arrangement() {
    let len = *sizes().last().unwrap();
    for ctx in backends() {
        for arrangement in ARRANGEMENTS {
            agrees(
                &ctx,
                Variant::Auto,
                SortOrder::Ascending,
                [None; 4],
                &keys::<u32>(3, len, arrangement, SortOrder::Ascending),
            );
        }
    }
}

/// From 2^22 keys on the device looks whether they are near their places, and sorts by another way where they are not.
#[test]
fn many_keys_are_sorted_near_and_far() {
    fn of<K: TestKey>(ctx: &Context) {
        let len = if cfg!(debug_assertions) { 70_001 } else { size((1 << 22) + 3, 300_003) };
        for arrangement in [Arrangement::Random, Arrangement::Near, Arrangement::Reversed] {
            let keys = keys::<K>(7, len, arrangement, SortOrder::Descending);
            agrees(ctx, Variant::Auto, SortOrder::Descending, [None; 4], &keys);
        }
    }
    for ctx in backends() {
        of::<u32>(&ctx);
        of::<f32>(&ctx);
        of::<i64>(&ctx);
        of::<f64>(&ctx);
    }
}

#[test]
fn every_kind_of_memory_is_sorted() {
    let keys = keys::<f64>(5, 10_003, Arrangement::Random, SortOrder::Descending);
    for ctx in backends() {
        for shift in 0..EVERYWHERE.len() {
            let kinds = std::array::from_fn(|i| EVERYWHERE[(i + shift) % EVERYWHERE.len()]);
            agrees(&ctx, Variant::Auto, SortOrder::Descending, kinds, &keys);
            agrees(&ctx, Variant::Auto, SortOrder::Descending, [EVERYWHERE[shift]; 4], &keys);
        }
    }
}

#[test]
fn bad_input_is_refused() {
    for ctx in backends() {
        let mut memory = [0u32; 64];
        let base = memory.as_mut_ptr();
        let call = |options: &LocalitySortOptions, from: usize, to: usize, moved: Option<usize>| {
            let at = |place: usize| base.wrapping_add(place).cast();
            let moved = moved.map_or(null_mut(), at);
            // SAFETY: ten elements from each place on, within the array.
            unsafe { gpumex_locality_sort(ctx.handle, options, at(from), null(), 10, at(to), moved) }
        };
        let plain = options::<u32>(Variant::Auto, SortOrder::Ascending, Payload::None);
        let indices = LocalitySortOptions {
            index_dtype: Dtype::U32 as i32,
            ..options::<u32>(Variant::Auto, SortOrder::Ascending, Payload::Indices)
        };
        let values = LocalitySortOptions {
            value_dtype: Dtype::F32 as i32,
            ..options::<u32>(Variant::Auto, SortOrder::Ascending, Payload::Values)
        };
        refused(call(&plain, 0, 9, None), Status::InvalidArgument, &["sorted overlaps keys"], "overlap");
        refused(call(&plain, 5, 5, None), Status::InvalidArgument, &["sorted overlaps keys"], "in place");
        let over = call(&indices, 0, 20, Some(29));
        refused(over, Status::InvalidArgument, &["sorted_values overlaps sorted"], "results");
        refused(call(&values, 0, 20, Some(40)), Status::NullPointer, &["values is NULL"], "values");
        refused(call(&indices, 0, 20, None), Status::NullPointer, &["sorted_values is NULL"], "positions");
        let halves = LocalitySortOptions { dtype: Dtype::F16 as i32, ..plain };
        refused(
            call(&halves, 0, 20, None),
            Status::Unsupported,
            &["options.dtype is GPUMEX_DTYPE_F16"],
            "dtype",
        );
        let short = LocalitySortOptions { value_dtype: Dtype::U16 as i32, ..values };
        refused(
            call(&short, 0, 20, Some(40)),
            Status::Unsupported,
            &["options.value_dtype is GPUMEX_DTYPE_U16"],
            "value_dtype",
        );
        for wrong in [
            LocalitySortOptions { order: -1, ..plain },
            LocalitySortOptions { payload: first_unknown::<Payload>(), ..plain },
            LocalitySortOptions { variant: first_unknown::<Variant>(), ..plain },
        ] {
            refused(call(&wrong, 0, 20, None), Status::InvalidArgument, &["; a gpumex_"], "options");
        }
        if ctx.backend == gpumex::platform::settings::Backend::Cuda {
            let plain_loop = options::<u32>(Variant::Sequential, SortOrder::Ascending, Payload::None);
            refused(call(&plain_loop, 0, 20, None), Status::Unsupported, &["SEQUENTIAL"], "plain loop");
        }
    }
}

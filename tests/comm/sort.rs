//! Keys of several ranks in order.

use std::ptr::{null, null_mut};

use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::model::dtype::Dtype;
use gpumex::model::order::SortOrder;
use gpumex::model::payload::Payload;

use super::group::*;
use crate::common::*;

/// Keys and what moves with them, sorted by one context.
fn sorted<K: Number, V: Number>(options: &SortOptions, keys: &[K], values: &[V]) -> (Vec<K>, Vec<V>) {
    let (ctx, len) = (Context::cpu(), keys.len());
    let (mut sorted, mut moved) = (vec![K::POISON; len], vec![V::POISON; len]);
    // SAFETY: len elements each.
    let status = unsafe {
        let (keys, values) = (keys.as_ptr().cast(), values.as_ptr().cast());
        gpumex_sort(
            ctx.handle,
            options,
            keys,
            values,
            len,
            sorted.as_mut_ptr().cast(),
            moved.as_mut_ptr().cast(),
        )
    };
    ok(status, "one rank");
    (sorted, moved)
}

fn sorts<K: Number, V: Number>(group: &Group, keys: &[K], order: SortOrder, payload: Payload) {
    let len = keys.len();
    let options = SortOptions {
        dtype: K::DTYPE as i32,
        order: order as i32,
        payload: payload as i32,
        value_dtype: if payload == Payload::Values { V::DTYPE as i32 } else { 0 },
        index_dtype: if payload == Payload::Indices { V::DTYPE as i32 } else { 0 },
        ..Default::default()
    };
    let values: Vec<V> = (0..len).map(|i| V::from_f64(i as f64)).collect();
    let (want, want_moved) = sorted(&options, keys, &values);
    let ranks = group.comms.len();
    let cuts = cuts(len as u64 + payload as u64, len, ranks);
    let what = format!("{ranks} ranks with {cuts:?}, {:?}, {order:?}, {payload:?}", K::DTYPE);
    let (dtype, value_dtype, index_dtype) = (options.dtype, options.value_dtype, options.index_dtype);
    group.run(|rank| {
        let options = SortOptions {
            dtype,
            order: order as i32,
            payload: payload as i32,
            value_dtype,
            index_dtype,
            ..Default::default()
        };
        let range = cuts[rank.rank]..cuts[rank.rank + 1];
        let mut part = Placed::holding(rank.ctx, rank.kind(), &keys[range.clone()]);
        let mut part_values = Placed::holding(rank.ctx, rank.kind(), &values[range.clone()]);
        let mut to = Placed::<K>::new(rank.ctx, rank.kind(), range.len());
        let mut moved = Placed::<V>::new(rank.ctx, rank.kind(), range.len());
        let leaves_out = payload == Payload::Indices && rank.rank == 1;
        // SAFETY: as many elements as the range has each.
        let status = unsafe {
            let sorted = if leaves_out { null_mut() } else { to.as_mut_ptr() };
            let (keys, values) = (part.as_ptr(), part_values.as_ptr());
            gpumex_comm_sort(rank.comm, &options, keys, values, range.len(), sorted, moved.as_mut_ptr())
        };
        ok(status, &what);
        if !leaves_out {
            assert_same_bits(&to.written(), &want[range.clone()], &what);
        }
        if payload != Payload::None {
            assert_same_bits(&moved.written(), &want_moved[range], &what);
        }
    });
}

fn sorts_all<K: Number>(group: &Group, values: i32) {
    for (len, order) in [
        (0, SortOrder::Ascending),
        (1, SortOrder::Ascending),
        (9_001, SortOrder::Descending),
        (9_002, SortOrder::Ascending),
    ] {
        let mut random = random(len as u64 + values as u64);
        let keys: Vec<K> =
            (0..len).map(|_| K::from_f64(f64::from(random.random_range(-values..values)))).collect();
        sorts::<K, u32>(group, &keys, order, Payload::None);
        sorts::<K, f64>(group, &keys, order, Payload::Values);
        sorts::<K, u32>(group, &keys, order, Payload::Indices);
        sorts::<K, u64>(group, &keys, order, Payload::Indices);
    }
}

#[test]
fn keys_of_all_ranks_are_in_order() {
    for_every_group(|group| {
        for_every_dtype!(sorts_all(group, 120): f32 f64 i8 u16 i32 u64);
        sorts_all::<i64>(group, 2); // hardly any different ones
        sorts_all::<u32>(group, 1_000_000);
    });
}

#[test]
fn special_floats_are_in_order() {
    for_every_group(|group| {
        let special = [f64::NAN, -0.0, 0.0, f64::INFINITY, -1.5, f64::NEG_INFINITY, 1e-310, -f64::NAN];
        let keys: Vec<f64> = (0..1003).map(|i| special[i * i % 8]).collect();
        sorts::<f64, u64>(group, &keys, SortOrder::Ascending, Payload::Indices);
        sorts::<f64, u64>(group, &keys, SortOrder::Descending, Payload::Indices);
    });
}

#[test]
fn an_expression_is_refused_on_all_ranks() {
    for_every_group(|group| {
        group.run(|rank| {
            let options =
                SortOptions { dtype: Dtype::F32 as i32, expression: c"a < b".as_ptr(), ..Default::default() };
            // SAFETY: no elements.
            let status =
                unsafe { gpumex_comm_sort(rank.comm, &options, null(), null(), 0, null_mut(), null_mut()) };
            refused(status, Status::Unsupported, &["expression"], "a comparison");
        });
    });
}

//! Stable sort: every variant on every backend, in every kind of memory, sorts as a stable sort by rank does.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use gpumex::error::Status::{InvalidArgument, NullPointer, Unsupported};
use gpumex::ffi::{SortOptions, gpumex_sort};
use gpumex::memory::MemoryKind;
use gpumex::model::dtype::Dtype;
use gpumex::model::index::Index;
use gpumex::model::order::{Key, SortOrder};
use gpumex::model::payload::Payload;
use gpumex::ops::sort::SortVariant;
use gpumex::platform::settings::Backend;

use crate::common::*;

/// Around what one warp takes, what is sorted in one launch, and one tile.
const SIZES: &[usize] = match cfg!(debug_assertions) {
    true => &[0, 1, 2, 33, 399, 400, 4097, 12_288, 12_289],
    false => &[
        0, 1, 2, 31, 33, 255, 399, 400, 4095, 4097, 8191, 8193, 12_287, 12_288, 12_289, 24_577, 30_000,
        100_003,
    ],
};
const LARGE: usize = if cfg!(debug_assertions) { 200_003 } else { 1_000_003 };

const ORDERS: [SortOrder; 2] = [SortOrder::Ascending, SortOrder::Descending];

// -------------------------------------------------------------------------------------------------------------- the call

fn options<K: Number>(variant: SortVariant, order: SortOrder, payload: Payload) -> SortOptions {
    let (variant, dtype, order) = (variant as i32, K::DTYPE as i32, order as i32);
    let (payload, index_dtype) = (payload as i32, Dtype::U64 as i32);
    SortOptions { variant, dtype, order, payload, index_dtype, ..SortOptions::default() }
}

fn name_of<K: Number>(ctx: &Context, options: &SortOptions, count: usize) -> String {
    let SortOptions { variant, order, payload, .. } = options;
    let (backend, dtype) = (ctx.backend, K::DTYPE);
    format!(
        "gpumex_sort on {backend:?}, {dtype:?}, variant {variant}, order {order}, payload {payload}, {count}"
    )
}

#[track_caller]
fn keys_alone<K: Number>(ctx: &Context, variant: SortVariant, order: SortOrder, keys: &[K]) -> Vec<K> {
    let options = options::<K>(variant, order, Payload::None);
    let what = name_of::<K>(ctx, &options, keys.len());
    let (mut sorted, from) = (Output::<K>::new(keys.len()), keys.as_ptr().cast());
    let to = sorted.as_mut_ptr().cast();
    // SAFETY: keys and sorted hold as many keys.
    ok(unsafe { gpumex_sort(ctx.handle, &options, from, null(), keys.len(), to, null_mut()) }, &what);
    sorted.written(&what)
}

#[track_caller]
fn with_values<K: Number, V: Number>(
    ctx: &Context,
    variant: SortVariant,
    order: SortOrder,
    kinds: [Kind; 4],
    keys: &[K],
    values: &[V],
) -> (Vec<K>, Vec<V>) {
    let options =
        SortOptions { value_dtype: V::DTYPE as i32, ..options::<K>(variant, order, Payload::Values) };
    let what = format!("{} with {:?} in {kinds:?}", name_of::<K>(ctx, &options, keys.len()), V::DTYPE);
    let count = keys.len();
    let (mut keys_at, mut values_at) =
        (Placed::holding(ctx, kinds[0], keys), Placed::holding(ctx, kinds[1], values));
    let (mut sorted, mut sorted_values) =
        (Placed::<K>::new(ctx, kinds[2], count), Placed::<V>::new(ctx, kinds[3], count));
    let (from, from_values) = (keys_at.as_ptr(), values_at.as_ptr());
    let (to, to_values) = (sorted.as_mut_ptr(), sorted_values.as_mut_ptr());
    // SAFETY: all hold count elements.
    ok(unsafe { gpumex_sort(ctx.handle, &options, from, from_values, count, to, to_values) }, &what);
    assert_same_bits(&keys_at.written(), keys, format!("{what}: the keys"));
    assert_same_bits(&values_at.written(), values, format!("{what}: the values"));
    (sorted.written(), sorted_values.written())
}

#[track_caller]
fn positions<K: Number, I: Number>(
    ctx: &Context,
    variant: SortVariant,
    order: SortOrder,
    wants_keys: bool,
    keys: &[K],
) -> (Vec<K>, Vec<I>) {
    let options =
        SortOptions { index_dtype: I::DTYPE as i32, ..options::<K>(variant, order, Payload::Indices) };
    let what = format!("{}, {:?}, keys {wants_keys}", name_of::<K>(ctx, &options, keys.len()), I::DTYPE);
    let count = keys.len();
    let (mut sorted, mut found) = (Output::<K>::new(count), Output::<I>::new(count));
    let to = if wants_keys { sorted.as_mut_ptr().cast() } else { null_mut() };
    let (from, to_positions) = (keys.as_ptr().cast(), found.as_mut_ptr().cast());
    // SAFETY: all hold count elements, unless `to` is NULL.
    ok(unsafe { gpumex_sort(ctx.handle, &options, from, null(), count, to, to_positions) }, &what);
    (sorted.written(&what), found.written(&what))
}

// ------------------------------------------------------------------------------------------------------------ the oracle

/// The positions of the keys in order, by insertion into place of a stable sort.
fn sorted_positions<K: Key>(order: SortOrder, keys: &[K]) -> Vec<usize> {
    let mut positions: Vec<usize> = (0..keys.len()).collect();
    positions.sort_by_key(|&i| (keys[i].rank(order), i));
    positions
}

fn picked<T: Copy>(values: &[T], positions: &[usize]) -> Vec<T> {
    positions.iter().map(|&i| values[i]).collect()
}

/// Keys of one dtype from 64 random bits.
trait Bits: Number + Key {
    fn of(bits: u64) -> Self;
}

macro_rules! bits {
    ($($number:ty: $of:expr);*) => { $(impl Bits for $number { fn of(bits: u64) -> $number { $of(bits) } })* };
}

bits!(i32: |bits| bits as i32; u32: |bits| bits as u32; i64: |bits| bits as i64; u64: |bits| bits;
      f32: |bits| f32::from_bits(bits as u32); f64: f64::from_bits);

/// Keys of each kind that sorts differently: any bits, ascending, descending, all equal, few different ones, only some bits.
fn inputs<K: Bits>(seed: u64, len: usize) -> Vec<(&'static str, Vec<K>)> {
    let mut random = random(seed);
    let mut make = |of: &mut dyn FnMut(u64, u64) -> u64| -> Vec<K> {
        (0..len as u64).map(|i| K::of(of(i, random.random()))).collect()
    };
    let count = len as u64;
    vec![
        ("any bits", make(&mut |_, bits| bits)),
        ("ascending", make(&mut |i, _| i)),
        ("descending", make(&mut |i, _| count - i)),
        ("all equal", make(&mut |_, _| 77)),
        ("seven keys", make(&mut |_, bits| (bits % 7) << 29)),
        ("two bytes", make(&mut |_, bits| bits & 0x00FF_0000_00FF_0000)),
    ]
}

// ------------------------------------------------------------------------------------------------------ sizes and inputs

fn sorts_every_input<K: Bits>() {
    for ctx in backends() {
        for (len, variant) in SIZES.iter().flat_map(|&len| ctx.variants().into_iter().map(move |v| (len, v)))
        {
            for (kind, keys) in inputs::<K>(len as u64, len) {
                for order in ORDERS {
                    let what = format!("{:?}, {variant:?}, {order:?}, {len} keys: {kind}", ctx.backend);
                    let want = picked(&keys, &sorted_positions(order, &keys));
                    assert_same_bits(&keys_alone(&ctx, variant, order, &keys), &want, what);
                }
            }
        }
    }
}

#[test]
fn integers_of_4_bytes_are_sorted() {
    sorts_every_input::<i32>();
    sorts_every_input::<u32>();
}

#[test]
fn integers_of_8_bytes_are_sorted() {
    sorts_every_input::<i64>();
    sorts_every_input::<u64>();
}

#[test]
fn floats_are_sorted_with_nan_behind_all_numbers_and_zeros_in_their_order() {
    sorts_every_input::<f32>();
    sorts_every_input::<f64>();
    for ctx in backends() {
        for variant in ctx.variants() {
            let keys =
                [0.0f32, -1.0, -0.0, f32::NAN, 1.0, 0.0, -f32::NAN, f32::NEG_INFINITY, -0.0, f32::INFINITY];
            let places = |order| positions::<f32, u64>(&ctx, variant, order, false, &keys).1;
            assert_eq!(places(SortOrder::Ascending), [7, 1, 0, 2, 5, 8, 4, 9, 3, 6], "{variant:?}");
            assert_eq!(places(SortOrder::Descending), [3, 6, 9, 4, 0, 2, 5, 8, 1, 7], "{variant:?}");
        }
    }
}

#[test]
fn a_large_array_is_sorted() {
    for ctx in backends() {
        for (kind, keys) in inputs::<u32>(1, LARGE) {
            let places = sorted_positions(SortOrder::Ascending, &keys);
            let (sorted, found) =
                positions::<u32, u32>(&ctx, SortVariant::Auto, SortOrder::Ascending, true, &keys);
            assert_same(&sorted, &picked(&keys, &places), format!("{:?}: {kind}", ctx.backend));
            let want: Vec<u32> = places.iter().map(|&place| place as u32).collect();
            assert_same(&found, &want, format!("{:?}, positions: {kind}", ctx.backend));
        }
    }
}

// --------------------------------------------------------------------------------------------------------------- payloads

fn values_go_with_their_keys<K: Bits, V: Bits>() {
    for ctx in backends() {
        for (len, variant) in SIZES.iter().flat_map(|&len| ctx.variants().into_iter().map(move |v| (len, v)))
        {
            let mut random = random(len as u64);
            let values: Vec<V> = (0..len).map(|_| V::of(random.random())).collect();
            for (kind, keys) in inputs::<K>(len as u64, len) {
                for order in ORDERS {
                    if is_not_in_small_share() {
                        continue;
                    }
                    let what = format!("{:?}, {variant:?}, {order:?}, {len} pairs: {kind}", ctx.backend);
                    let places = sorted_positions(order, &keys);
                    let (sorted, moved) = with_values(&ctx, variant, order, [None; 4], &keys, &values);
                    assert_same_bits(&sorted, &picked(&keys, &places), &what);
                    assert_same_bits(&moved, &picked(&values, &places), format!("{what}, values"));
                }
            }
        }
    }
}

#[test]
fn values_of_4_bytes_go_with_their_keys() {
    values_go_with_their_keys::<i32, f32>();
    values_go_with_their_keys::<f64, u32>();
}

#[test]
fn values_of_8_bytes_go_with_their_keys() {
    values_go_with_their_keys::<f32, i64>();
    values_go_with_their_keys::<u64, f64>();
    values_go_with_their_keys::<f64, i64>();
    values_go_with_their_keys::<i32, f64>();
}

fn argsorts<K: Bits, I: Number + Index>() {
    for ctx in backends() {
        for (len, variant) in SIZES.iter().flat_map(|&len| ctx.variants().into_iter().map(move |v| (len, v)))
        {
            for (kind, keys) in inputs::<K>(len as u64, len) {
                for (order, wants_keys) in [(SortOrder::Ascending, true), (SortOrder::Descending, false)] {
                    let what = format!("{:?}, {variant:?}, {order:?}, {len} keys: {kind}", ctx.backend);
                    let places = sorted_positions(order, &keys);
                    let (sorted, found) = positions::<K, I>(&ctx, variant, order, wants_keys, &keys);
                    let want: Vec<I> = places.iter().map(|&place| I::from_usize(place)).collect();
                    assert_same(&found, &want, &what);
                    let want = if wants_keys { picked(&keys, &places) } else { vec![K::POISON; len] };
                    assert_same_bits(&sorted, &want, format!("{what}, keys"));
                }
            }
        }
    }
}

#[test]
fn positions_are_those_of_a_stable_sort() {
    argsorts::<u32, u64>();
    argsorts::<f32, u32>();
    argsorts::<i64, u32>();
    argsorts::<f64, u64>();
}

#[test]
fn every_kind_of_memory_is_sorted() {
    let keys: Vec<i32> = inputs::<i32>(3, 20_011).swap_remove(0).1;
    let values: Vec<f64> = (0..keys.len()).map(|i| i as f64).collect();
    let places = sorted_positions(SortOrder::Ascending, &keys);
    for ctx in backends() {
        for kinds in (0..4).flat_map(|shift| EVERYWHERE.map(|kind| (shift, kind))).map(|(shift, kind)| {
            let mut kinds = [kind; 4];
            kinds[shift] = EVERYWHERE[shift];
            kinds
        }) {
            let (sorted, moved) =
                with_values(&ctx, SortVariant::Auto, SortOrder::Ascending, kinds, &keys, &values);
            assert_same(&sorted, &picked(&keys, &places), format!("{:?}, {kinds:?}", ctx.backend));
            assert_same(&moved, &picked(&values, &places), format!("{:?}, {kinds:?}, values", ctx.backend));
        }
    }
}

#[test]
fn keys_of_any_alignment_are_sorted() {
    for ctx in backends() {
        let keys = inputs::<u32>(4, 20_020).swap_remove(0).1;
        for offset in 0..5 {
            let mut from = Placed::holding(&ctx, Some(MemoryKind::Device), &keys);
            let at = from.as_ptr::<u32>().wrapping_add(offset).cast();
            let options = options::<u32>(SortVariant::Auto, SortOrder::Ascending, Payload::None);
            let mut sorted = Output::<u32>::new(20_000);
            let to = sorted.as_mut_ptr().cast();
            // SAFETY: 20000 keys from there on.
            ok(unsafe { gpumex_sort(ctx.handle, &options, at, null(), 20_000, to, null_mut()) }, "unaligned");
            let part = &keys[offset..offset + 20_000];
            let want = picked(part, &sorted_positions(SortOrder::Ascending, part));
            assert_same(&sorted.written("unaligned"), &want, format!("{:?}, {offset} keys off", ctx.backend));
        }
    }
}

// -------------------------------------------------------------------------------------------------------------- bad input

/// Arguments of a good call with values, over memory of 1000 words.
#[derive(Clone, Copy)]
struct Call {
    options: SortOptions,
    keys: *const c_void,
    values: *const c_void,
    count: usize,
    sorted: *mut c_void,
    sorted_values: *mut c_void,
}

#[test]
fn bad_input_is_refused_with_a_sentence() {
    let mut memory = vec![1u64; 1000];
    let base = memory.as_mut_ptr();
    let at = |word: usize| base.wrapping_add(word).cast::<c_void>();
    for ctx in backends() {
        let options = SortOptions {
            value_dtype: Dtype::F32 as i32,
            ..options::<u32>(SortVariant::Auto, SortOrder::Ascending, Payload::Values)
        };
        let good = Call {
            options,
            keys: at(0),
            values: at(100),
            count: 64,
            sorted: at(200),
            sorted_values: at(300),
        };
        let run = |call: Call| {
            let Call { options, keys, values, count, sorted, sorted_values } = call;
            // SAFETY: arrays within the memory, or ones that are refused.
            unsafe { gpumex_sort(ctx.handle, &options, keys, values, count, sorted, sorted_values) }
        };
        ok(run(good), "good arguments");
        let refuses = |what: &str, status, words: &[&str], change: &dyn Fn(&mut Call)| {
            let mut call = good;
            change(&mut call);
            let what = format!("{:?}, {what}", ctx.backend);
            refused(run(call), status, &[&["gpumex_sort"], words].concat(), what);
        };
        refuses("keys NULL", NullPointer, &["keys is NULL", "64"], &|call| call.keys = null());
        refuses("values NULL", NullPointer, &["values is NULL"], &|call| call.values = null());
        refuses("sorted NULL", NullPointer, &["sorted is NULL"], &|call| call.sorted = null_mut());
        refuses("sorted_values NULL", NullPointer, &["sorted_values is NULL"], &|call| {
            call.sorted_values = null_mut();
        });
        refuses("positions NULL", NullPointer, &["sorted_values is NULL"], &|call| {
            (call.options.payload, call.sorted_values) = (2, null_mut());
        });
        refuses("in place", InvalidArgument, &["sorted overlaps keys"], &|call| {
            call.sorted = call.keys.cast_mut()
        });
        refuses("keys over values", InvalidArgument, &["sorted overlaps values"], &|call| {
            call.sorted = at(110)
        });
        refuses("values over keys", InvalidArgument, &["sorted_values overlaps keys"], &|call| {
            call.sorted_values = at(31);
        });
        refuses("values in place", InvalidArgument, &["sorted_values overlaps values"], &|call| {
            call.sorted_values = at(100);
        });
        refuses("one output", InvalidArgument, &["sorted_values overlaps sorted"], &|call| {
            call.sorted_values = call.sorted;
        });
        refuses("one output of positions", InvalidArgument, &["sorted_values overlaps sorted"], &|call| {
            (call.options.payload, call.sorted_values) = (2, at(210));
        });
        refuses("count", InvalidArgument, &["keys", "beyond"], &|call| call.count = usize::MAX);
        refuses("alignment", InvalidArgument, &["keys", "multiple of 4"], &|call| {
            call.keys = call.keys.wrapping_byte_add(2);
        });
        refuses("positions of 2^32 keys", InvalidArgument, &["4294967296", "U32"], &|call| {
            (call.options.payload, call.count) = (Payload::Indices as i32, 1 << 32);
            call.options.index_dtype = Dtype::U32 as i32;
        });
        refuses("variant", InvalidArgument, &["gpumex_sort_variant"], &|call| {
            call.options.variant = first_unknown::<SortVariant>()
        });
        refuses("order", InvalidArgument, &["gpumex_sort_order"], &|call| {
            call.options.order = first_unknown::<SortOrder>()
        });
        refuses("payload", InvalidArgument, &["-1", "gpumex_payload"], &|call| call.options.payload = -1);
        refuses("dtype", InvalidArgument, &["gpumex_dtype"], &|call| {
            call.options.dtype = first_unknown::<Dtype>()
        });
        refuses("index_dtype", InvalidArgument, &["options.index_dtype is", "gpumex_dtype"], &|call| {
            call.options.index_dtype = first_unknown::<Dtype>()
        });
        refuses("halves", Unsupported, &["options.dtype is GPUMEX_DTYPE_F16"], &|call| {
            call.options.dtype = Dtype::F16 as i32
        });
        refuses("values of 2 bytes", Unsupported, &["options.value_dtype is GPUMEX_DTYPE_U16"], &|call| {
            call.options.value_dtype = Dtype::U16 as i32;
        });
        if ctx.backend == Backend::Cuda {
            refuses("plain loop", Unsupported, &["SEQUENTIAL"], &|call| call.options.variant = 1);
        }
    }
}

#[test]
fn nothing_is_sorted_without_arrays() {
    for ctx in backends() {
        for payload in [Payload::None, Payload::Values, Payload::Indices] {
            let options = SortOptions {
                value_dtype: Dtype::F32 as i32,
                ..options::<f64>(SortVariant::Auto, SortOrder::Ascending, payload)
            };
            // SAFETY: no elements.
            let status =
                unsafe { gpumex_sort(ctx.handle, &options, null(), null(), 0, null_mut(), null_mut()) };
            ok(status, format!("{:?}, {payload:?}", ctx.backend));
        }
        // SAFETY: no elements.
        let status = unsafe { gpumex_sort(ctx.handle, null(), null(), null(), 0, null_mut(), null_mut()) };
        refused(status, InvalidArgument, &["options.dtype is GPUMEX_DTYPE_NONE"], "options NULL");
    }
}

//! Segments of an array, each sorted by itself: on every backend the result is that of Rust's stable sort of each.

use std::ptr::{null, null_mut};

use gpumex::error::Status;
use gpumex::ffi::{SegmentedSortOptions, gpumex_segmented_sort};
use gpumex::model::dtype::Dtype;
use gpumex::model::order::SortOrder;
use gpumex::model::payload::Payload;
use gpumex::model::variant::Variant;
use gpumex::ops::segmented_sort::Segments;

use crate::common::*;
use crate::merging::keys::*;

fn options<K: Number>(variant: Variant, order: SortOrder, payload: Payload) -> SegmentedSortOptions {
    SegmentedSortOptions {
        variant: variant as i32,
        dtype: K::DTYPE as i32,
        order: order as i32,
        payload: payload as i32,
        index_dtype: Dtype::U64 as i32,
        ..SegmentedSortOptions::default()
    }
}

/// Positions of segments of `mean` elements on average, some empty, some much longer.
fn heads(seed: u64, len: usize, mean: usize) -> Vec<u64> {
    let mut random = random(seed);
    let mut heads = Vec::new();
    let mut at = random.random_range(0..=mean);
    while at < len {
        heads.push(at as u64);
        at += random.random_range(0..=2 * mean) + if random.random_range(0..20) == 0 { 6 * mean } else { 0 };
        at += usize::from(mean == 0);
    }
    heads
}

/// The bits of positions; those beyond the end are set.
fn flags(heads: &[u64], len: usize) -> Vec<u32> {
    let mut words = vec![0u32; len.div_ceil(32)];
    for head in heads.iter().copied().chain(len as u64..len.next_multiple_of(32) as u64) {
        words[head as usize / 32] |= 1 << (head % 32);
    }
    words
}

/// Sorts with each payload and each way to tell segments, and compares; keys, values, segments and results in memory of these kinds.
#[track_caller]
fn agrees<K: TestKey>(
    ctx: &Context,
    variant: Variant,
    order: SortOrder,
    kinds: [Kind; 5],
    keys: &[K],
    heads: &[u64],
) {
    let (len, segments) = (keys.len(), heads.len());
    let what =
        format!("{:?}, {variant:?}, {order:?}, {len} of {:?}, {segments} segments", ctx.backend, K::DTYPE);
    let mut places: Vec<u64> = (0..len as u64).collect();
    let ends = heads.iter().map(|&head| head as usize).chain([len]);
    let mut begin = 0;
    for end in ends {
        places[begin..end].sort_by(|&x, &y| compare(order, &keys[x as usize], &keys[y as usize]));
        begin = end;
    }
    let want: Vec<K> = places.iter().map(|&place| keys[place as usize]).collect();
    let values: Vec<f64> = (0..len).map(|i| i as f64 - 0.25).collect();
    let want_values: Vec<f64> = places.iter().map(|&place| values[place as usize]).collect();
    let narrow: Vec<u32> = heads.iter().map(|&head| head as u32).collect();
    let words = flags(heads, len);

    let mut from = Placed::holding(ctx, kinds[0], keys);
    let mut values = Placed::holding(ctx, kinds[1], &values);
    let mut wide = Placed::holding(ctx, kinds[2], heads);
    let mut narrow = Placed::holding(ctx, kinds[2], &narrow);
    let mut words_placed = Placed::holding(ctx, kinds[2], &words);
    let (from, values) = (from.as_ptr(), values.as_ptr());

    let none = SegmentedSortOptions {
        segments_by: Segments::Flags as i32,
        ..options::<K>(variant, order, Payload::None)
    };
    let mut sorted = Placed::<K>::new(ctx, kinds[3], len);
    let (bits, to) = (words_placed.as_ptr(), sorted.as_mut_ptr());
    // SAFETY: arrays of this length and dtype, and as many segments or words, here and below.
    let status = unsafe {
        gpumex_segmented_sort(ctx.handle, &none, from, null(), len, bits, words.len(), to, null_mut())
    };
    ok(status, &what);
    assert_same_bits(&sorted.written(), &want, format!("{what}, keys alone, flags"));

    let with_values = SegmentedSortOptions {
        value_dtype: Dtype::F64 as i32,
        ..options::<K>(variant, order, Payload::Values)
    };
    let mut sorted = Placed::<K>::new(ctx, kinds[3], len);
    let mut moved = Placed::<f64>::new(ctx, kinds[4], len);
    let (wide, to, moved_to) = (wide.as_ptr(), sorted.as_mut_ptr(), moved.as_mut_ptr());
    // SAFETY: as above.
    let status = unsafe {
        gpumex_segmented_sort(ctx.handle, &with_values, from, values, len, wide, segments, to, moved_to)
    };
    ok(status, &what);
    assert_same_bits(&sorted.written(), &want, format!("{what}, keys with values"));
    assert_same_bits(&moved.written(), &want_values, format!("{what}, values"));

    let indices = SegmentedSortOptions {
        index_dtype: Dtype::U32 as i32,
        ..options::<K>(variant, order, Payload::Indices)
    };
    let mut sorted = Placed::<K>::new(ctx, kinds[3], len);
    let mut positions = Placed::<u32>::new(ctx, kinds[4], len);
    let (narrow, to, positions_to) = (narrow.as_ptr(), sorted.as_mut_ptr(), positions.as_mut_ptr());
    // SAFETY: as above.
    let status = unsafe {
        gpumex_segmented_sort(ctx.handle, &indices, from, null(), len, narrow, segments, to, positions_to)
    };
    ok(status, &what);
    let places: Vec<u32> = places.iter().map(|&place| place as u32).collect();
    assert_same_bits(&sorted.written(), &want, format!("{what}, keys with positions"));
    assert_same(&positions.written(), &places, format!("{what}, positions"));
}

#[test]
fn segments_of_every_length_are_sorted_at_every_size() {
    fn of<K: TestKey>(ctx: &Context) {
        for (index, len) in sizes().into_iter().enumerate() {
            for (turn, variant) in ctx.variants().into_iter().enumerate() {
                for (round, mean) in [0, 3, 40, 1000, 20_000].into_iter().enumerate() {
                    let is_rare = len > 9000 && (index + turn + round) % 3 != 0;
                    if is_rare || mean > 2 * len + 3 || is_not_in_share() {
                        continue;
                    }
                    let order = ORDERS[(index + turn + round) % 2];
                    let arrangement = ARRANGEMENTS[(index + 2 * round) % ARRANGEMENTS.len()];
                    let keys = keys::<K>(index as u64, len, arrangement, order);
                    agrees(ctx, variant, order, [None; 5], &keys, &heads(round as u64, len, mean));
                }
            }
        }
    }
    for ctx in backends() {
        for_every_dtype!(of(&ctx): i32 u32 i64 u64 f32 f64);
    }
}

#[test]
fn no_segments_are_one() {
    for ctx in backends() {
        for variant in ctx.variants() {
            let keys = keys::<i32>(8, 20_011, Arrangement::Random, SortOrder::Ascending);
            agrees(&ctx, variant, SortOrder::Ascending, [None; 5], &keys, &[]);
            agrees(&ctx, variant, SortOrder::Ascending, [None; 5], &keys, &[0]);
            agrees(&ctx, variant, SortOrder::Ascending, [None; 5], &keys, &[0, 0, 4352, 4352, 8704, 20_010]);
        }
    }
}

#[test]
fn every_kind_of_memory_is_sorted() {
    let keys = keys::<f32>(5, 10_003, Arrangement::Random, SortOrder::Descending);
    let heads = heads(6, 10_003, 700);
    for ctx in backends() {
        for shift in 0..EVERYWHERE.len() {
            let kinds = std::array::from_fn(|i| EVERYWHERE[(i + shift) % EVERYWHERE.len()]);
            agrees(&ctx, Variant::Auto, SortOrder::Descending, kinds, &keys, &heads);
            agrees(&ctx, Variant::Auto, SortOrder::Descending, [EVERYWHERE[shift]; 5], &keys, &heads);
        }
    }
}

/// Each key is still there once.
#[test]
fn positions_out_of_order_give_some_order() {
    for ctx in backends() {
        for variant in ctx.variants() {
            for (seed, limit) in [(1, 30_000u64), (2, u64::MAX), (3, 5)] {
                let mut random = random(seed);
                let heads: Vec<u64> = (0..500).map(|_| random.random_range(0..=limit)).collect();
                let keys: Vec<u32> = (0..30_011).map(|_| random.random_range(0..=u32::MAX)).collect();
                let mut sorted = Output::<u32>::new(keys.len());
                let options = options::<u32>(variant, SortOrder::Ascending, Payload::None);
                let (from, at, to) =
                    (keys.as_ptr().cast(), heads.as_ptr().cast(), sorted.as_mut_ptr().cast());
                // SAFETY: arrays of these lengths.
                let status = unsafe {
                    let none = null_mut();
                    gpumex_segmented_sort(ctx.handle, &options, from, null(), 30_011, at, 500, to, none)
                };
                ok(status, "out of order");
                sorted.written("out of order");
            }
        }
    }
}

#[test]
fn bad_input_is_refused() {
    for ctx in backends() {
        let mut memory = [0u32; 128];
        let base = memory.as_mut_ptr();
        let call = |options: &SegmentedSortOptions, at: [usize; 4], words: usize| {
            let at = at.map(|place| base.wrapping_add(place).cast());
            // SAFETY: 40 elements from the first, third and fourth place on, two numbers from the second.
            unsafe {
                gpumex_segmented_sort(ctx.handle, options, at[0], null(), 40, at[1], words, at[2], at[3])
            }
        };
        let plain = SegmentedSortOptions {
            segments_by: Segments::Flags as i32,
            index_dtype: Dtype::U32 as i32,
            ..options::<u32>(Variant::Auto, SortOrder::Ascending, Payload::None)
        };
        let offsets = SegmentedSortOptions { segments_by: Segments::Offsets as i32, ..plain };
        let indices = SegmentedSortOptions { payload: Payload::Indices as i32, ..plain };
        let values =
            SegmentedSortOptions { payload: Payload::Values as i32, value_dtype: Dtype::F32 as i32, ..plain };
        ok(call(&plain, [0, 40, 44, 84], 2), "words");
        ok(call(&plain, [0, 40, 44, 84], 0), "no words");
        let words = call(&plain, [0, 40, 44, 84], 1);
        refused(words, Status::InvalidArgument, &["segment_count is 1", "2 words"], "words");
        refused(call(&plain, [0, 40, 39, 84], 2), Status::InvalidArgument, &["sorted overlaps keys"], "keys");
        let over = call(&offsets, [0, 50, 44, 84], 2);
        refused(over, Status::InvalidArgument, &["sorted overlaps segments"], "segments");
        let over = call(&indices, [0, 40, 44, 80], 2);
        refused(over, Status::InvalidArgument, &["sorted_values overlaps sorted"], "results");
        refused(call(&values, [0, 40, 44, 84], 2), Status::NullPointer, &["values is NULL"], "values");
        let halves = SegmentedSortOptions { dtype: Dtype::Bf16 as i32, ..plain };
        refused(
            call(&halves, [0, 40, 44, 84], 2),
            Status::Unsupported,
            &["options.dtype is GPUMEX_DTYPE_BF16"],
            "dtype",
        );
        for wrong in [
            SegmentedSortOptions { segments_by: 2, ..plain },
            SegmentedSortOptions { payload: -1, ..plain },
            SegmentedSortOptions { variant: first_unknown::<Variant>(), ..plain },
        ] {
            let status = call(&wrong, [0, 40, 44, 84], 2);
            refused(status, Status::InvalidArgument, &["; a gpumex_"], "options");
        }
    }
}

/// Many short segments in front of a long one, and behind it: no side may be cut off segment by segment.
#[test]
fn short_segments_beside_a_long_one_are_sorted() {
    let len = 400_000;
    let keys: Vec<u32> = numbers_of(17, len);
    for ctx in backends() {
        let before: Vec<u64> = (1..=100_000).collect();
        let behind: Vec<u64> = (300_000..len as u64).collect();
        for heads in [before, behind] {
            agrees(&ctx, Variant::Auto, SortOrder::Ascending, [None; 5], &keys, &heads);
        }
    }
}

fn numbers_of(seed: u64, len: usize) -> Vec<u32> {
    let mut random = random(seed);
    (0..len).map(|_| random.random_range(0..1000)).collect()
}

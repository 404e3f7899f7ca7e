//! Reductions by key: runs of every length, on every backend, agree with the plain definition.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use gpumex::ffi::{
    ReduceByKeyOptions, SegmentedReduceOptions, gpumex_reduce_by_key, gpumex_segmented_reduce,
};
use gpumex::model::dtype::Dtype;
use gpumex::model::operator::{Operand, Operator};
use gpumex::model::order::{Key, SortOrder};
use gpumex::model::variant::Variant;

use crate::common::*;

// -------------------------------------------------------------------------------------------------------------- the call

/// Where keys, data, unique_keys, results, offsets and needed lie.
type Kinds = [Kind; 6];

struct Answer<K, T> {
    status: i32,
    unique_keys: Vec<K>,
    results: Vec<T>,
    offsets: Vec<u32>,
    needed: u64,
}

#[track_caller]
fn reduce_by_key<K: Number, T: Number>(
    ctx: &Context,
    variant: Variant,
    op: Operator,
    kinds: Kinds,
    keys: &[K],
    data: &[T],
    capacity: usize,
) -> Answer<K, T> {
    let options = ReduceByKeyOptions {
        variant: variant as i32,
        dtype: T::DTYPE as i32,
        op: op as i32,
        key_dtype: K::DTYPE as i32,
        index_dtype: Dtype::U32 as i32,
        ..ReduceByKeyOptions::default()
    };
    let mut from_keys = Placed::holding(ctx, kinds[0], keys);
    let mut from_data = Placed::holding(ctx, kinds[1], data);
    let mut unique_keys = Placed::<K>::new(ctx, kinds[2], capacity);
    let mut results = Placed::<T>::new(ctx, kinds[3], capacity);
    let mut offsets = Placed::<u32>::new(ctx, kinds[4], if capacity == 0 { 0 } else { capacity + 1 });
    let mut needed = Placed::<u64>::new(ctx, kinds[5], 1);
    let (keys_at, data_at) = (from_keys.as_ptr(), from_data.as_ptr());
    let (keys_to, to, number) = (unique_keys.as_mut_ptr(), results.as_mut_ptr(), needed.as_mut_ptr());
    let (count, offsets_to) = (keys.len(), offsets.as_mut_ptr());
    // SAFETY: arrays of these lengths.
    let status = unsafe {
        gpumex_reduce_by_key(
            ctx.handle, &options, keys_at, data_at, count, keys_to, to, offsets_to, capacity, number,
        )
    };
    Answer {
        status,
        unique_keys: unique_keys.written(),
        results: results.written(),
        offsets: offsets.written(),
        needed: needed.written()[0],
    }
}

/// By the definition: where each run begins, and the number of keys.
fn offsets<K: Key>(keys: &[K]) -> Vec<u32> {
    let rank = |i: usize| keys[i].rank(SortOrder::Ascending);
    let begins = (0..keys.len()).filter(|&i| i == 0 || rank(i) != rank(i - 1));
    begins.chain([keys.len()]).map(|position| position as u32).collect()
}

/// By the definition.
fn runs<K: Key, T: Operand>(op: Operator, keys: &[K], data: &[T]) -> (Vec<K>, Vec<T>) {
    let (mut unique_keys, mut results) = (Vec::new(), Vec::new());
    for i in 0..keys.len() {
        if i == 0 || keys[i].rank(SortOrder::Ascending) != keys[i - 1].rank(SortOrder::Ascending) {
            unique_keys.push(keys[i]);
            results.push(T::identity(op));
        }
        let last = results.last_mut().unwrap();
        *last = T::apply(op, *last, data[i]);
    }
    (unique_keys, results)
}

#[track_caller]
fn agrees<K: Number + Key, T: Number + Operand>(op: Operator, keys: &[K], data: &[T]) {
    let ((want_keys, want), want_offsets) = (runs(op, keys, data), offsets(keys));
    for ctx in backends() {
        for variant in ctx.variants() {
            let what = format!("{:?}, {variant:?}, {op:?}, {} elements", ctx.backend, keys.len());
            let got = reduce_by_key(&ctx, variant, op, [None; 6], keys, data, want.len());
            ok(got.status, &what);
            assert_eq!(got.needed, want.len() as u64, "{what}");
            assert_same_bits(&got.unique_keys, &want_keys, &what);
            assert_same(&got.results, &want, &what);
            assert_same(&got.offsets, if want.is_empty() { &[] } else { &want_offsets[..] }, &what);
        }
    }
}

// ------------------------------------------------------------------------------------------------------------ the inputs

/// Keys that change once in `mean` elements, from -3 to 3.
fn keys<K: Number>(seed: u64, count: usize, mean: usize) -> Vec<K> {
    let mut random = random(seed);
    let mut key = 0.0;
    let mut next = || {
        if random.random_range(0..mean) == 0 {
            key = f64::from(random.random_range(0..7));
        }
        K::from_f64(key)
    };
    (0..count).map(|_| next()).collect()
}

fn numbers<T: Number>(seed: u64, count: usize) -> Vec<T> {
    let mut random = random(seed);
    (0..count).map(|_| T::from_f64(f64::from(random.random_range(0..33)))).collect()
}

fn of_dtypes<K: Number + Key, T: Number + Operand>(seed: u64) {
    for op in [Operator::Sum, Operator::Min, Operator::Max] {
        for (count, mean) in [(1001, 1), (5000, 3), (40_003, 900)] {
            agrees(op, &keys::<K>(seed, count, mean), &numbers::<T>(seed + 1, count));
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------- values

#[test]
fn every_pair_of_dtypes_agrees() {
    of_dtypes::<f32, f32>(1);
    of_dtypes::<f64, f64>(2);
    of_dtypes::<i32, f64>(3);
    of_dtypes::<u32, i64>(4);
    of_dtypes::<i64, u32>(5);
    of_dtypes::<u64, i32>(6);
    of_dtypes::<u64, u64>(7);
}

#[test]
fn every_operator_agrees() {
    for op in [Operator::Product, Operator::And, Operator::Or, Operator::Xor] {
        agrees(op, &keys::<u32>(8, 20_000, 5), &numbers::<i32>(9, 20_000));
        agrees(op, &keys::<u32>(8, 20_000, 5), &numbers::<u64>(9, 20_000));
    }
}

#[test]
fn every_length_of_array_and_run_agrees() {
    for count in [0, 1, 2, 31, 33, 2047, 2048, 2049, 4095, 4096, 4097, 8191, 8193, 32_769, 131_073, 300_001] {
        for mean in [1, 2, 16, 500, 100_000] {
            agrees(Operator::Sum, &keys::<u32>(10, count, mean), &numbers::<f32>(11, count));
        }
    }
}

#[test]
fn a_million_elements_agree() {
    for mean in [1, 10, 500_000] {
        agrees(Operator::Sum, &keys::<i64>(12, 1_000_003, mean), &numbers::<u32>(13, 1_000_003));
    }
}

#[test]
fn runs_over_many_tiles_agree() {
    let count = 400_000;
    let data = numbers::<i64>(14, count);
    let one = vec![7u32; count];
    let last_is_new: Vec<u32> = (0..count).map(|i| u32::from(i == count - 1)).collect();
    let all_differ: Vec<u32> = (0..count as u32).collect();
    let mixed: Vec<u32> = (0..count as u32).map(|i| if i % 150_000 < 3000 { i } else { 5 }).collect();
    for keys in [one, last_is_new, all_differ, mixed] {
        agrees(Operator::Sum, &keys, &data);
    }
}

#[test]
fn zeros_are_equal_and_nan_is_itself() {
    let keys = [0.0f32, -0.0, 1.0, f32::NAN, -f32::NAN, f32::from_bits(0x7FC0_1234), 1.0, -0.0, 0.0];
    let data: Vec<u32> = (0..9).map(|i| 1 << i).collect();
    for ctx in backends() {
        for variant in ctx.variants() {
            let got = reduce_by_key(&ctx, variant, Operator::Sum, [None; 6], &keys, &data, 5);
            ok(got.status, "floats");
            assert_eq!(got.results, [3, 4, 0b11_1000, 64, 0b1_1000_0000]);
            assert_same_bits(&got.unique_keys, &[0.0, 1.0, f32::NAN, 1.0, -0.0], "first keys");
        }
    }
}

#[test]
fn sums_of_floats_repeat() {
    let mut random = random(15);
    let data: Vec<f32> = (0..500_000).map(|_| random.random_range(-1.0..1.0)).collect();
    let keys = keys::<u32>(16, data.len(), 120_000);
    for ctx in backends() {
        for variant in ctx.variants() {
            let run = || reduce_by_key(&ctx, variant, Operator::Sum, [None; 6], &keys, &data, 64).results;
            let once = run();
            for _ in 0..10 {
                assert_same_bits(&run(), &once, format!("{:?}, {variant:?}", ctx.backend));
            }
        }
    }
}

// ----------------------------------------------------------------------------------------------------capacity and memory

#[test]
fn what_exceeds_the_capacity_is_counted() {
    let (keys, data) = (keys::<u32>(17, 50_000, 4), numbers::<i32>(18, 50_000));
    let (want_keys, want) = runs(Operator::Sum, &keys, &data);
    for ctx in backends() {
        for variant in ctx.variants() {
            for capacity in [1, 700, want.len() - 1] {
                let got = reduce_by_key(&ctx, variant, Operator::Sum, [None; 6], &keys, &data, capacity);
                let told = last_error();
                assert_eq!(got.status, 2, "{:?}: {told}", ctx.backend);
                let numbers = [capacity.to_string(), want.len().to_string()];
                assert!(numbers.iter().all(|number| told.contains(number)), "{told}");
                assert_eq!(got.needed, want.len() as u64);
                assert_same(&got.results, &want[..capacity], "results");
                assert_same(&got.unique_keys, &want_keys[..capacity], "keys");
                assert_same(&got.offsets, &offsets(&keys)[..=capacity], "offsets");
            }
            let got = reduce_by_key(&ctx, variant, Operator::Sum, [None; 6], &keys, &data, 0);
            ok(got.status, "counting");
            assert_eq!(got.needed, want.len() as u64);
        }
    }
}

#[test]
fn outputs_may_be_left_out() {
    let (keys, data) = (keys::<u64>(19, 10_000, 6), numbers::<f64>(20, 10_000));
    let (want_keys, want) = runs(Operator::Sum, &keys, &data);
    let options = ReduceByKeyOptions {
        dtype: Dtype::F64 as i32,
        key_dtype: Dtype::U64 as i32,
        ..ReduceByKeyOptions::default()
    };
    let (from, of) = (keys.as_ptr().cast::<c_void>(), data.as_ptr().cast::<c_void>());
    for ctx in backends() {
        let (mut unique_keys, mut results) = (Output::<u64>::new(want.len()), Output::<f64>::new(want.len()));
        let mut needed = [0u64; 2];
        let (keys_to, to) = (unique_keys.as_mut_ptr().cast(), results.as_mut_ptr().cast());
        let numbers = needed.each_mut().map(|number| &raw mut *number);
        let (n, capacity) = (10_000, want.len());
        // SAFETY: arrays of these lengths, or NULL where that is allowed.
        unsafe {
            let no_dtype = ReduceByKeyOptions { dtype: 0, ..options }; // of data, which are not there
            let keys_alone = gpumex_reduce_by_key(
                ctx.handle,
                &no_dtype,
                from,
                null(),
                n,
                keys_to,
                null_mut(),
                null_mut(),
                capacity,
                numbers[0],
            );
            ok(keys_alone, "keys alone");
            let no_keys = null_mut();
            let results_alone = gpumex_reduce_by_key(
                ctx.handle,
                &options,
                from,
                of,
                n,
                no_keys,
                to,
                null_mut(),
                capacity,
                numbers[1],
            );
            ok(results_alone, "results alone");
        }
        assert_eq!(needed, [want.len() as u64; 2]);
        assert_same(&unique_keys.written("keys"), &want_keys, "keys");
        assert_same(&results.written("results"), &want, "results");
    }
}

#[test]
fn offsets_are_the_segments_of_other_data_of_the_same_keys() {
    let (keys, data) = (keys::<i64>(23, 70_000, 5), numbers::<f64>(24, 70_000));
    let (want_keys, want) = runs(Operator::Max, &keys, &data);
    let (segments, capacity) = (want.len(), want.len() + 3);
    let options = ReduceByKeyOptions {
        key_dtype: Dtype::I64 as i32,
        index_dtype: Dtype::U64 as i32,
        ..ReduceByKeyOptions::default()
    };
    let of_segments = SegmentedReduceOptions {
        dtype: Dtype::F64 as i32,
        op: Operator::Max as i32,
        index_dtype: Dtype::U64 as i32,
        ..SegmentedReduceOptions::default()
    };
    for ctx in backends() {
        let (mut unique_keys, mut offsets) = (Output::<i64>::new(capacity), Output::<u64>::new(capacity + 1));
        let (mut results, mut needed) = (Output::<f64>::new(segments), 0u64);
        let (from, number) = (keys.as_ptr().cast(), &raw mut needed);
        let (keys_to, offsets_to) = (unique_keys.as_mut_ptr().cast(), offsets.as_mut_ptr().cast());
        // SAFETY: arrays of these lengths; no data are read without results.
        let found = unsafe {
            gpumex_reduce_by_key(
                ctx.handle,
                &options,
                from,
                null(),
                70_000,
                keys_to,
                null_mut(),
                offsets_to,
                capacity,
                number,
            )
        };
        ok(found, "keys and offsets");
        assert_eq!(needed, segments as u64);
        let (of, to) = (data.as_ptr().cast(), results.as_mut_ptr().cast());
        // SAFETY: segments + 1 offsets were written.
        let reduced = unsafe {
            gpumex_segmented_reduce(ctx.handle, &of_segments, of, 70_000, offsets_to, segments, null(), to)
        };
        ok(reduced, "the same runs");
        assert_same(&results.written("results"), &want, "maxima");
        assert_same(&unique_keys.written("keys")[..segments], &want_keys, "keys");
    }
}

#[test]
fn no_keys_have_one_offset() {
    for ctx in backends() {
        let got = reduce_by_key::<u32, f32>(&ctx, Variant::Auto, Operator::Sum, [None; 6], &[], &[], 1);
        ok(got.status, "no keys");
        assert_eq!((got.needed, got.offsets[0]), (0, 0));
    }
}

#[test]
fn every_kind_of_memory_is_served() {
    let (keys, data) = (keys::<i32>(21, 9001, 9), numbers::<f32>(22, 9001));
    let (want_keys, want) = runs(Operator::Sum, &keys, &data);
    for ctx in backends() {
        for turn in 0..4 {
            let kinds = [0, 1, 2, 3, 4, 5].map(|array| EVERYWHERE[(array + turn) % 4]);
            let auto = Variant::Auto;
            let got = reduce_by_key(&ctx, auto, Operator::Sum, kinds, &keys, &data, want.len());
            ok(got.status, "every kind");
            assert_eq!(got.needed, want.len() as u64, "{kinds:?}");
            assert_same(&got.unique_keys, &want_keys, format!("{kinds:?}"));
            assert_same(&got.results, &want, format!("{kinds:?}"));
            assert_same(&got.offsets, &offsets(&keys), format!("{kinds:?}"));
        }
    }
}

#[test]
fn bad_calls_are_refused_with_a_sentence() {
    let (keys, data) = ([1.0f32; 8], [1.0f32; 8]);
    let (mut unique_keys, mut results, mut needed) = ([0.0f32; 8], [0.0f32; 8], 0u64);
    let (from, of) = (keys.as_ptr().cast::<c_void>(), data.as_ptr().cast::<c_void>());
    let (keys_to, to) = (unique_keys.as_mut_ptr().cast::<c_void>(), results.as_mut_ptr().cast::<c_void>());
    let number = &raw mut needed;
    for ctx in backends() {
        let call = |options: ReduceByKeyOptions, from, of, keys_to, to, number| {
            // SAFETY: arrays of 8 elements, or NULL, which is refused.
            let status = unsafe {
                gpumex_reduce_by_key(ctx.handle, &options, from, of, 8, keys_to, to, null_mut(), 8, number)
            };
            (status, last_error())
        };
        let plain = ReduceByKeyOptions {
            dtype: Dtype::F32 as i32,
            key_dtype: Dtype::F32 as i32,
            ..ReduceByKeyOptions::default()
        };
        for (answer, status, part) in [
            (call(plain, null(), of, keys_to, to, number), 1, "keys is NULL"),
            (call(plain, from, null(), keys_to, to, number), 1, "data is NULL"),
            (call(plain, from, of, keys_to, to, null_mut()), 1, "needed is NULL"),
            (call(plain, from, of, from.cast_mut(), to, number), 2, "overlaps keys"),
            (call(plain, from, of, keys_to, keys_to, number), 2, "overlaps unique_keys"),
            (call(plain, from, of, keys_to, to, to.cast()), 2, "overlaps results"),
            (
                call(
                    ReduceByKeyOptions { key_dtype: Dtype::F16 as i32, ..plain },
                    from,
                    of,
                    keys_to,
                    to,
                    number,
                ),
                6,
                "options.key_dtype",
            ),
            (
                call(ReduceByKeyOptions { dtype: Dtype::I16 as i32, ..plain }, from, of, keys_to, to, number),
                6,
                "options.dtype",
            ),
            (
                call(ReduceByKeyOptions { op: Operator::Or as i32, ..plain }, from, of, keys_to, to, number),
                6,
                "options.op is GPUMEX_OPERATOR_OR",
            ),
        ] {
            assert_eq!(answer.0, status, "{:?}: {}", ctx.backend, answer.1);
            assert!(answer.1.contains(part), "{:?}: {} lacks {part}", ctx.backend, answer.1);
        }
    }
}

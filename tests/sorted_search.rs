//! Sorted search: every combination of outputs, bounds, orders and types agrees with one search an element.

use std::cmp::Ordering;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

use gpumex::error::Status;
use gpumex::ffi::{SortedSearchOptions, gpumex_sorted_search};
use gpumex::model::dtype::Dtype;
use gpumex::model::variant::Variant;
use gpumex::platform::settings::Backend;

use crate::common::*;

/// Around a tile of the kernels and a piece of the CPU; of a and of b.
const SIZES: [[usize; 2]; 12] = [
    [0, 0],
    [0, 5],
    [5, 0],
    [1, 1],
    [31, 1000],
    [1024, 3071],
    [1024, 3072],
    [1025, 3072],
    [5000, 10],
    [10, 70_000],
    [66_000, 65_537],
    [4097, 200_001],
];

// ------------------------------------------------------------------------------------------------------------- the call

#[derive(Debug, PartialEq)]
struct Found {
    a_indices: Vec<u64>,
    b_indices: Vec<u64>,
    a_flags: Vec<u8>,
    b_flags: Vec<u8>,
    matches: Vec<u64>,
}

fn options<T: Number, I: Indexed>(variant: Variant, rules: [bool; 2]) -> SortedSearchOptions {
    SortedSearchOptions {
        variant: variant as i32,
        dtype: T::DTYPE as i32,
        order: rules[0].into(),
        bound: rules[1].into(),
        index_dtype: I::DTYPE as i32,
        ..SortedSearchOptions::default()
    }
}

/// rules: descending, upper.
#[track_caller]
fn search<T: Number, I: Indexed>(
    ctx: &Context,
    variant: Variant,
    rules: [bool; 2],
    kind: Kind,
    [a, b]: [&[T]; 2],
) -> Found {
    let options = options::<T, I>(variant, rules);
    let what =
        format!("{:?}, {variant:?}, {:?}, {rules:?}, {} in {}", ctx.backend, T::DTYPE, a.len(), b.len());
    let (mut from_a, mut from_b) = (Placed::holding(ctx, kind, a), Placed::holding(ctx, kind, b));
    let mut indices = [a.len(), b.len()].map(|len| Placed::<I>::new(ctx, kind, len));
    let mut flags = [a.len(), b.len()].map(|len| Placed::<u8>::new(ctx, kind, len));
    let mut matches = Placed::<u64>::new(ctx, kind, 2);
    let [ai, bi] = indices.each_mut().map(Placed::as_mut_ptr);
    let [af, bf] = flags.each_mut().map(Placed::as_mut_ptr);
    let (at_a, at_b, counts) = (from_a.as_ptr(), from_b.as_ptr(), matches.as_mut_ptr());
    // SAFETY: arrays of the lengths that are stated with them.
    let status = unsafe {
        gpumex_sorted_search(ctx.handle, &options, at_a, a.len(), at_b, b.len(), ai, bi, af, bf, counts)
    };
    ok(status, what);
    let [a_indices, b_indices] =
        indices.map(|indices| indices.written().into_iter().map(|i| i.bits()).collect());
    let [a_flags, b_flags] = flags.map(Placed::written);
    Found { a_indices, b_indices, a_flags, b_flags, matches: matches.written() }
}

// ------------------------------------------------------------------------------------------------------------ the oracle

fn bounds<T: Ordered>(of: &[T], among: &[T], is_descending: bool) -> Vec<[u64; 2]> {
    let compare = |x: T, y: T| if is_descending { y.compare(x) } else { x.compare(y) };
    let bound = |key: T| {
        let lower = among.partition_point(|&other| compare(other, key) == Ordering::Less);
        let upper = among.partition_point(|&other| compare(other, key) != Ordering::Greater);
        [lower as u64, upper as u64]
    };
    of.iter().map(|&key| bound(key)).collect()
}

fn expected<T: Ordered>([is_descending, upper]: [bool; 2], a: &[T], b: &[T]) -> Found {
    let (of_a, of_b) = (bounds(a, b, is_descending), bounds(b, a, is_descending));
    let flags =
        |bounds: &[[u64; 2]]| bounds.iter().map(|[low, high]| u8::from(low < high)).collect::<Vec<u8>>();
    let (a_flags, b_flags) = (flags(&of_a), flags(&of_b));
    let count = |flags: &[u8]| flags.iter().map(|&flag| u64::from(flag)).sum::<u64>();
    Found {
        a_indices: of_a.iter().map(|bounds| bounds[usize::from(upper)]).collect(),
        b_indices: of_b.iter().map(|bounds| bounds[usize::from(!upper)]).collect(),
        matches: vec![count(&a_flags), count(&b_flags)],
        a_flags,
        b_flags,
    }
}

#[track_caller]
fn assert_found(got: &Found, want: &Found, what: &str) {
    assert_same(&got.a_indices, &want.a_indices, format!("{what}: a_indices"));
    assert_same(&got.b_indices, &want.b_indices, format!("{what}: b_indices"));
    assert_same(&got.a_flags, &want.a_flags, format!("{what}: a_flags"));
    assert_same(&got.b_flags, &want.b_flags, format!("{what}: b_flags"));
    assert_same(&got.matches, &want.matches, format!("{what}: matches"));
}

// --------------------------------------------------------------------------------------------------------------- meaning

fn agrees<T: Ordered>(ctx: &Context) {
    for (keys, [a_len, b_len]) in ALL_KEYS.into_iter().flat_map(|keys| SIZES.map(|sizes| (keys, sizes))) {
        let is_long = a_len + b_len > 20_000 && (size_of::<T>() == 4 || !matches!(keys, Keys::Few));
        if cfg!(debug_assertions) && is_long {
            continue;
        }
        let rules = [a_len % 2 == 0, b_len % 2 == 0];
        let a = sorted_keys::<T>(keys, 1, a_len, rules[0]);
        let b = sorted_keys::<T>(keys, 2, b_len, rules[0]);
        for rules in [[rules[0], false], [rules[0], true]] {
            let want = expected(rules, &a, &b);
            for variant in ctx.variants() {
                let what =
                    format!("{:?}, {:?}, {keys:?}, {a_len} in {b_len}, {rules:?}", ctx.backend, T::DTYPE);
                let got = search::<T, u64>(ctx, variant, rules, None, [&a, &b]);
                assert_found(&got, &want, &what);
                let got = search::<T, u32>(ctx, variant, rules, None, [&a, &b]);
                assert_found(&got, &want, &what);
            }
        }
    }
}

#[test]
fn every_type_of_keys_agrees_with_a_search_an_element() {
    for ctx in backends() {
        for_every_key!(agrees(&ctx));
    }
}

#[test]
fn both_indices_describe_one_merge() {
    let (a, b) = (sorted_keys::<i32>(Keys::Few, 3, 5001, false), sorted_keys(Keys::Few, 4, 9000, false));
    for ctx in backends() {
        for upper in [false, true] {
            let found = search::<i32, u64>(&ctx, Variant::Auto, [false, upper], None, [&a, &b]);
            let mut merged = vec![i32::POISON; a.len() + b.len()];
            for (array, indices) in [(&a, &found.a_indices), (&b, &found.b_indices)] {
                for (i, (&key, &index)) in array.iter().zip(indices).enumerate() {
                    merged[i + index as usize] = key;
                }
            }
            assert!(merged.is_sorted(), "{:?}, upper {upper}: every place is taken once", ctx.backend);
        }
    }
}

#[test]
fn a_million_elements_are_found_in_three() {
    if cfg!(debug_assertions) && !is_set("GPUMEX_REQUIRE_GPU") {
        return leave_out("large arrays: the debug profile is too slow for them");
    }
    let a = sorted_keys::<u32>(Keys::Random, 5, 1_000_003, false);
    let b = sorted_keys::<u32>(Keys::Random, 6, 3_000_001, false);
    for ctx in backends() {
        let got = search::<u32, u32>(&ctx, Variant::Auto, [false, false], None, [&a, &b]);
        assert_found(&got, &expected([false, false], &a, &b), "a million");
    }
}

#[test]
fn every_output_may_be_left_out() {
    let (a, b) =
        (sorted_keys::<f32>(Keys::Few, 7, 700, false), sorted_keys::<f32>(Keys::Few, 8, 5000, false));
    let want = expected([false, false], &a, &b);
    for ctx in backends() {
        for variant in ctx.variants::<Variant>() {
            for asked in 0..32 {
                let options = options::<f32, u64>(variant, [false, false]);
                let mut indices = [a.len(), b.len()].map(Output::<u64>::new);
                let mut flags = [a.len(), b.len()].map(Output::<u8>::new);
                let mut matches = Output::<u64>::new(2);
                let asks = |bit: i32, at: *mut c_void| if asked >> bit & 1 == 1 { at } else { null_mut() };
                let [ai, bi] = indices.each_mut().map(|array| array.as_mut_ptr().cast());
                let [af, bf] = flags.each_mut().map(|array| array.as_mut_ptr().cast());
                let (ai, bi, af, bf) = (asks(0, ai), asks(1, bi), asks(2, af), asks(3, bf));
                let m = asks(4, matches.as_mut_ptr().cast());
                let (at_a, at_b) = (a.as_ptr().cast(), b.as_ptr().cast());
                // SAFETY: arrays of the lengths that are stated with them, or NULL.
                let status = unsafe {
                    gpumex_sorted_search(
                        ctx.handle,
                        &options,
                        at_a,
                        a.len(),
                        at_b,
                        b.len(),
                        ai,
                        bi,
                        af,
                        bf,
                        m,
                    )
                };
                ok(status, format!("{asked:05b}"));
                let poison = |len: usize| vec![u64::POISON; len];
                let or = |bit: i32, array: &[u64]| {
                    if asked >> bit & 1 == 1 { array.to_vec() } else { poison(array.len()) }
                };
                let [got_a, got_b] = indices.map(|array| array.written("indices"));
                assert_same(&got_a, &or(0, &want.a_indices), format!("{asked:05b}: a_indices"));
                assert_same(&got_b, &or(1, &want.b_indices), format!("{asked:05b}: b_indices"));
                let [got_a, got_b] = flags.map(|array| array.written("flags"));
                let or_flags = |bit: i32, array: &[u8]| match asked >> bit & 1 {
                    1 => array.to_vec(),
                    _ => vec![u8::POISON; array.len()],
                };
                assert_same(&got_a, &or_flags(2, &want.a_flags), format!("{asked:05b}: a_flags"));
                assert_same(&got_b, &or_flags(3, &want.b_flags), format!("{asked:05b}: b_flags"));
                assert_same(
                    &matches.written("matches"),
                    &or(4, &want.matches),
                    format!("{asked:05b}: matches"),
                );
            }
        }
    }
}

#[test]
fn arrays_may_lie_in_every_kind_of_memory() {
    let (a, b) =
        (sorted_keys::<f64>(Keys::Special, 9, 3000, true), sorted_keys(Keys::Special, 10, 6001, true));
    let want = expected([true, false], &a, &b);
    for ctx in backends() {
        for (kind, variant) in
            EVERYWHERE.into_iter().flat_map(|kind| ctx.variants().into_iter().map(move |v| (kind, v)))
        {
            let got = search::<f64, u64>(&ctx, variant, [true, false], kind, [&a, &b]);
            assert_found(&got, &want, &format!("{:?}, {kind:?}", ctx.backend));
        }
    }
}

// -------------------------------------------------------------------------------------------------------------- bad input

#[test]
fn arrays_that_are_not_sorted_do_no_harm() {
    for ctx in backends() {
        for variant in ctx.variants() {
            for seed in 0..2 {
                let mut random = random(seed);
                let mut keys =
                    |len: usize| (0..len).map(|_| random.random_range(0..999)).collect::<Vec<i32>>();
                let (a, b) = (keys(20_000), keys(30_001));
                for upper in [false, true] {
                    search::<i32, u32>(&ctx, variant, [false, upper], None, [&a, &b]); // the guards are intact
                }
            }
        }
    }
}

#[test]
fn bad_arguments_are_refused() {
    let a = [1.0f32, 2.0, 3.0];
    let mut place = [0u64; 8];
    for ctx in backends() {
        let from = a.as_ptr().cast::<c_void>();
        let to = place.as_mut_ptr().cast::<c_void>();
        let call = |options: &SortedSearchOptions,
                    a: *const c_void,
                    b_count: usize,
                    ai: *mut c_void,
                    bi: *mut c_void| {
            let none = null_mut();
            // SAFETY: three keys each; place holds more than three indices; what is longer is refused.
            unsafe {
                gpumex_sorted_search(ctx.handle, options, a, 3, from, b_count, ai, bi, none, none, none)
            }
        };
        let plain = SortedSearchOptions {
            dtype: Dtype::F32 as i32,
            index_dtype: Dtype::U64 as i32,
            ..SortedSearchOptions::default()
        };
        refused(call(&plain, null(), 3, to, null_mut()), Status::NullPointer, &["a is NULL"], "a");
        refused(
            call(&plain, from, 3, to, to),
            Status::InvalidArgument,
            &["b_indices overlaps a_indices"],
            "outputs",
        );
        let wide = SortedSearchOptions { index_dtype: Dtype::U32 as i32, ..plain };
        refused(
            call(&wide, from, 1 << 32, to, null_mut()),
            Status::InvalidArgument,
            &["b_count is 4294967296", "U64"],
            "more than U32 holds",
        );
        refused(
            call(&wide, from, 3, from.cast_mut(), null_mut()),
            Status::InvalidArgument,
            &["overlaps"],
            "a as output",
        );
        let halves = SortedSearchOptions { dtype: Dtype::F16 as i32, ..plain };
        refused(
            call(&halves, from, 3, to, null_mut()),
            Status::Unsupported,
            &["options.dtype is GPUMEX_DTYPE_F16"],
            "dtype",
        );
        let bound = SortedSearchOptions { bound: 2, ..plain };
        refused(call(&bound, from, 3, to, null_mut()), Status::InvalidArgument, &["gpumex_bound"], "bound");
        if ctx.backend == Backend::Cuda {
            let sequential = SortedSearchOptions { variant: 1, ..plain };
            refused(
                call(&sequential, from, 3, to, null_mut()),
                Status::Unsupported,
                &["SEQUENTIAL"],
                "variant",
            );
        }
        ok(call(&plain, from, 3, null_mut(), null_mut()), "nothing asked for");
    }
}

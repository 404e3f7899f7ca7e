//! Merges and searches of arrays that are sorted by expressions.

use std::ffi::{CStr, c_void};
use std::fmt::Debug;
use std::ptr::null;

use gpumex::ffi::{MergeOptions, SortedSearchOptions, gpumex_merge, gpumex_sorted_search};
use gpumex::model::dtype::Dtype;
use gpumex::model::payload::Payload;
use gpumex::model::sorted_search::Bound;
use gpumex::model::variant::Variant;

use crate::common::*;
use crate::operands::samples::{Sample, numbers};

const SIZES: [[usize; 2]; 9] =
    [[0, 0], [0, 5], [7, 0], [1, 1], [33, 1000], [2049, 31], [5000, 5000], [1, 40_000], [40_000, 17_000]];

/// Keys by magnitude, the greatest first; many are equal.
const TEXT: &CStr = c"abs (a) > abs (b)";

fn precedes<T: Sample>(a: T, b: T) -> bool {
    a.wide().abs() > b.wide().abs()
}

fn sorted<T: Sample>(seed: u64, len: usize) -> Vec<T> {
    let small = |x: T| if T::DTYPE.is_float() { x } else { T::of(x.wide().abs() as u64 % 700) };
    let mut keys: Vec<T> = numbers::<T>(seed, len).into_iter().map(small).collect();
    keys.sort_by(|&a, &b| precedes(b, a).cmp(&precedes(a, b)));
    keys
}

/// The merged keys and their positions.
#[track_caller]
fn merge<T: Number>(
    ctx: &Context,
    (variant, text): (Variant, &CStr),
    kinds: [Kind; 2],
    [a, b]: [&[T]; 2],
) -> (Vec<T>, Vec<u32>) {
    let options = MergeOptions {
        variant: variant as i32,
        dtype: T::DTYPE as i32,
        payload: Payload::Indices as i32,
        index_dtype: Dtype::U32 as i32,
        expression: text.as_ptr(),
        ..MergeOptions::default()
    };
    let (mut from_a, mut from_b) = (Placed::holding(ctx, kinds[0], a), Placed::holding(ctx, kinds[0], b));
    let total = a.len() + b.len();
    let (mut keys, mut values) =
        (Placed::<T>::new(ctx, kinds[1], total), Placed::<u32>::new(ctx, kinds[1], total));
    let (a_at, b_at, to, to_values) =
        (from_a.as_ptr(), from_b.as_ptr(), keys.as_mut_ptr(), values.as_mut_ptr());
    // SAFETY: arrays of these lengths.
    let status = unsafe {
        gpumex_merge(ctx.handle, &options, a_at, null(), a.len(), b_at, null(), b.len(), to, to_values)
    };
    ok(status, format!("{:?}, {variant:?}, {} and {}, {kinds:?}", ctx.backend, a.len(), b.len()));
    (keys.written(), values.written())
}

fn every_merge<T: Sample + Debug>(ctx: &Context) {
    for ([a_len, b_len], variant) in
        SIZES.into_iter().flat_map(|len| ctx.variants().into_iter().map(move |v| (len, v)))
    {
        let (a, b) = (sorted::<T>(1, a_len), sorted::<T>(2, b_len));
        let both = [&a[..], &b[..]].concat();
        let mut want: Vec<u32> = (0..both.len() as u32).collect();
        want.sort_by(|&i, &j| {
            let (x, y) = (both[i as usize], both[j as usize]);
            precedes(y, x).cmp(&precedes(x, y))
        });
        let (keys, positions) = merge(ctx, (variant, TEXT), [None; 2], [&a, &b]);
        let what = format!("{:?}, {variant:?}, {a_len} and {b_len} of {:?}", ctx.backend, T::DTYPE);
        assert_same_bits(&positions, &want, &what);
        let want: Vec<T> = want.iter().map(|&i| both[i as usize]).collect();
        assert_same_bits(&keys, &want, what);
    }
}

#[test]
fn merges_are_stable() {
    for ctx in backends() {
        for_every_dtype!(every_merge(&ctx): f32 f64 i32 i64 u32 u64);
    }
}

#[test]
fn every_kind_of_memory_is_merged() {
    let (a, b) = (sorted::<f64>(3, 900), sorted::<f64>(4, 1100));
    for ctx in backends() {
        let want = merge(&ctx, (Variant::Auto, TEXT), [None; 2], [&a, &b]);
        for kinds in EVERYWHERE.into_iter().flat_map(|from| EVERYWHERE.map(|to| [from, to])) {
            assert_eq!(merge(&ctx, (Variant::Auto, TEXT), kinds, [&a, &b]), want, "{kinds:?}");
        }
    }
}

#[test]
fn what_is_not_sorted_gives_some_of_the_keys_with_their_positions() {
    let (a, b) = (numbers::<i32>(3, 3000), numbers::<i32>(4, 2000));
    let both = [&a[..], &b[..]].concat();
    for ctx in backends() {
        for (variant, text) in
            ctx.variants().into_iter().flat_map(|v| [c"1", c"a", c"a <= b", c"a + b > 0"].map(|t| (v, t)))
        {
            let (_, positions) = merge(&ctx, (variant, text), [None; 2], [&a, &b]);
            assert!(positions.iter().all(|&at| (at as usize) < both.len()), "{:?}, {text:?}", ctx.backend);
        }
    }
}

fn every_search<T: Sample + Debug>(ctx: &Context) {
    for ([a_len, b_len], bound) in
        SIZES.into_iter().flat_map(|len| [Bound::Lower, Bound::Upper].map(|b| (len, b)))
    {
        let (a, b) = (sorted::<T>(1, a_len), sorted::<T>(2, b_len));
        let lower = |x: T, all: &[T]| all.partition_point(|&y| precedes(y, x));
        let upper = |x: T, all: &[T]| all.partition_point(|&y| !precedes(x, y));
        let of = |keys: &[T], all: &[T], is_lower: bool| -> (Vec<u32>, Vec<u8>) {
            let bound = |&x: &T| if is_lower { lower(x, all) } else { upper(x, all) } as u32;
            (
                keys.iter().map(bound).collect(),
                keys.iter().map(|&x| u8::from(upper(x, all) > lower(x, all))).collect(),
            )
        };
        let (want_a, want_b) = (of(&a, &b, bound == Bound::Lower), of(&b, &a, bound == Bound::Upper));
        for variant in ctx.variants::<Variant>() {
            let options = SortedSearchOptions {
                variant: variant as i32,
                dtype: T::DTYPE as i32,
                bound: bound as i32,
                index_dtype: Dtype::U32 as i32,
                expression: TEXT.as_ptr(),
                ..SortedSearchOptions::default()
            };
            let (mut a_at, mut b_at) = (Output::<u32>::new(a_len), Output::<u32>::new(b_len));
            let (mut a_flags, mut b_flags) = (Output::<u8>::new(a_len), Output::<u8>::new(b_len));
            let mut matches = Output::<u64>::new(2);
            let (from_a, from_b): (*const c_void, *const c_void) = (a.as_ptr().cast(), b.as_ptr().cast());
            let outputs = [a_at.as_mut_ptr().cast(), b_at.as_mut_ptr().cast()];
            let flags = [a_flags.as_mut_ptr().cast(), b_flags.as_mut_ptr().cast()];
            let number = matches.as_mut_ptr().cast();
            // SAFETY: arrays of these lengths.
            let status = unsafe {
                gpumex_sorted_search(
                    ctx.handle, &options, from_a, a_len, from_b, b_len, outputs[0], outputs[1], flags[0],
                    flags[1], number,
                )
            };
            let what =
                format!("{:?}, {variant:?}, {bound:?}, {a_len} and {b_len} of {:?}", ctx.backend, T::DTYPE);
            ok(status, &what);
            assert_same_bits(&a_at.written(&what), &want_a.0, &what);
            assert_same_bits(&b_at.written(&what), &want_b.0, &what);
            let found = [a_flags.written(&what), b_flags.written(&what)];
            let count = |flags: &Vec<u8>| flags.iter().map(|&flag| u64::from(flag)).sum();
            assert_same_bits(&matches.written(&what), &[count(&found[0]), count(&found[1])], &what);
            assert_eq!(found, [want_a.1.clone(), want_b.1.clone()], "{what}");
        }
    }
}

#[test]
fn searches_find_both_bounds_and_what_is_equal() {
    for ctx in backends() {
        for_every_dtype!(every_search(&ctx): f32 f64 i32 i64 u32 u64);
    }
}

//! Sorts by expressions.

use std::ffi::{CStr, c_void};
use std::fmt::Debug;
use std::ptr::{null, null_mut};

use gpumex::error::Status;
use gpumex::ffi::{SortOptions, gpumex_sort};
use gpumex::model::dtype::Dtype;
use gpumex::model::order::SortOrder;
use gpumex::model::payload::Payload;
use gpumex::model::variant::SortVariant;

use crate::common::*;
use crate::operands::samples::{Sample, numbers};

const SIZES: [usize; 14] = [0, 1, 2, 3, 31, 33, 1000, 2047, 2049, 16_384, 16_385, 33_000, 65_537, 150_001];

/// Whether a precedes b, and the same in Rust.
type Rule<T> = (&'static CStr, fn(T, T) -> bool);

fn rules<T: Sample>() -> Vec<Rule<T>> {
    let mut rules: Vec<Rule<T>> = vec![
        (c"a > b", |a, b| a.wide() > b.wide()),
        (c"0", |_, _| false),
        (c"rem (a, 10) < rem (b, 10)", |a, b| a.wide() % 10.0 < b.wide() % 10.0),
    ];
    if T::DTYPE.is_float() {
        rules.push((c"abs (a) < abs (b)", |a, b| a.wide().abs() < b.wide().abs()));
    }
    rules
}

fn options<T: Number>(variant: SortVariant, text: &CStr, payload: Payload) -> SortOptions {
    SortOptions {
        variant: variant as i32,
        dtype: T::DTYPE as i32,
        payload: payload as i32,
        value_dtype: Dtype::F64 as i32,
        index_dtype: Dtype::U32 as i32,
        expression: text.as_ptr(),
        ..SortOptions::default()
    }
}

#[track_caller]
fn sort<T: Number>(
    ctx: &Context,
    (variant, text): (SortVariant, &CStr),
    kinds: [Kind; 2],
    keys: &[T],
) -> (Vec<T>, Vec<u32>) {
    let options = options::<T>(variant, text, Payload::Indices);
    let mut from = Placed::holding(ctx, kinds[0], keys);
    let mut sorted = Placed::<T>::new(ctx, kinds[1], keys.len());
    let mut positions = Placed::<u32>::new(ctx, kinds[1], keys.len());
    let (at, to, positions_to) = (from.as_ptr(), sorted.as_mut_ptr(), positions.as_mut_ptr());
    // SAFETY: arrays of these lengths.
    let status = unsafe { gpumex_sort(ctx.handle, &options, at, null(), keys.len(), to, positions_to) };
    ok(
        status,
        format!("{:?}, {variant:?}, {text:?}, {} of {:?}, {kinds:?}", ctx.backend, keys.len(), T::DTYPE),
    );
    (sorted.written(), positions.written())
}

/// Keys of a small range: many are equal.
fn keys<T: Sample>(len: usize) -> Vec<T> {
    let small = |x: T| if T::DTYPE.is_float() { x } else { T::of(x.wide().abs() as u64 % 500) };
    numbers::<T>(len as u64 + 7, len).into_iter().map(small).collect()
}

fn every_length<T: Sample + Debug>(ctx: &Context) {
    for (len, (text, precedes)) in
        SIZES.into_iter().flat_map(|len| rules::<T>().into_iter().map(move |r| (len, r)))
    {
        if is_long_for_share(len) || is_not_in_share() {
            continue;
        }
        let keys = keys::<T>(len);
        let mut want: Vec<u32> = (0..len as u32).collect();
        want.sort_by(|&i, &j| {
            let (a, b) = (keys[i as usize], keys[j as usize]);
            precedes(b, a).cmp(&precedes(a, b))
        });
        let want_keys: Vec<T> = want.iter().map(|&i| keys[i as usize]).collect();
        for variant in ctx.distinct_variants() {
            let (sorted, positions) = sort(ctx, (variant, text), [None; 2], &keys);
            let what = format!("{:?}, {variant:?}, {text:?}, {len} of {:?}", ctx.backend, T::DTYPE);
            assert_same_bits(&positions, &want, &what);
            assert_same_bits(&sorted, &want_keys, what);
        }
    }
}

#[test]
fn every_order_agrees_with_the_standard_library_and_is_stable() {
    for ctx in backends() {
        for_every_dtype!(every_length(&ctx): f32 f64 i32 i64 u32 u64);
    }
}

#[test]
fn small_integers_and_every_kind_of_memory() {
    let keys: Vec<u8> = (0..5000u32).map(|i| (i.wrapping_mul(2_654_435_769) >> 24) as u8).collect();
    let mut want: Vec<u32> = (0..5000).collect();
    want.sort_by_key(|&i| keys[i as usize] & 15);
    for ctx in backends() {
        for kinds in EVERYWHERE.into_iter().flat_map(|from| EVERYWHERE.map(|to| [from, to])) {
            let how = (SortVariant::Auto, c"bitand (a, 15) < bitand (b, 15)");
            let (_, positions) = sort(&ctx, how, kinds, &keys);
            assert_eq!(positions, want, "{:?}, {kinds:?}", ctx.backend);
        }
    }
}

#[test]
fn values_move_with_their_keys_or_alone() {
    let keys = keys::<f32>(3001);
    let values: Vec<f64> = (0..3001).map(f64::from).collect();
    for ctx in backends() {
        for variant in ctx.distinct_variants() {
            let (_, positions) = sort(&ctx, (variant, c"a > b"), [None; 2], &keys);
            let options = options::<f32>(variant, c"a > b", Payload::Values);
            let mut moved = Output::<f64>::new(3001);
            let mut sorted = Output::<f32>::new(3001);
            let (at, from) = (keys.as_ptr().cast(), values.as_ptr().cast());
            let (to, to_values) = (sorted.as_mut_ptr().cast(), moved.as_mut_ptr().cast());
            // SAFETY: 3001 elements each.
            ok(unsafe { gpumex_sort(ctx.handle, &options, at, from, 3001, to, to_values) }, "values");
            let want: Vec<f64> = positions.iter().map(|&i| f64::from(i)).collect();
            assert_eq!(moved.written("values"), want);
            let options = self::options::<f32>(variant, c"a > b", Payload::Indices);
            let mut alone = Output::<u32>::new(3001);
            let to: *mut c_void = alone.as_mut_ptr().cast();
            // SAFETY: as above; keys are left out.
            ok(unsafe { gpumex_sort(ctx.handle, &options, at, null(), 3001, null_mut(), to) }, "alone");
            assert_eq!(alone.written("alone"), positions);
        }
    }
}

fn permutes<T: Sample + Debug>(ctx: &Context) {
    for text in [c"1", c"a", c"a <= b", c"a != b", c"rem (a * b, 7) < 3", c"a + b > 1"] {
        for (len, variant) in [1000, 40_000]
            .into_iter()
            .flat_map(|len| ctx.distinct_variants().into_iter().map(move |v| (len, v)))
        {
            let mut keys = numbers::<T>(3, len);
            if T::DTYPE.is_float() {
                keys.iter_mut().step_by(17).for_each(|key| *key = T::POISON);
            }
            let (sorted, positions) = sort(ctx, (variant, text), [None; 2], &keys);
            let taken: Vec<T> = positions.iter().map(|&i| keys[i as usize]).collect();
            assert_same_bits(&sorted, &taken, format!("{:?}, {variant:?}, {text:?}", ctx.backend));
            let mut all = positions;
            all.sort_unstable();
            assert!(all.iter().zip(0..).all(|(&position, i)| position == i), "{variant:?}, {text:?}");
        }
    }
}

#[test]
fn what_is_no_order_gives_a_permutation() {
    for ctx in backends() {
        for_every_dtype!(permutes(&ctx): f32 i32 u64);
    }
}

#[test]
fn bad_texts_and_orders_are_refused() {
    for ctx in backends() {
        let (keys, mut to) = ([1f32; 4], [0f32; 4]);
        let call = |options: SortOptions, to: &mut [f32]| {
            let (at, to) = (keys.as_ptr().cast(), to.as_mut_ptr().cast());
            // SAFETY: 4 keys each.
            unsafe { gpumex_sort(ctx.handle, &options, at, null(), 4, to, null_mut()) }
        };
        let with = |text: &CStr| options::<f32>(SortVariant::Auto, text, Payload::None);
        let bad = Status::InvalidArgument;
        refused(call(with(c"a <"), &mut to), bad, &["expression, at 4"], "an end");
        refused(call(with(c"a < c"), &mut to), bad, &["\"c\""], "a third key");
        let order = SortOptions { order: SortOrder::Descending as i32, ..with(c"a < b") };
        refused(call(order, &mut to), bad, &["GPUMEX_SORT_ORDER_DESCENDING", "options.expression"], "both");
        ok(call(with(c"a < b"), &mut to), "a good one");
    }
}

//! Interval expand repeats each value as often as its interval is long.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use gpumex::error::Status;
use gpumex::ffi::{IntervalExpandOptions, gpumex_interval_expand};
use gpumex::model::dtype::Dtype;
use gpumex::model::variant::Variant;

use crate::common::*;

#[track_caller]
fn expand<T: Number, I: Indexed>(
    ctx: &Context,
    variant: Variant,
    kind: Kind,
    lengths: &[usize],
    values: &[T],
) -> Vec<T> {
    let (scan, count) = exclusive_sum::<I>(lengths);
    let what = format!("{:?}, {variant:?}, {:?}, {count} of {}, {kind:?}", ctx.backend, T::DTYPE, scan.len());
    let options = IntervalExpandOptions {
        variant: variant as i32,
        dtype: T::DTYPE as i32,
        index_dtype: I::DTYPE as i32,
        ..IntervalExpandOptions::default()
    };
    let (mut scan, mut from) = (Placed::holding(ctx, kind, &scan), Placed::holding(ctx, kind, values));
    let mut to = Placed::<T>::new(ctx, kind, count);
    let (starts, at, output) = (scan.as_ptr(), from.as_ptr(), to.as_mut_ptr());
    // SAFETY: arrays of the lengths that are stated with them.
    ok(
        unsafe { gpumex_interval_expand(ctx.handle, &options, count, starts, at, values.len(), output) },
        what,
    );
    to.written()
}

fn agrees<T: Ordered>(ctx: &Context) {
    for intervals in [0, 1, 163, 164, 9000] {
        for lengths in hard_lengths(intervals as u64, intervals) {
            let mut values = numbered::<T>(intervals);
            values.iter_mut().zip(T::special()).for_each(|(value, special)| *value = special);
            let want: Vec<T> = owners(&lengths).into_iter().map(|j| values[j]).collect();
            for variant in ctx.variants() {
                let what = format!("{:?}, {variant:?}, {:?}, {intervals}", ctx.backend, T::DTYPE);
                assert_same_bits(&expand::<T, u32>(ctx, variant, None, &lengths, &values), &want, &what);
                assert_same_bits(&expand::<T, u64>(ctx, variant, None, &lengths, &values), &want, &what);
            }
        }
    }
}

#[test]
fn every_type_of_elements_is_repeated() {
    for ctx in backends() {
        for_every_key!(agrees(&ctx));
    }
}

#[test]
fn the_example_of_the_documentation_holds() {
    let values: Vec<i32> = (0..9).collect();
    for ctx in backends() {
        for variant in ctx.variants() {
            let got = expand::<i32, u32>(&ctx, variant, None, &[1, 2, 1, 0, 4, 2, 3, 0, 2], &values);
            assert_same(&got, &[0, 1, 1, 2, 4, 4, 4, 4, 5, 5, 6, 6, 6, 8, 8], "the example");
        }
    }
}

#[test]
fn arrays_may_lie_in_every_kind_of_memory() {
    let (lengths, values) = (&hard_lengths(5, 2000)[0], numbered::<f64>(2000));
    let want: Vec<f64> = owners(lengths).into_iter().map(|j| values[j]).collect();
    for ctx in backends() {
        for kind in EVERYWHERE {
            let got = expand::<f64, u64>(&ctx, Variant::Auto, kind, lengths, &values);
            assert_same(&got, &want, format!("{:?}, {kind:?}", ctx.backend));
        }
    }
}

#[test]
fn bad_arguments_are_refused() {
    let (scan, mut values) = ([0u64, 2], [1.0f32; 8]);
    for ctx in backends() {
        let mut output = [0.0f32; 4];
        let (starts, from) = (scan.as_ptr().cast::<c_void>(), values.as_mut_ptr().cast::<c_void>());
        let to = output.as_mut_ptr().cast::<c_void>();
        let plain = IntervalExpandOptions {
            dtype: Dtype::F32 as i32,
            index_dtype: Dtype::U64 as i32,
            ..IntervalExpandOptions::default()
        };
        let call = |options: *const IntervalExpandOptions,
                    values: *const c_void,
                    intervals: usize,
                    output: *mut c_void| {
            // SAFETY: two intervals, four elements, or what is refused.
            unsafe { gpumex_interval_expand(ctx.handle, options, 4, starts, values, intervals, output) }
        };
        refused(call(&plain, null(), 2, to), Status::NullPointer, &["values is NULL"], "values");
        refused(call(&plain, from, 2, null_mut()), Status::NullPointer, &["output is NULL"], "output");
        refused(call(&plain, from, 0, to), Status::InvalidArgument, &["no intervals"], "intervals");
        refused(call(&plain, from, 2, from), Status::InvalidArgument, &["output overlaps values"], "overlap");
        let bytes = IntervalExpandOptions { dtype: Dtype::I16 as i32, ..plain };
        refused(call(&bytes, from, 2, to), Status::Unsupported, &["I16"], "dtype");
        ok(call(&plain, from, 2, to), "two intervals");
        assert_same(&output, &[1.0; 4], "two intervals");
    }
}

//! Interval move, gather and scatter bring each interval to its place.

use std::ffi::c_void;
use std::ptr::null;

use gpumex::error::Status;
use gpumex::ffi::{IntervalMoveOptions, gpumex_interval_move};
use gpumex::model::variant::Variant;

use crate::common::*;

/// Where intervals lie: scan, and perhaps places in the input and in the output.
struct Places<I> {
    count: usize,
    scan: Vec<I>,
    gather: Option<Vec<I>>,
    scatter: Option<Vec<I>>,
}

fn options<T: Number, I: Indexed>(variant: Variant) -> IntervalMoveOptions {
    IntervalMoveOptions {
        variant: variant as i32,
        dtype: T::DTYPE as i32,
        index_dtype: I::DTYPE as i32,
        ..IntervalMoveOptions::default()
    }
}

/// The output, which holds poison before.
#[track_caller]
fn move_all<T: Number, I: Indexed>(
    ctx: &Context,
    variant: Variant,
    kind: Kind,
    places: &Places<I>,
    input: &[T],
    output_count: usize,
) -> Vec<T> {
    let what = format!("{:?}, {variant:?}, {:?}, {}, {kind:?}", ctx.backend, T::DTYPE, places.count);
    let options = options::<T, I>(variant);
    let mut scan = Placed::holding(ctx, kind, &places.scan);
    let mut gather = places.gather.as_ref().map(|gather| Placed::holding(ctx, kind, gather));
    let mut scatter = places.scatter.as_ref().map(|scatter| Placed::holding(ctx, kind, scatter));
    let (mut from, mut to) = (Placed::holding(ctx, kind, input), Placed::<T>::new(ctx, kind, output_count));
    let gather_at = gather.as_mut().map_or(null(), Placed::as_ptr);
    let scatter_at = scatter.as_mut().map_or(null(), Placed::as_ptr);
    let (starts, from, at) = (scan.as_ptr(), from.as_ptr(), to.as_mut_ptr());
    let (count, intervals) = (places.count, places.scan.len());
    // SAFETY: arrays of the lengths that are stated with them, or NULL.
    let status = unsafe {
        gpumex_interval_move(
            ctx.handle,
            &options,
            count,
            gather_at,
            scatter_at,
            starts,
            intervals,
            from,
            input.len(),
            at,
            output_count,
        )
    };
    ok(status, what);
    to.written()
}

/// A row of the intervals in another order: where each begins.
fn shuffled<I: Indexed>(seed: u64, lengths: &[usize]) -> Vec<I> {
    let mut random = random(seed);
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    for i in (1..order.len()).rev() {
        order.swap(i, random.random_range(0..=i));
    }
    let (mut places, mut at) = (vec![I::at(0); lengths.len()], 0);
    for j in order {
        places[j] = I::at(at);
        at += lengths[j];
    }
    places
}

fn agrees<T: Ordered, I: Indexed>(ctx: &Context, lengths: &[usize]) {
    let (scan, count) = exclusive_sum::<I>(lengths);
    let input = numbered::<T>(count);
    let (from, to) = (shuffled::<I>(1, lengths), shuffled::<I>(2, lengths));
    for (gathers, scatters) in [(true, true), (true, false), (false, true), (false, false)] {
        let places = Places {
            count,
            scan: scan.clone(),
            gather: gathers.then(|| from.clone()),
            scatter: scatters.then(|| to.clone()),
        };
        let mut want = vec![T::POISON; count];
        for (k, j) in owners(lengths).into_iter().enumerate() {
            let r = k - scan[j].bits() as usize;
            let read = if gathers { from[j].bits() as usize + r } else { k };
            want[if scatters { to[j].bits() as usize + r } else { k }] = input[read];
        }
        for variant in ctx.variants() {
            let what = format!("{:?}, {variant:?}, {:?}, {gathers} {scatters}", ctx.backend, T::DTYPE);
            assert_same_bits(&move_all(ctx, variant, None, &places, &input, count), &want, what);
        }
    }
}

#[test]
fn intervals_come_to_their_places() {
    for ctx in backends() {
        for intervals in [0, 1, 163, 9000] {
            for lengths in hard_lengths(intervals as u64, intervals) {
                agrees::<f32, u32>(&ctx, &lengths);
                agrees::<f64, u64>(&ctx, &lengths);
                agrees::<i32, u64>(&ctx, &lengths);
                agrees::<u64, u32>(&ctx, &lengths);
            }
        }
    }
}

#[test]
fn arrays_may_lie_in_every_kind_of_memory() {
    let lengths = vec![3usize, 0, 5, 2];
    let (scan, count) = exclusive_sum::<u64>(&lengths);
    let places = Places { count, scan, gather: Some(vec![7, 0, 2, 0]), scatter: Some(vec![1, 0, 5, 11]) };
    let input: Vec<i32> = (0..10).collect();
    let want = [i32::POISON, 7, 8, 9, i32::POISON, 2, 3, 4, 5, 6, i32::POISON, 0, 1, i32::POISON];
    for ctx in backends() {
        for kind in EVERYWHERE {
            let got = move_all(&ctx, Variant::Auto, kind, &places, &input, 14);
            assert_same(&got, &want, format!("{:?}, {kind:?}: what is not covered stays", ctx.backend));
        }
    }
}

#[test]
fn what_lies_behind_the_arrays_is_skipped() {
    let far = u64::MAX - 1;
    let places = Places {
        count: 12,
        scan: vec![0u64, 4, 8],
        gather: Some(vec![4, far, 0]),
        scatter: Some(vec![0, 4, 6]),
    };
    let input: Vec<u32> = (10..16).collect(); // of 4 .. 8 two are there
    let p = u32::POISON;
    for ctx in backends() {
        for variant in ctx.variants() {
            let got = move_all(&ctx, variant, None, &places, &input, 8);
            assert_same(&got[..6], &[14, 15, p, p, p, p], format!("{:?}, {variant:?}", ctx.backend));
            assert_same(&got[6..], &[10, 11], format!("{:?}, {variant:?}", ctx.backend));
        }
    }
}

#[test]
fn intervals_that_overlap_leave_an_element_of_one() {
    let count = 40_000;
    let scan: Vec<u32> = (0..count / 4).map(|j| j * 4).collect();
    let scatter: Vec<u32> = (0..count / 4).map(|j| j % 100 * 3).collect();
    let places = Places { count: count as usize, scan, gather: None, scatter: Some(scatter) };
    let input: Vec<u32> = (0..count).collect();
    for ctx in backends() {
        for variant in ctx.variants() {
            let got = move_all(&ctx, variant, None, &places, &input, 301);
            let is_one = |(to, &k): (usize, &u32)| (k / 4 % 100 * 3 + k % 4) as usize == to;
            assert!(got.iter().enumerate().all(is_one), "{:?}, {variant:?}", ctx.backend);
        }
    }
}

#[test]
fn indices_of_any_value_do_no_harm() {
    let mut random = random(4);
    let mut any = || {
        (0..5000)
            .map(|_| random.random_range(0..u64::MAX) >> random.random_range(0..60))
            .collect::<Vec<u64>>()
    };
    let places = Places { count: 90_000, scan: any(), gather: Some(any()), scatter: Some(any()) };
    let input = numbered::<f32>(70_000);
    for ctx in backends() {
        for variant in ctx.variants() {
            move_all(&ctx, variant, None, &places, &input, 60_000); // the guards are intact
        }
    }
}

#[test]
fn bad_arguments_are_refused() {
    let (scan, input) = ([0u64, 2], [1.0f32; 4]);
    for ctx in backends() {
        let mut output = [0.0f32; 4];
        let (starts, from) = (scan.as_ptr().cast::<c_void>(), input.as_ptr().cast::<c_void>());
        let to = output.as_mut_ptr().cast::<c_void>();
        let plain = options::<f32, u64>(Variant::Auto);
        let call = |scan: *const c_void, intervals: usize, input: *const c_void, output: *mut c_void| {
            // SAFETY: two intervals of four elements, or what is refused.
            unsafe {
                gpumex_interval_move(
                    ctx.handle,
                    &plain,
                    4,
                    null(),
                    null(),
                    scan,
                    intervals,
                    input,
                    4,
                    output,
                    4,
                )
            }
        };
        refused(call(null(), 2, from, to), Status::NullPointer, &["scan is NULL"], "scan");
        refused(call(starts, 0, from, to), Status::InvalidArgument, &["no intervals"], "intervals");
        refused(call(starts, 2, null(), to), Status::NullPointer, &["input is NULL"], "input");
        refused(
            call(starts, 2, from, from.cast_mut()),
            Status::InvalidArgument,
            &["output overlaps input"],
            "overlap",
        );
        ok(call(starts, 2, from, to), "a copy");
        assert_same(&output, &input, "a copy");
    }
}

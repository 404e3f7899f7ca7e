//! gpumex_scatter against plain indexing, with indices in and out of range.

use std::ptr::null;

use gpumex::error::Status;
use gpumex::ffi::{GatherOptions, ScatterOptions, gpumex_gather, gpumex_scatter};
use gpumex::model::dtype::Dtype;
use gpumex::model::variant::Variant;

use crate::common::*;

fn options<T: Number, I: Number>(variant: Variant) -> ScatterOptions {
    let (variant, dtype, index_dtype) = (variant as i32, T::DTYPE as i32, I::DTYPE as i32);
    ScatterOptions { variant, dtype, index_dtype, ..ScatterOptions::default() }
}

/// The target of `target_count` poisoned elements after a scatter of `source`, which begins `off` elements behind its array's start, as
/// the indices do.
#[track_caller]
fn scatter<T: Number, I: Indexed>(
    ctx: &Context,
    variant: Variant,
    kinds: [Kind; 3],
    off: usize,
    source: &[T],
    at: &[usize],
    target_count: usize,
) -> Vec<T> {
    let what =
        format!("{:?}, {variant:?}, {:?} by {:?}, {kinds:?}, {off} off", ctx.backend, T::DTYPE, I::DTYPE);
    let indices: Vec<I> = at.iter().map(|&at| I::at(at)).collect();
    let mut from = Placed::holding(ctx, kinds[0], source);
    let mut by = Placed::holding(ctx, kinds[1], &indices);
    let mut to = Placed::new(ctx, kinds[2], target_count);
    let (options, to_at) = (options::<T, I>(variant), to.as_mut_ptr());
    // SAFETY: as many elements and indices as are left, target_count elements.
    let status = unsafe {
        gpumex_scatter(ctx.handle, &options, from.at(off), by.at(off), at.len() - off, to_at, target_count)
    };
    ok(status, &what);
    to.written()
}

#[track_caller]
fn agrees<T: Number, I: Indexed>(
    ctx: &Context,
    kinds: [Kind; 3],
    off: usize,
    source: &[T],
    at: &[usize],
    target_count: usize,
) {
    let mut want = vec![T::POISON; target_count];
    for (&element, &at) in source.iter().zip(at).skip(off) {
        if let Some(place) = want.get_mut(at) {
            *place = element;
        }
    }
    for variant in ctx.variants() {
        let what =
            format!("{:?}, {variant:?}, {:?} by {:?}, {kinds:?}, {off} off", ctx.backend, T::DTYPE, I::DTYPE);
        assert_same_bits(&scatter::<T, I>(ctx, variant, kinds, off, source, at, target_count), &want, what);
    }
}

/// `count` of the positions 0 .. 2·count + 5, each at most once, and some that are out of range, in random order.
fn distinct(seed: u64, count: usize) -> Vec<usize> {
    let (mut random, mut at) = (random(seed), (0..2 * count + 5).collect::<Vec<_>>());
    for i in 0..at.len() {
        at.swap(i, random.random_range(i..2 * count + 5));
    }
    at.truncate(count);
    at.iter_mut().skip(3).step_by(10).for_each(|at| *at = u32::MAX as usize);
    at
}

fn numbers<T: Number>(count: usize) -> Vec<T> {
    (0..count).map(|i| T::from_f64((i % 120 + 1) as f64)).collect()
}

fn every_size<T: Number>() {
    for ctx in backends() {
        for count in [0, 1, 2, 3, 4, 5, 31, 1023, 4097, 65_537, 200_003] {
            let at = distinct(count as u64, count);
            for target_count in [0, 1, count, 2 * count + 5] {
                agrees::<T, u32>(&ctx, [None; 3], 0, &numbers(count), &at, target_count);
                agrees::<T, u64>(&ctx, [None; 3], 0, &numbers(count), &at, target_count);
            }
        }
    }
}

#[test]
fn elements_of_every_type_are_scattered() {
    for_every_dtype!(every_size());
}

fn starts_anywhere<T: Number>() {
    let at = distinct(9, 4099);
    for ctx in backends() {
        for off in [1, 2, 8] {
            agrees::<T, u32>(&ctx, [EVERYWHERE[1]; 3], off, &numbers(4099), &at, 6000);
            agrees::<T, u64>(&ctx, [EVERYWHERE[1]; 3], off, &numbers(4099), &at, 6000);
        }
    }
}

#[test]
fn arrays_of_every_type_start_anywhere() {
    for_every_dtype!(starts_anywhere());
}

#[test]
fn arrays_may_lie_and_start_anywhere() {
    let at = distinct(7, 20_011);
    for ctx in backends() {
        for kinds in EVERYWHERE
            .map(|kind| [[kind, None, None], [None, kind, None], [None, None, kind], [kind; 3]])
            .concat()
        {
            agrees::<u16, u32>(&ctx, kinds, 0, &numbers(20_011), &at, 30_000);
        }
        for off in [1, 3, 4, 8] {
            agrees::<u16, u32>(&ctx, [EVERYWHERE[1]; 3], off, &numbers(20_011), &at, 30_000);
            agrees::<f64, u64>(&ctx, [EVERYWHERE[1]; 3], off, &numbers(20_011), &at, 30_000);
            agrees::<u8, u64>(&ctx, [EVERYWHERE[1]; 3], off, &numbers(20_011), &at, 30_000);
        }
    }
}

#[test]
fn of_equal_indices_one_wins() {
    let (count, places) = (size(1 << 20, 200_003), 257);
    let source: Vec<u32> = (0..count as u32).collect();
    let at: Vec<usize> = (0..count).map(|i| i * 7 % places).collect();
    for ctx in backends() {
        for variant in ctx.variants() {
            let got = scatter::<u32, u32>(&ctx, variant, [None; 3], 0, &source, &at, places);
            let is_one = |(place, &element): (usize, &u32)| at[element as usize] == place;
            assert!(got.iter().enumerate().all(is_one), "{:?}, {variant:?}: {got:?}", ctx.backend);
            if variant == Variant::Sequential {
                let last = |place| (0..count).rfind(|&i| at[i] == place).map(|i| i as u32);
                assert!((0..places).all(|place| last(place) == Some(got[place])), "{got:?}: the last");
            }
        }
    }
}

/// What a group-by join does: values go to the groups of their keys and come back.
#[test]
fn a_permutation_scattered_and_gathered_is_as_before() {
    let count = 50_021;
    let source: Vec<f64> = random_f32(4, count).into_iter().map(f64::from).collect();
    let mut random = random(5);
    let mut at: Vec<u32> = (0..count as u32).collect();
    (0..count).for_each(|i| at.swap(i, random.random_range(i..count)));
    let device = EVERYWHERE[1];
    for ctx in backends() {
        let (mut from, mut by) = (Placed::holding(&ctx, device, &source), Placed::holding(&ctx, device, &at));
        let (mut there, mut back) =
            (Placed::<f64>::new(&ctx, device, count), Placed::<f64>::new(&ctx, device, count));
        let [scattered, gathered] = [there.as_mut_ptr(), back.as_mut_ptr()];
        let (dtype, index_dtype) = (Dtype::F64 as i32, Dtype::U32 as i32);
        let to = ScatterOptions { dtype, index_dtype, ..ScatterOptions::default() };
        let fro = GatherOptions { dtype, index_dtype, ..GatherOptions::default() };
        // SAFETY: count elements and indices each.
        unsafe {
            ok(
                gpumex_scatter(ctx.handle, &to, from.as_ptr(), by.as_ptr(), count, scattered, count),
                "scatter",
            );
            ok(gpumex_gather(ctx.handle, &fro, scattered, count, by.as_ptr(), count, gathered), "gather");
        }
        assert_same_bits(&back.written(), &source, format!("{:?}", ctx.backend));
    }
}

#[test]
fn bad_input_is_refused() {
    let (source, at, mut target) = ([1u32, 2, 3], [0u32, 4, 2], [7u32; 4]);
    for ctx in backends() {
        let good = ScatterOptions { check: 1, ..options::<u32, u32>(Variant::Auto) };
        let to = target.as_mut_ptr();
        let call = |options: &ScatterOptions, source: *const u32, indices: *const u32, target: *mut u32| {
            // SAFETY: three elements and indices, four places, or what is refused.
            unsafe { gpumex_scatter(ctx.handle, options, source.cast(), indices.cast(), 3, target.cast(), 4) }
        };
        let invalid = |status, words: &[&str]| refused(status, Status::InvalidArgument, words, words[0]);
        let [from, by] = [source.as_ptr(), at.as_ptr()];
        invalid(call(&good, from, by, to), &["gpumex_scatter", "position 1 is 4", "target_count, 4"]);
        refused(call(&good, null(), by, to), Status::NullPointer, &["source is NULL"], "NULL");
        refused(call(&good, from, null(), to), Status::NullPointer, &["indices is NULL"], "NULL");
        refused(
            call(&good, from, by, std::ptr::null_mut()),
            Status::NullPointer,
            &["target is NULL"],
            "NULL",
        );
        invalid(call(&good, to, by, to), &["target overlaps source"]);
        let unset = |dtype, index_dtype| ScatterOptions {
            dtype: dtype as i32,
            index_dtype: index_dtype as i32,
            ..good
        };
        invalid(call(&unset(Dtype::None, Dtype::U32), from, by, to), &["options.dtype", "not set"]);
        invalid(call(&unset(Dtype::F32, Dtype::None), from, by, to), &["options.index_dtype", "not set"]);
        invalid(call(&unset(Dtype::F32, Dtype::F32), from, by, to), &["GPUMEX_DTYPE_F32", "U32", "U64"]);
    }
    assert_eq!(target, [7; 4], "a call that is refused writes nothing");
}

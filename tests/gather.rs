//! gpumex_gather against plain indexing, with indices in and out of range.

use std::iter::repeat_n;

use gpumex::{error::Status, ffi::GatherOptions, ffi::gpumex_gather, model::variant::Variant};

use crate::common::*;

fn options<T: Number, I: Number>() -> GatherOptions {
    GatherOptions { dtype: T::DTYPE as i32, index_dtype: I::DTYPE as i32, ..Default::default() }
}

/// Gathers with source, indices and result `off` elements behind the start of their arrays.
fn agrees<T: Number, I: Indexed>(ctx: &Context, [a, b, c]: [Kind; 3], off: usize, len: usize, count: usize) {
    let mut random = random(count as u64);
    let source: Vec<T> = (0..off + len).map(|i| T::from_f64((i % 120 + 1) as f64)).collect();
    let mut index = |i| if i % 9 == 3 { u32::MAX as usize } else { random.random_range(0..len * 9 / 8 + 1) };
    let at: Vec<usize> = (0..off + count).map(&mut index).collect();
    let indices: Vec<I> = at.iter().map(|&at| I::at(at)).collect();
    let element = |&at: &usize| source[off..].get(at).copied().unwrap_or_default();
    let want: Vec<T> = repeat_n(T::POISON, off).chain(at[off..].iter().map(element)).collect();
    for variant in ctx.variants::<Variant>() {
        let what = format!("{:?}, {variant:?}, {:?}, {a:?} {b:?} {c:?}, {count}", ctx.backend, T::DTYPE);
        let options = GatherOptions { variant: variant as i32, ..options::<T, I>() };
        let (mut from, mut by) = (Placed::holding(ctx, a, &source), Placed::holding(ctx, b, &indices));
        let mut to = Placed::<T>::new(ctx, c, off + count);
        let (from, by, result) = (from.at(off), by.at(off), to.at(off));
        // SAFETY: len elements, count indices, as many results.
        ok(unsafe { gpumex_gather(ctx.handle, &options, from, len, by, count, result) }, &what);
        assert_same_bits(&to.written(), &want, what);
    }
}

fn every_size<T: Number>() {
    for (ctx, len) in backends().iter().flat_map(|ctx| [0, 1, 1000].map(|len| (ctx, len))) {
        for count in [0, 1, 3, 4, 5, 31, 1023, 4097, 65_537, 200_003] {
            agrees::<T, u32>(ctx, [None; 3], 0, len, count);
            agrees::<T, u64>(ctx, [None; 3], 0, len, count);
        }
    }
}

#[test]
fn elements_of_every_type_are_gathered() {
    for_every_dtype!(every_size());
}

#[test]
fn arrays_may_lie_and_start_anywhere() {
    for ctx in backends() {
        for kind in EVERYWHERE {
            for kinds in [[kind, None, None], [None, kind, None], [None, None, kind]] {
                agrees::<u16, u32>(&ctx, kinds, 0, 999, 20_011);
            }
            (1..5).for_each(|off| agrees::<f64, u32>(&ctx, [kind; 3], off, 999, 20_011));
            (1..5).for_each(|off| agrees::<u8, u64>(&ctx, [kind; 3], off, 999, 20_011));
        }
    }
}

fn starts_anywhere<T: Number>() {
    for ctx in backends() {
        for off in [1, 2] {
            agrees::<T, u32>(&ctx, [EVERYWHERE[1]; 3], off, 999, 4099);
            agrees::<T, u64>(&ctx, [EVERYWHERE[1]; 3], off, 999, 4099);
        }
    }
}

#[test]
fn arrays_of_every_type_start_anywhere() {
    for_every_dtype!(starts_anywhere());
}

#[test]
fn an_index_out_of_range_is_named_on_request() {
    let (source, at, mut result) = ([1i16, 2, 3], [2u64, 3, 9], [7i16; 3]);
    let options = GatherOptions { check: 1, ..options::<i16, u64>() };
    for ctx in backends() {
        let (from, by, to) = (source.as_ptr().cast(), at.as_ptr().cast(), result.as_mut_ptr().cast());
        // SAFETY: three elements each.
        let status = unsafe { gpumex_gather(ctx.handle, &options, from, 3, by, 3, to) };
        let words = ["gpumex_gather", "position 1 is 3; indices are below source_count, 3"];
        refused(status, Status::InvalidArgument, &words, "an index that is out of range");
    }
    assert_eq!(result, [7; 3], "a call that is refused writes nothing");
}

//! Fill and ascending fill: every number type, in every kind of memory, on every backend, holds what a plain loop
//! gives.

use gpumex::error::Status;
use gpumex::ffi::{gpumex_fill, gpumex_fill_ascending};
use gpumex::memory::MemoryKind;
use gpumex::model::dtype::Dtype;
use gpumex::platform::settings::Backend;

use crate::common::*;

/// Around the sizes of a packet, a warp, a block, a page, a chunk.
const SIZES: [usize; 17] =
    [0, 1, 2, 3, 7, 16, 31, 33, 127, 255, 257, 1023, 1025, 4097, 65_535, 65_537, 200_003];

// ------------------------------------------------------------------------------------------------------------ the calls

#[track_caller]
fn fill<T: Number>(ctx: &Context, kind: Kind, len: usize, value: T) -> Vec<T> {
    let what = format!("gpumex_fill on {:?}, {:?}, {len} elements, {kind:?} memory", ctx.backend, T::DTYPE);
    let mut array = Placed::<T>::new(ctx, kind, len);
    let from = (&raw const value).cast();
    // SAFETY: len elements of the dtype, and one.
    ok(unsafe { gpumex_fill(ctx.handle, T::DTYPE as i32, array.as_mut_ptr(), len, from) }, what);
    array.written()
}

#[track_caller]
fn ascending<T: Number>(ctx: &Context, kind: Kind, len: usize, first: f64, step: f64) -> Vec<T> {
    ascending_from(ctx, kind, 0, len, first, step)
}

/// In an array that starts `off` elements behind the start of its memory; those before it are as they were.
#[track_caller]
fn ascending_from<T: Number>(
    ctx: &Context,
    kind: Kind,
    off: usize,
    len: usize,
    first: f64,
    step: f64,
) -> Vec<T> {
    let what = format!(
        "gpumex_fill_ascending on {:?}, {:?}, {len} elements from {first} by {step}, {kind:?} memory",
        ctx.backend,
        T::DTYPE
    );
    let mut array = Placed::<T>::new(ctx, kind, off + len);
    let to = array.at(off);
    // SAFETY: len elements of the dtype.
    ok(unsafe { gpumex_fill_ascending(ctx.handle, T::DTYPE as i32, to, len, first, step) }, what);
    array.written()
}

// ----------------------------------------------------------------------------------------------------------------- fill

fn is_filled<T: Number>(ctx: &Context) {
    for kind in EVERYWHERE {
        for len in SIZES {
            let value = T::from_f64(-77.0 + len as f64);
            assert_same_bits(
                &fill(ctx, kind, len, value),
                &vec![value; len],
                format!("{len} elements, {kind:?}"),
            );
        }
    }
}

#[test]
fn every_number_type_is_filled_in_every_kind_of_memory() {
    for ctx in backends() {
        for_every_dtype!(is_filled(&ctx));
    }
}

#[test]
fn the_bits_of_a_value_are_kept() {
    for ctx in backends() {
        for bits in [0x7F80_0001, 0xFFC1_2345, 0x8000_0000, 0x0000_0001] {
            let value = f32::from_bits(bits);
            assert_same_bits(&fill(&ctx, None, 1000, value), &[value; 1000], "NaNs, zeros and subnormals");
        }
    }
}

/// A value that the host would have to fetch from the device first.
#[test]
fn a_value_in_device_memory_is_refused() {
    for ctx in backends().iter().filter(|ctx| ctx.backend == Backend::Cuda) {
        let device = Some(MemoryKind::Device);
        let mut arrays = [Placed::<i32>::new(ctx, device, 10), Placed::new(ctx, device, 1)];
        let [array, value] = arrays.each_mut().map(Placed::as_mut_ptr);
        // SAFETY: ten elements, and one that is refused.
        let status = unsafe { gpumex_fill(ctx.handle, Dtype::I32 as i32, array, 10, value) };
        refused(status, Status::InvalidArgument, &["value is memory of CUDA device", "host"], "gpumex_fill");
        let [array, _] = arrays.map(Placed::written);
        assert_same(&array, &[i32::POISON; 10], "the array after the refusal");
    }
}

// ------------------------------------------------------------------------------------------------------------- ascending

/// The oracle: whole numbers in 128 bits, others in double.
fn expected<T: Number>(len: usize, first: f64, step: f64) -> Vec<T> {
    let is_whole = first.fract() == 0.0 && step.fract() == 0.0 && first.abs().max(step.abs()) < 1e15;
    let element = |i: usize| match is_whole {
        true => T::from_f64((first as i128 + i as i128 * step as i128) as f64),
        false => {
            let product = i as f64 * step;
            T::from_f64(first + product)
        }
    };
    (0..len).map(element).collect()
}

fn ascends<T: Number>(ctx: &Context) {
    let whole = |len: usize| match T::DTYPE.size() {
        1 => (3.0, f64::from(u8::from(len <= 120))), // as many as the smallest type can count
        2 => (5.0, if len <= 1025 { 31.0 } else { 0.0 }),
        _ => (7.0, 11.0),
    };
    for kind in EVERYWHERE {
        for len in SIZES {
            let (first, step) = whole(len);
            let want = expected::<T>(len, first, step);
            assert_same_bits(
                &ascending(ctx, kind, len, first, step),
                &want,
                format!("{len} elements, {kind:?}"),
            );
        }
    }
}

#[test]
fn every_number_type_ascends_in_every_kind_of_memory() {
    for ctx in backends() {
        for_every_dtype!(ascends(&ctx));
    }
}

fn starts_anywhere<T: Number>(ctx: &Context) {
    for off in [1, 3] {
        let want = [vec![T::POISON; off], expected(4099, 5.0, 0.0)].concat();
        assert_same_bits(
            &ascending_from(ctx, EVERYWHERE[1], off, 4099, 5.0, 0.0),
            &want,
            format!("{off} elements before"),
        );
    }
}

#[test]
fn arrays_of_every_type_start_anywhere() {
    for ctx in backends() {
        for_every_dtype!(starts_anywhere(&ctx));
    }
}

#[test]
fn integers_reach_both_ends_of_their_type() {
    for ctx in backends() {
        assert_same(&ascending::<i8>(&ctx, None, 4, -128.0, 85.0), &[-128, -43, 42, 127], "i8");
        assert_same(&ascending::<u8>(&ctx, None, 256, 255.0, -1.0), &Vec::from_iter((0..=255).rev()), "u8");
        assert_same(&ascending::<u16>(&ctx, None, 2, 65_535.0, -65_535.0), &[65_535, 0], "u16");
        let ends = [i32::MIN, i32::MAX];
        assert_same(&ascending::<i32>(&ctx, None, 2, -2f64.powi(31), 2f64.powi(32) - 1.0), &ends, "i32");
        let far = 1i64 << 53;
        let want = [far, 0, -far, -2 * far];
        assert_same(&ascending::<i64>(&ctx, None, 4, far as f64, -far as f64), &want, "i64");
        let want: Vec<u64> = (0..2048).map(|i| i << 53).collect();
        assert_same(&ascending::<u64>(&ctx, None, 2048, 0.0, far as f64), &want, "u64, beyond 2^63");
    }
}

#[test]
fn floats_are_rounded_as_stated() {
    for ctx in backends() {
        for (first, step) in
            [(0.1, 1.0 / 3.0), (-1e9, 1e-7), (1e300, 1e296), (16_777_216.0, 1.0), (0.0, 1e-320)]
        {
            let what = format!("{:?}, from {first:?} by {step:?}", ctx.backend);
            let got = ascending::<f64>(&ctx, None, 10_007, first, step);
            assert_same_bits(&got, &expected(10_007, first, step), &what);
            let got = ascending::<f32>(&ctx, None, 10_007, first, step);
            assert_same_bits(&got, &expected(10_007, first, step), &what);
        }
    }
}

#[test]
fn ten_columns_from_0_by_5() {
    for ctx in backends() {
        let want: Vec<i32> = (0..46).map(|i| 5 * i).collect();
        assert_same(&ascending::<i32>(&ctx, None, 46, 0.0, 5.0), &want, "the numbers of the library's page");
    }
}

//! Arrays that are broadcast, that have gaps, that lie anywhere, and of every length about a block.

use std::ffi::c_void;

use gpumex::ffi::{MapOptions, gpumex_map};
use gpumex::model::dtype::Dtype;
use gpumex::model::expression::Rules;
use gpumex::model::variant::Variant;

use super::arrays::{Array, mapped};
use crate::common::*;

/// The sum of inputs that lie as the strides say, and what is between the elements of the result.
#[track_caller]
fn sums_agree(ctx: &Context, kinds: [Kind; 3], shape: &[usize], strides: [&[i64]; 3]) {
    let count: usize = shape.iter().product();
    let span = |strides: &[i64]| -> usize {
        let last: usize =
            shape.iter().zip(strides).map(|(extent, &stride)| (extent - 1) * stride as usize).sum();
        last + 1
    };
    let offsets = |strides: &[i64]| -> Vec<usize> {
        let offset = |mut index: usize| {
            let of_dimension = shape.iter().zip(strides).map(|(extent, &stride)| {
                let place = index % extent * stride as usize;
                index /= extent;
                place
            });
            of_dimension.sum()
        };
        (0..count).map(offset).collect()
    };
    let a: Vec<f32> = random_f32(1, span(strides[0]));
    let b: Vec<i16> = (0..span(strides[1])).map(|i| (i * 7919 % 4001) as i16 - 2000).collect();
    let mut want = vec![f64::POISON; span(strides[2])];
    for ((&at_a, &at_b), &at) in
        offsets(strides[0]).iter().zip(&offsets(strides[1])).zip(&offsets(strides[2]))
    {
        want[at] = f64::from(a[at_a]) * 2.0 + f64::from(b[at_b]);
    }
    let (mut from_a, mut from_b) = (Placed::holding(ctx, kinds[0], &a), Placed::holding(ctx, kinds[1], &b));
    let (dtypes, all) = ([Dtype::F32 as i32, Dtype::I16 as i32], strides[..2].concat());
    for variant in ctx.variants::<Variant>() {
        let options = MapOptions {
            variant: variant as i32,
            dtype: Dtype::F64 as i32,
            rank: shape.len() as i32,
            dtypes: dtypes.as_ptr(),
            shape: shape.as_ptr(),
            strides: all.as_ptr(),
            result_strides: strides[2].as_ptr(),
            ..MapOptions::default()
        };
        let mut result = Placed::<f64>::new(ctx, kinds[2], want.len());
        let inputs: [*const c_void; 2] = [from_a.as_ptr(), from_b.as_ptr()];
        let (text, to) = (c"double (a) * 2 + b", result.as_mut_ptr());
        // SAFETY: arrays as long as their strides reach.
        ok(
            unsafe { gpumex_map(ctx.handle, &options, text.as_ptr(), inputs.as_ptr(), 2, to) },
            format!("{strides:?}"),
        );
        assert_same_bits(&result.written(), &want, format!("{shape:?}, {strides:?}, {variant:?}"));
    }
}

#[test]
fn strides_and_broadcasts_are_followed() {
    for ctx in backends() {
        let agree = |shape: &[usize], strides| sums_agree(&ctx, [None; 3], shape, strides);
        agree(&[1], [&[0], &[0], &[0]]);
        agree(&[5000], [&[1], &[0], &[1]]);
        agree(&[5000], [&[3], &[2], &[1]]);
        agree(&[5000], [&[1], &[1], &[2]]);
        agree(&[300, 70], [&[1, 0], &[0, 1], &[1, 300]]);
        agree(&[300, 70], [&[70, 1], &[1, 300], &[1, 300]]);
        agree(&[300, 70], [&[1, 300], &[70, 1], &[70, 1]]);
        agree(&[300, 70], [&[1, 301], &[1, 310], &[1, 320]]);
        agree(&[3, 4, 5, 1, 6, 7], [&[1, 3, 0, 9, 12, 72], &[0, 0, 1, 0, 5, 30], &[840, 210, 42, 1, 7, 1]]);
        agree(
            &[2, 2, 2, 2, 2, 2, 2, 2],
            [&[128, 64, 32, 16, 8, 4, 2, 1], &[0; 8], &[1, 2, 4, 8, 16, 32, 64, 128]],
        );
        agree(&[1021, 3, 41], [&[1, 0, 0], &[0, 1, 3], &[1, 1021, 3063]]);
    }
}

#[test]
fn arrays_may_lie_anywhere() {
    for ctx in backends() {
        for kind in EVERYWHERE {
            for kinds in [[kind, None, None], [None, kind, None], [None, None, kind], [kind; 3]] {
                sums_agree(&ctx, kinds, &[300, 70], [&[1, 0], &[1, 300], &[1, 300]]);
                sums_agree(&ctx, kinds, &[300, 70], [&[0, 0], &[1, 300], &[1, 300]]);
                sums_agree(&ctx, kinds, &[300, 70], [&[1, 300], &[0, 0], &[2, 600]]);
            }
        }
    }
}

#[test]
fn every_length_about_a_block_and_a_piece_is_computed() {
    for ctx in backends() {
        for count in [0, 1, 2, 31, 1023, 1024, 1025, 4097, 65_536, 65_537, 200_003] {
            let a = Array::ints(Dtype::U8, (0..count).map(|i| i * 31 % 256));
            let b = Array::floats(Dtype::F64, (0..count).map(|i| i as f64 / 4.0));
            for to in [Dtype::F64, Dtype::I32, Dtype::U8, Dtype::F32] {
                let got = mapped(&ctx, None, Rules::C, "a + b * 0.5", &[a.clone(), b.clone()], to);
                for (i, got) in got.iter().enumerate() {
                    let want = a.numbers[i].to_f64() + b.numbers[i].to_f64() * 0.5;
                    let want = match to {
                        Dtype::U8 => f64::from(want as u8),
                        Dtype::I32 => f64::from(want as i32),
                        _ => want,
                    };
                    assert_eq!(got.to_f64(), want, "element {i} of {count}, {to:?}");
                }
            }
        }
    }
}

#[test]
fn floats_of_16_bits_are_inputs_and_results() {
    let halves = [0x0000u16, 0x3C00, 0xC100, 0x7BFF, 0x0001]; // 0, 1, -2.5, 65504, 2^-24
    let options = MapOptions {
        dtype: Dtype::Bf16 as i32,
        dtypes: [Dtype::F16 as i32].as_ptr(),
        shape: &halves.len(),
        ..MapOptions::default()
    };
    for ctx in backends() {
        let mut result = Placed::<u16>::new(&ctx, None, halves.len());
        let (inputs, to) = ([halves.as_ptr().cast::<c_void>()], result.as_mut_ptr());
        // SAFETY: five elements each.
        ok(unsafe { gpumex_map(ctx.handle, &options, c"a * 2".as_ptr(), inputs.as_ptr(), 1, to) }, "halves");
        assert_eq!(result.written(), [0x0000, 0x4000, 0xC0A0, 0x4800, 0x3400]); // 131008 rounds to 2^17
    }
}

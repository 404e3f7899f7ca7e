//! A result that is one of the inputs: the same as in an array of its own; every other overlap is refused.

use std::ffi::{CString, c_void};

use gpumex::error::Status;
use gpumex::ffi::{MapOptions, gpumex_map};
use gpumex::model::dtype::Dtype;
use gpumex::model::expression::Rules;
use gpumex::model::numbered::NumberedEnum;
use gpumex::model::variant::Variant;

use super::arrays::Array;
use super::random_trees::numbers;
use crate::common::*;

/// The bytes of a result, where it is an array of its own, or the inputs of these numbers.
#[track_caller]
fn bytes(
    ctx: &Context,
    (variant, kind): (Variant, Kind),
    (text, dtype): (&str, Dtype),
    inputs: &[Vec<u8>],
    in_place: &[usize],
) -> Vec<u8> {
    let count = inputs[0].len() / dtype.size();
    let dtypes = vec![dtype as i32; inputs.len()];
    let mut placed: Vec<Placed<u8>> = inputs.iter().map(|bytes| Placed::holding(ctx, kind, bytes)).collect();
    let mut result = match in_place {
        [] => Placed::<u8>::new(ctx, kind, inputs[0].len()),
        [first, ..] => Placed::holding(ctx, kind, &inputs[*first]),
    };
    let mut pointers: Vec<*const c_void> = placed.iter_mut().map(Placed::as_ptr).collect();
    in_place.iter().for_each(|&index| pointers[index] = result.as_ptr());
    let (expression, rules) = (CString::new(text).unwrap(), Rules::Matlab as i32);
    let (variant, dtype) = (variant as i32, dtype as i32);
    let options =
        MapOptions { variant, rules, dtype, dtypes: dtypes.as_ptr(), shape: &count, ..MapOptions::default() };
    let (text, from, to) = (expression.as_ptr(), pointers.as_ptr(), result.as_mut_ptr());
    // SAFETY: count elements of their dtypes each.
    let status = unsafe { gpumex_map(ctx.handle, &options, text, from, pointers.len(), to) };
    ok(status, format!("{:?}, {kind:?}, {expression:?} of {count} {dtype:?}", ctx.backend));
    result.written()
}

/// Those of up to 999 over and over; numbers of 16 bits are from 1 to 4.
fn elements(random: &mut impl Rng, dtype: Dtype, count: usize) -> Vec<u8> {
    let all = count * dtype.size();
    let count = count.min(999);
    let bytes: Vec<u8> = match dtype {
        Dtype::F16 | Dtype::Bf16 => {
            (0..count).flat_map(|_| random.random_range(0x3c00..0x4400u16).to_le_bytes()).collect()
        }
        Dtype::Bool => (0..count).map(|_| random.random_range(0..2)).collect(),
        _ => match dtype.part() {
            Some(part) => Array::bytes(&numbers(random, part, 2 * count)),
            None => Array::bytes(&numbers(random, dtype, count)),
        },
    };
    bytes.into_iter().cycle().take(all).collect()
}

#[test]
fn a_result_may_be_an_input() {
    let mut random = random(31);
    for ctx in backends() {
        for &dtype in Dtype::ALL.iter().filter(|&&dtype| dtype != Dtype::None) {
            for count in [1, 17, 1024, 3000, size(5_000_011, 150_001)] {
                let inputs: Vec<Vec<u8>> = (0..3).map(|_| elements(&mut random, dtype, count)).collect();
                for kind in if count == 3000 { &EVERYWHERE[..] } else { &EVERYWHERE[..1] } {
                    for variant in ctx.variants::<Variant>() {
                        let how = (variant, *kind);
                        let real = ["a + b", "max (a, b) - a * c", "b", "a", "isnan (a) | b < a"];
                        let complex = ["a + b", "b / a - a * c", "b", "a", "complex (imag (a), real (b))"];
                        for text in if dtype.is_complex() { complex } else { real } {
                            let apart = bytes(&ctx, how, (text, dtype), &inputs, &[]);
                            let within = bytes(&ctx, how, (text, dtype), &inputs, &[0]);
                            assert!(apart == within, "{:?}, {dtype:?}, {count}: {text}", ctx.backend);
                        }
                        let same = [inputs[0].clone(), inputs[0].clone(), inputs[2].clone()];
                        let apart = bytes(&ctx, how, ("a + b - c", dtype), &same, &[]);
                        let within = bytes(&ctx, how, ("a + b - c", dtype), &same, &[0, 1]);
                        assert!(apart == within, "{:?}, {dtype:?}, {count}: twice", ctx.backend);
                    }
                }
            }
        }
    }
}

/// A call on 8 × 8 doubles at the beginning of an array, whose result begins so many elements behind it.
#[track_caller]
fn overlaps(
    ctx: &Context,
    offset: usize,
    dtype: Dtype,
    strides: Option<[i64; 2]>,
    result_strides: Option<[i64; 2]>,
) -> i32 {
    let mut array = Placed::holding(ctx, None, &vec![1.0f64; 256]);
    let address = |strides: &Option<[i64; 2]>| strides.as_ref().map_or(std::ptr::null(), |two| two.as_ptr());
    let options = MapOptions {
        dtype: Dtype::F64 as i32,
        rank: 2,
        dtypes: &(dtype as i32),
        shape: [8usize, 8].as_ptr(),
        strides: address(&strides),
        result_strides: address(&result_strides),
        ..MapOptions::default()
    };
    let inputs: [*const c_void; 1] = [array.as_ptr()];
    let to = array.at(offset);
    // SAFETY: an array as long as its strides reach.
    unsafe { gpumex_map(ctx.handle, &options, c"-a".as_ptr(), inputs.as_ptr(), 1, to) }
}

#[track_caller]
fn is_refused(status: i32) {
    refused(status, Status::InvalidArgument, &["gpumex_map: result overlaps an input", "lie apart"], "");
}

#[test]
fn other_overlaps_are_refused() {
    for ctx in backends() {
        let by_columns = Some([1, 8]);
        let by_rows = Some([8, 1]);
        for strides in [None, by_columns, by_rows] {
            ok(overlaps(&ctx, 0, Dtype::F64, strides, strides), format!("{strides:?}"));
            is_refused(overlaps(&ctx, 1, Dtype::F64, strides, strides));
            is_refused(overlaps(&ctx, 63, Dtype::F64, strides, strides));
            ok(overlaps(&ctx, 64, Dtype::F64, strides, strides), "behind it");
        }
        ok(overlaps(&ctx, 0, Dtype::F64, None, by_rows), "dense in the order of the result");
        is_refused(overlaps(&ctx, 0, Dtype::I64, None, None));
        is_refused(overlaps(&ctx, 0, Dtype::F64, by_rows, by_columns));
        is_refused(overlaps(&ctx, 0, Dtype::F64, Some([0, 0]), None));
        is_refused(overlaps(&ctx, 0, Dtype::F64, Some([1, 10]), Some([1, 10]))); // with gaps
    }
}

//! Arrays that are broadcast, transposed or have gaps, that lie anywhere and begin anywhere; complex inputs, and halves.

use std::ffi::c_void;
use std::ptr::null_mut;

use gpumex::ffi::{MapScanOptions, gpumex_map_scan};
use gpumex::memory::MemoryKind;
use gpumex::model::dtype::Dtype;
use gpumex::model::expression::Rules;
use gpumex::model::numbered::NumberedEnum;
use gpumex::model::reduction::{DimReduction, NanFlag};
use gpumex::ops::scan::ScanKind;

use super::calls::{How, SUM, agrees, scan};
use crate::common::*;
use crate::map::arrays::Array;
use crate::map_reduce::calls::{Problem, words};
use crate::map_reduce::problems::floats;

/// How far an array of these strides reaches.
fn span(shape: &[usize], strides: &[i64]) -> usize {
    let last: usize = shape.iter().zip(strides).map(|(extent, &stride)| (extent - 1) * stride as usize).sum();
    last + 1
}

/// Two inputs that lie so, added in three dtypes, scanned along every dimension.
fn sums_agree(ctx: &Context, shape: &[usize], of_a: &[i64], of_b: &[i64]) {
    for (turn, (dtype, to)) in
        [(Dtype::F32, Dtype::None), (Dtype::F64, Dtype::None), (Dtype::I16, Dtype::I16)]
            .into_iter()
            .enumerate()
    {
        let array = |strides: &[i64]| match dtype.is_float() {
            true => floats(1, dtype, span(shape, strides)),
            false => Array::ints(dtype, (0..span(shape, strides)).map(|i| (i * 7919 % 401) as i128 - 200)),
        };
        let problem = Problem {
            text: "a + b".to_string(),
            rules: if turn % 2 == 0 { Rules::Matlab } else { Rules::C },
            dtype,
            shape: shape.to_vec(),
            inputs: vec![array(of_a), array(of_b)],
            strides: [of_a, of_b].concat(),
        };
        let mut elements = None;
        for (dimension, op) in (0..=shape.len())
            .flat_map(|dimension| [DimReduction::Sum, DimReduction::Max].map(|op| (dimension, op)))
        {
            if is_not_in_share() {
                continue;
            }
            let to = if op == DimReduction::Sum { to } else { Dtype::None };
            let (kind, is_reversed) =
                (ScanKind::ALL[(dimension + turn) % 2], (dimension + turn) / 2 % 2 == 1);
            let elements = elements.get_or_insert_with(|| problem.elements(ctx));
            agrees(ctx, [None; 2], &problem, elements, How { op, to, dimension, kind, is_reversed, ..SUM });
        }
    }
}

#[test]
fn strides_and_broadcasts_are_followed() {
    for ctx in backends() {
        let agree = |shape: &[usize], of_a: &[i64], of_b: &[i64]| sums_agree(&ctx, shape, of_a, of_b);
        agree(&[1], &[0], &[0]);
        agree(&[70_001], &[1], &[0]);
        agree(&[70_001], &[3], &[2]);
        agree(&[300, 70], &[1, 0], &[0, 1]);
        agree(&[300, 70], &[70, 1], &[1, 300]);
        agree(&[70, 300], &[0, 0], &[1, 70]);
        agree(&[3, 20_000], &[20_000, 1], &[1, 0]);
        agree(&[40_001, 3], &[3, 1], &[0, 1]);
        agree(&[7, 9, 300], &[1, 0, 7], &[0, 1, 9]);
        agree(&[3, 4, 5, 1, 6, 7], &[1, 3, 0, 9, 12, 72], &[0, 0, 1, 0, 5, 30]);
        agree(&[1021, 3, 41], &[1, 0, 0], &[0, 1, 3]);
    }
}

/// Rows of odd width, the next one begins behind a gap: all elements in their order are no array of one dimension.
#[test]
fn all_elements_of_arrays_with_gaps_are_scanned_in_their_order() {
    for ctx in backends() {
        for row in [1, 2, 3, 5, 7, 31, 33, 63, 101, 127, 129, 255, 1001, 4099] {
            for gap in [1, 2, 5] {
                let (rows, pitch) = (30_000 / row + 2, (row + gap) as i64);
                sums_agree(&ctx, &[row, rows], &[1, pitch], &[1, row as i64]);
            }
            let (pitch, slice) = (row as i64 + 1, (row as i64 + 1) * 11 + 3);
            sums_agree(&ctx, &[row, 11, 2000 / row + 2], &[1, pitch, slice], &[1, 0, row as i64]);
        }
    }
}

#[test]
fn arrays_may_lie_anywhere() {
    for ctx in backends() {
        for kind in EVERYWHERE {
            for memory in [[kind, None], [None, kind], [kind; 2]] {
                let inputs = vec![floats(3, Dtype::F32, 70 * 900), floats(4, Dtype::F64, 70 * 900)];
                let problem = Problem::dense("a .* b", Rules::Matlab, Dtype::F32, &[70, 900], inputs);
                let elements = problem.elements(&ctx);
                for (dimension, op) in (0..3)
                    .flat_map(|dimension| [DimReduction::Sum, DimReduction::Min].map(|op| (dimension, op)))
                {
                    let nan = NanFlag::Include;
                    agrees(&ctx, memory, &problem, &elements, How { op, dimension, nan, ..SUM });
                }
            }
        }
    }
}

/// Inputs and results of each width begin at any multiple of it.
#[test]
fn arrays_may_start_anywhere() {
    for ctx in backends() {
        for (dtype, to) in [
            (Dtype::U8, Dtype::U8),
            (Dtype::U8, Dtype::U32),
            (Dtype::I16, Dtype::I16),
            (Dtype::I32, Dtype::I32),
            (Dtype::F32, Dtype::F32),
            (Dtype::F32, Dtype::F64),
            (Dtype::I64, Dtype::I64),
        ] {
            for shape in [&[1003, 5][..], &[40, 50], &[7, 90, 3], &[260, 40], &[1028, 12], &[20_001]] {
                for offsets in (0..5).flat_map(|from| [0, 1, 3].map(|to| [from, to])) {
                    if !is_not_in_share() {
                        sums_from_there_are_exact(&ctx, [dtype, to], shape, offsets);
                    }
                }
            }
        }
    }
}

/// Sums of small whole numbers, of an input and to a result that begin so many elements behind a boundary.
fn sums_from_there_are_exact(ctx: &Context, [dtype, to]: [Dtype; 2], shape: &[usize], offsets: [usize; 2]) {
    let (count, sizes) = (shape.iter().product::<usize>(), [dtype.size(), to.size()]);
    let number = |at: usize| at * 31 % 19;
    let array = match dtype.is_float() {
        true => Array::floats(dtype, (0..count).map(|at| number(at) as f64)),
        false => Array::ints(dtype, (0..count).map(|at| number(at) as i128)),
    };
    let mut bytes = vec![0xA5; offsets[0] * sizes[0]];
    bytes.extend(array.bytes());
    let problem = Problem::dense("a + 1", Rules::C, dtype, shape, vec![array]);
    let how = How { to, dimension: shape.len().min(2), ..SUM };
    let (inner, length, _) = problem.dims(how.dimension);
    let mut from = Placed::holding(ctx, EVERYWHERE[1], &bytes);
    let mut result = Placed::<u8>::new(ctx, EVERYWHERE[1], (offsets[1] + count) * sizes[1]);
    let (input, at) = (from.at::<c_void>(bytes.len() - count * sizes[0]), result.at(offsets[1] * sizes[1]));
    scan(ctx, &problem, how, &[input.cast_const()], at);
    let found = words(&result.written(), sizes[1]).split_off(offsets[1]);
    let decode = |bits: u64| match to {
        Dtype::F32 => f64::from(f32::from_bits(bits as u32)),
        Dtype::F64 => f64::from_bits(bits),
        _ => bits as f64,
    };
    let modulus = if to.is_float() { f64::INFINITY } else { 256f64.powi(sizes[1] as i32) };
    let mut want = vec![0.0; count];
    for at in 0..count {
        let before = if at / inner % length == 0 { 0.0 } else { want[at - inner] };
        want[at] = (before + number(at) as f64 + 1.0) % modulus;
        let got = decode(found[at]);
        assert_eq!(got, want[at], "{:?}, {dtype:?} to {to:?}, {shape:?}, {offsets:?}: {at}", ctx.backend);
    }
}

/// A number on the host beside arrays of the device.
#[test]
fn one_element_may_lie_on_the_host() {
    for ctx in backends() {
        let (a, b) = (floats(1, Dtype::F32, 300 * 70), floats(2, Dtype::F64, 1));
        let mut problem = Problem::dense("a * b", Rules::C, Dtype::F32, &[300, 70], vec![a, b]);
        problem.strides[2..].fill(0);
        let (elements, device) = (problem.elements(&ctx), Some(MemoryKind::Device));
        for dimension in 0..3 {
            let how = How { dimension, op: DimReduction::Max, ..SUM };
            let mut array = Placed::holding(&ctx, device, &problem.inputs[0].bytes());
            let mut one = Placed::holding(&ctx, None, &problem.inputs[1].bytes());
            let mut result = Placed::<u8>::new(&ctx, device, 4 * 300 * 70);
            scan(&ctx, &problem, how, &[array.as_ptr(), one.as_ptr()], result.as_mut_ptr());
            let found = words(&result.written(), 4);
            let (inner, count, _) = problem.dims(dimension);
            let number = |bits: u64| f32::from_bits(bits as u32);
            let mut most = words(&elements, 4).into_iter().map(number).collect::<Vec<f32>>();
            for at in 0..most.len() {
                if at / inner % count > 0 {
                    most[at] = most[at].max(most[at - inner]);
                }
                assert_eq!(number(found[at]), most[at], "{:?}, dimension {dimension}: {at}", ctx.backend);
            }
        }
    }
}

#[test]
fn empty_arrays_are_scanned() {
    for ctx in backends() {
        for shape in [&[0][..], &[0, 3, 4], &[3, 0, 4], &[3, 4, 0]] {
            let problem =
                Problem::dense("a", Rules::C, Dtype::F32, shape, vec![Array::floats(Dtype::F32, [])]);
            for dimension in 0..=shape.len() {
                scan(&ctx, &problem, How { dimension, ..SUM }, &[std::ptr::null()], null_mut());
            }
        }
    }
}

/// The sums of elements of an expression of one input, in double: those before each one, and it.
#[track_caller]
fn sums_of(
    ctx: &Context,
    text: &std::ffi::CStr,
    dtype: Dtype,
    input: &mut Placed<impl Number>,
    shape: [usize; 2],
) -> Vec<f64> {
    let (mut result, dtypes) = (Placed::<f64>::new(ctx, None, shape[0] * shape[1]), [dtype as i32]);
    let options = MapScanOptions {
        dtype: Dtype::F64 as i32,
        rank: 2,
        kind: ScanKind::Inclusive as i32,
        dtypes: dtypes.as_ptr(),
        shape: shape.as_ptr(),
        ..MapScanOptions::default()
    };
    let (inputs, to) = ([input.as_ptr::<c_void>()], result.as_mut_ptr());
    // SAFETY: as many elements as the shape says.
    let status = unsafe { gpumex_map_scan(ctx.handle, &options, text.as_ptr(), inputs.as_ptr(), 1, to) };
    ok(status, format!("{:?}: {text:?} of {dtype:?}", ctx.backend));
    result.written()
}

fn running(elements: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut sum = 0.0;
    elements
        .map(|x| {
            sum += x;
            sum
        })
        .collect()
}

/// Real expressions of complex inputs.
#[test]
fn parts_of_complex_numbers_are_scanned() {
    for ctx in backends() {
        let parts: Vec<f32> = (0..2 * 33 * 70).map(|i| (i * 37 % 101) as f32 - 50.0).collect();
        let mut placed = Placed::holding(&ctx, None, &parts);
        let numbers = || parts.chunks_exact(2).map(|z| (f64::from(z[0]), f64::from(z[1])));
        let products = sums_of(&ctx, c"real (a) * imag (a)", Dtype::C64, &mut placed, [33, 70]);
        assert_eq!(products, running(numbers().map(|(re, im)| re * im)));
        let is_far = |(re, im): (f64, f64)| f64::from(u8::from(re * re + im * im > 1600.0));
        let far = sums_of(&ctx, c"abs (a) > 40", Dtype::C64, &mut placed, [33, 70]);
        assert_eq!(far, running(numbers().map(is_far)));
    }
}

#[test]
fn halves_are_inputs() {
    let halves = [0x0000u16, 0x3C00, 0xC100, 0x7BFF, 0x0001, 0x3800]; // 0, 1, -2.5, 65504, 2^-24, 0.5
    for ctx in backends() {
        let mut placed = Placed::holding(&ctx, None, &halves);
        let got = sums_of(&ctx, c"double (a) * 2", Dtype::F16, &mut placed, [2, 3]);
        assert_eq!(got, running([0.0, 2.0, -5.0, 131_008.0, 2f64.powi(-23), 1.0].into_iter()));
    }
}

//! Integers of every type: sums and products that wrap or saturate, extrema, and what comes first of exclusive ones.

use gpumex::model::dtype::Dtype;
use gpumex::model::expression::Rules;
use gpumex::model::numbered::NumberedEnum;
use gpumex::model::reduction::DimReduction;
use gpumex::model::variant::Variant;
use gpumex::ops::scan::ScanKind;

use super::calls::{How, SUM, agrees, scanned};
use crate::common::*;
use crate::map::arrays::{Array, decoded};
use crate::map::random_trees::numbers;
use crate::map_reduce::calls::Problem;
use crate::map_reduce::problems::reductions;

const INTEGERS: [Dtype; 9] = [
    Dtype::I8,
    Dtype::I16,
    Dtype::I32,
    Dtype::I64,
    Dtype::U8,
    Dtype::U16,
    Dtype::U32,
    Dtype::U64,
    Dtype::Bool,
];

/// Rows long, short and many, columns few and many.
const SHAPES: [&[usize]; 9] = [
    &[140_001],
    &[9, 1001],
    &[40, 700],
    &[513, 40],
    &[4097, 5],
    &[3, 20_000],
    &[700, 70],
    &[40_001, 3],
    &[5, 1, 900],
];

fn is_scan(op: DimReduction) -> bool {
    use DimReduction::*;
    matches!(op, Sum | Product | Min | Max)
}

/// Every operator, with every dtype of its results, by both rules.
#[test]
fn integers_of_every_dtype_are_scanned_as_by_two_calls() {
    for ctx in backends() {
        for (seed, dtype) in INTEGERS.into_iter().enumerate() {
            for (turn, shape) in SHAPES.iter().enumerate() {
                let input = numbers(&mut random(seed as u64), dtype, shape.iter().product());
                for rules in [Rules::C, Rules::Matlab] {
                    let problem = Problem::dense("a", rules, dtype, shape, vec![input.clone()]);
                    let mut elements = None;
                    for (index, (op, to)) in reductions(rules, dtype).into_iter().enumerate() {
                        let dimension = (turn + index) % (shape.len() + 1);
                        if !is_scan(op) || is_not_in_share() {
                            continue;
                        }
                        let kind = ScanKind::ALL[(index + seed) % 2];
                        let is_reversed = (turn + index / 2) % 2 == 1;
                        let elements = elements.get_or_insert_with(|| problem.elements(&ctx));
                        let how = How { op, to, dimension, kind, is_reversed, ..SUM };
                        agrees(&ctx, [None; 2], &problem, elements, how);
                    }
                }
            }
        }
    }
}

/// Sums that reach an end of their type, and come back from there, again and again: what follows depends on where they were cut off.
#[test]
fn saturating_sums_and_products_of_signed_integers_go_on_from_where_they_saturated() {
    for ctx in backends() {
        for (seed, dtype) in [Dtype::I8, Dtype::I16, Dtype::I32, Dtype::I64].into_iter().enumerate() {
            let (low, high) = dtype.integers().unwrap().into_inner();
            let mut random = random(seed as u64);
            for shape in SHAPES {
                let count: usize = shape.iter().product();
                let steps: Vec<i128> = (0..count).map(|_| random.random_range(low / 3..=high / 3)).collect();
                let factors: Vec<i128> =
                    (0..count).map(|_| [-3, -2, -1, 1, 2][random.random_range(0..5)]).collect();
                for (op, numbers) in [(DimReduction::Sum, steps), (DimReduction::Product, factors)] {
                    let input = Array::ints(dtype, numbers);
                    let problem = Problem::dense("a", Rules::Matlab, dtype, shape, vec![input]);
                    for (dimension, is_reversed) in (0..=shape.len())
                        .flat_map(|dimension| [false, true].map(|reversed| (dimension, reversed)))
                    {
                        if is_not_in_share() {
                            continue;
                        }
                        let kind = ScanKind::ALL[(dimension + seed) % 2];
                        let how = How { op, to: dtype, dimension, kind, is_reversed, ..SUM };
                        agrees(&ctx, [None; 2], &problem, &problem.inputs[0].bytes(), how);
                        let is_long = shape.len() == 1 && dimension == 0;
                        let bits = if is_long { scanned(&ctx, [None; 2], &problem, how) } else { continue };
                        for end in [high, low].map(|end| end as u64 & (u64::MAX >> (64 - 8 * dtype.size()))) {
                            assert!(bits.contains(&end), "{how:?}: nothing saturates at {end:#x}");
                        }
                    }
                }
            }
        }
    }
}

/// 127 + 10 - 100 is 27 in int8, and 100 * 100 * -1 is -127.
#[test]
fn three_saturating_steps() {
    for ctx in backends() {
        for (op, elements, want) in [
            (DimReduction::Sum, [127, 10, -100], [127u64, 127, 27]),
            (DimReduction::Product, [100, 100, -1], [100, 127, 129]),
        ] {
            for variant in ctx.variants::<Variant>() {
                let input = Array::ints(Dtype::I8, elements);
                let problem = Problem::dense("a", Rules::Matlab, Dtype::I8, &[3], vec![input]);
                let how = How { variant, op, to: Dtype::I8, ..SUM };
                assert_eq!(scanned(&ctx, [None; 2], &problem, how), want, "{op:?}");
            }
        }
    }
}

/// What an exclusive scan begins with: results of 1 and 2 bytes are those of their type, and that of BOOL is 0 or 1.
#[test]
fn exclusive_prefixes_begin_with_the_identity() {
    let identity = |op, dtype: Dtype, to: Dtype| match op {
        DimReduction::Sum => 0.0,
        DimReduction::Product => 1.0,
        _ if to.is_float() => f64::NAN,
        DimReduction::Min => *dtype.integers().unwrap().end() as f64,
        _ => *dtype.integers().unwrap().start() as f64,
    };
    assert_eq!(identity(DimReduction::Min, Dtype::I8, Dtype::I8), 127.0);
    assert_eq!(identity(DimReduction::Min, Dtype::U8, Dtype::U8), 255.0);
    assert_eq!(identity(DimReduction::Min, Dtype::Bool, Dtype::Bool), 1.0);
    assert_eq!(identity(DimReduction::Max, Dtype::I16, Dtype::I16), -32_768.0);
    for ctx in backends() {
        for dtype in INTEGERS.into_iter().chain([Dtype::F32, Dtype::F64]) {
            for shape in [&[7usize, 300][..], &[300, 7], &[1, 40], &[40, 1], &[5000], &[1000, 9, 2]] {
                let count: usize = shape.iter().product();
                let input = match dtype.is_float() {
                    true => Array::floats(dtype, (0..count).map(|i| (i % 2) as f64)),
                    false => Array::ints(dtype, (0..count).map(|i| (i % 2) as i128)),
                };
                for rules in [Rules::C, Rules::Matlab] {
                    let problem = Problem::dense("a", rules, dtype, shape, vec![input.clone()]);
                    for (index, (op, to)) in reductions(rules, dtype).into_iter().enumerate() {
                        let (dimension, is_reversed) = (index % (shape.len() + 1), index % 2 == 0);
                        if !is_scan(op) || is_not_in_share() {
                            continue;
                        }
                        let how = How { op, to, dimension, kind: ScanKind::Exclusive, is_reversed, ..SUM };
                        let (inner, count, _) = problem.dims(dimension);
                        let first = if is_reversed { count - 1 } else { 0 };
                        let (to, want) =
                            (how.result_dtype(&problem), identity(op, dtype, how.result_dtype(&problem)));
                        for (at, bits) in scanned(&ctx, [None; 2], &problem, how).into_iter().enumerate() {
                            let got = decoded(to, &bits.to_le_bytes()[..to.size()]).to_f64();
                            assert!(
                                at / inner % count != first || got == want || got.is_nan() && want.is_nan(),
                                "{:?}, {how:?} of {dtype:?} {shape:?}: result {at} is {got}, not {want}",
                                ctx.backend
                            );
                        }
                    }
                }
            }
        }
    }
}

/// A comparison of bytes is computed in bytes, and its prefixes count how often it was true.
#[test]
fn conditions_are_counted() {
    for ctx in backends() {
        for shape in [&[100_003usize][..], &[33, 999], &[999, 33], &[2, 40_000]] {
            let count: usize = shape.iter().product();
            let bytes: Vec<u8> = (0..count).map(|i| (i * 37 % 101) as u8).collect();
            let input = Array::ints(Dtype::U8, bytes.iter().map(|&byte| byte.into()));
            let problem = Problem::dense("a > 40 & a ~= 50", Rules::Matlab, Dtype::Bool, shape, vec![input]);
            for to in [Dtype::U32, Dtype::U64, Dtype::I32, Dtype::F64] {
                let got = scanned(&ctx, [None; 2], &problem, How { to, ..SUM });
                let mut sum = 0;
                for (at, bits) in got.into_iter().enumerate() {
                    sum += u64::from(bytes[at] > 40 && bytes[at] != 50);
                    let got = decoded(to, &bits.to_le_bytes()[..to.size()]).to_f64();
                    assert_eq!(got, sum as f64, "{:?}, {to:?} of {shape:?}: result {at}", ctx.backend);
                }
            }
        }
    }
}

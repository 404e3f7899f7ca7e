//! Prefixes against those of gpumex_map and gpumex_scan_dim.

use gpumex::ffi::gpumex_context_set_threads;
use gpumex::model::dtype::Dtype;
use gpumex::model::expression::Rules;
use gpumex::model::numbered::NumberedEnum;
use gpumex::model::reduction::{DimReduction, NanFlag};
use gpumex::model::variant::Variant;
use gpumex::ops::scan::ScanKind;
use gpumex::platform::settings::Backend;

use super::calls::{How, SUM, agrees, scanned};
use crate::common::*;
use crate::map::arrays::{Array, decoded};
use crate::map_reduce::calls::Problem;
use crate::map_reduce::problems::{floats, random_problem, reductions};

/// Shapes that reach every path: rows short and long, few and many; columns narrow, wide, short and long; dimensions that are empty or 1.
const SHAPES: [&[usize]; 42] = [
    &[1],
    &[5],
    &[1000],
    &[1025],
    &[70_001],
    &[200_003],
    &[0],
    &[3, 0],
    &[0, 4],
    &[5, 0, 3],
    &[1, 1, 7, 1],
    &[1, 3000],
    &[3000, 1],
    &[2, 5001],
    &[7, 3000],
    &[17, 4097],
    &[31, 33, 9],
    &[33, 1001],
    &[64, 9, 11],
    &[127, 300],
    &[129, 257],
    &[512, 65],
    &[513, 40],
    &[4095, 9],
    &[4097, 5],
    &[65_537, 2],
    &[2, 50_001],
    &[3, 20_000],
    &[5, 30_011],
    &[12, 20_480],
    &[4, 2, 3000],
    &[100, 2000],
    &[129, 1000],
    &[1000, 129],
    &[1023, 70],
    &[1024, 65],
    &[4099, 17, 2],
    &[40_001, 3],
    &[3, 500, 2, 3],
    &[257, 1, 19, 5],
    &[16, 16, 16, 16],
    &[2, 3, 2, 3, 2, 3, 2, 3],
];

const OPS: [DimReduction; 4] =
    [DimReduction::Sum, DimReduction::Product, DimReduction::Min, DimReduction::Max];

fn random_how(random: &mut impl Rng, problem: &Problem, variant: Variant) -> How {
    let mut all = reductions(problem.rules, problem.dtype);
    all.retain(|(op, _)| OPS.contains(op));
    let (op, to) = all[random.random_range(0..all.len())];
    How {
        variant,
        op,
        dimension: random.random_range(0..=problem.shape.len()),
        kind: ScanKind::ALL[random.random_range(0..ScanKind::ALL.len())],
        to,
        nan: NanFlag::ALL[random.random_range(0..NanFlag::ALL.len())],
        is_reversed: random.random(),
    }
}

fn random_problems_agree(seeds: std::ops::Range<u64>, is_small: bool) {
    let (contexts, mut agreed, mut all) = (backends(), 0, 0);
    for seed in seeds {
        if is_not_in_share() {
            continue;
        }
        all += 1;
        let mut random = random(seed);
        let Some(problem) = random_problem(&mut random, &SHAPES, is_small) else { continue };
        for ctx in &contexts {
            let elements = problem.elements(ctx);
            for variant in ctx.variants::<Variant>() {
                for _ in 0..3 {
                    let how = random_how(&mut random, &problem, variant);
                    agrees(ctx, [None; 2], &problem, &elements, how);
                }
            }
        }
        agreed += 1;
    }
    assert!(agreed > all / 2, "{agreed} of {all} problems were valid");
}

#[test]
fn random_expressions_are_scanned_as_by_two_calls() {
    random_problems_agree(0..300, false);
}

#[test]
fn random_expressions_of_bytes_are_scanned_as_by_two_calls() {
    random_problems_agree(1000..1150, true);
}

/// All operators along all dimensions, of the kinds and directions in turn.
fn every_dimension_agrees(ctx: &Context, problem: &Problem, turn: usize) {
    let mut elements = None;
    for dimension in 0..=problem.shape.len() {
        for (index, op) in OPS.into_iter().enumerate() {
            if is_not_in_share() {
                continue;
            }
            let turn = turn + dimension + index;
            let (kind, is_reversed) = (ScanKind::ALL[turn % 2], turn / 2 % 2 == 1);
            let elements = elements.get_or_insert_with(|| problem.elements(ctx));
            agrees(ctx, [None; 2], problem, elements, How { op, dimension, kind, is_reversed, ..SUM });
        }
    }
}

#[test]
fn every_shape_and_dimension_has_its_prefixes() {
    for ctx in backends() {
        for (turn, shape) in SHAPES.iter().enumerate() {
            let count: usize = shape.iter().product();
            for (text, dtype) in
                [("a * b", Dtype::F32), ("(a - b) ^ 2", Dtype::F64), ("exp (a) + sin (b)", Dtype::F32)]
            {
                let inputs = vec![floats(1, dtype, count), floats(2, Dtype::F32, count)];
                let problem = Problem::dense(text, Rules::Matlab, dtype, shape, inputs);
                every_dimension_agrees(&ctx, &problem, turn);
            }
        }
    }
}

/// Rows in which one thread, some lanes, a warp or a block each has its own, and longer ones; and columns as long.
#[test]
fn rows_and_columns_of_every_length_have_their_prefixes() {
    let about = |length: usize| length - 1..length + 2;
    let lengths = (1..41)
        .chain([64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384, 65_536].map(about).into_iter().flatten());
    for ctx in backends() {
        for (turn, length) in lengths.clone().enumerate() {
            let others = 9000 / length + 3;
            for shape in [[length, others], [others, length]] {
                let count = length * others;
                let (a, b) = (floats(turn as u64, Dtype::F32, count), floats(7, Dtype::F32, count));
                let problem = Problem::dense("a + b", Rules::C, Dtype::F32, &shape, vec![a, b]);
                every_dimension_agrees(&ctx, &problem, turn);
                let (a, b) = (floats(turn as u64, Dtype::F64, count), floats(7, Dtype::F64, count));
                let problem = Problem::dense("log1p (abs (a)) - b", Rules::C, Dtype::F64, &shape, vec![a, b]);
                every_dimension_agrees(&ctx, &problem, turn + 1);
            }
        }
    }
}

/// Products of many elements, of which none overflows.
#[test]
fn products_are_those_of_two_calls() {
    for ctx in backends() {
        let mut random = random(5);
        let signs = (0..100 * 700).map(|_| if random.random() { 1.0 } else { -1.0 });
        let inputs = vec![Array::floats(Dtype::F32, signs), floats(6, Dtype::F32, 1)];
        let mut problem = Problem::dense("a * (1 + b / 1e6)", Rules::C, Dtype::F32, &[100, 700], inputs);
        problem.strides[2..].fill(0);
        let elements = problem.elements(&ctx);
        for (dimension, kind) in
            (0..3).flat_map(|dimension| ScanKind::ALL.iter().map(move |&kind| (dimension, kind)))
        {
            for to in [Dtype::F32, Dtype::F64] {
                for is_reversed in [false, true] {
                    let op = DimReduction::Product;
                    let how = How { op, dimension, kind, to, is_reversed, ..SUM };
                    agrees(&ctx, [None; 2], &problem, &elements, how);
                }
            }
        }
    }
}

/// NaN is left out or stays, whether it comes first, last or between others, in rows and columns that are cut into parts.
#[test]
fn nan_stays_or_is_left_out() {
    for ctx in backends() {
        for (shape, dtype) in [
            (&[70_001][..], Dtype::F32),
            (&[33, 400], Dtype::F64),
            (&[400, 33], Dtype::F32),
            (&[3, 20_000], Dtype::F64),
            (&[1000, 129], Dtype::F32),
        ] {
            let count: usize = shape.iter().product();
            for every in [1, 2, 700, count - 1] {
                let number = |i: usize| match i % every {
                    0 => f64::NAN,
                    place => [1.0, -1.0, 2.0, 0.5][place % 4],
                };
                let input = Array::floats(dtype, (0..count).map(number));
                let problem = Problem::dense("a .* 1", Rules::Matlab, dtype, shape, vec![input]);
                let elements = problem.elements(&ctx);
                for (op, &nan) in OPS.iter().flat_map(|&op| NanFlag::ALL.iter().map(move |nan| (op, nan))) {
                    let kind = ScanKind::ALL[every % 2];
                    for (dimension, is_reversed) in [(0, false), (1, true), (shape.len(), false)] {
                        let how = How { op, dimension, kind, nan, is_reversed, ..SUM };
                        agrees(&ctx, [None; 2], &problem, &elements, how);
                    }
                }
            }
        }
    }
}

/// The numbers of a small call, written out.
#[test]
fn prefixes_of_six_elements() {
    let numbers = |bits: Vec<u64>| -> Vec<f64> {
        bits.into_iter().map(|bits| decoded(Dtype::F64, &bits.to_le_bytes()).to_f64()).collect()
    };
    for ctx in backends() {
        let input = Array::ints(Dtype::I8, 1..7);
        let problem = Problem::dense("double (a) / 2", Rules::Matlab, Dtype::F64, &[2, 3], vec![input]);
        for variant in ctx.variants::<Variant>() {
            let of = |how: How| numbers(scanned(&ctx, [None; 2], &problem, How { variant, ..how }));
            assert_eq!(of(SUM), [0.5, 1.5, 3.0, 5.0, 7.5, 10.5]);
            assert_eq!(of(How { is_reversed: true, ..SUM }), [10.5, 10.0, 9.0, 7.5, 5.5, 3.0]);
            assert_eq!(of(How { dimension: 1, ..SUM }), [0.5, 1.5, 1.5, 3.5, 2.5, 5.5]);
            let exclusive = How { dimension: 2, kind: ScanKind::Exclusive, ..SUM };
            assert_eq!(of(exclusive), [0.0, 0.0, 0.5, 1.0, 2.0, 3.0]);
            assert_eq!(of(How { is_reversed: true, ..exclusive }), [4.0, 5.0, 2.5, 3.0, 0.0, 0.0]);
            let product = How { op: DimReduction::Product, ..exclusive };
            assert_eq!(of(product), [1.0, 1.0, 0.5, 1.0, 0.75, 2.0]);
            let least = How { op: DimReduction::Min, dimension: 0, is_reversed: true, ..SUM };
            assert_eq!(of(least), [0.5, 1.0, 1.5, 2.0, 2.5, 3.0]);
            let most = of(How { op: DimReduction::Max, dimension: 1, ..exclusive });
            let is_none: Vec<bool> = most.iter().map(|number| number.is_nan()).collect();
            assert_eq!(is_none, [true, false, true, false, true, false]);
            assert_eq!([most[1], most[3], most[5]], [0.5, 1.5, 2.5]);
        }
    }
}

/// The same bits from call to call, and on the CPU with any number of threads.
#[test]
fn prefixes_are_deterministic() {
    for ctx in backends() {
        for shape in [&[200_003][..], &[3, 20_000], &[5, 30_011], &[1000, 129], &[129, 1000], &[40_001, 3]] {
            let count: usize = shape.iter().product();
            let inputs = vec![floats(1, Dtype::F32, count), floats(2, Dtype::F64, count)];
            let problem = Problem::dense("exp (a) .* b", Rules::Matlab, Dtype::F32, shape, inputs);
            for (dimension, op) in (0..=shape.len()).flat_map(|dimension| OPS.map(|op| (dimension, op))) {
                let how = How { op, dimension, kind: ScanKind::ALL[dimension % 2], ..SUM };
                let want = scanned(&ctx, [None; 2], &problem, how);
                assert!(scanned(&ctx, [None; 2], &problem, how) == want, "{how:?} of {shape:?}: once more");
                if ctx.backend == Backend::Cuda {
                    continue;
                }
                for threads in [1, 2, 3, 7, 0] {
                    ok(gpumex_context_set_threads(ctx.handle, threads), "gpumex_context_set_threads");
                    let got = scanned(&ctx, [None; 2], &problem, how);
                    assert!(got == want, "{how:?} of {shape:?}: other bits on {threads} threads");
                }
            }
        }
    }
}

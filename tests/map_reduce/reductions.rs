//! Results against those of gpumex_map and gpumex_reduce_dim.

use gpumex::model::dtype::Dtype;
use gpumex::model::expression::Rules;
use gpumex::model::numbered::NumberedEnum;
use gpumex::model::reduction::{DimReduction, NanFlag};
use gpumex::model::variant::Variant;

use super::calls::{How, Problem};
use crate::common::*;
use crate::map::arrays::{Array, DTYPES, natural};
use crate::map::random_trees::{numbers, small_tree, tree};

/// Shapes that reach every path: results few and many, rows and columns short and long, dimensions that are empty or 1.
const SHAPES: [&[usize]; 30] = [
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
    &[2, 50_001],
    &[3, 20_000],
    &[4, 2, 3000],
    &[31, 33, 9],
    &[64, 9, 11],
    &[100, 2000],
    &[129, 1000],
    &[1000, 129],
    &[1023, 70],
    &[1024, 65],
    &[4099, 17, 2],
    &[40_001, 3],
    &[3, 500, 2, 3],
    &[2, 3, 2, 3, 2, 3, 2, 3],
    &[16, 16, 16, 16],
    &[257, 1, 19, 5],
    &[17, 4097],
    &[12, 20_480],
];

/// Strides of an input that is dense, repeated along some dimensions, transposed, or has gaps; and how far they reach.
fn strides(random: &mut impl Rng, shape: &[usize]) -> (Vec<i64>, usize) {
    let kind = random.random_range(0..5);
    let mut order: Vec<usize> = (0..shape.len()).collect();
    if kind == 2 {
        order.reverse();
    }
    let (mut strides, mut stride) = (vec![0; shape.len()], 1);
    if kind == 3 {
        stride = random.random_range(2..4);
    }
    for at in order {
        if kind == 1 && random.random() || kind == 4 {
            continue;
        }
        strides[at] = stride as i64;
        stride *= shape[at].max(1);
    }
    let last =
        shape.iter().zip(&strides).map(|(&extent, &stride)| extent.saturating_sub(1) * stride as usize);
    let span = if shape.contains(&0) { 0 } else { last.sum::<usize>() + 1 };
    (strides, span)
}

/// The reductions that a dtype has, with each dtype of results.
fn reductions(rules: Rules, dtype: Dtype) -> Vec<(DimReduction, Dtype)> {
    let served = |&(op, to): &(DimReduction, Dtype)| {
        let is_sum = matches!(op, DimReduction::Sum | DimReduction::Product);
        op.result_dtype(dtype, to)
            .is_ok_and(|to| rules == Rules::C || !is_sum || to.is_float() || to.holds(dtype))
    };
    let all = DimReduction::ALL.iter().flat_map(|&op| Dtype::ALL.iter().map(move |&to| (op, to)));
    all.filter(served).collect()
}

fn random_how(random: &mut impl Rng, problem: &Problem, variant: Variant) -> How {
    let all = reductions(problem.rules, problem.dtype);
    let (op, to) = all[random.random_range(0..all.len())];
    let is_extremum = matches!(op, DimReduction::Min | DimReduction::Max);
    let index = [Dtype::U32, Dtype::U64][random.random_range(0..2)];
    How {
        variant,
        op,
        dimension: random.random_range(0..=problem.shape.len()),
        to,
        nan: NanFlag::ALL[random.random_range(0..NanFlag::ALL.len())],
        index: if is_extremum && random.random() { index } else { Dtype::None },
    }
}

fn random_problem(random: &mut impl Rng, is_small: bool) -> Option<Problem> {
    let shape = SHAPES[random.random_range(0..SHAPES.len())].to_vec();
    let rules = if random.random() { Rules::C } else { Rules::Matlab };
    let dtypes: &[Dtype] = if is_small { &[Dtype::Bool, Dtype::U8] } else { &DTYPES };
    let (mut inputs, mut all) = (Vec::new(), Vec::new());
    for _ in 0..random.random_range(1..4) {
        let (strides, span) = strides(random, &shape);
        let dtype = dtypes[random.random_range(0..dtypes.len())];
        inputs.push(numbers(random, dtype, span));
        all.extend(strides);
    }
    let depth = random.random_range(0..4);
    let tree = match is_small {
        true => small_tree(random, depth, inputs.len()),
        false => tree(random, depth, inputs.len()),
    };
    let (text, of): (_, Vec<Dtype>) = (tree.text(), inputs.iter().map(|input| input.dtype).collect());
    let natural = natural(rules, &text, &of).ok()?;
    let dtype = if random.random_bool(0.7) { natural } else { DTYPES[random.random_range(0..DTYPES.len())] };
    Some(Problem { text, rules, dtype, shape, inputs, strides: all })
}

fn random_problems_agree(seeds: std::ops::Range<u64>, is_small: bool) {
    let (contexts, mut agreed, mut all) = (backends(), 0, 0);
    for seed in seeds {
        if is_not_in_share() {
            continue;
        }
        all += 1;
        let mut random = random(seed);
        let Some(problem) = random_problem(&mut random, is_small) else { continue };
        for ctx in &contexts {
            let elements = problem.elements(ctx);
            for variant in ctx.variants::<Variant>() {
                for _ in 0..3 {
                    let how = random_how(&mut random, &problem, variant);
                    problem.agrees(ctx, None, &elements, how);
                }
            }
        }
        agreed += 1;
    }
    assert!(agreed > all / 2, "{agreed} of {all} problems were valid");
}

#[test]
fn random_expressions_are_reduced_as_by_two_calls() {
    random_problems_agree(0..300, false);
}

#[test]
fn random_expressions_of_bytes_are_reduced_as_by_two_calls() {
    random_problems_agree(1000..1150, true);
}

/// Floats of no special value, so that sums have the bound's meaning.
fn floats(seed: u64, dtype: Dtype, count: usize) -> Array {
    let mut random = random(seed);
    Array::floats(dtype, (0..count).map(|_| random.random_range(-1.5..1.5)))
}

#[test]
fn every_shape_and_dimension_has_its_sums_and_extrema() {
    for ctx in backends() {
        for shape in SHAPES {
            let count: usize = shape.iter().product();
            for (text, dtype) in
                [("a * b", Dtype::F32), ("(a - b) ^ 2", Dtype::F64), ("exp (a) + b", Dtype::F32)]
            {
                let inputs = vec![floats(1, dtype, count), floats(2, Dtype::F32, count)];
                let problem = Problem::dense(text, Rules::Matlab, dtype, shape, inputs);
                let elements = problem.elements(&ctx);
                for dimension in 0..=shape.len() {
                    if is_not_in_share() {
                        continue;
                    }
                    for (op, index) in [
                        (DimReduction::Sum, Dtype::None),
                        (DimReduction::Max, Dtype::U32),
                        (DimReduction::Min, Dtype::None),
                        (DimReduction::Mean, Dtype::None),
                        (DimReduction::Count, Dtype::None),
                    ] {
                        let (variant, to, nan) = (Variant::Auto, Dtype::None, NanFlag::Default);
                        problem.agrees(&ctx, None, &elements, How { variant, op, dimension, to, nan, index });
                    }
                }
            }
        }
    }
}

#[test]
fn arrays_may_lie_anywhere() {
    for ctx in backends() {
        for kind in EVERYWHERE {
            let inputs = vec![floats(3, Dtype::F32, 70 * 900), floats(4, Dtype::F64, 70 * 900)];
            let problem = Problem::dense("a .* b", Rules::Matlab, Dtype::F32, &[70, 900], inputs);
            let elements = problem.elements(&ctx);
            for dimension in 0..3 {
                let (op, index) = (DimReduction::Min, Dtype::U64);
                let (variant, to, nan) = (Variant::Auto, Dtype::None, NanFlag::Include);
                problem.agrees(&ctx, kind, &elements, How { variant, op, dimension, to, nan, index });
            }
        }
    }
}

/// Long ones are cut into parts: products and sums of integers that saturate, and means that leave NaN out, have kernels that join them.
#[test]
fn long_rows_are_joined_whatever_they_are_reduced_to() {
    let signs = |dtype, seed| {
        let mut random = random(seed);
        Array::ints(dtype, (0..200_003).map(|_| if random.random() { 1 } else { -1 }))
    };
    let some_nan = || {
        Array::floats(Dtype::F64, (0..200_003).map(|i| if i % 7 == 0 { f64::NAN } else { f64::from(i % 5) }))
    };
    for ctx in backends() {
        for (input, dtype) in
            [(signs(Dtype::I32, 1), Dtype::I32), (signs(Dtype::I64, 2), Dtype::I64), (some_nan(), Dtype::F64)]
        {
            let problem = Problem::dense("a + 0", Rules::Matlab, dtype, &[200_003], vec![input]);
            let elements = problem.elements(&ctx);
            for op in [DimReduction::Sum, DimReduction::Product, DimReduction::Mean, DimReduction::Max] {
                let (variant, dimension, to, nan, index) =
                    (Variant::Auto, 1, Dtype::None, NanFlag::Omit, Dtype::None);
                problem.agrees(&ctx, None, &elements, How { variant, op, dimension, to, nan, index });
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
        for dimension in 0..3 {
            for to in [Dtype::F32, Dtype::F64] {
                let (op, variant, nan, index) =
                    (DimReduction::Product, Variant::Auto, NanFlag::Default, Dtype::None);
                problem.agrees(&ctx, None, &elements, How { variant, op, dimension, to, nan, index });
            }
        }
    }
}

/// On a device 2^33 elements of two short arrays, more than a launch has; the sums are exact, and the only maximum is in the last column.
#[test]
fn more_elements_than_a_launch_has_are_reduced() {
    let (rows, cols) = (size(1 << 17, 1 << 9), size(1 << 16, 1 << 8));
    for ctx in backends() {
        let column = Array::ints(Dtype::U8, (0..rows).map(|i| (i % 7) as i128));
        let row = Array::ints(Dtype::U8, (0..cols).map(|j| if j + 1 == cols { 5 } else { (j % 5) as i128 }));
        let [of_column, of_row] = [&column, &row]
            .map(|array| array.numbers.iter().map(|number| number.to_f64() as u64).sum::<u64>());
        let strides = vec![1, 0, 0, 1];
        let problem = Problem {
            text: "a * b".to_string(),
            rules: Rules::C,
            dtype: Dtype::I32,
            shape: vec![rows, cols],
            inputs: vec![column.clone(), row.clone()],
            strides,
        };
        let (variant, op, nan, index) = (Variant::Auto, DimReduction::Sum, NanFlag::Default, Dtype::None);
        let sum = How { variant, op, dimension: 0, to: Dtype::U64, nan, index };
        assert_eq!(problem.reduced(&ctx, None, sum).0, [of_column * of_row]);
        for (dimension, array, of_other) in [(1, &row, of_column), (2, &column, of_row)] {
            let want: Vec<u64> =
                array.numbers.iter().map(|number| number.to_f64() as u64 * of_other).collect();
            assert_eq!(
                problem.reduced(&ctx, None, How { dimension, ..sum }).0,
                want,
                "dimension {dimension}"
            );
        }
        let problem = Problem { text: "a == 6 && b == 5".to_string(), dtype: Dtype::Bool, ..problem };
        let (op, index) = (DimReduction::Max, Dtype::U64);
        let first = How { op, index, to: Dtype::None, ..sum };
        let place = row.numbers.iter().position(|number| number.to_f64() == 5.0);
        let want = place.map_or((0, 0), |place| (1, (6 + rows * place) as u64));
        assert_eq!(problem.reduced(&ctx, None, first), (vec![want.0], vec![want.1]));
    }
}

/// Real expressions of complex inputs.
#[test]
fn parts_of_complex_numbers_are_reduced() {
    for ctx in backends() {
        let shape = [33usize, 70];
        let parts: Vec<f32> = (0..2 * 33 * 70).map(|i| (i * 37 % 101) as f32 - 50.0).collect();
        let (mut placed, dtypes) = (Placed::holding(&ctx, None, &parts), [Dtype::C64 as i32]);
        for (text, want) in [("real (a) * imag (a)", 0), ("abs (a) > 40", 1)] {
            let text_of = std::ffi::CString::new(text).unwrap();
            let mut result = Placed::<f64>::new(&ctx, None, 1);
            let options = gpumex::ffi::MapReduceOptions {
                dtype: Dtype::F64 as i32,
                rank: 2,
                accumulator_dtype: Dtype::F64 as i32,
                dtypes: dtypes.as_ptr(),
                shape: shape.as_ptr(),
                ..Default::default()
            };
            let inputs = [placed.as_ptr()];
            let (at, to) = (text_of.as_ptr(), result.as_mut_ptr());
            // SAFETY: as many complex numbers as the shape says, and a result.
            ok(
                unsafe { gpumex::ffi::gpumex_map_reduce(ctx.handle, &options, at, inputs.as_ptr(), 1, to) },
                text,
            );
            let element = |z: &[f32]| match want {
                0 => f64::from(z[0]) * f64::from(z[1]),
                _ => f64::from(u8::from(z[0] * z[0] + z[1] * z[1] > 1600.0)),
            };
            assert_eq!(result.written(), [parts.chunks_exact(2).map(element).sum::<f64>()], "{text}");
        }
    }
}

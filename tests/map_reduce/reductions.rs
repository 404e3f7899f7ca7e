//! Results against those of gpumex_map and gpumex_reduce_dim.

use gpumex::model::dtype::Dtype;
use gpumex::model::expression::Rules;
use gpumex::model::numbered::NumberedEnum;
use gpumex::model::reduction::{DimReduction, NanFlag};
use gpumex::model::variant::Variant;

use super::calls::{How, Problem};
use super::problems::{floats, random_problem, reductions};
use crate::common::*;
use crate::map::arrays::Array;

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

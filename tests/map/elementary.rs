//! Elementary functions against the standard library's in double, within the ulps that the header states.

use gpumex::model::dtype::Dtype;
use gpumex::model::expression::Rules;

use super::arrays::{Array, mapped};
use crate::common::backends;

type Function = fn(f64) -> f64;

/// Functions, and an interval on which they are real.
const UNARY: [(&str, Function, f64, f64); 21] = [
    ("sqrt", f64::sqrt, 0.0, 1e6),
    ("cbrt", f64::cbrt, -1e6, 1e6),
    ("exp", f64::exp, -80.0, 80.0),
    ("expm1", f64::exp_m1, -2.0, 2.0),
    ("exp2", f64::exp2, -100.0, 100.0),
    ("log", f64::ln, 1e-6, 1e6),
    ("log1p", f64::ln_1p, -0.9, 10.0),
    ("log2", f64::log2, 1e-6, 1e6),
    ("log10", f64::log10, 1e-6, 1e6),
    ("sin", f64::sin, -20.0, 20.0),
    ("cos", f64::cos, -20.0, 20.0),
    ("tan", f64::tan, -1.5, 1.5),
    ("asin", f64::asin, -1.0, 1.0),
    ("acos", f64::acos, -1.0, 1.0),
    ("atan", f64::atan, -20.0, 20.0),
    ("sinh", f64::sinh, -10.0, 10.0),
    ("cosh", f64::cosh, -10.0, 10.0),
    ("tanh", f64::tanh, -3.0, 3.0),
    ("asinh", asinh, 0.5, 100.0),
    ("acosh", acosh, 1.5, 100.0),
    ("atanh", f64::atanh, -0.9, 0.9),
];

fn asinh(x: f64) -> f64 {
    (x + (x * x + 1.0).sqrt()).ln()
}

fn acosh(x: f64) -> f64 {
    (x + (x * x - 1.0).sqrt()).ln()
}

/// A function of two numbers, and its name.
type Binary = (&'static str, fn(f64, f64) -> f64);

const BINARY: [Binary; 3] = [("atan2", f64::atan2), ("hypot", f64::hypot), ("power", f64::powf)];

fn is_near(dtype: Dtype, got: f64, want: f64, ulps: f64) -> bool {
    let epsilon = if dtype == Dtype::F32 { f64::from(f32::EPSILON) } else { f64::EPSILON };
    let smallest = if dtype == Dtype::F32 { f64::from(f32::MIN_POSITIVE) } else { f64::MIN_POSITIVE };
    (got - want).abs() <= ulps * epsilon * want.abs().max(smallest)
        || got == want
        || got.is_nan() && want.is_nan()
}

#[test]
fn functions_of_one_argument_are_near_those_of_the_standard_library() {
    for ctx in backends() {
        for dtype in [Dtype::F32, Dtype::F64] {
            for (name, function, low, high) in UNARY {
                let x = Array::floats(dtype, (0..=1000).map(|i| low + (high - low) * f64::from(i) / 1000.0));
                let got =
                    mapped(&ctx, None, Rules::C, &format!("{name} (a)"), std::slice::from_ref(&x), dtype);
                for (got, x) in got.iter().zip(&x.numbers) {
                    let (got, x) = (got.to_f64(), x.to_f64());
                    let want = function(x);
                    let near = is_near(dtype, got, want, 8.0);
                    assert!(near, "{:?}, {dtype:?}: {name} ({x}) is {got}, not {want}", ctx.backend);
                }
            }
        }
    }
}

#[test]
fn functions_of_two_arguments_are_near_those_of_the_standard_library() {
    for ctx in backends() {
        for dtype in [Dtype::F32, Dtype::F64] {
            for (name, function) in BINARY {
                let x = Array::floats(dtype, (1..=1000).map(|i| f64::from(i) / 50.0));
                let y = Array::floats(dtype, (1..=1000).map(|i| f64::from(i * 377 % 1000) / 100.0 - 5.0));
                let text = format!("{name} (a, b)");
                let got = mapped(&ctx, None, Rules::Matlab, &text, &[x.clone(), y.clone()], dtype);
                for (i, got) in got.iter().enumerate() {
                    let (got, x, y) = (got.to_f64(), x.numbers[i].to_f64(), y.numbers[i].to_f64());
                    let want = function(x, y);
                    assert!(
                        is_near(dtype, got, want, 8.0),
                        "{dtype:?}: {name} ({x}, {y}) is {got}, not {want}"
                    );
                }
            }
        }
    }
}

#[test]
fn functions_are_nan_where_they_are_not_real() {
    let outside = [
        ("acosh", vec![0.5, -0.5, -1.5, -3.0, -1024.0, -16_777_216.0, -1e300, f64::NEG_INFINITY]),
        ("atanh", vec![1.5, -1.5, 1e30, f64::INFINITY]),
        ("log", vec![-1e-300, -1.0, f64::NEG_INFINITY]),
        ("log1p", vec![-1.5, -1e30]),
        ("sqrt", vec![-1e-300, -4.0]),
        ("asin", vec![1.5, -1.5, 1e30]),
    ];
    for ctx in backends() {
        for dtype in [Dtype::F32, Dtype::F64] {
            for (name, x) in &outside {
                let in_range = x.iter().copied().filter(|x| dtype == Dtype::F64 || x.abs() >= 1e-30);
                let x = Array::floats(dtype, in_range.collect::<Vec<_>>());
                let got =
                    mapped(&ctx, None, Rules::C, &format!("{name} (a)"), std::slice::from_ref(&x), dtype);
                for (got, x) in got.iter().zip(&x.numbers) {
                    assert!(got.to_f64().is_nan(), "{:?}, {dtype:?}: {name} ({x:?}) is {got:?}", ctx.backend);
                }
            }
        }
    }
}

/// erf and gamma at points of tables: Abramowitz and Stegun, "Handbook of Mathematical Functions", tables 7.1 and 6.1.
#[test]
fn error_and_gamma_functions_are_those_of_tables() {
    let points = [
        ("erf", 0.5, 0.520_499_877_813_046_5),
        ("erf", -2.0, -0.995_322_265_018_952_7),
        ("erfc", 0.5, 0.479_500_122_186_953_5),
        ("erfc", 3.0, 2.209_049_699_858_544e-5),
        ("gamma", 5.0, 24.0),
        ("gamma", 0.5, 1.772_453_850_905_516),
        ("gamma", 1.5, 0.886_226_925_452_758),
        ("gammaln", 10.0, 12.801_827_480_081_469),
        ("gammaln", 0.5, 0.572_364_942_924_700_1),
    ];
    for ctx in backends() {
        for dtype in [Dtype::F32, Dtype::F64] {
            for (name, x, want) in points {
                let text = format!("{name} (a)");
                let got =
                    mapped(&ctx, None, Rules::C, &text, &[Array::floats(dtype, [x])], dtype)[0].to_f64();
                assert!(is_near(dtype, got, want, 16.0), "{dtype:?}: {name} ({x}) is {got}, not {want}");
            }
        }
    }
}

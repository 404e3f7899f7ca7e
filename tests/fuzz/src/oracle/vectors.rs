//! Vectors and sparse matrices by plain loops: bit by bit where each operation is rounded once.

use super::View;
use crate::case::Value;
use crate::number::{F32, F64, Number, decode, decode_all, dtype_size, encode, is_float};

/// One element of a field or a parameter, where it is passed.
fn scalar(view: &View, name: &str, dtype: u8) -> Option<f64> {
    match view.scope.value(name)? {
        Value::Array(buffer) => Some(decode(dtype, &buffer.bytes, 0).float()),
        _ => None,
    }
}

/// Compares floats bit by bit; one NaN is as good as another.
fn expect_floats(view: &View, name: &str, expected: &[f64]) -> Result<(), String> {
    let dtype = view.dtype(name);
    let Some(found) = view.after(name) else { return Ok(()) };
    for (at, &expected) in expected.iter().enumerate() {
        let found = decode(dtype, found, at).float();
        if found.to_bits() != expected.to_bits() && !(found.is_nan() && expected.is_nan()) {
            return Err(format!("{name} is wrong: [{at}] is {found:e}, expected {expected:e}"));
        }
    }
    Ok(())
}

/// fma (a, b, c) in the dtype.
fn fma(dtype: u8, a: f64, b: f64, c: f64) -> f64 {
    if dtype == F32 { f64::from((a as f32).mul_add(b as f32, c as f32)) } else { a.mul_add(b, c) }
}

fn rounded(dtype: u8, number: f64) -> f64 {
    if dtype == F32 { f64::from(number as f32) } else { number }
}

/// Products and quotients in the dtype: a double holds those of floats well enough to be rounded once more.
fn product(dtype: u8, a: f64, b: f64) -> f64 {
    if dtype == F32 { f64::from(a as f32 * b as f32) } else { a * b }
}

fn quotient(dtype: u8, a: f64, b: f64) -> f64 {
    if dtype == F32 { f64::from(a as f32 / b as f32) } else { a / b }
}

pub fn axpy(view: &View) -> Result<(), String> {
    let dtype = view.dtype("y");
    let [alpha, beta] = ["alpha", "beta"].map(|name| scalar(view, name, dtype).unwrap_or(1.0));
    let (x, y) = (view.numbers("x"), view.numbers("y"));
    let element = |(x, y): (&Number, &Number)| match beta {
        0.0 => product(dtype, alpha, x.float()),
        beta => fma(dtype, alpha, x.float(), product(dtype, beta, y.float())),
    };
    expect_floats(view, "y", &x.iter().zip(&y).map(element).collect::<Vec<f64>>())
}

pub fn scale(view: &View) -> Result<(), String> {
    let dtype = view.dtype("x");
    let Some(alpha) = scalar(view, "alpha", dtype) else { return Ok(()) };
    let root = if dtype == F32 { f64::from((alpha as f32).sqrt()) } else { alpha.sqrt() };
    let element = |x: &Number| match view.option("factor") {
        0 => product(dtype, alpha, x.float()),
        1 => quotient(dtype, x.float(), alpha),
        _ => quotient(dtype, x.float(), root),
    };
    expect_floats(view, "x", &view.numbers("x").iter().map(element).collect::<Vec<f64>>())
}

pub fn fill_ascending(view: &View) -> Result<(), String> {
    let (dtype, count) = (view.dtype("array"), view.number("count"));
    let value = |name: &str| match view.scope.value(name) {
        Some(Value::Double(number)) => *number,
        _ => 0.0,
    };
    let (first, step) = (value("first"), value("step"));
    if is_float(dtype) {
        let element = |i: usize| rounded(dtype, first + i as f64 * step);
        return expect_floats(view, "array", &(0..count).map(element).collect::<Vec<f64>>());
    }
    let mut bytes = Vec::with_capacity(count * dtype_size(dtype));
    for i in 0..count {
        encode(dtype, Number::Int(first as i128 + i as i128 * step as i128), &mut bytes);
    }
    view.expect("array", &bytes)
}

/// y of sums of products; the other operators are compared between variants.
pub fn spmv(view: &View) -> Result<(), String> {
    let dtype = view.dtype("y");
    if !matches!(view.option("add"), 0 | 1) || !matches!(view.option("multiply"), 0 | 2) {
        return Ok(());
    }
    let Some(found) = view.after("y") else { return Ok(()) };
    let (values, x) = (view.before("values").map(|_| view.numbers("values")), view.numbers("x"));
    let (columns, offsets) = (view.positions("columns"), view.positions("offsets"));
    let sources = view.before("sources").map(|_| view.positions("sources"));
    let u = if dtype == F64 { f64::EPSILON / 2.0 } else { f64::from(f32::EPSILON) / 2.0 };
    let most = if dtype == F64 { f64::MAX } else { f64::from(f32::MAX) };
    for (row, ends) in offsets.windows(2).enumerate() {
        let length = ends[1].saturating_sub(ends[0]);
        let begin = sources.as_ref().map_or(ends[0], |sources| sources[row]);
        if length == 0 || begin.saturating_add(length) > columns.len() {
            continue; // the identity, or left open
        }
        let kept = (begin..begin + length).filter(|k| columns[*k] < x.len());
        let factors = kept.map(|k| (values.as_ref().map(|values| values[k]), x[columns[k]]));
        let found = decode(dtype, found, row);
        if is_float(dtype) {
            let products: Vec<f64> =
                factors.map(|(value, x)| value.map_or(1.0, Number::float) * x.float()).collect();
            let (sum, absolute) =
                (products.iter().sum::<f64>(), products.iter().map(|product| product.abs()).sum::<f64>());
            let n = length as f64 + 2.0; // that of this loop as well, in double
            let error = n * 2.0 * u / (1.0 - n * u) * absolute + n * f64::from(f32::MIN_POSITIVE);
            let found = found.float();
            let is_far = found.is_nan() || (found - sum).abs() > error;
            if absolute < most / 4.0 && is_far {
                return Err(format!("y is wrong: [{row}] is {found:e}, expected {sum:e} within {error:e}"));
            }
        } else {
            let word = |number: i128| number as u64;
            let sum = factors.fold(0u64, |sum, (value, x)| {
                sum.wrapping_add(value.map_or(1, |value| word(value.int())).wrapping_mul(word(x.int())))
            });
            let mut bytes = Vec::new();
            encode(dtype, Number::Int(i128::from(sum)), &mut bytes);
            if decode(dtype, &bytes, 0) != found {
                let expected = decode(dtype, &bytes, 0);
                return Err(format!("y is wrong: [{row}] is {found:?}, expected {expected:?}"));
            }
        }
    }
    Ok(())
}

/// Numbers lie where the header says that they do.
pub fn random_normal(view: &View) -> Result<(), String> {
    let [mean, deviation] = ["mean", "deviation"].map(|name| match view.scope.value(name) {
        Some(Value::Double(number)) if view.dtype("array") == F32 => f64::from(*number as f32),
        Some(Value::Double(number)) => *number,
        _ => 0.0,
    });
    let (dtype, Some(found)) = (view.dtype("array"), view.after("array")) else { return Ok(()) };
    let (most, u) = if dtype == F32 { (8.16, f64::from(f32::EPSILON)) } else { (8.5, f64::EPSILON) };
    let reach = most * deviation + 2.0 * u * (mean.abs() + most * deviation);
    let numbers = decode_all(dtype, found);
    match numbers.iter().find(|number| (number.float() - mean).abs() > reach || number.float().is_nan()) {
        Some(number) => Err(format!("array has {number:?}, more than {most} deviations from mean")),
        None => Ok(()),
    }
}

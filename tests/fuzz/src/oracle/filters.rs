//! Convolutions and medians by plain loops over windows.

use super::View;
use super::mapping::{outside, source};
use crate::case;
use crate::number::{BOOL, F32, Number, decode, dtype_size, is_float, is_signed};

/// The elements of a matrix and of what lies around it, by the boundary of the call.
struct Plane {
    elements: Vec<Number>,
    outside: Number,
    boundary: u32,
    rows: i64,
    cols: i64,
    by_columns: bool,
}

impl Plane {
    fn of(view: &View) -> Option<Plane> {
        let dtype = view.dtype("data");
        let constant = match view.scope.value("constant") {
            Some(case::Value::Double(number)) if view.option("boundary") == 5 => *number,
            _ => 0.0,
        };
        let (rows, cols) = (view.number("rows") as i64, view.number("cols") as i64);
        let bytes = view.before("data")?;
        let element = |index: i64| match decode(dtype, bytes, index as usize) {
            Number::Int(number) if dtype == BOOL => Number::Int((number != 0).into()),
            number => number,
        };
        Some(Plane {
            elements: (0..rows * cols).map(element).collect(),
            outside: outside(dtype, constant).number,
            boundary: view.option("boundary"),
            rows,
            cols,
            by_columns: view.option("order") == 1,
        })
    }

    fn at(&self, y: i64, x: i64) -> Number {
        match (source(self.boundary, y, self.rows), source(self.boundary, x, self.cols)) {
            (Some(y), Some(x)) => {
                self.elements[(if self.by_columns { y + self.rows * x } else { y * self.cols + x }) as usize]
            }
            _ => self.outside,
        }
    }
}

fn range(dtype: u8) -> (i128, i128) {
    let bits = 8 * dtype_size(dtype) as u32;
    match dtype {
        BOOL => (0, 1),
        _ if is_signed(dtype) => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        _ => (0, (1 << bits) - 1),
    }
}

pub fn convolve(view: &View) -> Result<(), String> {
    let (Some(found), Some(weights)) = (view.after("result"), view.before("filter")) else { return Ok(()) };
    let (sums, dtype) = (view.dtype("filter"), view.dtype("result"));
    let (m, n) = (view.number("filter_rows") as i64, view.number("filter_cols") as i64);
    let (rows, cols) = (view.number("rows") as i64, view.number("cols") as i64);
    let count = found.len() / dtype_size(dtype).max(1);
    if count == 0 {
        return Ok(());
    }
    let Some(plane) = Plane::of(view) else { return Ok(()) };
    let (result_rows, result_cols, top, left) = match view.option("shape") {
        1 => (rows + m - 1, cols + n - 1, 0, 0),
        2 => (rows - m + 1, cols - n + 1, m - 1, n - 1),
        _ => (rows, cols, m / 2, n / 2),
    };
    for place in 0..count as i64 {
        let (y, x) = match plane.by_columns {
            true => (place % result_rows, place / result_rows),
            false => (place / result_cols, place % result_cols),
        };
        let products: Vec<(Number, Number)> = (0..m * n)
            .filter_map(|tap| {
                let (i, j) = (tap / n, tap % n);
                let of = if view.option("kind") == 1 { (m - 1 - i, n - 1 - j) } else { (i, j) };
                let at = if plane.by_columns { of.0 + m * of.1 } else { of.0 * n + of.1 };
                let weight = decode(sums, weights, at as usize);
                (weight.float() != 0.0).then(|| (weight, plane.at(y + top - i, x + left - j)))
            })
            .collect();
        let found = decode(dtype, found, place as usize);
        if !is_sum(sums, dtype, found, &products) {
            return Err(format!(
                "result is wrong: row {y}, column {x} is {found:?}, the sum of {products:?}"
            ));
        }
    }
    Ok(())
}

/// Whether a result is the sum of products, as far as the error bound says.
fn is_sum(sums: u8, dtype: u8, found: Number, products: &[(Number, Number)]) -> bool {
    if !is_float(sums) {
        let sum = products.iter().fold(0i64, |sum, (weight, element)| {
            sum.wrapping_add((weight.int() as i64).wrapping_mul(element.int() as i64))
        });
        let sum = if dtype_size(sums) == 4 { i64::from(sum as i32) } else { sum };
        let (low, high) = range(if is_float(dtype) { sums } else { dtype });
        return match found {
            Number::Float(found) if dtype == F32 => found == f64::from(sum as f32),
            Number::Float(found) => found == sum as f64,
            Number::Int(found) if dtype == BOOL => found == i128::from(sum != 0),
            Number::Int(found) => found == i128::from(sum).clamp(low, high),
        };
    }
    let converted = |element: f64| if sums == F32 { f64::from(element as f32) } else { element };
    let each = products.iter().map(|(weight, element)| weight.float() * converted(element.float()));
    let (sum, size): (f64, f64) = each.fold((0.0, 0.0), |(sum, size), each| (sum + each, size + each.abs()));
    let (unit, most) = match sums == F32 || dtype == F32 {
        true => (f64::from(f32::EPSILON), f64::from(f32::MAX)),
        false => (f64::EPSILON, f64::MAX),
    };
    let bound = 2.0 * (products.len() + 4) as f64 * unit * size + 1e-37;
    if size.is_nan() || size + bound >= most {
        return true; // overflows somewhere, or not
    }
    match found {
        Number::Float(found) => (found - sum).abs() <= bound,
        Number::Int(found) if dtype == BOOL => found == i128::from(sum != 0.0) || sum.abs() <= bound,
        Number::Int(found) => {
            let (low, high) = range(dtype);
            let rounded = |sum: f64| (sum.round() as i128).clamp(low, high);
            (rounded(sum - bound)..=rounded(sum + bound)).contains(&found)
        }
    }
}

pub fn median(view: &View) -> Result<(), String> {
    let (Some(found), Some(plane)) = (view.after("result"), Plane::of(view)) else { return Ok(()) };
    let dtype = view.dtype("result");
    let (m, n) = (view.number("window_rows") as i64, view.number("window_cols") as i64);
    for place in 0..plane.rows * plane.cols {
        let (y, x) = match plane.by_columns {
            true => (place % plane.rows, place / plane.rows),
            false => (place / plane.cols, place % plane.cols),
        };
        let mut window: Vec<Number> =
            (0..m * n).map(|at| plane.at(y - (m - 1) / 2 + at / n, x - (n - 1) / 2 + at % n)).collect();
        window.sort_by(|left, right| match (left, right) {
            (Number::Float(left), Number::Float(right)) if left.is_nan() || right.is_nan() => {
                left.is_nan().cmp(&right.is_nan())
            }
            (Number::Float(left), Number::Float(right)) => left.total_cmp(right),
            _ => left.order(*right),
        });
        let (low, high) = (window[(window.len() - 1) / 2], window[window.len() / 2]);
        let want = if window.len().is_multiple_of(2) { mean(dtype, low, high) } else { high };
        let found = decode(dtype, found, place as usize);
        let is_same = match (found, want) {
            (Number::Float(found), Number::Float(want)) => {
                found.to_bits() == want.to_bits() || found.is_nan() && want.is_nan()
            }
            _ => found == want,
        };
        if !is_same {
            return Err(format!(
                "result is wrong: row {y}, column {x} is {found:?}, not {want:?} of {window:?}"
            ));
        }
    }
    Ok(())
}

fn mean(dtype: u8, low: Number, high: Number) -> Number {
    match (low, high) {
        (Number::Int(low), Number::Int(high)) => {
            let sum = low + high;
            Number::Int((sum + sum.signum()) / 2) // halves away from zero
        }
        _ if dtype == F32 => Number::Float(f64::from(((low.float() + high.float()) / 2.0) as f32)),
        _ => {
            let sum = low.float() + high.float();
            Number::Float(if sum.is_infinite() { low.float() / 2.0 + high.float() / 2.0 } else { sum / 2.0 })
        }
    }
}

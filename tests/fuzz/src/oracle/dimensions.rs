//! Reductions and scans along a dimension of an array: integers bit by bit, sums of floats within the error bound of the header.

use super::View;
use super::sums::{Expected, compare, extreme, fold, unit};
use crate::number::{BOOL, Number, decode, dtype_size, is_float, is_signed};

const SUM: u32 = 0;
const PRODUCT: u32 = 1;
const MIN: u32 = 2;
const MAX: u32 = 3;
const ANY: u32 = 4;
const ALL: u32 = 5;
const COUNT: u32 = 6;

/// What is asked of the elements along the dimension.
struct Reduction {
    op: u32,
    /// Of the elements and of the result.
    from: u8,
    dtype: u8,
    saturates: bool,
    omits: bool,
}

impl Reduction {
    fn of(view: &View, from: u8) -> Reduction {
        let op = view.option("op");
        let omits = match view.option("nan") {
            0 => matches!(op, MIN | MAX | ANY | ALL),
            nan => nan == 2,
        };
        let dtype = view.dtype("result");
        Reduction { op, from, dtype, saturates: view.option("rules") == 1, omits }
    }

    /// The result for all of these elements, of `n` that the error bound counts.
    fn expected(&self, elements: &[Number], n: usize) -> Expected {
        let is_nan = |number: &Number| number.float().is_nan() && matches!(number, Number::Float(_));
        let kept: Vec<Number> =
            elements.iter().copied().filter(|number| !self.omits || !is_nan(number)).collect();
        let is_set = |number: &Number| number.float() != 0.0;
        let set = kept.iter().filter(|number| is_set(number)).count();
        match self.op {
            MIN | MAX if is_float(self.from) => {
                let nan = kept.iter().any(is_nan);
                Expected::Exactly(Number::Float(if nan { f64::NAN } else { extreme(&kept, self.op == MAX) }))
            }
            MIN if self.from == BOOL && kept.is_empty() => Expected::Exactly(Number::Int(1)),
            MIN | MAX => fold(self.op + 1, self.dtype, self.dtype, &kept),
            ANY => Expected::Exactly(Number::Int((set > 0).into())),
            ALL => Expected::Exactly(Number::Int((set == kept.len()).into())),
            COUNT if is_float(self.dtype) => Expected::Exactly(Number::Float(set as f64)),
            COUNT => Expected::Exactly(Number::Int(set as i128)),
            SUM | PRODUCT if !is_float(self.dtype) => self.integers(&kept),
            SUM | PRODUCT => {
                self.widened(fold(self.op + 1, self.dtype, self.dtype, &floats(&kept)), n, kept.len())
            }
            _ if kept.is_empty() => Expected::Exactly(Number::Float(f64::NAN)),
            _ => self.mean(&kept, n),
        }
    }

    /// n is count, also where fewer are added; integers are rounded to floats first.
    fn widened(&self, expected: Expected, n: usize, added: usize) -> Expected {
        let Expected::Within(number, error) = expected else { return expected };
        let rounding = if is_float(self.from) { 1.0 } else { 2.0 };
        Expected::Within(number, error * rounding * (n as f64 + 1.0) / (added as f64).max(1.0))
    }

    fn mean(&self, kept: &[Number], n: usize) -> Expected {
        let sum = fold(1, self.dtype, self.dtype, &floats(kept));
        let (u, _) = unit(self.dtype);
        match self.widened(sum, n, kept.len()) {
            Expected::Within(number, error) => {
                let mean = number / kept.len() as f64;
                let tiny =
                    f64::from(f32::from_bits(1)) * f64::from(u8::from(self.dtype == 1)) + f64::from_bits(1);
                Expected::Within(mean, error / kept.len() as f64 + 2.0 * u * mean.abs() + tiny)
            }
            other => other,
        }
    }

    fn integers(&self, kept: &[Number]) -> Expected {
        if !self.saturates {
            return fold(self.op + 1, self.dtype, self.dtype, kept);
        }
        let bits = 8 * dtype_size(self.dtype) as u32;
        let (least, most) = match is_signed(self.dtype) {
            true => (-(1i128 << (bits - 1)), (1 << (bits - 1)) - 1),
            false => (0, (1i128 << bits) - 1),
        };
        let mut result = if self.op == SUM { 0 } else { 1i128 };
        for number in kept.iter().map(|number| number.int()) {
            if !(least..=most).contains(&number) {
                return Expected::Unknown; // the dtype of the result does not hold it
            }
            let next = if self.op == SUM { result + number } else { result.saturating_mul(number) };
            result = next.clamp(least, most);
        }
        Expected::Exactly(Number::Int(result))
    }
}

fn floats(numbers: &[Number]) -> Vec<Number> {
    numbers.iter().map(|number| Number::Float(number.float())).collect()
}

type Dims = (usize, usize, usize);

fn dims(view: &View) -> Dims {
    (view.number("inner"), view.number("count"), view.number("outer"))
}

/// The elements along the dimension for each i and k.
fn columns((inner, count, outer): Dims, data: &[Number]) -> Vec<Vec<Number>> {
    let column = |place: usize| {
        let (i, k) = (place % inner, place / inner);
        (0..count).map(|j| data[i + inner * (j + count * k)]).collect()
    };
    (0..inner * outer).map(column).collect()
}

pub fn reduce(view: &View) -> Result<(), String> {
    reduced(view, view.dtype("data"), dims(view), &view.numbers("data"))
}

/// Compares the results of a reduction of these elements, of a dtype.
pub fn reduced(view: &View, from: u8, dims: Dims, elements: &[Number]) -> Result<(), String> {
    let (reduction, count) = (Reduction::of(view, from), dims.1);
    let Some(found) = view.after("result") else { return Ok(()) };
    let positions = view.field_after("positions");
    let index_dtype = view.option("index_dtype") as u8;
    for (place, column) in columns(dims, elements).into_iter().enumerate() {
        let Some(positions) = positions else {
            compare("result", place, reduction.dtype, found, &reduction.expected(&column, count))?;
            continue;
        };
        let at = extremum(&reduction, &column);
        let found_at = decode(index_dtype, positions, place);
        if found_at != Number::Int(at.unwrap_or(0) as i128) {
            return Err(format!("positions is wrong: [{place}] is {found_at:?}, expected {at:?}"));
        }
        let expected = match at {
            Some(at) => Expected::Exactly(column[at]),
            None => reduction.expected(&column, count),
        };
        compare("result", place, reduction.dtype, found, &expected)?;
    }
    Ok(())
}

/// The position of the first element that is the extremum; zeros are equal. `None` where there is none but NaN.
fn extremum(reduction: &Reduction, column: &[Number]) -> Option<usize> {
    let is_nan = |at: &usize| matches!(column[*at], Number::Float(number) if number.is_nan());
    if !reduction.omits
        && let Some(at) = (0..column.len()).find(is_nan)
    {
        return Some(at);
    }
    let mut best: Option<usize> = None;
    for at in (0..column.len()).filter(|at| !is_nan(at)) {
        let is_better = best.is_none_or(|best| {
            let order = column[at].order(column[best]);
            if reduction.op == MIN { order.is_lt() } else { order.is_gt() }
        });
        if is_better {
            best = Some(at);
        }
    }
    best
}

pub fn scan(view: &View) -> Result<(), String> {
    scanned(view, view.dtype("data"), dims(view), &view.numbers("data"))
}

/// Compares the prefixes of these elements, of a dtype.
pub fn scanned(view: &View, from: u8, dims: Dims, elements: &[Number]) -> Result<(), String> {
    let (reduction, (inner, count, outer)) = (Reduction::of(view, from), dims);
    let inclusive = usize::from(view.option("kind") == 1);
    let is_reversed = view.option("reverse") == 1;
    let Some(found) = view.after("result").filter(|_| !elements.is_empty()) else { return Ok(()) };
    let step = 1 + count * count * inner * outer / 20_000; // some of them: the loop is quadratic
    for (place, mut column) in columns(dims, elements).into_iter().enumerate() {
        if is_reversed {
            column.reverse();
        }
        for j in (0..count).step_by(step).chain(count.checked_sub(1)) {
            let expected = reduction.expected(&column[..j + inclusive], count);
            let along = if is_reversed { count - 1 - j } else { j };
            let at = place % inner + inner * (along + count * (place / inner));
            compare("result", at, reduction.dtype, found, &expected)?;
        }
    }
    Ok(())
}

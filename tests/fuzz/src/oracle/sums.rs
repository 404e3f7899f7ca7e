//! Reductions and scans: integers bit by bit, sums of floats within the error bound of the header.

use super::View;
use crate::formula;
use crate::number::{F32, F64, Number, decode, dtype_size, encode, is_float};

/// A result as the header states it.
pub enum Expected {
    Exactly(Number),
    Within(f64, f64),
    Unknown,
}

/// All elements combined with an operator, in the accumulator's dtype.
pub fn fold(op: u32, dtype: u8, from: u8, numbers: &[Number]) -> Expected {
    if is_float(dtype) {
        return match op {
            0 | 1 => sum(from, numbers),
            2 => product(from, numbers),
            _ => Expected::Exactly(Number::Float(extreme(numbers, op == 4))),
        };
    }
    let bits = 8 * dtype_size(dtype).max(1) as u32;
    let wrapped = |number: i128| {
        let mut bytes = Vec::new();
        encode(dtype, Number::Int(number), &mut bytes);
        decode(dtype, &bytes, 0)
    };
    let ints = numbers.iter().map(|number| wrapped(number.int()).int()); // accumulated in dtype
    let signed = crate::number::is_signed(dtype);
    let (least, most) =
        if signed { (-(1i128 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1i128 << bits) - 1) };
    Expected::Exactly(wrapped(match op {
        0 | 1 => ints.fold(0, |sum, number| wrapped(sum + number).int()),
        2 => ints.fold(1, |product, number| i128::from((product as u64).wrapping_mul(number as u64))),
        3 => ints.min().unwrap_or(most),
        4 => ints.max().unwrap_or(least),
        5 => ints.fold(-1, |all, number| all & number),
        6 => ints.fold(0, |all, number| all | number),
        _ => ints.fold(0, |all, number| all ^ number),
    }))
}

/// All elements joined as the options say: with an operator, or an expression that the language of folds knows.
fn joined(view: &View, dtype: u8, from: u8, numbers: &[Number]) -> Expected {
    let Some(text) = view.scope.text("expression") else {
        return match (numbers.is_empty(), identity(view, dtype)) {
            (true, Some(identity)) => Expected::Exactly(identity),
            _ => fold(view.option("op"), dtype, from, numbers),
        };
    };
    let Some(rule) = formula::FOLDS.iter().position(|known| *known == text) else { return Expected::Unknown };
    let wrapped = |number: &Number| {
        let mut bytes = Vec::new();
        encode(dtype, *number, &mut bytes);
        decode(dtype, &bytes, 0)
    };
    let mut numbers = numbers.iter().map(wrapped);
    let last = |_, b| b;
    let found = match rule {
        0 => numbers.next(),
        1 => numbers.reduce(last),
        _ => numbers.reduce(|a, b| if b.float() == 0.0 { a } else { b }),
    };
    found.or(identity(view, dtype)).map_or(Expected::Unknown, Expected::Exactly)
}

fn identity(view: &View, dtype: u8) -> Option<Number> {
    match view.scope.value("identity") {
        Some(crate::case::Value::Array(buffer)) if !buffer.bytes.is_empty() => {
            Some(decode(dtype, &buffer.bytes, 0))
        }
        _ => None,
    }
}

/// Whether an expression takes the place of an operator, and is perhaps not associative, or that of an order.
pub fn is_in_any_order(view: &View) -> bool {
    let is_fold = |text: &str| view.scope.value("op").is_some() && formula::FOLDS.contains(&text);
    let is_map = view.scope.value("input_count").is_some();
    !is_map && view.scope.text("expression").is_some_and(|text| !is_fold(text))
}

/// Whether keys are in the order of an expression, which is perhaps none.
pub fn is_ordered_by_text(view: &View) -> bool {
    is_in_any_order(view) && view.scope.value("op").is_none()
}

/// MIN and MAX ignore NaN; -0 is less than 0.
pub fn extreme(numbers: &[Number], largest: bool) -> f64 {
    let numbers = numbers.iter().map(|number| number.float()).filter(|number| !number.is_nan());
    let found = if largest { numbers.max_by(f64::total_cmp) } else { numbers.min_by(f64::total_cmp) };
    found.unwrap_or(f64::NAN)
}

pub fn unit(dtype: u8) -> (f64, f64) {
    if dtype == F32 {
        (f64::from(f32::EPSILON) / 2.0, f64::from(f32::MAX))
    } else {
        (f64::EPSILON / 2.0, f64::MAX)
    }
}

/// The sum in twice the precision, and the bound of the header.
fn sum(dtype: u8, numbers: &[Number]) -> Expected {
    let (u, most) = unit(dtype);
    let (mut high, mut low, mut absolute) = (0.0f64, 0.0f64, 0.0f64);
    for number in numbers {
        let x = number.float();
        let next = high + x;
        let part = next - high;
        low += (high - (next - part)) + (x - part);
        high = next;
        absolute += x.abs();
    }
    if !absolute.is_finite() || absolute > most {
        let nan = numbers.iter().any(|number| number.float().is_nan());
        let infinite = |sign: f64| numbers.iter().any(|number| number.float() == sign * f64::INFINITY);
        return match (nan, infinite(1.0), infinite(-1.0)) {
            (true, ..) | (_, true, true) => Expected::Exactly(Number::Float(f64::NAN)),
            // Partial sums of the others may overflow the other way.
            _ => Expected::Unknown,
        };
    }
    let n = numbers.len() as f64;
    Expected::Within(
        high + low,
        n * u / (1.0 - n * u) * absolute * 1.0001 + f64::from(f32::from_bits(1)).min(u * absolute),
    )
}

fn product(dtype: u8, numbers: &[Number]) -> Expected {
    let (u, _) = unit(dtype);
    let range = if dtype == F32 { 120.0 } else { 1000.0 };
    let logarithms: f64 = numbers.iter().map(|number| number.float().abs().log2().abs()).sum();
    if logarithms.is_nan() || logarithms > range {
        return Expected::Unknown; // a partial product may over- or underflow
    }
    let product: f64 = numbers.iter().map(|number| number.float()).product();
    let n = numbers.len() as f64 + 1.0;
    Expected::Within(product, 2.0 * n * u / (1.0 - n * u) * product.abs())
}

pub fn compare(name: &str, index: usize, dtype: u8, found: &[u8], expected: &Expected) -> Result<(), String> {
    let found = decode(dtype, found, index);
    let (good, wanted) = match expected {
        Expected::Unknown => (true, String::new()),
        Expected::Exactly(Number::Float(number)) => {
            let same =
                found.float().to_bits() == number.to_bits() || found.float().is_nan() && number.is_nan();
            (same, format!("{number:e}"))
        }
        Expected::Exactly(number) => (found == *number, format!("{number:?}")),
        Expected::Within(number, error) => {
            let good = (found.float() - number).abs() <= *error;
            (good, format!("{number:e} within {error:e}"))
        }
    };
    if good { Ok(()) } else { Err(format!("{name} is wrong: [{index}] is {found:?}, expected {wanted}")) }
}

pub fn reduce(view: &View) -> Result<(), String> {
    let (dtype, from) = (view.dtype("result"), view.dtype("data"));
    let expected = joined(view, dtype, from, &view.numbers("data"));
    view.after("result").map_or(Ok(()), |found| compare("result", 0, dtype, found, &expected))
}

pub fn scan(view: &View) -> Result<(), String> {
    let (dtype, from, data) = (view.dtype("result"), view.dtype("data"), view.numbers("data"));
    let inclusive = usize::from(view.option("kind") == 1);
    let Some(found) = view.after("result") else { return Ok(()) };
    let step = 1 + data.len() / 64; // some of them: the loop is quadratic
    for index in (0..data.len()).step_by(step).chain(data.len().checked_sub(1)) {
        let mut expected = joined(view, dtype, from, &data[..index + inclusive]);
        if let Expected::Within(_, error) = &mut expected {
            *error *= (data.len() as f64 + 1.0) / (index as f64 + 1.0); // n is count
        }
        compare("result", index, dtype, found, &expected)?;
    }
    let total = joined(view, dtype, from, &data);
    view.after("total").map_or(Ok(()), |found| compare("total", 0, dtype, found, &total))
}

pub fn segmented_reduce(view: &View) -> Result<(), String> {
    let (dtype, data, offsets) = (view.dtype("result"), view.numbers("data"), view.positions("offsets"));
    let sources = view.before("sources").map(|_| view.positions("sources"));
    let Some(found) = view.after("result") else { return Ok(()) };
    for segment in 0..view.number("segments") {
        let length = offsets[segment + 1].saturating_sub(offsets[segment]);
        let begin = sources.as_ref().map_or(offsets[segment], |sources| sources[segment]);
        let Some(elements) = begin.checked_add(length).and_then(|end| data.get(begin..end)) else {
            continue; // unspecified
        };
        let expected = joined(view, dtype, dtype, elements);
        compare("result", segment, dtype, found, &expected)?;
    }
    Ok(())
}

pub fn reduce_by_key(view: &View) -> Result<(), String> {
    let (keys, data, dtype) = (view.numbers("keys"), view.numbers("data"), view.dtype("results"));
    let begins = (0..keys.len()).filter(|index| *index == 0 || keys[index - 1].order(keys[*index]).is_ne());
    let begins: Vec<usize> = begins.chain([keys.len()]).collect();
    let runs = begins.len() - 1;
    view.expect("needed", &(runs as u64).to_le_bytes())?;
    let listed = runs.min(view.number("capacity"));
    let elements = view.elements("keys");
    view.expect(
        "unique_keys",
        &begins[..listed].iter().flat_map(|begin| elements[*begin].to_vec()).collect::<Vec<u8>>(),
    )?;
    if view.number("capacity") > 0 {
        view.expect_positions("offsets", begins[..=listed].iter().copied())?;
    }
    let (Some(found), true) = (view.after("results"), data.len() == keys.len()) else { return Ok(()) };
    for run in 0..listed {
        let expected = joined(view, dtype, dtype, &data[begins[run]..begins[run + 1]]);
        compare("results", run, dtype, found, &expected)?;
    }
    Ok(())
}

pub fn dot(view: &View) -> Result<(), String> {
    let (x, y, dtype) = (view.numbers("x"), view.numbers("y"), view.dtype("result"));
    let products: Vec<Number> = x.iter().zip(&y).map(|(x, y)| Number::Float(x.float() * y.float())).collect();
    // Products of doubles are rounded here as well; those that underflow have an error of their own.
    let tame = |number: &Number| number.float() == 0.0 || number.float().abs() > 1e-30;
    if dtype == F64 && products.len() > 1 || !products.iter().all(tame) {
        return Ok(());
    }
    let expected = match sum(dtype, &products) {
        Expected::Within(number, error) => Expected::Within(number, error * 2.0),
        other => other,
    };
    view.after("result").map_or(Ok(()), |found| compare("result", 0, dtype, found, &expected))
}

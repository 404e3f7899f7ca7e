//! What an expression is for one element, by the rules as they are documented, without a look at the library.

use gpumex::model::dtype::Dtype;
use gpumex::model::expression::Rules;

use super::arrays::Number;
use super::tree::{CASTS, Tree};

/// A value, its type, and whether it is a literal.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    pub dtype: Dtype,
    pub number: Number,
    pub is_literal: bool,
}

fn int(dtype: Dtype, value: i128) -> Value {
    Value { dtype, number: Number::Int(value), is_literal: false }
}

fn logical(value: bool) -> Value {
    int(Dtype::Bool, value.into())
}

fn float(dtype: Dtype, value: f64) -> Value {
    Value { dtype, number: Number::Float(value), is_literal: false }
}

fn range(dtype: Dtype) -> (i128, i128) {
    dtype.integers().unwrap().into_inner()
}

/// The value of a tree for one element of each input; None where the rules have no answer, or the oracle has none.
pub fn value(rules: Rules, tree: &Tree, inputs: &[(Dtype, Number)]) -> Option<Value> {
    match tree {
        Tree::Whole(value) if rules == Rules::Matlab => {
            Some(Value { is_literal: true, ..float(Dtype::F64, *value as f64) })
        }
        Tree::Whole(value) => Some(Value { is_literal: true, ..int(Dtype::I32, *value) }),
        Tree::Fraction(value) => Some(Value { is_literal: true, ..float(Dtype::F64, *value) }),
        Tree::Logical(value) => Some(logical(*value)),
        Tree::Input(index) => {
            let (dtype, number) = inputs[*index];
            Some(match number {
                Number::Int(value) if dtype == Dtype::Bool => logical(value != 0),
                number => Value { dtype, number, is_literal: false },
            })
        }
        Tree::Call(name, arguments) => {
            let arguments: Option<Vec<Value>> =
                arguments.iter().map(|argument| value(rules, argument, inputs)).collect();
            let x = arguments?;
            match rules {
                Rules::Matlab => matlab(name, &x),
                Rules::C => c(name, &x),
            }
        }
    }
}

/// The number as an element of a dtype, by the rule of casts.
pub fn cast(rules: Rules, dtype: Dtype, x: Value) -> Value {
    if dtype == Dtype::Bool {
        return logical(!matches!(x.number, Number::Int(0)) && x.number.to_f64() != 0.0);
    }
    match (dtype.integers(), x.number) {
        (None, number) if dtype == Dtype::F32 => float(
            dtype,
            match number {
                Number::Int(value) => f64::from(value as f32),
                Number::Float(value) => f64::from(value as f32),
            },
        ),
        (None, number) => float(dtype, number.to_f64()),
        (Some(_), Number::Float(value)) => {
            let whole = if rules == Rules::Matlab { value.round() } else { value.trunc() };
            int(dtype, (whole as i128).clamp(range(dtype).0, range(dtype).1))
        }
        (Some(_), Number::Int(value)) if rules == Rules::Matlab => {
            int(dtype, value.clamp(range(dtype).0, range(dtype).1))
        }
        (Some(_), Number::Int(value)) => int(dtype, wrapped(dtype, value)),
    }
}

fn wrapped(dtype: Dtype, value: i128) -> i128 {
    let (low, high) = range(dtype);
    low + value.wrapping_sub(low).rem_euclid(high - low + 1) // a power of two, which divides 2^128
}

/// Exactly: doubles are compared with integers as real numbers.
fn compare(name: &str, x: Value, y: Value) -> Value {
    use std::cmp::Ordering::*;
    let order = match (x.number, y.number) {
        (Number::Int(a), Number::Int(b)) => Some(a.cmp(&b)),
        (Number::Float(a), Number::Float(b)) => a.partial_cmp(&b),
        (Number::Int(a), Number::Float(b)) => with_float(a, b),
        (Number::Float(a), Number::Int(b)) => with_float(b, a).map(std::cmp::Ordering::reverse),
    };
    logical(match name {
        "eq" => order == Some(Equal),
        "ne" => order != Some(Equal),
        "lt" => order == Some(Less),
        "le" => matches!(order, Some(Less | Equal)),
        "gt" => order == Some(Greater),
        _ => matches!(order, Some(Greater | Equal)),
    })
}

/// A single and a double as singles.
fn compare_of_matlab(name: &str, x: Value, y: Value) -> Value {
    match (x.dtype, y.dtype) {
        (Dtype::F32, Dtype::F64) | (Dtype::F64, Dtype::F32) => {
            let [x, y] = [x, y].map(|value| float(Dtype::F32, f64::from(value.number.to_f64() as f32)));
            compare(name, x, y)
        }
        _ => compare(name, x, y),
    }
}

fn with_float(a: i128, b: f64) -> Option<std::cmp::Ordering> {
    if b.is_nan() {
        return None;
    }
    let whole = b.floor() as i128; // saturates far beyond 64 bits
    Some(a.cmp(&whole).then(if b > b.floor() { std::cmp::Ordering::Less } else { std::cmp::Ordering::Equal }))
}

/// What both rules have in common; None where the name is another one.
fn common(name: &str, x: &[Value]) -> Option<Value> {
    let is = |value: Value| value.number.to_f64() != 0.0; // NaN is not 0
    let number = x[0].number.to_f64();
    Some(match name {
        "not" => logical(!is(x[0])),
        "and" => logical(is(x[0]) && is(x[1])),
        "or" => logical(is(x[0]) || is(x[1])),
        "xor" => logical(is(x[0]) != is(x[1])),
        "isnan" => logical(number.is_nan()),
        "isinf" => logical(number.is_infinite()),
        "isfinite" => logical(number.is_finite()),
        _ => return None,
    })
}

/// Functions of floats, rounded once to the type.
fn of_floats(dtype: Dtype, name: &str, x: f64, y: f64) -> Option<Value> {
    let zero_sign = |value: f64| if value == 0.0 { 0.0 } else { value.signum() };
    let exact = match name {
        "plus" => x + y,
        "minus" => x - y,
        "times" => x * y,
        "rdivide" => x / y,
        "uminus" => -x,
        "uplus" => x,
        "abs" => x.abs(),
        "sign" if x.is_nan() => x,
        "sign" => zero_sign(x),
        "min" if x.is_nan() || y < x => y,
        "max" if x.is_nan() || y > x => y,
        "min" | "max" => x,
        "floor" => x.floor(),
        "ceil" => x.ceil(),
        "round" => x.round(),
        "fix" => x.trunc(),
        "sqrt" => x.sqrt(),
        "rem" => x % y,
        "mod" if y == 0.0 => x,
        "mod" => {
            let r = x % y;
            let r_in_type = if dtype == Dtype::F32 { f64::from((r + y) as f32) } else { r + y };
            if r != 0.0 && (r < 0.0) != (y < 0.0) { r_in_type } else { r }
        }
        _ => return None,
    };
    // Sums, products, quotients and roots of singles, rounded to double and then to single, are rounded once (Figueroa).
    Some(float(dtype, if dtype == Dtype::F32 { f64::from(exact as f32) } else { exact }))
}

fn is_integer(dtype: Dtype) -> bool {
    dtype.integers().is_some() && dtype != Dtype::Bool
}

/// The quotient of integers, rounded, halves away from zero.
fn rounded_quotient(x: i128, y: i128) -> i128 {
    match y {
        0 => x.signum() << 100,
        _ => (2 * x.abs() + y.abs()) / (2 * y.abs()) * x.signum() * y.signum(),
    }
}

fn floored(x: i128, y: i128) -> i128 {
    if y == 0 { x } else { x - y * x.div_euclid(y) + if x.rem_euclid(y) != 0 && y < 0 { y } else { 0 } }
}

fn of_integers(name: &str, x: i128, y: i128) -> Option<i128> {
    Some(match name {
        "plus" => x + y,
        "minus" => x - y,
        "times" => x.saturating_mul(y), // far beyond what saturates
        "min" => x.min(y),
        "max" => x.max(y),
        "uminus" => -x,
        "uplus" => x,
        "abs" => x.abs(),
        "sign" => x.signum(),
        "floor" | "ceil" | "round" | "fix" => x,
        "mod" => floored(x, y),
        "rem" if y == 0 => 0,
        "rem" => x % y,
        "bitand" => x & y,
        "bitor" => x | y,
        "bitxor" => x ^ y,
        _ => return None,
    })
}

fn matlab_class(x: &[Value]) -> Option<Dtype> {
    let integers: Vec<Dtype> = x.iter().map(|value| value.dtype).filter(|&dtype| is_integer(dtype)).collect();
    match integers[..] {
        [first, ..] => integers.iter().all(|&dtype| dtype == first).then_some(first),
        [] if x.iter().any(|value| value.dtype == Dtype::F32) => Some(Dtype::F32),
        [] => Some(Dtype::F64),
    }
}

fn matlab(name: &str, x: &[Value]) -> Option<Value> {
    if let Some(value) = common(name, x) {
        return Some(value);
    }
    if let Some((_, dtype)) = CASTS.iter().find(|(cast, _)| *cast == name) {
        return Some(cast(Rules::Matlab, *dtype, x[0]));
    }
    let second = x.get(1).copied().unwrap_or(x[0]);
    match name {
        "eq" | "ne" | "lt" | "le" | "gt" | "ge" => return Some(compare_of_matlab(name, x[0], second)),
        "min" | "max" if x[0].dtype == Dtype::Bool && second.dtype == Dtype::Bool => {
            return common(if name == "min" { "and" } else { "or" }, &[x[0], second]);
        }
        "select" => {
            let dtype = if x[1].dtype == x[2].dtype { x[1].dtype } else { matlab_class(&x[1..])? };
            let is_true = x[0].number.to_f64() != 0.0;
            return Some(cast(Rules::Matlab, dtype, if is_true { x[1] } else { x[2] }));
        }
        _ => {}
    }
    let dtype = matlab_class(x)?;
    if !is_integer(dtype) {
        if name.starts_with("bit") {
            return None;
        }
        let [a, b] = [x[0], second].map(|value| cast(Rules::Matlab, dtype, value).number.to_f64());
        return of_floats(dtype, name, a, b);
    }
    let is_exact = |value: Value| value.dtype == dtype || value.dtype == Dtype::Bool || value.is_literal;
    let saturated = |value: i128| int(dtype, value.clamp(range(dtype).0, range(dtype).1));
    match (x[0].number, second.number, name) {
        (_, _, "mod" | "rem" | "bitand" | "bitor" | "bitxor") => {
            let [a, b] = [x[0], second].map(|value| cast(Rules::Matlab, dtype, value).number);
            let (Number::Int(a), Number::Int(b)) = (a, b) else { return None };
            of_integers(name, a, b).map(saturated)
        }
        (Number::Int(a), Number::Int(b), "rdivide") => Some(saturated(rounded_quotient(a, b))),
        (Number::Int(a), Number::Int(b), _) => of_integers(name, a, b).map(saturated),
        _ if dtype.size() == 8 && !(is_exact(x[0]) && is_exact(second)) => None, // computed in double, or exactly
        (a, b, _) if dtype.size() == 8 && (a.to_f64().fract() != 0.0 || b.to_f64().fract() != 0.0) => None,
        (a, b, _) if dtype.size() == 8 => {
            let whole = |number| match number {
                Number::Int(value) => value,
                Number::Float(value) => value as i128,
            };
            match name {
                "rdivide" => Some(saturated(rounded_quotient(whole(a), whole(b)))),
                _ => of_integers(name, whole(a), whole(b)).map(saturated),
            }
        }
        (a, b, _) => of_floats(Dtype::F64, name, a.to_f64(), b.to_f64())
            .map(|double| cast(Rules::Matlab, dtype, double)),
    }
}

/// The type in which C computes, which has a rank.
fn promoted(dtype: Dtype) -> Dtype {
    match dtype.integers() {
        Some(_) if dtype.size() < 4 => Dtype::I32,
        _ => dtype,
    }
}

fn usual(x: Dtype, y: Dtype) -> Dtype {
    let order = [Dtype::I32, Dtype::U32, Dtype::I64, Dtype::U64, Dtype::F32, Dtype::F64];
    let rank = |dtype| order.iter().position(|&ranked| ranked == promoted(dtype)).unwrap();
    order[rank(x).max(rank(y))]
}

/// The common type; literals of the random expressions fit into every type of 32 bits, and are not negative.
fn c_type(x: &[Value]) -> Option<Dtype> {
    let weak: Vec<&Value> = x.iter().filter(|value| value.is_literal).collect();
    let strong: Vec<Dtype> = x.iter().filter(|value| !value.is_literal).map(|value| value.dtype).collect();
    let dtype = match strong[..] {
        [] => return None, // literals alone are folded
        [one] => promoted(one),
        [a, b, ..] => usual(a, b),
    };
    let has_fraction = weak.iter().any(|value| value.dtype == Dtype::F64);
    Some(if has_fraction && dtype.integers().is_some() { Dtype::F64 } else { dtype })
}

fn c(name: &str, x: &[Value]) -> Option<Value> {
    if let Some(value) = common(name, x) {
        return Some(value);
    }
    if let Some((_, dtype)) = CASTS.iter().find(|(cast, _)| *cast == name) {
        return Some(cast(Rules::C, *dtype, x[0]));
    }
    let operands = if name == "select" { &x[1..] } else { x };
    let mut dtype = c_type(operands)?;
    if name == "sqrt" && dtype.integers().is_some() {
        dtype = Dtype::F64;
    }
    let x0 = x[0].number.to_f64() != 0.0;
    let x: Vec<Value> = operands.iter().map(|&value| cast(Rules::C, dtype, value)).collect();
    let second = x.get(1).copied().unwrap_or(x[0]);
    match (x[0].number, second.number, name) {
        (_, _, "eq" | "ne" | "lt" | "le" | "gt" | "ge") => Some(compare(name, x[0], second)),
        (_, _, "select") => Some(if x0 { x[0] } else { second }),
        (Number::Int(_), Number::Int(0), "rdivide") => Some(int(dtype, 0)),
        (Number::Int(a), Number::Int(b), "rdivide") => Some(int(dtype, wrapped(dtype, a / b))),
        (Number::Int(a), Number::Int(b), "times") => Some(int(dtype, wrapped(dtype, a.wrapping_mul(b)))),
        (Number::Int(a), Number::Int(b), _) => {
            of_integers(name, a, b).map(|value| int(dtype, wrapped(dtype, value)))
        }
        (a, b, _) => of_floats(dtype, name, a.to_f64(), b.to_f64()),
    }
}

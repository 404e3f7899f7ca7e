//! What an expression of gpumex_map is for one element, by the rules as they are documented.

use std::cmp::Ordering;

use super::language::{Node, Tree};
use crate::number::{BOOL, F32, F64, Number, decode, is_float};

const F16: u8 = 3;
const BF16: u8 = 4;
const I32: u8 = 7;
const I64: u8 = 8;
const U32: u8 = 11;
const U64: u8 = 12;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rules {
    C,
    Matlab,
}

/// How exact a number is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Accuracy {
    Exact,
    /// Of an elementary function: within so many units in the last place of a dtype.
    Within(u32, u8),
}

#[derive(Clone, Copy, Debug)]
pub struct Value {
    pub dtype: u8,
    pub number: Number,
    /// Takes the type of its partner.
    pub literal: bool,
    pub accuracy: Accuracy,
}

fn int(dtype: u8, value: i128) -> Value {
    Value { dtype, number: Number::Int(value), literal: false, accuracy: Accuracy::Exact }
}

fn logical(value: bool) -> Value {
    int(BOOL, value.into())
}

fn float(dtype: u8, value: f64) -> Value {
    Value { dtype, number: Number::Float(value), literal: false, accuracy: Accuracy::Exact }
}

fn range(dtype: u8) -> (i128, i128) {
    match dtype {
        5..=8 => (-(1 << (8 << (dtype - 5)) >> 1), (1 << (8 << (dtype - 5)) >> 1) - 1),
        9..=12 => (0, (1 << (8 << (dtype - 9))) - 1),
        _ => (0, 1),
    }
}

fn is_integer(dtype: u8) -> bool {
    (5..=12).contains(&dtype)
}

fn rounded(dtype: u8, value: f64) -> f64 {
    if dtype == F32 { f64::from(value as f32) } else { value }
}

/// An element of an input: numbers of 16 bits are single ones.
pub fn element(dtype: u8, bytes: &[u8], index: usize) -> Value {
    match (dtype, decode(dtype, bytes, index)) {
        (F16, Number::Int(bits)) => float(F32, of_half(bits as u16)),
        (BF16, Number::Int(bits)) => float(F32, f64::from(f32::from_bits((bits as u32) << 16))),
        (BOOL, number) => logical(number.int() != 0),
        (_, number) => Value { number, ..int(dtype, 0) },
    }
}

fn of_half(bits: u16) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    let magnitude = match exponent {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + fraction) * 2f64.powi(exponent - 25),
    };
    if bits >> 15 == 1 { -magnitude } else { magnitude }
}

/// The bits of a single number rounded to 16 bits, halves to even.
pub fn to_half(dtype: u8, value: f64) -> u16 {
    if value.is_nan() {
        return if dtype == F16 { 0x7e00 } else { 0x7fc0 };
    }
    let sign = u16::from(value.is_sign_negative()) << 15;
    let (fraction_bits, least) = if dtype == F16 { (10, -14) } else { (7, -126) };
    let magnitude = value.abs();
    let exponent = if magnitude == 0.0 { least } else { (magnitude.to_bits() >> 52) as i32 - 1023 };
    let exponent = exponent.max(least);
    let steps = (magnitude * 2f64.powi(fraction_bits - exponent)).round_ties_even(); // exact but for the rounding
    let code = steps + f64::from(exponent - least) * f64::from(1u32 << fraction_bits);
    let infinity = if dtype == F16 { 0x7c00 } else { 0x7f80 };
    sign | if code >= f64::from(infinity) || magnitude.is_infinite() { infinity } else { code as u16 }
}

/// The value for one element of each input; `None` where the rules have no answer, or this program has none.
pub fn value(rules: Rules, node: &Node, inputs: &[Value]) -> Option<Value> {
    Some(match &node.tree {
        Tree::Whole(number) if rules == Rules::Matlab => {
            Value { literal: true, ..float(F64, *number as f64) }
        }
        Tree::Whole(number) => {
            let dtype = [I32, I64].into_iter().find(|dtype| *number <= range(*dtype).1).unwrap_or(U64);
            Value { literal: true, ..int(dtype, *number) }
        }
        Tree::Fraction(number) => Value { literal: true, ..float(F64, *number) },
        Tree::Logical(value) => logical(*value),
        Tree::Input(index) => *inputs.get(*index)?,
        Tree::Call(name, arguments) => {
            let x: Option<Vec<Value>> =
                arguments.iter().map(|argument| value(rules, argument, inputs)).collect();
            let x = x?;
            // What an inexact number decides is not known, but for the type.
            if x.iter().any(|value| value.accuracy != Accuracy::Exact || matches!(value.dtype, F16 | BF16)) {
                return None;
            }
            return if rules == Rules::Matlab { matlab(name, &x) } else { c(name, &x) };
        }
    })
}

fn cast_of(name: &str) -> Option<u8> {
    const CASTS: [&str; 13] = [
        "single", "double", "half", "bfloat16", "int8", "int16", "int32", "int64", "uint8", "uint16",
        "uint32", "uint64", "logical",
    ];
    CASTS.iter().position(|cast| *cast == name).map(|index| index as u8 + 1)
}

/// The number as one of a dtype, by the rule of casts; one of 16 bits is still a single one.
pub fn cast(rules: Rules, dtype: u8, x: Value) -> Value {
    Value { accuracy: x.accuracy, ..cast_exact(rules, dtype, x) }
}

fn cast_exact(rules: Rules, dtype: u8, x: Value) -> Value {
    if dtype == BOOL {
        return logical(!matches!(x.number, Number::Int(0)) && x.number.float() != 0.0);
    }
    match x.number {
        _ if dtype == F64 => float(dtype, x.number.float()),
        Number::Int(value) if !is_integer(dtype) => float(dtype, f64::from(value as f32)),
        Number::Float(value) if !is_integer(dtype) => float(dtype, f64::from(value as f32)),
        Number::Float(value) => {
            let whole = if rules == Rules::Matlab { value.round() } else { value.trunc() };
            int(dtype, (whole as i128).clamp(range(dtype).0, range(dtype).1))
        }
        Number::Int(value) if rules == Rules::Matlab => {
            int(dtype, value.clamp(range(dtype).0, range(dtype).1))
        }
        Number::Int(value) => int(dtype, wrapped(dtype, value)),
    }
}

fn wrapped(dtype: u8, value: i128) -> i128 {
    let (low, high) = range(dtype);
    low + value.wrapping_sub(low).rem_euclid(high - low + 1)
}

/// Exactly: floats are compared with integers as real numbers.
fn compare(name: &str, x: Value, y: Value) -> Option<Value> {
    let with_float = |a: i128, b: f64| {
        let fraction = if b > b.floor() { Ordering::Less } else { Ordering::Equal };
        (!b.is_nan()).then(|| a.cmp(&(b.floor() as i128)).then(fraction))
    };
    let order = match (x.number, y.number) {
        (Number::Int(a), Number::Int(b)) => Some(a.cmp(&b)),
        (Number::Float(a), Number::Float(b)) => a.partial_cmp(&b),
        (Number::Int(a), Number::Float(b)) => with_float(a, b),
        (Number::Float(a), Number::Int(b)) => with_float(b, a).map(Ordering::reverse),
    };
    Some(logical(match name {
        "eq" => order == Some(Ordering::Equal),
        "ne" => order != Some(Ordering::Equal),
        "lt" => order == Some(Ordering::Less),
        "le" => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        "gt" => order == Some(Ordering::Greater),
        "ge" => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        _ => return None,
    }))
}

/// Logic and classes of numbers, the same by both rules.
fn logic(name: &str, x: &[Value]) -> Option<Value> {
    let is = |value: Value| value.number.float() != 0.0; // NaN is not 0
    let number = x[0].number.float();
    Some(logical(match name {
        "not" => !is(x[0]),
        "and" => is(x[0]) && is(x[1]),
        "or" => is(x[0]) || is(x[1]),
        "xor" => is(x[0]) != is(x[1]),
        "isnan" => number.is_nan(),
        "isinf" => number.is_infinite(),
        "isfinite" => number.is_finite(),
        _ => return None,
    }))
}

unsafe extern "C" {
    safe fn tgamma(x: f64) -> f64;
    safe fn lgamma(x: f64) -> f64;
    safe fn erf(x: f64) -> f64;
    safe fn erfc(x: f64) -> f64;
    safe fn asinh(x: f64) -> f64;
    safe fn acosh(x: f64) -> f64;
    safe fn atanh(x: f64) -> f64;
}

fn elementary(name: &str, x: f64, y: f64) -> Option<f64> {
    Some(match name {
        "cbrt" => x.cbrt(),
        "exp" => x.exp(),
        "expm1" => x.exp_m1(),
        "exp2" => x.exp2(),
        "log" => x.ln(),
        "log1p" => x.ln_1p(),
        "log2" => x.log2(),
        "log10" => x.log10(),
        "sin" => x.sin(),
        "cos" => x.cos(),
        "tan" => x.tan(),
        "asin" => x.asin(),
        "acos" => x.acos(),
        "atan" => x.atan(),
        "atan2" => x.atan2(y),
        "sinh" => x.sinh(),
        "cosh" => x.cosh(),
        "tanh" => x.tanh(),
        "asinh" => asinh(x),
        "acosh" => acosh(x),
        "atanh" => atanh(x),
        "power" if x.is_nan() != y.is_nan() => return None, // a signalling NaN to the 0 is NaN
        "hypot" if x.is_nan() || y.is_nan() => return None, // as is the hypotenuse of one and infinity
        "hypot" => x.hypot(y),
        "power" => x.powf(y),
        "erf" => erf(x),
        "erfc" => erfc(x),
        "gamma" if x == f64::NEG_INFINITY => f64::NAN,
        "gamma" if x < 0.0 && x == x.floor() => return None, // a pole
        "gamma" => tgamma(x),
        "gammaln" if x < 0.0 => return None, // near a zero it has no digits
        "gammaln" => lgamma(x),
        _ => return None,
    })
}

fn is_elementary(name: &str) -> bool {
    matches!(name, "gamma" | "gammaln") || elementary(name, 0.5, 0.5).is_some()
}

/// Functions of floats, rounded once to the type, or elementary.
fn of_floats(dtype: u8, name: &str, x: f64, y: f64) -> Option<Value> {
    if let Some(number) = elementary(name, x, y) {
        let units = if name.starts_with("gamma") { 16 } else { 4 };
        return Some(Value {
            accuracy: Accuracy::Within(units, dtype),
            ..float(dtype, rounded(dtype, number))
        });
    }
    let exact = match name {
        "plus" => x + y,
        "minus" => x - y,
        "times" => x * y,
        "rdivide" => x / y,
        "uminus" => -x,
        "uplus" => x,
        "abs" => x.abs(),
        "sign" if x.is_nan() => x,
        "sign" => f64::from(u8::from(x > 0.0)) - f64::from(u8::from(x < 0.0)),
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
        "mod" => match x % y {
            r if r != 0.0 && (r < 0.0) != (y < 0.0) => rounded(dtype, r + y),
            r => r,
        },
        _ => return None,
    };
    // Sums, products, quotients and roots of singles, rounded to double and then to single, are rounded once (Figueroa).
    Some(float(dtype, rounded(dtype, exact)))
}

/// The quotient of integers, rounded, halves away from zero.
fn rounded_quotient(x: i128, y: i128) -> i128 {
    match y {
        0 => x.signum() << 100,
        _ => (2 * x.abs() + y.abs()) / (2 * y.abs()) * x.signum() * y.signum(),
    }
}

fn of_integers(name: &str, x: i128, y: i128) -> Option<i128> {
    Some(match name {
        "plus" => x + y,
        "minus" => x - y,
        "times" => x.saturating_mul(y),
        "min" => x.min(y),
        "max" => x.max(y),
        "uminus" => -x,
        "uplus" => x,
        "abs" => x.abs(),
        "sign" => x.signum(),
        "floor" | "ceil" | "round" | "fix" => x,
        "mod" if y == 0 => x,
        "mod" if x % y != 0 && (x < 0) != (y < 0) => x % y + y,
        "rem" if y == 0 => 0,
        "mod" | "rem" => x % y,
        "bitand" => x & y,
        "bitor" => x | y,
        "bitxor" => x ^ y,
        "bitcmp" => !x,
        _ => return None,
    })
}

/// Beyond the width of the type: 0, or −1.
fn shifted(x: i128, n: i128, bits: i128) -> i128 {
    match n {
        0.. if n < bits => x << n,
        0.. => 0,
        _ => x >> (-n).min(127),
    }
}

fn matlab_class(x: &[Value]) -> Option<u8> {
    let integers: Vec<u8> = x.iter().map(|value| value.dtype).filter(|dtype| is_integer(*dtype)).collect();
    match integers[..] {
        [first, ..] => integers.iter().all(|dtype| *dtype == first).then_some(first),
        [] if x.iter().any(|value| value.dtype == F32) => Some(F32),
        [] => Some(F64),
    }
}

fn matlab(name: &str, x: &[Value]) -> Option<Value> {
    if let Some(value) = logic(name, x) {
        return Some(value);
    }
    if let Some(dtype) = cast_of(name) {
        return Some(cast(Rules::Matlab, dtype, x[0]));
    }
    let second = x.get(1).copied().unwrap_or(x[0]);
    let [first, other] = match (x[0].dtype, second.dtype) {
        (F32, F64) | (F64, F32) => [x[0], second].map(|value| cast(Rules::Matlab, F32, value)),
        _ => [x[0], second],
    };
    if let Some(value) = compare(name, first, other) {
        return Some(value);
    }
    if matches!(name, "min" | "max") && x[0].dtype == BOOL && second.dtype == BOOL {
        let [a, b] = [x[0], second].map(|value| value.number.float() != 0.0);
        return Some(logical(if name == "min" { a && b } else { a || b }));
    }
    if name == "ifelse" {
        let dtype = if x[1].dtype == x[2].dtype { x[1].dtype } else { matlab_class(&x[1..])? };
        let is_true = x[0].number.float() != 0.0;
        return Some(cast(Rules::Matlab, dtype, if is_true { x[1] } else { x[2] }));
    }
    if name == "bitshift" {
        return None;
    }
    let dtype = matlab_class(x)?;
    if !is_integer(dtype) {
        let [a, b] = [x[0], second].map(|value| cast(Rules::Matlab, dtype, value).number.float());
        return of_floats(dtype, name, a, b).filter(|_| !name.starts_with("bit"));
    }
    if is_elementary(name) || name == "sqrt" {
        return None; // refused, or of no known rounding
    }
    let saturated = |value: i128| int(dtype, value.clamp(range(dtype).0, range(dtype).1));
    if name == "bitcmp" {
        return Some(int(dtype, wrapped(dtype, !x[0].number.int())));
    }
    if matches!(name, "mod" | "rem" | "bitand" | "bitor" | "bitxor") {
        let [a, b] = [x[0], second].map(|value| cast(Rules::Matlab, dtype, value).number.int());
        return of_integers(name, a, b).map(saturated);
    }
    let is_exact = |value: Value| value.dtype == dtype || value.dtype == BOOL;
    match (x[0].number, second.number) {
        (Number::Int(a), Number::Int(b)) if name == "rdivide" => Some(saturated(rounded_quotient(a, b))),
        (Number::Int(a), Number::Int(b)) => of_integers(name, a, b).map(saturated),
        // Of 64 bits: computed in double, or exactly where a literal is whole.
        _ if matches!(dtype, I64 | U64) && !(is_exact(x[0]) && is_exact(second)) => None,
        (a, b) => of_floats(F64, name, a.float(), b.float()).map(|double| cast(Rules::Matlab, dtype, double)),
    }
}

/// The type in which C computes.
fn promoted(dtype: u8) -> u8 {
    match dtype {
        5 | 6 | 9 | 10 | BOOL => I32,
        F16 | BF16 => F32,
        dtype => dtype,
    }
}

fn usual(x: u8, y: u8) -> u8 {
    let order = [I32, U32, I64, U64, F32, F64];
    let rank = |dtype| order.iter().position(|ranked| *ranked == promoted(dtype)).unwrap_or(0);
    order[rank(x).max(rank(y))]
}

fn c_type(x: &[Value]) -> Option<u8> {
    Some(match x {
        [x] if x.literal => return None, // folded
        [x] => promoted(x.dtype),
        [x, y] if x.literal && y.literal => return None,
        [literal, other] | [other, literal] if literal.literal => {
            let own = promoted(other.dtype);
            match literal.number {
                _ if is_float(own) => own,
                Number::Float(_) => F64,
                Number::Int(value) if value <= range(own).1 => own,
                Number::Int(_) => usual(literal.dtype, own),
            }
        }
        [x, y] => usual(x.dtype, y.dtype),
        _ => return None,
    })
}

fn c(name: &str, x: &[Value]) -> Option<Value> {
    if let Some(value) = logic(name, x) {
        return Some(value);
    }
    if let Some(dtype) = cast_of(name) {
        return Some(cast(Rules::C, dtype, x[0]));
    }
    if name == "uminus" && x[0].literal {
        return match x[0].number {
            Number::Float(value) => Some(Value { number: Number::Float(-value), ..x[0] }),
            Number::Int(value) if x[0].dtype == I32 => Some(Value { number: Number::Int(-value), ..x[0] }),
            Number::Int(_) => None,
        };
    }
    if name == "bitshift" {
        let (dtype, n) = (promoted(x[0].dtype), x[1].number);
        let bits = if dtype == U32 { 64 } else { 8 * crate::number::dtype_size(dtype) as i128 };
        return match (x[0].number, n) {
            (Number::Int(value), Number::Int(n)) if !x[0].literal && (-1000..1000).contains(&n) => {
                Some(int(dtype, wrapped(dtype, shifted(value, n, bits))))
            }
            _ => None,
        };
    }
    let operands = if name == "ifelse" { &x[1..] } else { x };
    let mut dtype = c_type(operands)?;
    if (is_elementary(name) || name == "sqrt") && !is_float(dtype) {
        dtype = F64;
    }
    let is_true = x[0].number.float() != 0.0;
    let x: Vec<Value> = operands.iter().map(|value| cast(Rules::C, dtype, *value)).collect();
    let second = x.get(1).copied().unwrap_or(x[0]);
    if let Some(value) = compare(name, x[0], second) {
        return Some(value);
    }
    match (x[0].number, second.number, name) {
        (_, _, "ifelse") => Some(if is_true { x[0] } else { second }),
        (Number::Int(_), Number::Int(0), "rdivide") => Some(int(dtype, 0)),
        (Number::Int(a), Number::Int(b), "rdivide") => Some(int(dtype, wrapped(dtype, a / b))),
        (Number::Int(a), Number::Int(b), "times") => Some(int(dtype, wrapped(dtype, a.wrapping_mul(b)))),
        (Number::Int(a), Number::Int(b), _) => {
            of_integers(name, a, b).map(|value| int(dtype, wrapped(dtype, value)))
        }
        _ if name.starts_with("bit") => None,
        (a, b, _) => of_floats(dtype, name, a.float(), b.float()),
    }
}

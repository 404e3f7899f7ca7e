//! Steps on literals.
#![forbid(unsafe_code)]

use super::lane::{Float, Int, Lane};
use super::program::{Op, Type};

/// op (x) of literals of a type; a test gives I32.
pub fn unary(op: Op, ty: Type, x: u64) -> u64 {
    match ty {
        Type::I32 => unary_int::<i32>(op, x),
        Type::I64 => unary_int::<i64>(op, x),
        Type::U64 => unary_int::<u64>(op, x),
        Type::F32 => unary_float::<f32>(op, x),
        Type::F64 => unary_float::<f64>(op, x),
        Type::U8 => unary_int::<u8>(op, x),
    }
}

/// op (x, y) of literals of a type; a test gives I32.
pub fn binary(op: Op, ty: Type, x: u64, y: u64) -> u64 {
    match ty {
        Type::I32 => binary_int::<i32>(op, x, y),
        Type::I64 => binary_int::<i64>(op, x, y),
        Type::U64 => binary_int::<u64>(op, x, y),
        Type::F32 => binary_float::<f32>(op, x, y),
        Type::F64 => binary_float::<f64>(op, x, y),
        Type::U8 => binary_int::<u8>(op, x, y),
    }
}

/// A literal of another type.
pub fn convert(from: Type, to: Type, x: u64) -> u64 {
    match from {
        Type::I32 => converted(to, i32::from_word(x)),
        Type::I64 => converted(to, i64::from_word(x)),
        Type::U64 => converted(to, u64::from_word(x)),
        Type::F32 => converted(to, f32::from_word(x)),
        Type::F64 => converted(to, f64::from_word(x)),
        Type::U8 => converted(to, u8::from_word(x)),
    }
}

/// The integer that a literal is.
pub fn integer(ty: Type, x: u64) -> i128 {
    match ty {
        Type::I32 => i32::from_word(x).into(),
        Type::U64 | Type::U8 => x.into(),
        _ => i64::from_word(x).into(),
    }
}

fn converted<T: Lane>(to: Type, x: T) -> u64 {
    match to {
        Type::I32 => x.to_i32().word(),
        Type::I64 => x.to_i64().word(),
        Type::U64 => x.to_u64().word(),
        Type::F32 => x.to_f32().word(),
        Type::F64 => x.to_f64().word(),
        Type::U8 => x.to_i32() as u8 as u64,
    }
}

fn unary_of_all<T: Lane>(op: Op, x: T) -> u64 {
    match op {
        Op::Neg => x.neg().word(),
        Op::Abs => x.abs().word(),
        Op::Sign => x.sign().word(),
        Op::Not => (x == T::default()).into(),
        Op::Test => (x != T::default()).into(),
        _ => x.word(),
    }
}

fn unary_int<T: Int>(op: Op, x: u64) -> u64 {
    let x = T::from_word(x);
    match op {
        Op::Negs => x.negs().word(),
        Op::Abss => x.abss().word(),
        Op::Bitnot => x.bitnot().word(),
        _ => unary_of_all(op, x),
    }
}

fn unary_float<T: Float>(op: Op, x: u64) -> u64 {
    let x = T::from_word(x);
    match op {
        Op::Isnan => x.is_nan().into(),
        Op::Isinf => x.is_infinite().into(),
        Op::Isfinite => x.is_finite().into(),
        _ => match elementary(op) {
            Some(function) => function(x).word(),
            None => unary_of_all(op, x),
        },
    }
}

/// The function of a step of floats.
pub fn elementary<T: Float>(op: Op) -> Option<fn(T) -> T> {
    Some(match op {
        Op::Floor => T::floor,
        Op::Ceil => T::ceil,
        Op::Round => T::round,
        Op::Trunc => T::trunc,
        Op::Sqrt => T::sqrt,
        Op::Cbrt => T::cbrt,
        Op::Exp => T::exp,
        Op::Expm1 => T::expm1,
        Op::Exp2 => T::exp2,
        Op::Log => T::log,
        Op::Log1p => T::log1p,
        Op::Log2 => T::log2,
        Op::Log10 => T::log10,
        Op::Sin => T::sin,
        Op::Cos => T::cos,
        Op::Tan => T::tan,
        Op::Asin => T::asin,
        Op::Acos => T::acos,
        Op::Atan => T::atan,
        Op::Sinh => T::sinh,
        Op::Cosh => T::cosh,
        Op::Tanh => T::tanh,
        Op::Asinh => T::asinh,
        Op::Acosh => T::acosh,
        Op::Atanh => T::atanh,
        Op::Erf => T::erf,
        Op::Erfc => T::erfc,
        Op::Gamma => T::gamma,
        Op::Lgamma => T::lgamma,
        _ => return None,
    })
}

/// The same of two arguments.
pub fn elementary2<T: Float>(op: Op) -> Option<fn(T, T) -> T> {
    Some(match op {
        Op::Rem => T::rem,
        Op::Mod => T::modulo,
        Op::Pow => T::pow,
        Op::Atan2 => T::atan2,
        Op::Hypot => T::hypot,
        _ => return None,
    })
}

fn binary_of_all<T: Lane>(op: Op, x: T, y: T) -> u64 {
    match op {
        Op::Add => x.add(y).word(),
        Op::Sub => x.sub(y).word(),
        Op::Mul => x.mul(y).word(),
        Op::Div => x.div(y).word(),
        Op::Rem => x.rem(y).word(),
        Op::Mod => x.modulo(y).word(),
        Op::Min => x.least(y).word(),
        Op::Max => x.greatest(y).word(),
        Op::Eq => (x == y).into(),
        Op::Ne => (x != y).into(),
        Op::Lt => (x < y).into(),
        Op::Le => (x <= y).into(),
        _ => x.word(),
    }
}

fn binary_int<T: Int>(op: Op, x: u64, y: u64) -> u64 {
    let (x, y) = (T::from_word(x), T::from_word(y));
    match op {
        Op::Adds => x.adds(y).word(),
        Op::Subs => x.subs(y).word(),
        Op::Muls => x.muls(y).word(),
        Op::Divs => x.divs(y).word(),
        Op::Bitand => x.bitand(y).word(),
        Op::Bitor => x.bitor(y).word(),
        Op::Bitxor => x.bitxor(y).word(),
        Op::Shl => x.shl(y).word(),
        Op::Shr => x.shr(y).word(),
        _ => binary_of_all(op, x, y),
    }
}

fn binary_float<T: Float>(op: Op, x: u64, y: u64) -> u64 {
    let (x, y) = (T::from_word(x), T::from_word(y));
    elementary2::<T>(op).map_or_else(|| binary_of_all(op, x, y), |function| function(x, y).word())
}

//! C's rules: the usual arithmetic conversions; literals take the type of their partner.
#![forbid(unsafe_code)]

use super::complex;
use super::functions::{Function, word};
use super::graph::{Graph, Id};
use super::lexer::Literal;
use super::program::{Op, Type};
use super::typing::{Typing, Value};
use crate::model::dtype::Dtype;

type Outcome = Result<Value, String>;

#[derive(Default)]
pub struct C {
    pub graph: Graph,
}

impl Typing for C {
    fn graph(&mut self) -> &mut Graph {
        &mut self.graph
    }

    fn literal(&mut self, literal: Literal) -> Value {
        match literal {
            Literal::Logical(value) => Value::new(self.graph.integer(Type::I32, value.into()), Dtype::Bool),
            Literal::Whole(number) => self.weak_integer(number.into()),
            Literal::Fraction(number) => {
                Value { is_weak: true, ..Value::new(self.graph.double(number), Dtype::F64) }
            }
            Literal::Imaginary(number) => complex::imaginary(&mut self.graph, number, true),
        }
    }

    fn call(&mut self, function: Function, x: &[Value]) -> Outcome {
        Ok(match function {
            Function::Identity => self.promoted(x[0]),
            Function::Negate => self.unary(Op::Neg, x[0]),
            Function::Abs => self.unary(Op::Abs, x[0]),
            Function::Sign => self.unary(Op::Sign, x[0]),
            Function::Plus => self.binary(Op::Add, x[0], x[1]),
            Function::Minus => self.binary(Op::Sub, x[0], x[1]),
            Function::Times => self.binary(Op::Mul, x[0], x[1]),
            Function::Divide => self.binary(Op::Div, x[0], x[1]),
            Function::Least => self.binary(Op::Min, x[0], x[1]),
            Function::Greatest => self.binary(Op::Max, x[0], x[1]),
            Function::Remainder(op) => self.binary(op, x[0], x[1]),
            Function::Power => self.elementary(Op::Pow, x),
            Function::Compare(comparison) => {
                let (dtype, _) = self.common(x[0], x[1]);
                let (a, b) = (self.cast(dtype, x[0]).id, self.cast(dtype, x[1]).id);
                Value::new(self.graph.compare(comparison, a, b), Dtype::Bool)
            }
            Function::Logic(op) => Value::new(self.graph.logic(op, x[0].id, x[1].id), Dtype::Bool),
            Function::Not => Value::new(self.graph.unary(Op::Not, x[0].id), Dtype::Bool),
            Function::Classify(op) => Value::new(self.graph.classify(op, x[0].id), Dtype::Bool),
            Function::Rounding(op) => self.rounding(op, x[0]),
            Function::Elementary(op) | Function::Elementary2(op) => self.elementary(op, x),
            Function::Bits(_) | Function::BitComplement | Function::BitShift => self.bits(function, x)?,
            Function::Select => self.select(x[0], x[1], x[2]),
            Function::Cast(dtype) => self.cast(dtype, x[0]),
            Function::Complex | Function::Part(_) => return complex::call(self, function, x),
        })
    }

    fn cast(&mut self, dtype: Dtype, x: Value) -> Value {
        let ty = Type::of(dtype);
        let id = match dtype.integers() {
            _ if dtype == Dtype::Bool => self.graph.test(x.id),
            None => self.graph.convert(ty, x.id),
            Some(range) if self.graph.ty(x.id).is_float() => {
                let whole = self.graph.convert(ty, x.id);
                self.graph.clamp(range.into_inner(), whole)
            }
            Some(_) => {
                let wrapped = self.graph.convert(ty, x.id);
                self.wrapped(dtype, wrapped)
            }
        };
        Value::new(id, dtype)
    }
}

/// The integers that the language computes with, in the order of their ranks.
const RANKS: [Dtype; 4] = [Dtype::I32, Dtype::U32, Dtype::I64, Dtype::U64];

/// The type in which a value of this dtype is computed with.
fn promotion(dtype: Dtype) -> Dtype {
    match dtype {
        Dtype::Bool | Dtype::I8 | Dtype::U8 | Dtype::I16 | Dtype::U16 => Dtype::I32,
        Dtype::F16 | Dtype::Bf16 => Dtype::F32,
        dtype => dtype,
    }
}

/// The usual arithmetic conversions.
fn usual(x: Dtype, y: Dtype) -> Dtype {
    let (x, y) = (promotion(x), promotion(y));
    let rank = |dtype| RANKS.iter().position(|&ranked| ranked == dtype);
    match (rank(x), rank(y)) {
        (Some(a), Some(b)) => RANKS[a.max(b)],
        _ if x == Dtype::F64 || y == Dtype::F64 => Dtype::F64,
        _ => Dtype::F32,
    }
}

impl C {
    /// A whole literal: I32, or the first of I64 and U64 that holds it.
    fn weak_integer(&mut self, value: i128) -> Value {
        let dtype = if i32::try_from(value).is_ok() {
            Dtype::I32
        } else if i64::try_from(value).is_ok() {
            Dtype::I64
        } else {
            Dtype::U64
        };
        Value { is_weak: true, ..Value::new(self.graph.integer(Type::of(dtype), value), dtype) }
    }

    /// The type of the operation of two values, and whether its result is a weak literal.
    fn common(&self, x: Value, y: Value) -> (Dtype, bool) {
        match (x.is_weak, y.is_weak) {
            (true, true) => {
                let dtype = usual(x.dtype, y.dtype);
                (if dtype == Dtype::I32 { Dtype::I64 } else { dtype }, true)
            }
            (true, false) => (self.with_literal(x, y.dtype), false),
            (false, true) => (self.with_literal(y, x.dtype), false),
            (false, false) => (usual(x.dtype, y.dtype), false),
        }
    }

    /// The type of an operation of a weak literal with a value of this dtype.
    fn with_literal(&self, literal: Value, dtype: Dtype) -> Dtype {
        let own = promotion(dtype);
        match (literal.dtype, own.integers()) {
            (_, None) => own,
            (Dtype::F64, Some(_)) => Dtype::F64,
            (_, Some(range)) if self.graph.range(literal.id).0 <= *range.end() => own,
            (natural, Some(_)) => usual(natural, own),
        }
    }

    fn promoted(&mut self, x: Value) -> Value {
        Value { dtype: promotion(x.dtype), ..x }
    }

    /// In the range of a type of 32 bits that is computed in 64; of one of 8 and 16 bits in 32.
    fn wrapped(&mut self, dtype: Dtype, id: Id) -> Id {
        match dtype {
            Dtype::I32 | Dtype::I64 | Dtype::U64 => id,
            _ => self.graph.wrap(8 * dtype.size() as u16, dtype.is_signed_integer(), id),
        }
    }

    /// A value that was computed in a type; of literals a literal.
    fn result(&mut self, dtype: Dtype, is_weak: bool, id: Id) -> Value {
        let id = if self.graph.ty(id).is_float() { id } else { self.wrapped(dtype, id) };
        match self.graph.whole(id) {
            Some(value) if is_weak && dtype != Dtype::F64 => self.weak_integer(value),
            _ => Value { is_weak, ..Value::new(id, dtype) },
        }
    }

    fn unary(&mut self, op: Op, x: Value) -> Value {
        let dtype = if x.is_weak { self.common(x, x).0 } else { promotion(x.dtype) };
        let id = self.cast(dtype, x).id;
        let id = self.graph.unary(op, id);
        self.result(dtype, x.is_weak, id)
    }

    fn binary(&mut self, op: Op, x: Value, y: Value) -> Value {
        let (dtype, is_weak) = self.common(x, y);
        let (a, b) = (self.cast(dtype, x).id, self.cast(dtype, y).id);
        let id = self.graph.binary(op, a, b);
        self.result(dtype, is_weak, id)
    }

    fn rounding(&mut self, op: Op, x: Value) -> Value {
        let x = self.promoted(x);
        Value { id: if self.graph.ty(x.id).is_float() { self.graph.unary(op, x.id) } else { x.id }, ..x }
    }

    /// Functions of floats; integers are F64.
    fn elementary(&mut self, op: Op, x: &[Value]) -> Value {
        let (dtype, is_weak) = match x {
            [x, y] => self.common(*x, *y),
            _ => (promotion(x[0].dtype), x[0].is_weak),
        };
        let dtype = if dtype == Dtype::F32 { Dtype::F32 } else { Dtype::F64 };
        let first = self.cast(dtype, x[0]).id;
        let id = match x.get(1) {
            None => self.graph.unary(op, first),
            Some(_) if op == Op::Pow && self.graph.number(x[1].id) == Some(2.0) => {
                self.graph.binary(Op::Mul, first, first)
            }
            Some(&y) => {
                let second = self.cast(dtype, y).id;
                self.graph.binary(op, first, second)
            }
        };
        Value { is_weak, ..Value::new(id, dtype) }
    }

    fn bits(&mut self, function: Function, x: &[Value]) -> Outcome {
        if let Some(value) = x.iter().find(|value| value.dtype.is_float()) {
            return Err(format!("{}: {} is not an integer type", function.name(), word(value.dtype)));
        }
        Ok(match function {
            Function::Bits(op) => self.binary(op, x[0], x[1]),
            Function::BitShift => self.shift(x[0], x[1]),
            _ => self.unary(Op::Bitnot, x[0]),
        })
    }

    /// The type is that of x alone.
    fn shift(&mut self, x: Value, n: Value) -> Value {
        let x = if x.is_weak { x } else { self.promoted(x) };
        let n = self.cast(if self.graph.ty(x.id) == Type::I32 { Dtype::I32 } else { Dtype::I64 }, n).id;
        let id = self.graph.shift(x.id, n);
        self.result(x.dtype, x.is_weak, id)
    }

    fn select(&mut self, condition: Value, x: Value, y: Value) -> Value {
        let condition = self.graph.test(condition.id);
        let (dtype, is_weak) = if x.dtype == y.dtype && x.is_weak == y.is_weak {
            (if x.is_weak { x.dtype } else { promotion(x.dtype) }, x.is_weak)
        } else {
            self.common(x, y)
        };
        let is_weak = is_weak && self.graph.word(condition).is_some();
        let (a, b) = (self.cast(dtype, x).id, self.cast(dtype, y).id);
        let id = self.graph.select(condition, a, b);
        self.result(dtype, is_weak, id)
    }
}

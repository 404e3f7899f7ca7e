//! MATLAB's rules. Its class is the dtype of a value. A double that is known to be a whole number of 32 bits, and not −0, may be a node of
//! type I32: sums and products of logicals and small literals cost a fraction of those of doubles.
#![forbid(unsafe_code)]

use super::complex;
use super::functions::{Comparison, Function, word};
use super::graph::{Graph, Id};
use super::lexer::Literal;
use super::program::{Op, Type};
use super::typing::{Typing, Value};
use crate::model::dtype::Dtype;

type Outcome = Result<Value, String>;

#[derive(Default)]
pub struct Matlab {
    pub graph: Graph,
}

impl Typing for Matlab {
    fn graph(&mut self) -> &mut Graph {
        &mut self.graph
    }

    fn literal(&mut self, literal: Literal) -> Value {
        let number = match literal {
            Literal::Logical(value) => {
                return Value::new(self.graph.integer(Type::I32, value.into()), Dtype::Bool);
            }
            Literal::Whole(number) => number as f64,
            Literal::Fraction(number) => number,
            Literal::Imaginary(number) => return complex::imaginary(&mut self.graph, number, false),
        };
        let id = self.graph.double(number);
        Value::new(self.as_small(id), Dtype::F64)
    }

    fn call(&mut self, function: Function, x: &[Value]) -> Outcome {
        match function {
            Function::Identity => Ok(self.number(x[0])),
            Function::Negate => Ok(self.negate(x[0])),
            Function::Plus => self.arithmetic([Op::Add, Op::Adds], x[0], x[1]),
            Function::Minus => self.arithmetic([Op::Sub, Op::Subs], x[0], x[1]),
            Function::Times => self.arithmetic([Op::Mul, Op::Muls], x[0], x[1]),
            Function::Divide => self.arithmetic([Op::Div, Op::Divs], x[0], x[1]),
            Function::Least => self.extremum(Op::Min, x[0], x[1]),
            Function::Greatest => self.extremum(Op::Max, x[0], x[1]),
            Function::Remainder(op) => self.remainder(op, x[0], x[1]),
            Function::Power => self.power(x[0], x[1]),
            Function::Compare(comparison) => Ok(self.compare(comparison, x[0], x[1])),
            Function::Logic(op) => Ok(logical(self.graph.logic(op, x[0].id, x[1].id))),
            Function::Not => Ok(logical(self.graph.unary(Op::Not, x[0].id))),
            Function::Classify(op) => Ok(logical(self.graph.classify(op, x[0].id))),
            Function::Abs => Ok(self.magnitude(Op::Abs, x[0])),
            Function::Sign => Ok(self.magnitude(Op::Sign, x[0])),
            Function::Rounding(op) => Ok(self.rounding(op, x[0])),
            Function::Elementary(op) => self.elementary(function, op, x),
            Function::Elementary2(op) => self.elementary(function, op, x),
            Function::Bits(op) => self.bits(function, op, x[0], x[1]),
            Function::BitComplement => self.complement(x[0]),
            Function::BitShift => self.shift(x[0], x[1]),
            Function::Select => self.select(x[0], x[1], x[2]),
            Function::Cast(dtype) => Ok(self.cast(dtype, x[0])),
            Function::Complex | Function::Part(_) => complex::call(self, function, x),
        }
    }

    fn cast(&mut self, dtype: Dtype, x: Value) -> Value {
        let id = match dtype {
            Dtype::Bool => self.graph.test(x.id),
            Dtype::F64 if self.graph.ty(x.id) == Type::I32 => x.id,
            Dtype::None | Dtype::F64 => self.graph.convert(Type::F64, x.id),
            Dtype::F32 | Dtype::F16 | Dtype::Bf16 => self.graph.convert(Type::F32, x.id),
            _ => self.as_class(dtype, x.id),
        };
        Value::new(id, dtype)
    }
}

fn logical(id: Id) -> Value {
    Value::new(id, Dtype::Bool)
}

fn is_integer(dtype: Dtype) -> bool {
    dtype.integers().is_some() && dtype != Dtype::Bool
}

/// The class of the result of arithmetic.
fn common(x: Value, y: Value) -> Result<Dtype, String> {
    match (is_integer(x.dtype), is_integer(y.dtype)) {
        (true, true) if x.dtype != y.dtype => Err(format!(
            "{} and {} are different integer classes; convert one of them",
            word(x.dtype),
            word(y.dtype)
        )),
        (true, _) => Ok(x.dtype),
        (_, true) => Ok(y.dtype),
        _ if x.dtype == Dtype::F32 || y.dtype == Dtype::F32 => Ok(Dtype::F32),
        _ => Ok(Dtype::F64),
    }
}

impl Matlab {
    /// A literal as a node of type I32 where it is whole and small.
    fn as_small(&mut self, id: Id) -> Id {
        match self.graph.whole(id) {
            Some(whole) if i32::try_from(whole).is_ok() => self.graph.integer(Type::I32, whole),
            _ => id,
        }
    }

    fn double(&mut self, x: Id) -> Id {
        self.graph.convert(Type::F64, x)
    }

    fn single(&mut self, x: Id) -> Id {
        self.graph.convert(Type::F32, x)
    }

    /// A value as the number that it is in arithmetic: logicals are doubles.
    fn number(&mut self, x: Value) -> Value {
        Value { dtype: if x.dtype == Dtype::Bool { Dtype::F64 } else { x.dtype }, ..x }
    }

    /// Within the range of an integer class.
    fn saturated(&mut self, dtype: Dtype, id: Id) -> Value {
        let range = dtype.integers().expect("an integer class").into_inner();
        Value::new(self.graph.clamp(range, id), dtype)
    }

    /// Rounded, halves away from zero, and saturated.
    fn as_class(&mut self, dtype: Dtype, id: Id) -> Id {
        let ty = Type::of(dtype);
        if self.graph.ty(id).is_float() {
            let rounded = self.graph.unary(Op::Round, id);
            let whole = self.graph.convert(ty, rounded);
            return self.saturated(dtype, whole).id;
        }
        let within = self.saturated(dtype, id).id;
        self.graph.convert(ty, within)
    }

    /// A value as an integer of a class without rounding; None where its range says that it may not be one.
    fn as_integer(&mut self, dtype: Dtype, x: Value) -> Option<Id> {
        let ty = Type::of(dtype);
        let (low, high) = ty.integers()?;
        let (from, to) = match self.graph.ty(x.id) {
            Type::F32 | Type::F64 => {
                let whole = self.graph.whole(x.id)?;
                (whole, whole)
            }
            _ => self.graph.range(x.id),
        };
        if from < low || to > high {
            return None;
        }
        Some(if from == to { self.graph.integer(ty, from) } else { self.graph.convert(ty, x.id) })
    }

    /// plain for floats and where nothing overflows, saturating for integers.
    fn arithmetic(&mut self, [plain, saturating]: [Op; 2], x: Value, y: Value) -> Outcome {
        match common(x, y)? {
            Dtype::F64 => Ok(self.of_doubles(plain, x.id, y.id)),
            Dtype::F32 => {
                let (x, y) = (self.single(x.id), self.single(y.id));
                Ok(Value::new(self.graph.binary(plain, x, y), Dtype::F32))
            }
            dtype => Ok(match (self.as_integer(dtype, x), self.as_integer(dtype, y)) {
                (Some(x), Some(y)) => self.of_integers(dtype, [plain, saturating], x, y),
                _ => self.by_doubles(dtype, plain, x.id, y.id),
            }),
        }
    }

    fn of_doubles(&mut self, op: Op, x: Id, y: Id) -> Value {
        if let Some(id) = self.of_small(op, x, y) {
            return Value::new(id, Dtype::F64);
        }
        let (x, y) = (self.double(x), self.double(y));
        let id = self.graph.binary(op, x, y);
        Value::new(self.as_small(id), Dtype::F64)
    }

    /// Of two logicals a logical.
    fn extremum(&mut self, op: Op, x: Value, y: Value) -> Outcome {
        let value = self.arithmetic([op, op], x, y)?;
        let are_logical = x.dtype == Dtype::Bool && y.dtype == Dtype::Bool;
        Ok(Value { dtype: if are_logical { Dtype::Bool } else { value.dtype }, ..value })
    }

    /// In I32, where both are whole, and so is the result, which is neither −0 nor too large.
    fn of_small(&mut self, op: Op, x: Id, y: Id) -> Option<Id> {
        if self.graph.ty(x) != Type::I32 || self.graph.ty(y) != Type::I32 {
            return None;
        }
        let ((a, b), (c, d)) = (self.graph.range(x), self.graph.range(y));
        let is_held = |low: i128, high: i128| i32::try_from(low).is_ok() && i32::try_from(high).is_ok();
        let is_positive = a >= 0 && c >= 0;
        let fits = match op {
            Op::Add => is_held(a + c, b + d),
            Op::Sub => is_held(a - d, b - c),
            Op::Mul => is_positive && is_held(a * c, b * d),
            Op::Min | Op::Max => true,
            Op::Mod | Op::Rem => is_positive && c > 0,
            _ => false,
        };
        fits.then(|| self.graph.binary(op, x, y))
    }

    fn of_integers(&mut self, dtype: Dtype, [plain, saturating]: [Op; 2], x: Id, y: Id) -> Value {
        let ((a, b), (c, d)) = (self.graph.range(x), self.graph.range(y));
        let (low, high) = Type::of(dtype).integers().expect("an integer class");
        let fits = match plain {
            Op::Add => a + c >= low && b + d <= high,
            Op::Sub => a - d >= low && b - c <= high,
            _ => false,
        };
        let id = self.graph.binary(if fits { plain } else { saturating }, x, y);
        self.saturated(dtype, id)
    }

    /// Of doubles, and rounded and saturated to the class.
    fn by_doubles(&mut self, dtype: Dtype, op: Op, x: Id, y: Id) -> Value {
        let (x, y) = (self.double(x), self.double(y));
        let id = self.graph.binary(op, x, y);
        Value::new(self.as_class(dtype, id), dtype)
    }

    fn remainder(&mut self, op: Op, x: Value, y: Value) -> Outcome {
        let dtype = common(x, y)?;
        if !is_integer(dtype) {
            return self.arithmetic([op, op], x, y);
        }
        let (x, y) = (self.as_class(dtype, x.id), self.as_class(dtype, y.id));
        let id = self.graph.binary(op, x, y);
        Ok(self.saturated(dtype, id))
    }

    fn power(&mut self, x: Value, y: Value) -> Outcome {
        let dtype = common(x, y)?;
        let is_kept = dtype == x.dtype || (x.dtype == Dtype::Bool && dtype == Dtype::F64);
        match self.graph.number(y.id) {
            Some(1.0) if is_kept => return Ok(self.number(x)),
            Some(2.0) if is_kept => {
                return self.arithmetic([Op::Mul, Op::Muls], x, x);
            }
            _ => {}
        }
        match dtype {
            Dtype::F32 | Dtype::F64 => self.arithmetic([Op::Pow, Op::Pow], x, y),
            _ => Ok(self.by_doubles(dtype, Op::Pow, x.id, y.id)),
        }
    }

    fn negate(&mut self, x: Value) -> Value {
        if is_integer(x.dtype) {
            let id = self.graph.unary(Op::Negs, x.id);
            return self.saturated(x.dtype, id);
        }
        let (low, _) = self.graph.range(x.id);
        let is_small = self.graph.ty(x.id) == Type::I32;
        let id = match is_small {
            true if low > 0 => x.id,
            true => self.double(x.id), // 0 becomes −0
            false => x.id,
        };
        let id = self.graph.unary(Op::Neg, id);
        let x = self.number(x);
        Value { id: if x.dtype == Dtype::F64 { self.as_small(id) } else { id }, ..x }
    }

    /// abs and sign.
    fn magnitude(&mut self, op: Op, x: Value) -> Value {
        if is_integer(x.dtype) {
            let op = if op == Op::Abs { Op::Abss } else { op };
            let id = self.graph.unary(op, x.id);
            return self.saturated(x.dtype, id);
        }
        let x = self.number(x);
        let id = match self.graph.ty(x.id) {
            Type::I32 if op == Op::Abs && self.graph.range(x.id).0 <= i32::MIN.into() => self.double(x.id),
            _ => x.id,
        };
        Value { id: self.graph.unary(op, id), ..x }
    }

    fn rounding(&mut self, op: Op, x: Value) -> Value {
        let x = self.number(x);
        Value { id: if self.graph.ty(x.id).is_float() { self.graph.unary(op, x.id) } else { x.id }, ..x }
    }

    fn elementary(&mut self, function: Function, op: Op, x: &[Value]) -> Outcome {
        if let Some(value) = x.iter().find(|value| is_integer(value.dtype)) {
            let class = word(value.dtype);
            return Err(format!("{}: {class} is not a floating-point class", function.name()));
        }
        let dtype = if x.iter().any(|value| value.dtype == Dtype::F32) { Dtype::F32 } else { Dtype::F64 };
        let first = self.graph.convert(Type::of(dtype), x[0].id);
        let id = match x.get(1) {
            None => self.graph.unary(op, first),
            Some(y) => {
                let second = self.graph.convert(Type::of(dtype), y.id);
                self.graph.binary(op, first, second)
            }
        };
        Ok(Value::new(id, dtype))
    }

    /// A single and a double are compared as singles, all others exactly: doubles hold them, but for integers of 64 bits.
    fn compare(&mut self, comparison: Comparison, x: Value, y: Value) -> Value {
        if matches!((x.dtype, y.dtype), (Dtype::F32, Dtype::F64) | (Dtype::F64, Dtype::F32)) {
            let (x, y) = (self.single(x.id), self.single(y.id));
            return logical(self.graph.compare(comparison, x, y));
        }
        let (x, y) = (x.id, y.id);
        logical(match (self.graph.ty(x).is_float(), self.graph.ty(y).is_float()) {
            (true, true) => self.graph.compare(comparison, x, y),
            (false, false) => self.compare_integers(comparison, x, y),
            (false, true) => self.compare_mixed(comparison, x, y),
            (true, false) => self.compare_mixed(swapped(comparison), y, x),
        })
    }

    fn compare_integers(&mut self, comparison: Comparison, x: Id, y: Id) -> Id {
        let graph = &mut self.graph;
        let ((a, b), (c, d)) = (graph.range(x), graph.range(y));
        let holds = |ty: Type| {
            ty.integers().is_some_and(|(low, high)| a.min(c) >= low && b.max(d) <= high).then_some(ty)
        };
        if let Some(ty) = holds(Type::I32).or(holds(Type::I64)).or(holds(Type::U64)) {
            let (x, y) = (graph.convert(ty, x), graph.convert(ty, y));
            return graph.compare(comparison, x, y);
        }
        // A signed and an unsigned one: they are ordered by the signs, and as unsigned ones where both are positive.
        if a >= 0 {
            return self.compare_integers(swapped(comparison), y, x);
        }
        let zero = graph.integer(graph.ty(x), 0);
        let is_negative = graph.binary(Op::Lt, x, zero);
        let (x, y) = (graph.convert(Type::U64, x), graph.convert(Type::U64, y));
        let of_positive = graph.compare(comparison, x, y);
        let of_negative = matches!(comparison, Comparison::Ne | Comparison::Lt | Comparison::Le);
        let of_negative = graph.integer(Type::I32, of_negative.into());
        graph.select(is_negative, of_negative, of_positive)
    }

    /// Of an integer and a float.
    fn compare_mixed(&mut self, comparison: Comparison, x: Id, y: Id) -> Id {
        if let Some(whole) = self.graph.whole(y) {
            let ty = if whole > i64::MAX.into() { Type::U64 } else { Type::I64 };
            let y = self.graph.integer(ty, whole);
            return self.compare_integers(comparison, x, y);
        }
        let (low, high) = self.graph.range(x);
        let bound = if self.graph.ty(y) == Type::F32 { 1 << 24 } else { 1 << 53 };
        if low >= -bound && high <= bound {
            let x = self.graph.convert(self.graph.ty(y), x);
            return self.graph.compare(comparison, x, y);
        }
        let y = self.double(y);
        if low >= -(1 << 53) && high <= 1 << 53 {
            let x = self.double(x);
            return self.graph.compare(comparison, x, y);
        }
        self.compare_long(comparison, x, y)
    }

    /// Of an integer x of 64 bits and a double y. Rounding is monotonic: where x rounded differs from y, it is on the side of x; where
    /// they are the same y is a whole number, and that is compared, unless it is 2^63 or 2^64, above every x.
    fn compare_long(&mut self, comparison: Comparison, x: Id, y: Id) -> Id {
        let ty = self.graph.ty(x);
        let rounded = self.double(x);
        let whole = self.graph.convert(ty, y);
        let top = if ty == Type::U64 { 2f64.powi(64) } else { 2f64.powi(63) };
        let top = self.graph.double(top);
        let graph = &mut self.graph;
        let (are_same, is_below) = (graph.binary(Op::Eq, rounded, y), graph.binary(Op::Lt, y, top));
        match comparison {
            Comparison::Eq | Comparison::Ne => {
                let equal = graph.binary(Op::Eq, x, whole);
                let equal = graph.binary(Op::Bitand, equal, are_same);
                let equal = graph.binary(Op::Bitand, equal, is_below);
                if comparison == Comparison::Eq { equal } else { graph.unary(Op::Not, equal) }
            }
            Comparison::Lt | Comparison::Le => {
                let exact = graph.compare(comparison, x, whole);
                let is_above = graph.unary(Op::Not, is_below);
                let exact = graph.binary(Op::Bitor, exact, is_above);
                let exact = graph.binary(Op::Bitand, exact, are_same);
                let by_rounded = graph.binary(Op::Lt, rounded, y);
                graph.binary(Op::Bitor, exact, by_rounded)
            }
            Comparison::Gt | Comparison::Ge => {
                let exact = graph.compare(comparison, x, whole);
                let exact = graph.binary(Op::Bitand, exact, is_below);
                let exact = graph.binary(Op::Bitand, exact, are_same);
                let by_rounded = graph.binary(Op::Lt, y, rounded);
                graph.binary(Op::Bitor, exact, by_rounded)
            }
        }
    }

    /// Integers, or whole doubles from 0 to 2^53.
    fn bits(&mut self, function: Function, op: Op, x: Value, y: Value) -> Outcome {
        let dtype = common(x, y)?;
        if dtype == Dtype::F32 {
            return Err(format!("{}: single is neither an integer class nor double", function.name()));
        }
        if is_integer(dtype) {
            let (x, y) = (self.as_class(dtype, x.id), self.as_class(dtype, y.id));
            let id = self.graph.binary(op, x, y);
            return Ok(self.saturated(dtype, id));
        }
        let ty = self.whole_type(x.id, y.id);
        let (x, y) = (self.graph.convert(ty, x.id), self.graph.convert(ty, y.id));
        let id = self.graph.binary(op, x, y);
        Ok(Value::new(if ty == Type::I32 { id } else { self.double(id) }, Dtype::F64))
    }

    /// The type in which the bits of doubles are.
    fn whole_type(&self, x: Id, y: Id) -> Type {
        let is_small = |id| self.graph.ty(id) == Type::I32 && self.graph.range(id).0 >= 0;
        if is_small(x) && is_small(y) { Type::I32 } else { Type::U64 }
    }

    fn complement(&mut self, x: Value) -> Outcome {
        if !is_integer(x.dtype) {
            return Err(format!("bitcmp: {} is not an integer class", word(x.dtype)));
        }
        let id = self.graph.unary(Op::Bitnot, x.id);
        Ok(Value::new(self.wrapped(x.dtype, id), x.dtype))
    }

    fn wrapped(&mut self, dtype: Dtype, id: Id) -> Id {
        self.graph.wrap(8 * dtype.size() as u16, dtype.is_signed_integer(), id)
    }

    fn shift(&mut self, x: Value, n: Value) -> Outcome {
        if x.dtype == Dtype::F32 {
            return Err("bitshift: single is neither an integer class nor double".to_string());
        }
        let dtype = if is_integer(x.dtype) { x.dtype } else { Dtype::U64 };
        let ty = Type::of(dtype);
        let bits = self.graph.convert(ty, x.id);
        let n = self.as_class(if ty == Type::I32 { Dtype::I32 } else { Dtype::I64 }, n.id);
        let id = self.graph.shift(bits, n);
        if is_integer(x.dtype) {
            return Ok(Value::new(self.wrapped(dtype, id), dtype));
        }
        let mask = self.graph.integer(Type::U64, (1 << 53) - 1); // as many bits as a double has
        let id = self.graph.binary(Op::Bitand, id, mask);
        Ok(Value::new(self.double(id), Dtype::F64))
    }

    fn select(&mut self, condition: Value, x: Value, y: Value) -> Outcome {
        let condition = self.graph.test(condition.id);
        let dtype = if x.dtype == y.dtype { x.dtype } else { common(x, y)? };
        let is_small = |graph: &Graph, id| graph.ty(id) == Type::I32;
        let (a, b) = if dtype == Dtype::F64 && !(is_small(&self.graph, x.id) && is_small(&self.graph, y.id)) {
            (self.double(x.id), self.double(y.id))
        } else {
            (self.cast(dtype, x).id, self.cast(dtype, y).id)
        };
        Ok(Value::new(self.graph.select(condition, a, b), dtype))
    }
}

/// The comparison of y and x that says the same as that of x and y.
fn swapped(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Lt => Comparison::Gt,
        Comparison::Le => Comparison::Ge,
        Comparison::Gt => Comparison::Lt,
        Comparison::Ge => Comparison::Le,
        same => same,
    }
}

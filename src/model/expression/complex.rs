//! Complex numbers: a value of two nodes, its real and its imaginary part, of which programs compute in real numbers.
//!
//! Source: R. L. Smith, "Algorithm 116: complex division", Communications of the ACM 5, 1962; W. Kahan, "Branch cuts for complex
//! elementary functions", in The State of the Art in Numerical Analysis, 1987 (sqrt, tanh).
#![forbid(unsafe_code)]

use super::complex_functions::Parts;
use super::functions::{Comparison, Function, PartOf, word};
use super::graph::{Graph, Id};
use super::program::{Op, Type};
use super::typing::{Typing, Value};
use crate::error::{Error, Result as Checked};
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;

type Outcome = Result<Value, String>;

impl Value {
    /// A complex number, of which this is the dtype of a part.
    pub fn complex([re, im]: Parts, part: Dtype, is_weak: bool) -> Value {
        Value { id: re, im: Some(im), dtype: part.of_parts(), is_weak }
    }

    pub fn is_complex(&self) -> bool {
        self.im.is_some()
    }

    /// The real part.
    fn re(self) -> Value {
        Value { im: None, dtype: self.dtype.part().unwrap_or(self.dtype), ..self }
    }

    /// The imaginary part.
    fn im(self) -> Option<Value> {
        self.im.map(|id| Value { id, ..self.re() })
    }
}

/// Whether a call is one of this module.
pub fn is_complex(function: Function, x: &[Value]) -> bool {
    let is_of_parts = match function {
        Function::Cast(dtype) => dtype.is_complex(),
        function => matches!(function, Function::Complex | Function::Part(_)),
    };
    is_of_parts || x.iter().any(Value::is_complex)
}

/// The value of a function of complex numbers, or one that is about their parts.
pub fn call(typing: &mut dyn Typing, function: Function, x: &[Value]) -> Outcome {
    match function {
        Function::Identity => Ok(x[0]),
        Function::Complex if x.iter().any(Value::is_complex) => {
            Err("complex: both parts are real numbers".to_string())
        }
        Function::Part(part) => part_of(typing, part, x[0]),
        Function::Compare(comparison) => compare(typing, comparison, x[0], x[1]),
        Function::Classify(op) => classify(typing, op, x[0]),
        Function::Select => select(typing, x[0], x[1], x[2]),
        Function::Cast(dtype) => cast(typing, dtype, x[0]),
        Function::Logic(_) | Function::Not => {
            Err(format!("{}: a complex number is no condition; compare it with 0", function.name()))
        }
        _ => {
            let (part, is_weak) = common(typing, x)?;
            let mut numbers = [(0, None); 2];
            for (to, &value) in numbers.iter_mut().zip(x) {
                *to = (typing.cast(part, value.re()).id, value.im().map(|im| typing.cast(part, im).id));
            }
            let graph = typing.graph();
            for number in &mut numbers[..x.len()] {
                let float = |graph: &mut Graph, id| graph.convert(Type::of(part), id);
                *number = (float(graph, number.0), number.1.map(|im| float(graph, im)));
            }
            computed(graph, Type::of(part), function, numbers, part, is_weak)
        }
    }
}

fn computed(
    graph: &mut Graph,
    ty: Type,
    function: Function,
    [x, y]: [(Id, Option<Id>); 2],
    part: Dtype,
    is_weak: bool,
) -> Outcome {
    let mut graph = graph.of_type(ty);
    let zero = graph.number(0.0);
    let whole = |(re, im): (Id, Option<Id>)| [re, im.unwrap_or(zero)];
    let parts = match function {
        Function::Abs => {
            let [re, im] = whole(x);
            let id = graph.op2(Op::Hypot, re, im);
            return Ok(Value { is_weak, ..Value::new(id, part) });
        }
        Function::Complex => [x.0, y.0],
        Function::Negate => graph.negate(whole(x)),
        Function::Plus => graph.plus(x, y),
        Function::Minus => graph.minus(x, y),
        Function::Times => graph.times(x, y),
        Function::Divide => graph.divide(x, y),
        Function::Power => graph.power(x, y),
        Function::Sign => graph.sign(whole(x)),
        Function::Rounding(op) => whole(x).map(|id| graph.op1(op, id)),
        Function::Elementary(op) => match graph.elementary(op, whole(x)) {
            Some(parts) => parts,
            None => return Err(refusal(function)),
        },
        _ => return Err(refusal(function)),
    };
    Ok(Value::complex(parts, part, is_weak))
}

fn refusal(function: Function) -> String {
    format!("{}: it is not served of complex numbers", function.name())
}

/// The dtype of the parts of a result, as the rules have it for real numbers, and whether it is a literal.
fn common(typing: &mut dyn Typing, x: &[Value]) -> Result<(Dtype, bool), String> {
    let (first, last) = (x[0].re(), x[x.len() - 1].re());
    let float = typing.call(Function::Elementary2(Op::Hypot), &[first, last]).map_err(|_| {
        let other = if first.dtype.integers().is_some() { first.dtype } else { last.dtype };
        format!("{}: the parts of complex numbers are single or double; convert it", word(other))
    })?;
    Ok((float.dtype, float.is_weak))
}

fn part_of(typing: &mut dyn Typing, part: PartOf, x: Value) -> Outcome {
    let re = typing.call(Function::Identity, &[x.re()])?;
    match (part, x.im()) {
        (PartOf::Real, _) => Ok(re),
        (PartOf::Imaginary, Some(im)) => Ok(im),
        (PartOf::Imaginary, None) => {
            let ty = typing.graph().ty(re.id);
            let zero = typing.graph().literal(ty, 0); // the word of 0 in every type
            Ok(Value { id: zero, ..re })
        }
        (PartOf::Conjugate, None) => Ok(re),
        (PartOf::Conjugate, Some(im)) => {
            let im = typing.graph().unary(Op::Neg, im.id);
            Ok(Value { im: Some(im), ..x })
        }
        (PartOf::Argument, im) => {
            let (dtype, is_weak) = common(typing, &[x])?;
            let ty = Type::of(dtype);
            let graph = typing.graph();
            let re = graph.convert(ty, re.id);
            let im = match im {
                Some(im) => graph.convert(ty, im.id),
                None => graph.literal(ty, 0),
            };
            Ok(Value { is_weak, ..Value::new(graph.binary(Op::Atan2, im, re), dtype) })
        }
    }
}

/// Equal and unequal ones; an order that MATLAB and Octave share there is none.
fn compare(typing: &mut dyn Typing, comparison: Comparison, x: Value, y: Value) -> Outcome {
    let op = match comparison {
        Comparison::Eq => Op::Bitand,
        Comparison::Ne => Op::Bitor,
        _ => {
            return Err(
                "complex numbers have no order, which MATLAB and Octave define apart; compare real or abs of them"
                    .to_string(),
            );
        }
    };
    let zero = Value::new(typing.graph().literal(Type::F32, 0), Dtype::F32);
    let function = Function::Compare(comparison);
    let re = typing.call(function, &[x.re(), y.re()])?;
    let im = typing.call(function, &[x.im().unwrap_or(zero), y.im().unwrap_or(zero)])?;
    Ok(Value { id: typing.graph().binary(op, re.id, im.id), ..re })
}

fn classify(typing: &mut dyn Typing, op: Op, x: Value) -> Outcome {
    let [re, im] = [x.id, x.im.unwrap_or(x.id)].map(|id| typing.graph().unary(op, id));
    let all = if op == Op::Isfinite { Op::Bitand } else { Op::Bitor };
    Ok(Value::new(typing.graph().binary(all, re, im), Dtype::Bool))
}

fn select(typing: &mut dyn Typing, condition: Value, x: Value, y: Value) -> Outcome {
    if condition.is_complex() {
        return Err("a complex number is no condition; compare it with 0".to_string());
    }
    let (part, is_weak) = common(typing, &[x, y])?;
    let is_weak = is_weak && typing.graph().word(condition.id).is_some();
    let condition = typing.graph().test(condition.id);
    let mut parts_of = |value: Value| {
        let [re, im] = [Some(value.re()), value.im()].map(|v| v.map(|v| typing.cast(part, v).id));
        let graph = typing.graph();
        let zero = graph.literal(Type::of(part), 0);
        [re, im].map(|id| graph.convert(Type::of(part), id.unwrap_or(zero)))
    };
    let (x, y) = (parts_of(x), parts_of(y));
    let graph = typing.graph();
    let parts = [graph.select(condition, x[0], y[0]), graph.select(condition, x[1], y[1])];
    Ok(Value::complex(parts, part, is_weak))
}

/// Of a complex number to another precision, or of any number to a complex one.
fn cast(typing: &mut dyn Typing, dtype: Dtype, x: Value) -> Outcome {
    let part = match dtype {
        Dtype::F32 | Dtype::F64 => dtype, // which keep it complex, as MATLAB's single and double do
        _ => match dtype.part() {
            Some(part) => part,
            None => {
                return Err(format!(
                    "{}: a complex number is none; take real, imag or abs of it",
                    word(dtype)
                ));
            }
        },
    };
    Ok(of_parts(typing, part, x))
}

/// The same number with parts of a dtype.
fn of_parts(typing: &mut dyn Typing, part: Dtype, x: Value) -> Value {
    let re = typing.cast(part, x.re()).id;
    let im = match x.im() {
        Some(im) => typing.cast(part, im).id,
        None => typing.graph().literal(Type::of(part), 0),
    };
    Value::complex([re, im], part, false)
}

/// The value as one of a dtype, by the rule of casts; a complex one is never made real.
pub fn converted(typing: &mut dyn Typing, dtype: Dtype, x: Value) -> Checked<Value> {
    match dtype.part() {
        Some(part) => Ok(of_parts(typing, part, x)),
        None if x.is_complex() => Err(Error::invalid(format!(
            "options.dtype is {}, and the expression is complex; take real, imag or abs of it",
            dtype.c_name()
        ))),
        None => Ok(typing.cast(dtype, x)),
    }
}

/// The imaginary number that is written in an expression.
pub fn imaginary(graph: &mut Graph, number: f64, is_weak: bool) -> Value {
    let parts = [0.0, number].map(|number| graph.double(number));
    Value::complex(parts, Dtype::F64, is_weak)
}

//! What the two sets of rules share: typed values, and steps that are made of several.
#![forbid(unsafe_code)]

use super::complex;
use super::functions::{Comparison, Function, word};
use super::graph::{Graph, Id};
use super::lexer::{Literal, error_at};
use super::parser::{Node, Tree};
use super::program::{Op, Type};
use crate::error::Result;
use crate::model::dtype::Dtype;
use crate::vector::reserved;

/// A value of the language: a node, and the type that the rules give it.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    pub id: Id,
    /// The imaginary part of a complex number.
    pub im: Option<Id>,
    pub dtype: Dtype,
    /// A literal that takes the type of its partner.
    pub is_weak: bool,
}

impl Value {
    pub fn new(id: Id, dtype: Dtype) -> Value {
        Value { id, im: None, dtype, is_weak: false }
    }
}

/// How expressions get their types. An error is a sentence without the place.
pub trait Typing {
    fn graph(&mut self) -> &mut Graph;
    fn literal(&mut self, literal: Literal) -> Value;
    /// The value of a function of as many arguments as it has.
    fn call(&mut self, function: Function, x: &[Value]) -> std::result::Result<Value, String>;
    /// The value as a dtype, by the rule of casts.
    fn cast(&mut self, dtype: Dtype, x: Value) -> Value;
}

/// The value of a tree whose inputs have these dtypes; the imaginary parts of some are further inputs.
pub fn typed(tree: &Tree, dtypes: &[Dtype], planes: &[usize], typing: &mut dyn Typing) -> Result<Value> {
    let mut values: Vec<Value> = reserved(tree.nodes.len())?;
    for &(node, at) in &tree.nodes {
        typing.graph().make_room()?;
        values.push(match node {
            Node::Literal(literal) => typing.literal(literal),
            Node::Input(tap) => {
                let dtype = dtypes[tree.taps[tap].input];
                input(typing.graph(), tap, dtype, (dtypes.len(), planes))
            }
            Node::Call(function, arguments) => {
                let arguments = arguments.map(|index| values[index]);
                let arguments = &arguments[..function.arity()];
                let value = rounded_in_between(arguments).and_then(|()| {
                    match complex::is_complex(function, arguments) {
                        true => complex::call(typing, function, arguments),
                        false => typing.call(function, arguments),
                    }
                });
                value.map_err(|message| error_at(at, message))?
            }
        });
    }
    Ok(*values.last().expect("a tree has a root"))
}

fn input(graph: &mut Graph, tap: usize, dtype: Dtype, (inputs, planes): (usize, &[usize])) -> Value {
    let Some(part) = dtype.part() else { return Value::new(graph.input(tap, dtype), input_dtype(dtype)) };
    let plane = planes.iter().position(|&input| input == tap).expect("an imaginary part is an input");
    let im = graph.input(inputs + plane, part);
    Value::complex([graph.input(tap, part), im], part, false)
}

/// Numbers of 16 bits are loaded as single ones.
fn input_dtype(dtype: Dtype) -> Dtype {
    if matches!(dtype, Dtype::F16 | Dtype::Bf16) { Dtype::F32 } else { dtype }
}

/// No step rounds to 16 bits, only the store of a result does.
fn rounded_in_between(arguments: &[Value]) -> std::result::Result<(), String> {
    match arguments.iter().find(|value| matches!(value.dtype, Dtype::F16 | Dtype::Bf16)) {
        Some(value) => Err(format!(
            "the result of {} is an operand; it can only be that of the whole expression",
            word(value.dtype)
        )),
        None => Ok(()),
    }
}

impl Graph {
    /// I32: whether a value is not 0.
    pub fn test(&mut self, x: Id) -> Id {
        if self.ty(x) == Type::I32 && self.range(x).0 >= 0 && self.range(x).1 <= 1 {
            return x;
        }
        self.unary(Op::Test, x)
    }

    /// A comparison of two nodes of one type.
    pub fn compare(&mut self, comparison: Comparison, x: Id, y: Id) -> Id {
        match comparison {
            Comparison::Eq => self.binary(Op::Eq, x, y),
            Comparison::Ne => self.binary(Op::Ne, x, y),
            Comparison::Lt => self.binary(Op::Lt, x, y),
            Comparison::Le => self.binary(Op::Le, x, y),
            Comparison::Gt => self.binary(Op::Lt, y, x),
            Comparison::Ge => self.binary(Op::Le, y, x),
        }
    }

    /// The tests of two values, combined; xor of tests is also their difference.
    pub fn logic(&mut self, op: Op, x: Id, y: Id) -> Id {
        let (x, y) = (self.test(x), self.test(y));
        self.binary(op, x, y)
    }

    /// I32: what ISNAN and the like say; of integers without a look at them.
    pub fn classify(&mut self, op: Op, x: Id) -> Id {
        if self.ty(x).is_float() {
            return self.unary(op, x);
        }
        self.integer(Type::I32, (op == Op::Isfinite).into())
    }

    /// An integer by n bits to the left, or by −n to the right; n is of its type, and I64 where that is U64.
    pub fn shift(&mut self, x: Id, n: Id) -> Id {
        let (ty, (low, high)) = (self.ty(x), self.range(n));
        let to_left = self.convert(ty, n); // of a negative number: 2^63 and more
        if low >= 0 {
            return self.binary(Op::Shl, x, to_left);
        }
        let zero = self.integer(self.ty(n), 0);
        let opposite = self.binary(Op::Sub, zero, n);
        let to_right = self.convert(ty, opposite);
        let right = self.binary(Op::Shr, x, to_right);
        if high <= 0 {
            return right;
        }
        let left = self.binary(Op::Shl, x, to_left);
        let is_left = self.binary(Op::Le, zero, n);
        self.select(is_left, left, right)
    }

    /// The whole number that a literal is, if an i64 or a u64 holds it; −0 is none.
    pub fn whole(&self, x: Id) -> Option<i128> {
        let number = match self.ty(x) {
            Type::F32 | Type::F64 => self.number(x)?,
            _ => return self.word(x).map(|_| self.range(x).0),
        };
        let is_whole = number.fract() == 0.0 && !(number == 0.0 && number.is_sign_negative());
        (is_whole && (-2f64.powi(63)..2f64.powi(64)).contains(&number)).then_some(number as i128)
    }
}

//! Typed expressions: a graph in which equal subexpressions are one node, literals are folded, and the range of each integer is known.
#![forbid(unsafe_code)]

use std::collections::HashMap;

use super::fold;
use super::program::{Op, Type};
use crate::error::{Error, Result};
use crate::model::dtype::Dtype;
use crate::vector::reserve;

/// A node of a graph.
pub type Id = usize;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    Literal { ty: Type, word: u64 },
    Input { ty: Type, index: usize },
    Unary { op: Op, ty: Type, x: Id },
    Binary { op: Op, ty: Type, x: Id, y: Id },
    Select { ty: Type, condition: Id, x: Id, y: Id },
    Convert { from: Type, to: Type, x: Id },
    Wrap { ty: Type, bits: u16, signed: bool, x: Id },
    Clamp { ty: Type, low: Id, high: Id, x: Id },
}

/// The least and the greatest integer; of a float all numbers, which nobody asks for.
pub type Range = (i128, i128);

#[derive(Default)]
pub struct Graph {
    nodes: Vec<(Node, Type, Range)>,
    known: HashMap<Node, Id>,
}

/// Nodes that are added for one call of a function, about, at most.
const ROOM: usize = 512;

impl Graph {
    /// Memory for the nodes of one more call: adding them cannot fail.
    pub fn make_room(&mut self) -> Result<()> {
        reserve(&mut self.nodes, ROOM)?;
        let bytes = ROOM * size_of::<(Node, Id)>();
        self.known.try_reserve(ROOM).map_err(|_| Error::out_of_memory("host memory", bytes))
    }

    pub fn node(&self, id: Id) -> Node {
        self.nodes[id].0
    }

    /// The type of its value.
    pub fn ty(&self, id: Id) -> Type {
        self.nodes[id].1
    }

    pub fn range(&self, id: Id) -> Range {
        self.nodes[id].2
    }

    /// The word of a literal.
    pub fn word(&self, id: Id) -> Option<u64> {
        match self.node(id) {
            Node::Literal { word, .. } => Some(word),
            _ => None,
        }
    }

    /// The value of a literal as a double.
    pub fn number(&self, id: Id) -> Option<f64> {
        self.word(id).map(|word| f64::from_bits(fold::convert(self.ty(id), Type::F64, word)))
    }

    fn add(&mut self, node: Node, ty: Type, range: Range) -> Id {
        if let Some(&id) = self.known.get(&node) {
            return id;
        }
        self.nodes.push((node, ty, range));
        self.known.insert(node, self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    pub fn literal(&mut self, ty: Type, word: u64) -> Id {
        let value = if ty.is_float() { 0 } else { fold::integer(ty, word) };
        self.add(Node::Literal { ty, word }, ty, (value, value))
    }

    /// A node of type U8, of operands of that type.
    pub fn byte(&mut self, node: Node) -> Id {
        self.add(node, Type::U8, (0, u8::MAX.into()))
    }

    /// A literal of the value of an integer.
    pub fn integer(&mut self, ty: Type, value: i128) -> Id {
        let word = value as u64 & if ty == Type::I32 { u32::MAX.into() } else { u64::MAX };
        self.literal(ty, word)
    }

    pub fn double(&mut self, value: f64) -> Id {
        self.literal(Type::F64, value.to_bits())
    }

    pub fn input(&mut self, index: usize, dtype: Dtype) -> Id {
        let ty = Type::of(dtype);
        let range = dtype.integers().map_or((0, 0), |range| range.into_inner());
        self.add(Node::Input { ty, index }, ty, range)
    }

    pub fn unary(&mut self, op: Op, x: Id) -> Id {
        let ty = self.ty(x);
        let to = if op.is_test() { Type::I32 } else { ty };
        if let Some(word) = self.word(x) {
            return self.literal(to, fold::unary(op, ty, word));
        }
        let (low, high) = self.range(x);
        let range = match op {
            _ if op.is_test() => Some((0, 1)),
            Op::Neg | Op::Negs => Some((-high, -low)),
            Op::Abs | Op::Abss if !ty.is_float() && low >= 0 => return x,
            Op::Abs | Op::Abss => Some((0, high.max(-low))),
            Op::Sign => Some((low.signum(), high.signum())),
            Op::Bitnot => Some((!high, !low)),
            _ => None,
        };
        let range = self.held(to, op, range);
        self.add(Node::Unary { op, ty, x }, to, range)
    }

    /// op (x, y) of two nodes of one type.
    pub fn binary(&mut self, op: Op, x: Id, y: Id) -> Id {
        let ty = self.ty(x);
        debug_assert_eq!(ty, self.ty(y));
        let to = if op.is_test() { Type::I32 } else { ty };
        if let (Some(a), Some(b)) = (self.word(x), self.word(y)) {
            return self.literal(to, fold::binary(op, ty, a, b));
        }
        let range = if op.is_test() { Some((0, 1)) } else { binary_range(op, self.range(x), self.range(y)) };
        let range = self.held(to, op, range);
        self.add(Node::Binary { op, ty, x, y }, to, range)
    }

    /// The range of a result that a type holds, or what saturation or wrapping makes of it.
    fn held(&self, ty: Type, op: Op, range: Option<Range>) -> Range {
        let Some(all) = ty.integers() else { return (0, 0) };
        let saturates = matches!(op, Op::Negs | Op::Abss | Op::Adds | Op::Subs | Op::Muls | Op::Divs);
        match range {
            Some((low, high)) if saturates => (low.clamp(all.0, all.1), high.clamp(all.0, all.1)),
            Some((low, high)) if low >= all.0 && high <= all.1 => (low, high),
            _ => all,
        }
    }

    pub fn select(&mut self, condition: Id, x: Id, y: Id) -> Id {
        let ty = self.ty(x);
        match self.word(condition) {
            Some(0) => return y,
            Some(_) => return x,
            None if x == y => return x,
            None => {}
        }
        let ((a, b), (c, d)) = (self.range(x), self.range(y));
        self.add(Node::Select { ty, condition, x, y }, ty, (a.min(c), b.max(d)))
    }

    pub fn convert(&mut self, to: Type, x: Id) -> Id {
        let from = self.ty(x);
        if from == to {
            return x;
        }
        if let Some(word) = self.word(x) {
            return self.literal(to, fold::convert(from, to, word));
        }
        let range = match (from.is_float(), to.integers()) {
            (_, None) => (0, 0),
            (true, Some(all)) => all,
            (false, Some(_)) => self.held(to, Op::Convert, Some(self.range(x))),
        };
        self.add(Node::Convert { from, to, x }, to, range)
    }

    /// An integer to so many bits.
    pub fn wrap(&mut self, bits: u16, signed: bool, x: Id) -> Id {
        let ty = self.ty(x);
        let range =
            if signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1i128 << bits) - 1) };
        let (low, high) = self.range(x);
        if low >= range.0 && high <= range.1 {
            return x;
        }
        if let Some(word) = self.word(x) {
            let rest = (fold::integer(ty, word) - range.0).rem_euclid(1 << bits);
            return self.integer(ty, range.0 + rest);
        }
        let range = self.held(ty, Op::Wrap, Some(range));
        self.add(Node::Wrap { ty, bits, signed, x }, ty, range)
    }

    /// An integer within a range, as far as its type holds that.
    pub fn clamp(&mut self, (low, high): Range, x: Id) -> Id {
        let ty = self.ty(x);
        let (least, greatest) = ty.integers().expect("integers are clamped");
        let (low, high) = (low.max(least), high.min(greatest));
        let (from, to) = self.range(x);
        if from >= low && to <= high {
            return x;
        }
        if let Some(word) = self.word(x) {
            return self.integer(ty, fold::integer(ty, word).clamp(low, high));
        }
        let [first, last] = [low, high].map(|bound| self.integer(ty, bound));
        let range = (from.clamp(low, high), to.clamp(low, high));
        self.add(Node::Clamp { ty, low: first, high: last, x }, ty, range)
    }
}

/// Where the result of integers lies, before the type bounds it.
fn binary_range(op: Op, (a, b): Range, (c, d): Range) -> Option<Range> {
    let products = || [a * c, a * d, b * c, b * d];
    Some(match op {
        Op::Add | Op::Adds => (a + c, b + d),
        Op::Sub | Op::Subs => (a - d, b - c),
        Op::Mul | Op::Muls if b.max(-a).max(d.max(-c)) <= i64::MAX.into() => {
            let products = products();
            (*products.iter().min()?, *products.iter().max()?)
        }
        Op::Min => (a.min(c), b.min(d)),
        Op::Max => (a.max(c), b.max(d)),
        Op::Mod if c > 0 => (0, d - 1),
        Op::Rem if a >= 0 => (0, b),
        Op::Div if a >= 0 && c >= 0 => (0, b),
        Op::Divs if c > 0 => (a.min(0), b.max(0)),
        Op::Bitand if a >= 0 && c >= 0 => (0, b.min(d)),
        Op::Bitor | Op::Bitxor if a >= 0 && c >= 0 => (0, (1i128 << (128 - b.max(d).leading_zeros())) - 1),
        _ => return None,
    })
}

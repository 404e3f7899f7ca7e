//! Programs whose values are all integers from 0 to 255, in bytes: four to a 32-bit register of a GPU, and as many to a vector of a CPU as
//! it has bytes. The result is the same bit by bit.
//!
//! A node has a byte where its range, of whatever integer type, is within 0 … 255, and its operands have one: sums, differences and
//! products are then exact, without a carry into the next byte. A sum or difference that is clamped to 0 … 255 saturates. The conversion
//! of the result to a float or to a wider integer, which is exact, is left to the store.
#![forbid(unsafe_code)]

use super::graph::{Graph, Id, Node};
use super::lower::lower;
use super::program::{Op, Program, Tap, Type};
use crate::model::dtype::Dtype;
use crate::vector::reserved;

/// The program that computes a node in bytes; None where some value does not fit, or the memory.
pub fn in_bytes(graph: &Graph, root: Id, dtype: Dtype, taps: &[Tap]) -> Option<Program> {
    let mut narrowing = Narrowing { from: graph, to: Graph::default(), bytes: reserved(root + 1).ok()? };
    for id in 0..=root {
        narrowing.to.make_room().ok()?;
        let byte = narrowing.byte(id);
        narrowing.bytes.push(byte);
    }
    let computed = match graph.node(root) {
        Node::Convert { x, .. } if narrowing.bytes[root].is_none() => x,
        _ => root,
    };
    let byte = narrowing.bytes[computed]?;
    let mut program = lower(&narrowing.to, byte, dtype).ok()?;
    (program.ty, program.taps) = (Type::U8, taps.to_vec());
    Some(program)
}

struct Narrowing<'a> {
    from: &'a Graph,
    to: Graph,
    /// The byte of each node, as far as there is one.
    bytes: Vec<Option<Id>>,
}

impl Narrowing<'_> {
    fn fits(&self, id: Id) -> bool {
        let (low, high) = self.from.range(id);
        !self.from.ty(id).is_float() && low >= 0 && high <= u8::MAX.into()
    }

    fn literal(&mut self, value: u64) -> Id {
        self.to.byte(Node::Literal { ty: Type::U8, word: value })
    }

    fn binary(&mut self, op: Op, x: Id, y: Id) -> Id {
        self.to.byte(Node::Binary { op, ty: Type::U8, x, y })
    }

    /// The byte of a node whose operands have been looked at.
    fn byte(&mut self, id: Id) -> Option<Id> {
        if !self.fits(id) {
            return None;
        }
        match self.from.node(id) {
            Node::Literal { .. } => Some(self.literal(self.from.range(id).0 as u64)),
            Node::Input { index, .. } => Some(self.to.byte(Node::Input { ty: Type::U8, index })),
            Node::Unary { op, x, .. } => self.unary(op, x),
            Node::Binary { op, x, y, .. } => self.pair(op, id, x, y),
            Node::Select { condition, x, y, .. } => {
                let (condition, x, y) = (self.bytes[condition]?, self.bytes[x]?, self.bytes[y]?);
                Some(self.to.byte(Node::Select { ty: Type::U8, condition, x, y }))
            }
            Node::Convert { x, .. } | Node::Wrap { x, .. } => self.bytes[x], // which it changes in no way
            Node::Clamp { low, high, x, .. } => {
                self.clamp(x, (self.from.range(low).0, self.from.range(high).0))
            }
        }
    }

    fn unary(&mut self, op: Op, x: Id) -> Option<Id> {
        let is_logical = self.from.range(x).1 <= 1;
        let byte = self.bytes[x]?;
        match op {
            Op::Not if is_logical => {
                let one = self.literal(1);
                Some(self.binary(Op::Bitxor, byte, one))
            }
            Op::Not => Some(self.to.byte(Node::Unary { op, ty: Type::U8, x: byte })),
            Op::Test | Op::Sign if is_logical => Some(byte),
            Op::Test | Op::Sign => Some(self.to.byte(Node::Unary { op: Op::Test, ty: Type::U8, x: byte })),
            Op::Abs | Op::Abss => Some(byte),
            _ => None,
        }
    }

    /// Of two operands; what the range of the result says is exact.
    fn pair(&mut self, op: Op, id: Id, x: Id, y: Id) -> Option<Id> {
        let (from, to) = (self.bytes[x]?, self.bytes[y]?);
        let op = match op {
            Op::Add | Op::Adds => Op::Add,
            Op::Mul | Op::Muls => Op::Mul,
            Op::Subs if self.from.ty(id) == Type::U64 => Op::Subs, // ends at 0
            Op::Sub | Op::Subs => Op::Sub,
            Op::Min | Op::Max | Op::Eq | Op::Ne | Op::Lt | Op::Le => op,
            Op::Bitand | Op::Bitor | Op::Bitxor => op,
            Op::Rem | Op::Mod => return self.remainder(from, y),
            _ => return None,
        };
        Some(self.binary(op, from, to))
    }

    /// By a power of two.
    fn remainder(&mut self, x: Id, y: Id) -> Option<Id> {
        let divisor = self.from.word(y)?;
        if !divisor.is_power_of_two() {
            return None;
        }
        let mask = self.literal(divisor - 1);
        Some(self.binary(Op::Bitand, x, mask))
    }

    fn clamp(&mut self, x: Id, (low, high): (i128, i128)) -> Option<Id> {
        let mut byte = self.bytes[x].or_else(|| self.saturated(x, high))?;
        if low > 0 {
            let low = self.literal(low as u64);
            byte = self.binary(Op::Max, byte, low);
        }
        if high < u8::MAX.into() {
            let high = self.literal(high as u64);
            byte = self.binary(Op::Min, byte, high);
        }
        Some(byte)
    }

    /// A sum up to 255 and more, or a difference down to 0 and less, of which the clamp that follows leaves what a byte holds.
    fn saturated(&mut self, x: Id, high: i128) -> Option<Id> {
        let Node::Binary { op, x: a, y: b, .. } = self.from.node(x) else { return None };
        let (a, b) = (self.bytes[a]?, self.bytes[b]?);
        match op {
            Op::Add | Op::Adds if high <= u8::MAX.into() => Some(self.binary(Op::Adds, a, b)),
            Op::Sub | Op::Subs if self.from.ty(x) != Type::U64 => Some(self.binary(Op::Subs, a, b)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::model::dtype::Dtype;
    use crate::model::expression::program::Program;
    use crate::model::expression::{Rules, Source};

    fn compiled(text: &str, rules: Rules, dtypes: &[Dtype]) -> Program {
        let (text, names, dtypes) = (text.to_string(), None, dtypes.to_vec());
        let source = Source { text, names, dtypes, rules, has_neighbours: true };
        let dtype = source.natural_dtype().unwrap();
        source.compile(dtype).unwrap()
    }

    #[track_caller]
    fn is_in_bytes(expected: bool, text: &str, rules: Rules) {
        let program = compiled(text, rules, &[Dtype::Bool, Dtype::U8, Dtype::I8]);
        assert_eq!(program.in_bytes.is_some(), expected, "{text}: {:?}", program.steps);
    }

    #[test]
    fn a_board_is_updated_in_bytes_and_its_neighbours_are_summed_once() {
        let sum = "(a(-1,-1) + a(-1,0) + a(-1,1) + a(0,-1) + a(0,1) + a(1,-1) + a(1,0) + a(1,1))";
        let text = format!("(a & {sum} == 2) | {sum} == 3");
        for rules in [Rules::C, Rules::Matlab] {
            let program = compiled(&text, rules, &[Dtype::Bool]);
            let steps = program.in_bytes.expect("it fits").steps;
            assert_eq!(steps.len(), 8 + 1 + 2 + 2 + 2, "{rules:?}: {steps:?}"); // sum, store, test and operator, store, load, test and operator
            assert_eq!(program.taps.len(), 9);
        }
    }

    #[test]
    fn values_beyond_a_byte_keep_their_type() {
        for rules in [Rules::C, Rules::Matlab] {
            is_in_bytes(true, "a + a + 253", rules);
            is_in_bytes(false, "a + a + 254", rules);
            is_in_bytes(false, "a - a", rules);
            is_in_bytes(true, "2 - a", rules);
            is_in_bytes(false, "b * 2.5 < 3", rules);
            is_in_bytes(false, "c + a > 3", rules);
            is_in_bytes(true, "select (b > 3, a, b) == mod (b, 16)", rules);
            is_in_bytes(true, "double (a + a)", rules);
            is_in_bytes(false, "sqrt (a)", rules);
        }
        is_in_bytes(true, "b + b", Rules::Matlab); // saturates
        is_in_bytes(true, "b - 17 * a", Rules::Matlab);
        is_in_bytes(false, "b + b", Rules::C); // an int
    }
}

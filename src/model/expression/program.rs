//! Programs of an accumulator machine: what an expression is compiled to, and what both backends interpret.
#![forbid(unsafe_code)]

use std::sync::OnceLock;

use super::plan::Plan;
use crate::model::dtype::Dtype;

/// Limits of a program: a kernel takes it as one parameter.
pub const MAX_STEPS: usize = 160;
pub const MAX_LITERALS: usize = 64;
pub const MAX_INPUTS: usize = 16;
pub const MAX_SLOTS: usize = 8;
/// How far a neighbour is, in rows and in columns.
pub const MAX_RADIUS: i8 = 7;

/// An element of an input: the one at the place of the result, or a neighbour of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tap {
    pub input: usize,
    /// Rows, then columns, from the place of the result on.
    pub rows: i8,
    pub cols: i8,
}

impl Tap {
    /// The element at the place of the result.
    pub fn center(input: usize) -> Tap {
        Tap { input, rows: 0, cols: 0 }
    }
}

/// The type in which a step computes.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    I32 = 0,
    I64 = 1,
    U64 = 2,
    F32 = 3,
    F64 = 4,
    /// Only of programs whose values are all integers from 0 to 255: see `narrow`.
    U8 = 5,
}

impl Type {
    /// The type in which elements of a dtype are computed.
    pub fn of(dtype: Dtype) -> Type {
        match dtype {
            Dtype::F16 | Dtype::Bf16 | Dtype::F32 | Dtype::C64 => Type::F32, // of complex numbers the parts
            Dtype::None | Dtype::F64 | Dtype::C128 => Type::F64,
            Dtype::Bool | Dtype::I8 | Dtype::I16 | Dtype::I32 | Dtype::U8 | Dtype::U16 => Type::I32,
            Dtype::I64 | Dtype::U32 => Type::I64,
            Dtype::U64 => Type::U64,
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, Type::F32 | Type::F64)
    }

    pub fn is_wide(self) -> bool {
        !matches!(self, Type::I32 | Type::F32 | Type::U8)
    }

    /// The integers that the type holds.
    pub fn integers(self) -> Option<(i128, i128)> {
        match self {
            Type::I32 => Some((i32::MIN.into(), i32::MAX.into())),
            Type::I64 => Some((i64::MIN.into(), i64::MAX.into())),
            Type::U64 => Some((0, u64::MAX.into())),
            Type::U8 => Some((0, u8::MAX.into())),
            Type::F32 | Type::F64 => None,
        }
    }
}

/// Where the operand of a step comes from.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    None = 0,
    Literal = 1,
    Slot = 2,
    Input = 3,
}

/// What a step does. `x` is the accumulator and `y` the operand, or the other way round where the step is reversed.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// acc ← operand
    Mov = 0,
    /// slot\[index\] ← acc
    Store = 1,
    /// acc ← slot\[other\] ≠ 0 ? acc : operand; the slot holds I32
    Select = 2,
    /// acc to the type of the number `index`: to integers truncated, saturated, NaN 0; among integers wrapped
    Convert = 3,
    /// acc to `index` bits, with their sign if other is 1
    Wrap = 4,
    /// acc to literal\[index\] … literal\[other\]
    Clamp = 5,
    Neg = 8,
    Abs = 9,
    /// Saturated negation and magnitude.
    Negs = 10,
    Abss = 11,
    /// −1, 0, 1, or NaN
    Sign = 12,
    /// I32: x = 0
    Not = 13,
    /// I32: x ≠ 0
    Test = 14,
    Bitnot = 15,
    Isnan = 16,
    Isinf = 17,
    Isfinite = 18,
    Floor = 19,
    Ceil = 20,
    /// Halves away from zero.
    Round = 21,
    Trunc = 22,
    Sqrt = 23,
    Cbrt = 24,
    Exp = 25,
    Expm1 = 26,
    Exp2 = 27,
    Log = 28,
    Log1p = 29,
    Log2 = 30,
    Log10 = 31,
    Sin = 32,
    Cos = 33,
    Tan = 34,
    Asin = 35,
    Acos = 36,
    Atan = 37,
    Sinh = 38,
    Cosh = 39,
    Tanh = 40,
    Asinh = 41,
    Acosh = 42,
    Atanh = 43,
    Erf = 44,
    Erfc = 45,
    Gamma = 46,
    Lgamma = 47,
    Add = 64,
    Sub = 65,
    Mul = 66,
    /// Of integers truncated; by 0 it is 0.
    Div = 67,
    /// The remainder of Div, C's fmod of floats.
    Rem = 68,
    /// The same with the sign of the divisor; of 0 it is x.
    Mod = 69,
    Min = 70,
    Max = 71,
    /// Saturated at the range of the type.
    Adds = 72,
    Subs = 73,
    Muls = 74,
    /// Rounded, halves away from zero; by 0 the greatest, the least or 0, as the sign says.
    Divs = 75,
    Eq = 76,
    Ne = 77,
    Lt = 78,
    Le = 79,
    Bitand = 80,
    Bitor = 81,
    Bitxor = 82,
    /// By less than 0 or the width of the type and more: 0, and Shr of negative numbers −1.
    Shl = 83,
    Shr = 84,
    Pow = 96,
    Atan2 = 97,
    Hypot = 98,
}

impl Op {
    /// Whether its result is I32, 0 or 1.
    pub fn is_test(self) -> bool {
        use Op::*;
        matches!(self, Not | Test | Isnan | Isinf | Isfinite | Eq | Ne | Lt | Le)
    }

    /// Whether it is one of the functions that no backend computes in a few instructions.
    fn is_elementary(self, ty: Type) -> bool {
        let number = self as u8;
        matches!(number, 24..=47 | 96..=98) || (ty.is_float() && matches!(self, Op::Rem | Op::Mod))
    }
}

/// One instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub op: Op,
    pub ty: Type,
    pub operand: Operand,
    pub reverse: u8,
    pub index: u16,
    pub other: u16,
}

impl Step {
    pub fn new(op: Op, ty: Type) -> Step {
        Step { op, ty, operand: Operand::None, reverse: 0, index: 0, other: 0 }
    }

    /// The fields in this order, as kernels read them.
    pub fn to_bytes(self) -> [u8; 8] {
        let ([a, b], [c, d]) = (self.index.to_le_bytes(), self.other.to_le_bytes());
        [self.op as u8, self.ty as u8, self.operand as u8, self.reverse, a, b, c, d]
    }
}

/// A compiled expression. It ends with the accumulator in the type of the result's dtype, and in its range.
#[derive(Clone, Debug)]
pub struct Program {
    pub steps: Vec<Step>,
    /// Words of 64 bits; a type of 32 bits is the lower half.
    pub literals: Vec<u64>,
    pub slots: usize,
    /// The dtype of the result.
    pub dtype: Dtype,
    /// The type of the accumulator at the end.
    pub ty: Type,
    /// What the operand of a step is that reads an input: the elements in place are the first ones, as many as there are inputs.
    pub taps: Vec<Tap>,
    /// The inputs whose imaginary parts are further inputs, behind the others.
    pub planes: Vec<usize>,
    /// Of a complex result the slot with the real part at the end; the accumulator is the imaginary part.
    pub real_slot: Option<u16>,
    pub is_wide: bool,
    pub is_elementary: bool,
    /// The same result computed in U8, where that is possible.
    pub in_bytes: Option<Box<Program>>,
    plan: OnceLock<Plan>,
}

impl Program {
    pub fn new(steps: Vec<Step>, literals: Vec<u64>, slots: usize, dtype: Dtype) -> Program {
        let is_wide = steps.iter().any(|step| step.ty.is_wide() || is_conversion_to_wide(step));
        let is_elementary = steps.iter().any(|step| step.op.is_elementary(step.ty));
        Program {
            steps,
            literals,
            slots,
            dtype,
            ty: Type::of(dtype),
            taps: Vec::new(),
            planes: Vec::new(),
            real_slot: None,
            is_wide,
            is_elementary,
            in_bytes: None,
            plan: OnceLock::new(),
        }
    }

    /// What an element takes, in steps of plain arithmetic; an elementary function takes as long as several.
    pub fn steps_of_work(&self) -> usize {
        const OF_AN_ELEMENTARY: usize = 8;
        self.steps.len().max(1) * if self.is_elementary { OF_AN_ELEMENTARY } else { 1 }
    }

    /// The same as three-address code, made on first use.
    pub fn plan(&self) -> &Plan {
        self.plan.get_or_init(|| Plan::new(&self.steps, self.real_slot))
    }

    /// Whether a step reads this input.
    pub fn reads(&self, input: usize) -> bool {
        self.steps.iter().any(|step| step.operand == Operand::Input && usize::from(step.index) == input)
    }

    /// The same program with a literal in the place of an input; None if there is no room for another literal.
    pub fn with_literal(&self, input: usize, word: u64) -> Option<Program> {
        if self.literals.len() == MAX_LITERALS {
            return None;
        }
        let mut program = Program { plan: OnceLock::new(), ..self.clone() };
        for step in &mut program.steps {
            if step.operand == Operand::Input && usize::from(step.index) == input {
                (step.operand, step.index) = (Operand::Literal, self.literals.len() as u16);
            }
        }
        program.literals.push(word);
        Some(program)
    }
}

fn is_conversion_to_wide(step: &Step) -> bool {
    step.op == Op::Convert && step.index != Type::I32 as u16 && step.index != Type::F32 as u16
}

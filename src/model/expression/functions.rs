//! The functions of the language; its operators are functions with other signs.
#![forbid(unsafe_code)]

use super::program::Op;
use crate::model::dtype::Dtype;

/// What a node of the tree computes of its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    Identity,
    Negate,
    Plus,
    Minus,
    Times,
    Divide,
    Power,
    Compare(Comparison),
    Logic(Op),
    Not,
    Abs,
    Sign,
    Least,
    Greatest,
    Remainder(Op),
    Rounding(Op),
    Elementary(Op),
    Elementary2(Op),
    Classify(Op),
    Bits(Op),
    BitComplement,
    BitShift,
    Select,
    Cast(Dtype),
    /// The complex number of two parts.
    Complex,
    Part(PartOf),
}

/// What is asked of a complex number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartOf {
    Real,
    Imaginary,
    Conjugate,
    Argument,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl Function {
    /// The number of its arguments.
    pub fn arity(self) -> usize {
        use Function::*;
        match self {
            Identity | Negate | Not | Abs | Sign | Rounding(_) | Elementary(_) | Classify(_) => 1,
            BitComplement | Cast(_) | Part(_) => 1,
            Plus | Minus | Times | Divide | Power | Compare(_) | Logic(_) | Least | Greatest => 2,
            Remainder(_) | Elementary2(_) | Bits(_) | BitShift | Complex => 2,
            Select => 3,
        }
    }

    /// The function of this name.
    pub fn named(name: &str) -> Option<Function> {
        let cast = || CASTS.iter().find(|(word, _)| *word == name).map(|(_, dtype)| Function::Cast(*dtype));
        TABLE.iter().find(|(known, _)| *known == name).map(|(_, function)| *function).or_else(cast)
    }

    /// The name by which errors call it.
    pub fn name(self) -> &'static str {
        match self {
            Function::Cast(dtype) => word(dtype),
            _ => TABLE.iter().find(|(_, known)| *known == self).map_or("?", |(name, _)| name),
        }
    }

    /// The binary operator of a symbol, and how tightly it binds.
    pub fn infix(symbol: &str) -> Option<(Function, u8)> {
        use Comparison::*;
        Some(match symbol {
            "||" => (Function::Logic(Op::Bitor), 2),
            "&&" => (Function::Logic(Op::Bitand), 3),
            "|" => (Function::Logic(Op::Bitor), 4),
            "&" => (Function::Logic(Op::Bitand), 5),
            "==" => (Function::Compare(Eq), 6),
            "!=" | "~=" => (Function::Compare(Ne), 6),
            "<" => (Function::Compare(Lt), 6),
            "<=" => (Function::Compare(Le), 6),
            ">" => (Function::Compare(Gt), 6),
            ">=" => (Function::Compare(Ge), 6),
            "+" => (Function::Plus, 7),
            "-" => (Function::Minus, 7),
            "*" | ".*" => (Function::Times, 8),
            "/" | "./" => (Function::Divide, 8),
            "^" | ".^" => (Function::Power, POWER),
            _ => return None,
        })
    }

    /// The unary operator of a symbol.
    pub fn prefix(symbol: &str) -> Option<Function> {
        Some(match symbol {
            "+" => Function::Identity,
            "-" => Function::Negate,
            "!" | "~" => Function::Not,
            _ => return None,
        })
    }
}

/// How tightly unary operators and the power bind, and unary ones behind a power.
pub const PREFIX: u8 = 9;
pub const POWER: u8 = 10;
pub const PREFIX_OF_EXPONENT: u8 = 11;

/// The words for dtypes: those of the casts.
pub const CASTS: [(&str, Dtype); 15] = [
    ("double", Dtype::F64),
    ("single", Dtype::F32),
    ("half", Dtype::F16),
    ("bfloat16", Dtype::Bf16),
    ("int8", Dtype::I8),
    ("int16", Dtype::I16),
    ("int32", Dtype::I32),
    ("int64", Dtype::I64),
    ("uint8", Dtype::U8),
    ("uint16", Dtype::U16),
    ("uint32", Dtype::U32),
    ("uint64", Dtype::U64),
    ("logical", Dtype::Bool),
    ("complex64", Dtype::C64),
    ("complex128", Dtype::C128),
];

/// How errors name a dtype.
pub fn word(dtype: Dtype) -> &'static str {
    CASTS.iter().find(|(_, known)| *known == dtype).map_or("none", |(word, _)| word)
}

const TABLE: [(&str, Function); 71] = [
    ("abs", Function::Abs),
    ("sign", Function::Sign),
    ("min", Function::Least),
    ("max", Function::Greatest),
    ("mod", Function::Remainder(Op::Mod)),
    ("rem", Function::Remainder(Op::Rem)),
    ("floor", Function::Rounding(Op::Floor)),
    ("ceil", Function::Rounding(Op::Ceil)),
    ("round", Function::Rounding(Op::Round)),
    ("fix", Function::Rounding(Op::Trunc)),
    ("trunc", Function::Rounding(Op::Trunc)),
    ("sqrt", Function::Elementary(Op::Sqrt)),
    ("cbrt", Function::Elementary(Op::Cbrt)),
    ("exp", Function::Elementary(Op::Exp)),
    ("expm1", Function::Elementary(Op::Expm1)),
    ("exp2", Function::Elementary(Op::Exp2)),
    ("log", Function::Elementary(Op::Log)),
    ("log1p", Function::Elementary(Op::Log1p)),
    ("log2", Function::Elementary(Op::Log2)),
    ("log10", Function::Elementary(Op::Log10)),
    ("sin", Function::Elementary(Op::Sin)),
    ("cos", Function::Elementary(Op::Cos)),
    ("tan", Function::Elementary(Op::Tan)),
    ("asin", Function::Elementary(Op::Asin)),
    ("acos", Function::Elementary(Op::Acos)),
    ("atan", Function::Elementary(Op::Atan)),
    ("sinh", Function::Elementary(Op::Sinh)),
    ("cosh", Function::Elementary(Op::Cosh)),
    ("tanh", Function::Elementary(Op::Tanh)),
    ("asinh", Function::Elementary(Op::Asinh)),
    ("acosh", Function::Elementary(Op::Acosh)),
    ("atanh", Function::Elementary(Op::Atanh)),
    ("erf", Function::Elementary(Op::Erf)),
    ("erfc", Function::Elementary(Op::Erfc)),
    ("gamma", Function::Elementary(Op::Gamma)),
    ("gammaln", Function::Elementary(Op::Lgamma)),
    ("atan2", Function::Elementary2(Op::Atan2)),
    ("hypot", Function::Elementary2(Op::Hypot)),
    ("power", Function::Power),
    ("isnan", Function::Classify(Op::Isnan)),
    ("isinf", Function::Classify(Op::Isinf)),
    ("isfinite", Function::Classify(Op::Isfinite)),
    ("not", Function::Not),
    ("and", Function::Logic(Op::Bitand)),
    ("or", Function::Logic(Op::Bitor)),
    ("xor", Function::Logic(Op::Bitxor)),
    ("eq", Function::Compare(Comparison::Eq)),
    ("ne", Function::Compare(Comparison::Ne)),
    ("lt", Function::Compare(Comparison::Lt)),
    ("le", Function::Compare(Comparison::Le)),
    ("gt", Function::Compare(Comparison::Gt)),
    ("ge", Function::Compare(Comparison::Ge)),
    ("plus", Function::Plus),
    ("minus", Function::Minus),
    ("times", Function::Times),
    ("rdivide", Function::Divide),
    ("ifelse", Function::Select),
    ("select", Function::Select),
    ("bitand", Function::Bits(Op::Bitand)),
    ("bitor", Function::Bits(Op::Bitor)),
    ("bitxor", Function::Bits(Op::Bitxor)),
    ("bitcmp", Function::BitComplement),
    ("bitshift", Function::BitShift),
    ("uminus", Function::Negate),
    ("uplus", Function::Identity),
    ("complex", Function::Complex),
    ("real", Function::Part(PartOf::Real)),
    ("imag", Function::Part(PartOf::Imaginary)),
    ("conj", Function::Part(PartOf::Conjugate)),
    ("arg", Function::Part(PartOf::Argument)),
    ("angle", Function::Part(PartOf::Argument)),
];

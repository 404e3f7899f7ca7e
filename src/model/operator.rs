//! Binary operators, and what they do to numbers.
#![forbid(unsafe_code)]

use super::dtype::{Dtype, Element};
use super::numbered::numbered_enum;

/// Binary operator. Integers wrap; AND, OR and XOR are for integers.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Operator {
    /// The usual one: SUM, and PRODUCT where gpumex_spmv multiplies.
    #[default]
    Default = 0,
    /// x + y
    Sum = 1,
    /// x * y
    Product = 2,
    /// The smaller one; NaN is ignored, -0 is less than 0.
    Min = 3,
    /// The larger one; NaN is ignored, -0 is less than 0.
    Max = 4,
    /// x & y, bitwise
    And = 5,
    /// x | y, bitwise
    Or = 6,
    /// x ^ y, bitwise
    Xor = 7,
}

numbered_enum!(Operator = "gpumex_operator": Default, Sum, Product, Min, Max, And, Or, Xor);

impl Operator {
    /// This one, or the usual one of an operation.
    pub fn or(self, usual: Operator) -> Operator {
        if self == Operator::Default { usual } else { self }
    }

    /// Whether it is an operator of bits, which floats do not have.
    pub fn is_of_bits(self) -> bool {
        matches!(self, Operator::And | Operator::Or | Operator::Xor)
    }
}

/// An operator on numbers, or on the unsigned bits of integers that may be signed, whose minimum and maximum are their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    Sum = 0,
    Product = 1,
    Min = 2,
    Max = 3,
    And = 4,
    Or = 5,
    Xor = 6,
    SignedMin = 7,
    SignedMax = 8,
}

impl Reduction {
    pub(crate) const ALL: [Reduction; 9] = [
        Self::Sum,
        Self::Product,
        Self::Min,
        Self::Max,
        Self::And,
        Self::Or,
        Self::Xor,
        Self::SignedMin,
        Self::SignedMax,
    ];

    /// What an operator is for the unsigned bits of the integers of a dtype, or for floats.
    pub fn new(operator: Operator, dtype: Dtype) -> Reduction {
        match operator {
            Operator::Min if dtype.is_signed_integer() => Self::SignedMin,
            Operator::Max if dtype.is_signed_integer() => Self::SignedMax,
            operator => operator.into(),
        }
    }
}

impl From<Operator> for Reduction {
    /// That of numbers of the own type.
    fn from(operator: Operator) -> Reduction {
        match operator {
            Operator::Default | Operator::Sum => Self::Sum,
            Operator::Product => Self::Product,
            Operator::Min => Self::Min,
            Operator::Max => Self::Max,
            Operator::And => Self::And,
            Operator::Or => Self::Or,
            Operator::Xor => Self::Xor,
        }
    }
}

/// A number that operators reduce. The CPU backend takes floats, and integers as their unsigned bits.
pub trait Operand: Element + PartialOrd {
    /// What leaves any number as it is: 0, 1, the largest integer, the smallest one, all bits, no bit, no bit; of floats NaN
    /// for MIN and MAX.
    fn identity(operator: impl Into<Reduction>) -> Self;
    /// The operator's result.
    fn apply(operator: impl Into<Reduction>, left: Self, right: Self) -> Self;
    /// Of floats the infinity that every number is beyond for MIN or MAX; None for what `apply` does in one instruction.
    fn bound(_operator: impl Into<Reduction>) -> Option<Self> {
        None
    }
}

macro_rules! integers {
    ($($number:ty: $signed:ty);*) => {
        $(
            impl Operand for $number {
                #[inline(always)]
                fn identity(operator: impl Into<Reduction>) -> Self {
                    match operator.into() {
                        Reduction::Product => 1,
                        Reduction::Min => <$number>::MAX,
                        Reduction::And => !0,
                        Reduction::SignedMin => <$signed>::MAX as $number,
                        Reduction::SignedMax => <$signed>::MIN as $number,
                        Reduction::Max => <$number>::MIN,
                        Reduction::Sum | Reduction::Or | Reduction::Xor => 0,
                    }
                }
                #[inline(always)] // into loops for one operator
                fn apply(operator: impl Into<Reduction>, left: Self, right: Self) -> Self {
                    match operator.into() {
                        Reduction::Sum => left.wrapping_add(right),
                        Reduction::Product => left.wrapping_mul(right),
                        Reduction::Min => left.min(right),
                        Reduction::Max => left.max(right),
                        Reduction::And => left & right,
                        Reduction::Or => left | right,
                        Reduction::Xor => left ^ right,
                        Reduction::SignedMin => (left as $signed).min(right as $signed) as $number,
                        Reduction::SignedMax => (left as $signed).max(right as $signed) as $number,
                    }
                }
            }
        )*
    };
}

integers!(i32: i32; i64: i64; u32: i32; u64: i64);

macro_rules! floats {
    ($($number:ty);*) => {
        $(
            impl Operand for $number {
                #[inline(always)]
                fn identity(operator: impl Into<Reduction>) -> Self {
                    match operator.into() {
                        Reduction::Product => 1.0,
                        Reduction::Min | Reduction::Max => <$number>::NAN,
                        _ => 0.0,
                    }
                }
                #[inline(always)] // into loops for one operator
                fn apply(operator: impl Into<Reduction>, left: Self, right: Self) -> Self {
                    match operator.into() {
                        Reduction::Sum => left + right,
                        Reduction::Product => left * right,
                        Reduction::Min if left == right => <$number>::from_bits(left.to_bits() | right.to_bits()),
                        Reduction::Max if left == right => <$number>::from_bits(left.to_bits() & right.to_bits()),
                        Reduction::Min => left.min(right),
                        Reduction::Max => left.max(right),
                        _ => unreachable!("ops refuses bits of floats"),
                    }
                }
                #[inline(always)] // a constant of the operator
                fn bound(operator: impl Into<Reduction>) -> Option<Self> {
                    match operator.into() {
                        Reduction::Min => Some(<$number>::INFINITY),
                        Reduction::Max => Some(<$number>::NEG_INFINITY),
                        _ => None,
                    }
                }
            }
        )*
    };
}

floats!(f32; f64);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::numbered::NumberedEnum;

    #[test]
    fn identities_leave_numbers_as_they_are() {
        for operator in Operator::ALL.iter().copied() {
            let (signed, float) =
                (Reduction::new(operator, Dtype::I32), Reduction::new(operator, Dtype::F64));
            let identity = u32::identity(signed);
            assert_eq!(identity, i32::identity(operator) as u32, "{operator:?}");
            assert!(
                [0, 1, -7i32 as u32, i32::MAX as u32].iter().all(|&x| u32::apply(signed, identity, x) == x),
                "{operator:?}"
            );
            if !operator.is_of_bits() {
                let identity = f64::identity(float);
                assert!([0.5, -3.0, f64::INFINITY].iter().all(|&x| f64::apply(float, x, identity) == x));
            }
        }
        assert_eq!(Reduction::ALL.map(|reduction| reduction as usize), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
        assert!(f32::apply(Reduction::Min, 0.0, -0.0).is_sign_negative());
        assert!(f32::apply(Reduction::Max, -0.0, 0.0).is_sign_positive());
    }
}

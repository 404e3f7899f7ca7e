//! What both backends know of the parallel primitives: the operator that reduces, the order of keys, and the integers that
//! count elements.
#![forbid(unsafe_code)]

use super::dtype::Element;
use crate::model::dtype::Dtype;
use crate::model::numbered::numbered_enum;

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

/// Order of sorted keys. -0 equals 0; NaN is greater than every number.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SortOrder {
    /// The least key first.
    #[default]
    Ascending = 0,
    /// The greatest key first.
    Descending = 1,
}

numbered_enum!(SortOrder = "gpumex_sort_order": Ascending, Descending);

/// What moves with the keys.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Payload {
    /// Nothing: keys only.
    #[default]
    None = 0,
    /// Values, copied bitwise, 4 or 8 bytes each.
    Values = 1,
    /// The positions of the keys.
    Indices = 2,
}

numbered_enum!(Payload = "gpumex_payload": None, Values, Indices);

/// Position of a key among equal ones.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// Before the first of them.
    #[default]
    Lower = 0,
    /// Behind the last of them.
    Upper = 1,
}

numbered_enum!(Bound = "gpumex_bound": Lower, Upper);

/// Operation on two multisets; a key occurs m times in one and n times in the other.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SetOperator {
    /// min(m, n) times, the first ones of a.
    #[default]
    Intersection = 0,
    /// max(m, n) times, all of a and the last ones of b.
    Union = 1,
    /// max(m - n, 0) times, the last ones of a.
    Difference = 2,
    /// |m - n| times, the last ones of whichever has more.
    SymmetricDifference = 3,
}

numbered_enum!(SetOperator = "gpumex_set_operator": Intersection, Union, Difference, SymmetricDifference);

/// Which keys without a partner a join keeps.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum JoinKind {
    /// None.
    #[default]
    Inner = 0,
    /// Those of a, in their places.
    Left = 1,
    /// Those of b, at the end.
    Right = 2,
    /// Both.
    Outer = 3,
}

numbered_enum!(JoinKind = "gpumex_join_kind": Inner, Left, Right, Outer);

impl JoinKind {
    /// Whether keys of a without a partner are there.
    pub fn keeps_a(self) -> bool {
        matches!(self, JoinKind::Left | JoinKind::Outer)
    }

    /// Whether keys of b without a partner are there.
    pub fn keeps_b(self) -> bool {
        matches!(self, JoinKind::Right | JoinKind::Outer)
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
        Reduction::ALL[(operator.or(Operator::Sum) as usize) - 1]
    }
}

/// A number that operators reduce. The CPU backend takes floats, and integers as their unsigned bits.
pub trait Operand: Element + PartialEq {
    /// What leaves any number as it is: 0, 1, the largest integer, the smallest one, all bits, no bit, no bit; of floats NaN
    /// for MIN and MAX.
    fn identity(operator: impl Into<Reduction>) -> Self;
    /// The operator's result.
    fn apply(operator: impl Into<Reduction>, left: Self, right: Self) -> Self;
}

/// The order of keys, or of the unsigned bits of integers: the bits of their ranks that are inverted.
#[derive(Clone, Copy, Debug)]
pub struct KeyOrder {
    flip: u64,
}

impl KeyOrder {
    /// That of unsigned integers and floats.
    pub(crate) const ASCENDING: KeyOrder = KeyOrder { flip: 0 };

    /// That of the unsigned bits of the integers of a dtype, or of floats.
    pub fn new(order: SortOrder, dtype: Dtype) -> KeyOrder {
        let sign = if dtype.is_signed_integer() { 1 << (8 * dtype.size() - 1) } else { 0 };
        KeyOrder { flip: KeyOrder::from(order).flip ^ sign }
    }
}

impl From<SortOrder> for KeyOrder {
    /// That of numbers of the own type.
    fn from(order: SortOrder) -> KeyOrder {
        KeyOrder { flip: if order == SortOrder::Descending { u64::MAX } else { 0 } }
    }
}

/// A number that has a place in an order. The CPU backend takes floats, and integers as their unsigned bits.
pub trait Key: Element {
    type Rank: Ord + Into<u64> + Copy + Send + Sync + 'static;
    /// An unsigned integer: smaller where the key comes first, equal where keys are equal.
    fn rank(self, order: impl Into<KeyOrder>) -> Self::Rank;
}

/// What moves with keys: bits of 4 or 8 bytes, or nothing.
pub trait Value: Copy + Default + Send + Sync {
    fn from_position(position: usize) -> Self;
}

/// The values beside keys.
pub enum Values<'a, V> {
    Given(&'a [V]),
    /// The positions of the keys, counted from here on.
    Positions(usize),
}

impl<V: Value> Values<'_, V> {
    /// The first position, if these are positions.
    pub fn first(&self) -> usize {
        match self {
            Values::Given(_) => 0,
            Values::Positions(first) => *first,
        }
    }

    #[inline(always)] // into loops, which decide once
    pub fn get(&self, index: usize) -> V {
        match self {
            Values::Given(values) => values[index],
            Values::Positions(first) => V::from_position(first + index),
        }
    }
}

/// An unsigned integer that counts elements, or says where one is.
pub trait Index: Element + Ord + Value {
    fn from_usize(position: usize) -> Self;
    /// Where it lies; positions beyond the address space are its end.
    fn to_usize(self) -> usize;
}

macro_rules! integers {
    ($($number:ty: $rank:ty, $signed:ty);*) => {
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
            impl Key for $number {
                type Rank = $rank;
                #[inline(always)]
                fn rank(self, order: impl Into<KeyOrder>) -> $rank {
                    self as $rank ^ <$number>::MIN as $rank ^ order.into().flip as $rank
                }
            }
        )*
    };
}

integers!(i32: u32, i32; i64: u64, i64; u32: u32, i32; u64: u64, i64);

impl Value for () {
    fn from_position(_: usize) {}
}

impl Value for u32 {
    #[inline(always)]
    fn from_position(position: usize) -> u32 {
        position as u32
    }
}

impl Value for u64 {
    #[inline(always)]
    fn from_position(position: usize) -> u64 {
        position as u64
    }
}

macro_rules! floats {
    ($($number:ty: $rank:ty, $sign:expr);*) => {
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
            }
            impl Key for $number {
                type Rank = $rank;
                #[inline(always)]
                fn rank(self, order: impl Into<KeyOrder>) -> $rank {
                    let bits = (self + 0.0).to_bits(); // -0 + 0 is 0
                    let flip = (bits >> (<$rank>::BITS - 1)).wrapping_neg() | $sign; // all bits of a negative number
                    let rank = if self.is_nan() { <$rank>::MAX } else { bits ^ flip };
                    rank ^ order.into().flip as $rank
                }
            }
        )*
    };
}

floats!(f32: u32, 1 << 31; f64: u64, 1 << 63);

macro_rules! indices {
    ($($number:ty),*) => {
        $(
            impl Index for $number {
                fn from_usize(position: usize) -> Self {
                    position as $number
                }
                fn to_usize(self) -> usize {
                    usize::try_from(self).unwrap_or(usize::MAX)
                }
            }
        )*
    };
}

indices!(u32, u64);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::numbered::NumberedEnum;

    #[test]
    fn ranks_order_floats_with_nan_last_and_zeros_equal() {
        let [less, greater] =
            [SortOrder::Ascending, SortOrder::Descending].map(|order| KeyOrder::new(order, Dtype::F32));
        let ascending =
            [f32::NEG_INFINITY, f32::MIN, -1.0, -f32::MIN_POSITIVE, -0.0, 1e-45, 1.0, f32::INFINITY];
        for pair in ascending.windows(2) {
            assert!(pair[0].rank(less) < pair[1].rank(less), "{pair:?}");
            assert!(pair[0].rank(greater) > pair[1].rank(greater), "{pair:?}");
        }
        assert_eq!((-0.0f64).rank(less), 0.0f64.rank(less));
        for nan in [f64::NAN, -f64::NAN, f64::from_bits(0x7FF0_0000_0000_0001)] {
            assert_eq!(nan.rank(less), u64::MAX);
        }
    }

    #[test]
    fn ranks_order_the_bits_of_integers() {
        let [less, greater] =
            [SortOrder::Ascending, SortOrder::Descending].map(|order| KeyOrder::new(order, Dtype::I32));
        assert!(
            (-1i32 as u32).rank(less) < 0u32.rank(less) && (-1i32 as u32).rank(greater) > 0u32.rank(greater)
        );
        let unsigned = KeyOrder::new(SortOrder::Ascending, Dtype::U32);
        assert!((-1i32 as u32).rank(unsigned) > 0u32.rank(unsigned));
    }

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

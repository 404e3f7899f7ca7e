//! What the rooms of the parallel primitives have in common: the operator that reduces, the order of keys, and the integers that
//! count elements.
#![forbid(unsafe_code)]

use crate::array::Element;
use crate::choice::Choice;

/// What becomes of two numbers. Integers wrap; AND, OR and XOR are for integers alone.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Operator {
    #[default]
    Sum = 0,
    Product = 1,
    /// The smaller one; of a float and NaN the float, and -0 is smaller than 0.
    Min = 2,
    /// The larger one, with the same rules.
    Max = 3,
    And = 4,
    Or = 5,
    Xor = 6,
}

impl Choice for Operator {
    const NAME: &'static str = "gpumex_operator";
    const ALL: &'static [Self] =
        &[Self::Sum, Self::Product, Self::Min, Self::Max, Self::And, Self::Or, Self::Xor];
}

impl Operator {
    /// Whether it is an operator of bits, which floats do not have.
    pub fn is_of_bits(self) -> bool {
        matches!(self, Operator::And | Operator::Or | Operator::Xor)
    }
}

/// Which key comes first. Keys that are neither before nor behind each other keep their order. Of floats -0 equals 0, and NaN
/// equals NaN and is greater than every number: last in ascending, first in descending order.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Ascending.
    #[default]
    Less = 0,
    /// Descending.
    Greater = 1,
}

impl Choice for Order {
    const NAME: &'static str = "gpumex_order";
    const ALL: &'static [Self] = &[Self::Less, Self::Greater];
}

/// What moves with the keys.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Payload {
    /// Nothing: keys alone.
    #[default]
    None = 0,
    /// An array of values, one beside each key.
    Values = 1,
    /// The positions of the keys in the input, which no array holds.
    Indices = 2,
}

impl Choice for Payload {
    const NAME: &'static str = "gpumex_payload";
    const ALL: &'static [Self] = &[Self::None, Self::Values, Self::Indices];
}

/// Which place a key gets among equal ones.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// Before the first of them.
    #[default]
    Lower = 0,
    /// Behind the last of them.
    Upper = 1,
}

impl Choice for Bound {
    const NAME: &'static str = "gpumex_bound";
    const ALL: &'static [Self] = &[Self::Lower, Self::Upper];
}

/// What becomes of two sets, or of two multisets, of which one holds a key m times and the other n times.
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

impl Choice for SetOperator {
    const NAME: &'static str = "gpumex_set_operator";
    const ALL: &'static [Self] =
        &[Self::Intersection, Self::Union, Self::Difference, Self::SymmetricDifference];
}

/// Which keys a join has beside the pairs of equal ones.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum JoinKind {
    /// None.
    #[default]
    Inner = 0,
    /// Those of a that are not in b, in their places.
    Left = 1,
    /// Those of b that are not in a, at the end.
    Right = 2,
    /// Both.
    Outer = 3,
}

impl Choice for JoinKind {
    const NAME: &'static str = "gpumex_join_kind";
    const ALL: &'static [Self] = &[Self::Inner, Self::Left, Self::Right, Self::Outer];
}

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

/// The type of arrays that hold positions and counts of elements.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IndexDtype {
    /// uint64_t
    #[default]
    U64 = 0,
    /// uint32_t, for arrays of fewer than 2^32 elements
    U32 = 1,
}

impl Choice for IndexDtype {
    const NAME: &'static str = "gpumex_index_dtype";
    const ALL: &'static [Self] = &[Self::U64, Self::U32];
}

/// A number that operators reduce.
pub trait Operand: Element + PartialEq {
    /// What leaves any number as it is: 0, 1, the largest integer, the smallest one, all bits, no bit, no bit; of floats NaN
    /// for MIN and MAX.
    fn identity(operator: Operator) -> Self;
    /// The operator's result.
    fn apply(operator: Operator, left: Self, right: Self) -> Self;
}

/// A number that has a place in an order.
pub trait Key: Element {
    type Rank: Ord + Into<u64> + Copy + Send + Sync + 'static;
    /// An unsigned integer: smaller where the key comes first, equal where keys are equal.
    fn rank(self, order: Order) -> Self::Rank;
}

/// An unsigned integer that counts elements, or says where one is.
pub trait Index: Element + Ord {
    fn from_usize(position: usize) -> Self;
    /// Where it lies; positions beyond the address space are its end.
    fn to_usize(self) -> usize;
}

macro_rules! integers {
    ($($number:ty: $rank:ty, $lowest:expr);*) => {
        $(
            impl Operand for $number {
                #[inline(always)]
                fn identity(operator: Operator) -> Self {
                    match operator {
                        Operator::Product => 1,
                        Operator::Min => <$number>::MAX,
                        Operator::Max => <$number>::MIN,
                        Operator::And => !0,
                        Operator::Sum | Operator::Or | Operator::Xor => 0,
                    }
                }
                #[inline(always)] // into loops for one operator
                fn apply(operator: Operator, left: Self, right: Self) -> Self {
                    match operator {
                        Operator::Sum => left.wrapping_add(right),
                        Operator::Product => left.wrapping_mul(right),
                        Operator::Min => left.min(right),
                        Operator::Max => left.max(right),
                        Operator::And => left & right,
                        Operator::Or => left | right,
                        Operator::Xor => left ^ right,
                    }
                }
            }
            impl Key for $number {
                type Rank = $rank;
                fn rank(self, order: Order) -> $rank {
                    let rank = self as $rank ^ $lowest;
                    if order == Order::Greater { !rank } else { rank }
                }
            }
        )*
    };
}

integers!(i32: u32, 1 << 31; i64: u64, 1 << 63; u32: u32, 0; u64: u64, 0);

macro_rules! floats {
    ($($number:ty: $rank:ty, $sign:expr);*) => {
        $(
            impl Operand for $number {
                #[inline(always)]
                fn identity(operator: Operator) -> Self {
                    match operator {
                        Operator::Product => 1.0,
                        Operator::Min | Operator::Max => <$number>::NAN,
                        _ => 0.0,
                    }
                }
                #[inline(always)] // into loops for one operator
                fn apply(operator: Operator, left: Self, right: Self) -> Self {
                    match operator {
                        Operator::Sum => left + right,
                        Operator::Product => left * right,
                        Operator::Min if left == right => <$number>::from_bits(left.to_bits() | right.to_bits()),
                        Operator::Max if left == right => <$number>::from_bits(left.to_bits() & right.to_bits()),
                        Operator::Min => left.min(right),
                        Operator::Max => left.max(right),
                        Operator::And | Operator::Or | Operator::Xor => unreachable!("ops refuses bits of floats"),
                    }
                }
            }
            impl Key for $number {
                type Rank = $rank;
                fn rank(self, order: Order) -> $rank {
                    let bits = (self + 0.0).to_bits(); // -0 + 0 is 0
                    let flip = (bits >> (<$rank>::BITS - 1)).wrapping_neg() | $sign; // all bits of a negative number
                    let rank = if self.is_nan() { <$rank>::MAX } else { bits ^ flip };
                    if order == Order::Greater { !rank } else { rank }
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

    #[test]
    fn ranks_order_floats_with_nan_last_and_zeros_equal() {
        let ascending =
            [f32::NEG_INFINITY, f32::MIN, -1.0, -f32::MIN_POSITIVE, -0.0, 1e-45, 1.0, f32::INFINITY];
        for pair in ascending.windows(2) {
            assert!(pair[0].rank(Order::Less) < pair[1].rank(Order::Less), "{pair:?}");
            assert!(pair[0].rank(Order::Greater) > pair[1].rank(Order::Greater), "{pair:?}");
        }
        assert_eq!((-0.0f64).rank(Order::Less), 0.0f64.rank(Order::Less));
        for nan in [f64::NAN, -f64::NAN, f64::from_bits(0x7FF0_0000_0000_0001)] {
            assert_eq!(nan.rank(Order::Less), u64::MAX);
        }
        assert!((-1i32).rank(Order::Less) < 0i32.rank(Order::Less));
    }

    #[test]
    fn identities_leave_numbers_as_they_are() {
        for operator in Operator::ALL.iter().copied() {
            let identity = i32::identity(operator);
            assert!(
                [0, 1, -7, i32::MAX].iter().all(|&x| i32::apply(operator, identity, x) == x),
                "{operator:?}"
            );
            if !operator.is_of_bits() {
                let identity = f64::identity(operator);
                assert!([0.5, -3.0, f64::INFINITY].iter().all(|&x| f64::apply(operator, x, identity) == x));
            }
        }
        assert!(f32::apply(Operator::Min, 0.0, -0.0).is_sign_negative());
        assert!(f32::apply(Operator::Max, -0.0, 0.0).is_sign_positive());
    }
}

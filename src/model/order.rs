//! The order of keys.
#![forbid(unsafe_code)]

use std::ops::{BitOr, BitXor};

use pulp::bytemuck::cast_slice_mut;

use super::dtype::{Dtype, Element};
use super::numbered::numbered_enum;
use crate::stream_copy::Plain;

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

    /// Whether it is [`KeyOrder::ASCENDING`].
    pub(crate) fn is_plain(self) -> bool {
        self.flip == 0
    }
}

impl From<SortOrder> for KeyOrder {
    /// That of numbers of the own type.
    fn from(order: SortOrder) -> KeyOrder {
        KeyOrder { flip: if order == SortOrder::Descending { u64::MAX } else { 0 } }
    }
}

/// A number that has a place in an order. The CPU backend takes floats, and integers as their unsigned bits.
pub trait Key: Element + Plain {
    type Rank: Key + Ord + Into<u64> + BitOr<Output = Self::Rank> + BitXor<Output = Self::Rank>;
    /// An unsigned integer: smaller where the key comes first, equal where keys are equal.
    fn rank(self, order: impl Into<KeyOrder>) -> Self::Rank;
    /// Whether its rank tells it from all other keys: those of -0 and NaN do not.
    #[inline(always)]
    fn is_exact(self) -> bool {
        true
    }
    /// The memory of keys as that of ranks.
    fn as_ranks(keys: &mut [Self]) -> &mut [Self::Rank];
    /// The rank of a key that is exact.
    #[inline(always)]
    fn rank_of_exact(self, order: KeyOrder) -> Self::Rank {
        self.rank(order)
    }
    /// As an unsigned integer. Ranks of keys that are exact differ in the bits in which these differ, and where the signs of floats
    /// do, in all bits.
    fn bits(self) -> Self::Rank;
    /// Makes of ranks, which are exact, the bits of their keys.
    fn restore(ranks: &mut [Self::Rank], order: KeyOrder);
    /// Whether its rank is that of `other`.
    #[inline(always)]
    fn is_same(self, other: Self) -> bool {
        self.rank(KeyOrder::ASCENDING) == other.rank(KeyOrder::ASCENDING)
    }
    /// Whether its rank is no greater than that of `other`: fewer instructions than two ranks where keys are floats.
    #[inline(always)]
    fn is_at_most(self, other: Self, order: KeyOrder) -> bool {
        self.rank(order) <= other.rank(order)
    }
}

macro_rules! integers {
    ($($number:ty: $rank:ty);*) => {
        $(
            impl Key for $number {
                type Rank = $rank;
                #[inline(always)]
                fn rank(self, order: impl Into<KeyOrder>) -> $rank {
                    self as $rank ^ <$number>::MIN as $rank ^ order.into().flip as $rank
                }
                #[inline(always)]
                fn bits(self) -> $rank {
                    self as $rank
                }
                fn as_ranks(keys: &mut [Self]) -> &mut [$rank] {
                    cast_slice_mut(keys)
                }
                fn restore(ranks: &mut [$rank], order: KeyOrder) {
                    for rank in ranks {
                        *rank ^= <$number>::MIN as $rank ^ order.flip as $rank;
                    }
                }
            }
        )*
    };
}

integers!(i32: u32; i64: u64; u32: u32; u64: u64);

macro_rules! floats {
    ($($number:ty: $rank:ty, $sign:expr);*) => {
        $(
            impl Key for $number {
                type Rank = $rank;
                #[inline(always)]
                fn rank(self, order: impl Into<KeyOrder>) -> $rank {
                    let bits = (self + 0.0).to_bits(); // -0 + 0 is 0
                    let flip = (bits >> (<$rank>::BITS - 1)).wrapping_neg() | $sign; // all bits of a negative number
                    let rank = if self.is_nan() { <$rank>::MAX } else { bits ^ flip };
                    rank ^ order.into().flip as $rank
                }
                #[inline(always)]
                fn rank_of_exact(self, order: KeyOrder) -> $rank {
                    let flip = (self.to_bits() >> (<$rank>::BITS - 1)).wrapping_neg() | $sign;
                    self.to_bits() ^ flip ^ order.flip as $rank
                }
                #[inline(always)]
                fn bits(self) -> $rank {
                    self.to_bits()
                }
                #[inline(always)]
                fn is_exact(self) -> bool {
                    !(self.is_nan() | (self.to_bits() == $sign))
                }
                fn as_ranks(keys: &mut [Self]) -> &mut [$rank] {
                    cast_slice_mut(keys)
                }
                fn restore(ranks: &mut [$rank], order: KeyOrder) {
                    for rank in ranks {
                        *rank ^= order.flip as $rank;
                        *rank ^= ((!*rank) >> (<$rank>::BITS - 1)).wrapping_neg() | $sign;
                    }
                }
                #[inline(always)]
                fn is_same(self, other: Self) -> bool {
                    (self == other) | (self.is_nan() & other.is_nan())
                }
                #[inline(always)]
                fn is_at_most(self, other: Self, order: KeyOrder) -> bool {
                    let (less, greater) = if order.flip == 0 { (self, other) } else { (other, self) };
                    (less <= greater) | greater.is_nan()
                }
            }
        )*
    };
}

floats!(f32: u32, 1 << 31; f64: u64, 1 << 63);

#[cfg(test)]
mod tests {
    use super::*;

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
        let all = ascending.into_iter().chain([0.0, f32::NAN, -f32::NAN]);
        for (a, b) in all.clone().flat_map(|a| all.clone().map(move |b| (a, b))) {
            assert_eq!(a.is_same(b), a.rank(less) == b.rank(less), "{a} and {b}");
            for order in [less, greater] {
                let mut bits = [a.rank(order)];
                f32::restore(&mut bits, order);
                assert_eq!(a.is_exact(), bits[0] == a.to_bits(), "{a}");
                assert!(!a.is_exact() || a.rank_of_exact(order) == a.rank(order), "{a}");
                assert_eq!(a.is_at_most(b, order), a.rank(order) <= b.rank(order), "{a} and {b}");
            }
        }
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
}

//! The number types of arrays.

use std::ops::RangeInclusive;

use crate::model::numbered::Choice;

/// The type of the elements of an array.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dtype {
    /// float
    #[default]
    F32 = 0,
    /// double
    F64 = 1,
    /// int8_t
    I8 = 2,
    /// int16_t
    I16 = 3,
    /// int32_t
    I32 = 4,
    /// int64_t
    I64 = 5,
    /// uint8_t
    U8 = 6,
    /// uint16_t
    U16 = 7,
    /// uint32_t
    U32 = 8,
    /// uint64_t
    U64 = 9,
}

impl Choice for Dtype {
    const NAME: &'static str = "gpumex_dtype";
    const ALL: &'static [Dtype] = &[
        Dtype::F32,
        Dtype::F64,
        Dtype::I8,
        Dtype::I16,
        Dtype::I32,
        Dtype::I64,
        Dtype::U8,
        Dtype::U16,
        Dtype::U32,
        Dtype::U64,
    ];
}

impl Dtype {
    /// The bytes of one element.
    pub const fn size(self) -> usize {
        match self {
            Dtype::I8 | Dtype::U8 => 1,
            Dtype::I16 | Dtype::U16 => 2,
            Dtype::F32 | Dtype::I32 | Dtype::U32 => 4,
            Dtype::F64 | Dtype::I64 | Dtype::U64 => 8,
        }
    }

    /// Whether it holds negative integers.
    pub const fn is_signed_integer(self) -> bool {
        matches!(self, Dtype::I8 | Dtype::I16 | Dtype::I32 | Dtype::I64)
    }

    /// The values of an integer type; None for a float.
    pub const fn integers(self) -> Option<RangeInclusive<i128>> {
        if matches!(self, Dtype::F32 | Dtype::F64) {
            return None;
        }
        let bits = 8 * self.size();
        Some(if self.is_signed_integer() {
            -(1 << (bits - 1))..=(1 << (bits - 1)) - 1
        } else {
            0..=(1 << bits) - 1
        })
    }
}

/// An element type of arrays: plain numbers, any bit pattern is a value. Nobody else implements it: a slice is
/// made on its word.
pub trait Element: sealed::Number {
    const DTYPE: Dtype;
    /// The number nearest to `value`; of an integer type its whole part.
    fn from_f64(value: f64) -> Self;
}

mod sealed {
    pub trait Number: Copy + Default + Send + Sync + 'static {}
}

macro_rules! elements {
    ($($number:ty: $dtype:ident),*) => {
        $(
            impl sealed::Number for $number {}
            impl Element for $number {
                const DTYPE: Dtype = Dtype::$dtype;
                fn from_f64(value: f64) -> $number {
                    value as $number
                }
            }
        )*
    };
}

elements!(f32: F32, f64: F64, i8: I8, i16: I16, i32: I32, i64: I64, u8: U8, u16: U16, u32: U32, u64: U64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_those_of_the_type() {
        assert_eq!(Dtype::I8.integers(), Some(-128..=127));
        assert_eq!(Dtype::U32.integers(), Some(0..=i128::from(u32::MAX)));
        assert_eq!(Dtype::I64.integers(), Some(i128::from(i64::MIN)..=i128::from(i64::MAX)));
        assert_eq!(Dtype::U64.integers(), Some(0..=i128::from(u64::MAX)));
        assert_eq!(Dtype::F64.integers(), None);
    }
}

//! The number types of arrays.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

use super::numbered::numbered_enum;
use crate::error::{Error, Result};

/// Element type of an array.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dtype {
    /// Not set: INVALID_ARGUMENT where an array of that type is passed, unless the operation states
    /// a default.
    #[default]
    None = 0,
    /// float
    F32 = 1,
    /// double
    F64 = 2,
    /// IEEE 754 binary16
    F16 = 3,
    /// bfloat16, the upper half of a float
    Bf16 = 4,
    /// int8_t
    I8 = 5,
    /// int16_t
    I16 = 6,
    /// int32_t
    I32 = 7,
    /// int64_t
    I64 = 8,
    /// uint8_t
    U8 = 9,
    /// uint16_t
    U16 = 10,
    /// uint32_t
    U32 = 11,
    /// uint64_t
    U64 = 12,
    /// A byte that is 0 or 1: MATLAB's logical, C99's bool.
    Bool = 13,
    /// Two floats, the real and the imaginary part: C99's float complex.
    C64 = 14,
    /// Two doubles: C99's double complex.
    C128 = 15,
}

numbered_enum!(Dtype = "gpumex_dtype": None, F32, F64, F16, Bf16, I8, I16, I32, I64, U8, U16, U32, U64, Bool, C64, C128);

impl Dtype {
    /// The bytes of one element.
    pub const fn size(self) -> usize {
        match self {
            Dtype::None => 0,
            Dtype::I8 | Dtype::U8 | Dtype::Bool => 1,
            Dtype::I16 | Dtype::U16 | Dtype::F16 | Dtype::Bf16 => 2,
            Dtype::F32 | Dtype::I32 | Dtype::U32 => 4,
            Dtype::F64 | Dtype::I64 | Dtype::U64 | Dtype::C64 => 8,
            Dtype::C128 => 16,
        }
    }

    /// The bytes that the address of an element is a multiple of: as C has it, those of a part of a complex number.
    pub const fn alignment(self) -> usize {
        match self.part() {
            Some(part) => part.size(),
            None => self.size(),
        }
    }

    /// The dtype of the two parts of a complex number; None of what is real.
    pub const fn part(self) -> Option<Dtype> {
        match self {
            Dtype::C64 => Some(Dtype::F32),
            Dtype::C128 => Some(Dtype::F64),
            _ => None,
        }
    }

    /// Whether it holds complex numbers.
    pub const fn is_complex(self) -> bool {
        self.part().is_some()
    }

    /// The dtype of complex numbers whose parts have this one.
    pub const fn of_parts(self) -> Dtype {
        match self {
            Dtype::F32 => Dtype::C64,
            _ => Dtype::C128,
        }
    }

    /// Whether it holds negative integers.
    pub const fn is_signed_integer(self) -> bool {
        matches!(self, Dtype::I8 | Dtype::I16 | Dtype::I32 | Dtype::I64)
    }

    /// Whether it holds floating-point numbers.
    pub const fn is_float(self) -> bool {
        matches!(self, Dtype::F32 | Dtype::F64 | Dtype::F16 | Dtype::Bf16)
    }

    /// The dtype that a caller has set in `field`; NONE is refused.
    pub fn required(self, field: &str) -> Result<Dtype> {
        match self {
            Dtype::None => {
                Err(Error::invalid(format!("options.{field} is GPUMEX_DTYPE_NONE: the dtype is not set")))
            }
            dtype => Ok(dtype),
        }
    }

    /// The dtype that a caller has passed as the argument `dtype`; NONE is refused.
    pub fn passed(self) -> Result<Dtype> {
        match self {
            Dtype::None => Err(Error::invalid("dtype is GPUMEX_DTYPE_NONE: the dtype is not set")),
            dtype => Ok(dtype),
        }
    }

    /// The dtype of an operation that has one natural type.
    pub fn or(self, natural: Dtype) -> Dtype {
        if self == Dtype::None { natural } else { self }
    }

    /// The values of an integer type; None for a float.
    pub const fn integers(self) -> Option<RangeInclusive<i128>> {
        if self.is_float() || self.is_complex() || matches!(self, Dtype::None) {
            return None;
        }
        if matches!(self, Dtype::Bool) {
            return Some(0..=1);
        }
        let bits = 8 * self.size();
        Some(if self.is_signed_integer() {
            -(1 << (bits - 1))..=(1 << (bits - 1)) - 1
        } else {
            0..=(1 << bits) - 1
        })
    }
}

impl Dtype {
    /// Whether this integer type holds every value of another one.
    pub fn holds(self, other: Dtype) -> bool {
        match (self.integers(), other.integers()) {
            (Some(own), Some(others)) => own.contains(others.start()) && own.contains(others.end()),
            _ => false,
        }
    }
}

/// An element type of arrays: plain numbers, any bit pattern is a value. Nobody else implements it: a slice is
/// made on its word.
pub trait Element: sealed::Number {
    /// Its dtype.
    const DTYPE: Dtype;
    /// The number nearest to `value`; of an integer type its whole part.
    fn from_f64(value: f64) -> Self;
}

/// An element that is only moved: an unsigned integer with its bits.
pub trait Bits: Element {
    /// An integer of this size that threads may write at once.
    type Atomic: Sync;
    fn store(self, to: &Self::Atomic);
    /// With zeros before it.
    fn word(self) -> u64;
}

macro_rules! bits {
    ($($number:ty: $atomic:ty),*) => {
        $(impl Bits for $number {
            type Atomic = $atomic;
            #[inline(always)] // a plain store
            fn store(self, to: &$atomic) {
                to.store(self, Ordering::Relaxed);
            }
            #[inline(always)]
            fn word(self) -> u64 {
                self.into()
            }
        })*
    };
}

bits!(u8: AtomicU8, u16: AtomicU16, u32: AtomicU32, u64: AtomicU64);

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

/// A complex number, as C99's `float complex` and `double complex` lie.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Complex<T> {
    pub re: T,
    pub im: T,
}

macro_rules! complex_elements {
    ($($part:ty: $dtype:ident),*) => {
        $(
            impl sealed::Number for Complex<$part> {}
            impl Element for Complex<$part> {
                const DTYPE: Dtype = Dtype::$dtype;
                fn from_f64(value: f64) -> Complex<$part> {
                    Complex { re: value as $part, im: 0.0 }
                }
            }
        )*
    };
}

complex_elements!(f32: C64, f64: C128);

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

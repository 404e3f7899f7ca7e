//! What the steps of a program make of one element: the meaning of the machine, of which the CPU backend makes loops.
#![forbid(unsafe_code)]

use super::program::Type;

/// A number of one of the five types.
pub trait Lane: Copy + Default + PartialEq + PartialOrd + Send + Sync + 'static {
    const TYPE: Type;
    fn from_word(word: u64) -> Self;
    fn word(self) -> u64;
    /// To the other types: to integers truncated, saturated, NaN 0; among integers wrapped.
    fn to_i32(self) -> i32;
    fn to_i64(self) -> i64;
    fn to_u64(self) -> u64;
    fn to_f32(self) -> f32;
    fn to_f64(self) -> f64;

    fn neg(self) -> Self;
    fn abs(self) -> Self;
    fn sign(self) -> Self;
    fn add(self, y: Self) -> Self;
    fn sub(self, y: Self) -> Self;
    fn mul(self, y: Self) -> Self;
    fn div(self, y: Self) -> Self;
    fn rem(self, y: Self) -> Self;
    fn modulo(self, y: Self) -> Self;

    /// The other one where x is NaN.
    #[inline(always)]
    #[allow(clippy::eq_op)] // NaN
    fn least(self, y: Self) -> Self {
        if y < self || self != self { y } else { self }
    }

    #[inline(always)]
    #[allow(clippy::eq_op)] // NaN
    fn greatest(self, y: Self) -> Self {
        if y > self || self != self { y } else { self }
    }
}

/// Integers.
pub trait Int: Lane + Ord {
    fn negs(self) -> Self;
    fn abss(self) -> Self;
    fn adds(self, y: Self) -> Self;
    fn subs(self, y: Self) -> Self;
    fn muls(self, y: Self) -> Self;
    fn divs(self, y: Self) -> Self;
    fn bitnot(self) -> Self;
    fn bitand(self, y: Self) -> Self;
    fn bitor(self, y: Self) -> Self;
    fn bitxor(self, y: Self) -> Self;
    fn shl(self, y: Self) -> Self;
    fn shr(self, y: Self) -> Self;
    fn wrap(self, bits: u16, signed: bool) -> Self;
}

/// Floats.
pub trait Float: Lane {
    fn is_nan(self) -> bool;
    fn is_infinite(self) -> bool;
    fn is_finite(self) -> bool;
    fn floor(self) -> Self;
    fn ceil(self) -> Self;
    fn round(self) -> Self;
    fn trunc(self) -> Self;
    fn sqrt(self) -> Self;
    fn cbrt(self) -> Self;
    fn exp(self) -> Self;
    fn expm1(self) -> Self;
    fn exp2(self) -> Self;
    fn log(self) -> Self;
    fn log1p(self) -> Self;
    fn log2(self) -> Self;
    fn log10(self) -> Self;
    fn sin(self) -> Self;
    fn cos(self) -> Self;
    fn tan(self) -> Self;
    fn asin(self) -> Self;
    fn acos(self) -> Self;
    fn atan(self) -> Self;
    fn sinh(self) -> Self;
    fn cosh(self) -> Self;
    fn tanh(self) -> Self;
    fn asinh(self) -> Self;
    fn acosh(self) -> Self;
    fn atanh(self) -> Self;
    fn erf(self) -> Self;
    fn erfc(self) -> Self;
    fn gamma(self) -> Self;
    fn lgamma(self) -> Self;
    fn pow(self, y: Self) -> Self;
    fn atan2(self, y: Self) -> Self;
    fn hypot(self, y: Self) -> Self;
}

macro_rules! conversions {
    ($number:ty) => {
        #[inline(always)]
        fn to_i32(self) -> i32 {
            self as i32
        }
        #[inline(always)]
        fn to_i64(self) -> i64 {
            self as i64
        }
        #[inline(always)]
        fn to_u64(self) -> u64 {
            self as u64
        }
        #[inline(always)]
        fn to_f32(self) -> f32 {
            self as f32
        }
        #[inline(always)]
        fn to_f64(self) -> f64 {
            self as f64
        }
    };
}

macro_rules! integers {
    ($($number:ident, $ty:ident, $bits:ty, $abs:expr, $negs:expr, $abss:expr;)*) => {$(
        impl Lane for $number {
            const TYPE: Type = Type::$ty;
            conversions!($number);
            #[inline(always)]
            fn from_word(word: u64) -> $number {
                word as $number
            }
            /// The upper half of a 32-bit type is 0.
            #[inline(always)]
            fn word(self) -> u64 {
                self as $bits as u64
            }
            #[inline(always)]
            fn neg(self) -> $number {
                self.wrapping_neg()
            }
            #[inline(always)]
            fn abs(self) -> $number {
                $abs(self)
            }
            #[inline(always)]
            #[allow(unused_comparisons)]
            fn sign(self) -> $number {
                if self < 0 { (0 as $number).wrapping_sub(1) } else { (self > 0) as $number }
            }
            #[inline(always)]
            fn add(self, y: $number) -> $number {
                self.wrapping_add(y)
            }
            #[inline(always)]
            fn sub(self, y: $number) -> $number {
                self.wrapping_sub(y)
            }
            #[inline(always)]
            fn mul(self, y: $number) -> $number {
                self.wrapping_mul(y)
            }
            #[inline(always)]
            fn div(self, y: $number) -> $number {
                if y == 0 { 0 } else { self.wrapping_div(y) }
            }
            #[inline(always)]
            fn rem(self, y: $number) -> $number {
                if y == 0 { 0 } else { self.wrapping_rem(y) }
            }
            #[inline(always)]
            #[allow(unused_comparisons)]
            fn modulo(self, y: $number) -> $number {
                let r = self.rem(y);
                if y == 0 { self } else if r != 0 && (r < 0) != (y < 0) { r.wrapping_add(y) } else { r }
            }
        }

        impl Int for $number {
            #[inline(always)]
            fn negs(self) -> $number {
                $negs(self)
            }
            #[inline(always)]
            fn abss(self) -> $number {
                $abss(self)
            }
            #[inline(always)]
            fn adds(self, y: $number) -> $number {
                self.saturating_add(y)
            }
            #[inline(always)]
            fn subs(self, y: $number) -> $number {
                self.saturating_sub(y)
            }
            #[inline(always)]
            fn muls(self, y: $number) -> $number {
                self.saturating_mul(y)
            }
            #[inline(always)]
            #[allow(unused_comparisons)]
            fn divs(self, y: $number) -> $number {
                if y == 0 {
                    return if self > 0 { <$number>::MAX } else if self < 0 { <$number>::MIN } else { 0 };
                }
                let (quotient, rest) = (self.saturating_div(y), self.wrapping_rem(y).abs_diff(0));
                match (rest >= y.abs_diff(0) - rest, (self < 0) == (y < 0)) {
                    (false, _) => quotient,
                    (true, true) => quotient.wrapping_add(1),
                    (true, false) => quotient.wrapping_sub(1),
                }
            }
            #[inline(always)]
            fn bitnot(self) -> $number {
                !self
            }
            #[inline(always)]
            fn bitand(self, y: $number) -> $number {
                self & y
            }
            #[inline(always)]
            fn bitor(self, y: $number) -> $number {
                self | y
            }
            #[inline(always)]
            fn bitxor(self, y: $number) -> $number {
                self ^ y
            }
            #[inline(always)]
            #[allow(unused_comparisons)]
            fn shl(self, y: $number) -> $number {
                if y < 0 || y >= <$number>::BITS as $number { 0 } else { self << y }
            }
            #[inline(always)]
            #[allow(unused_comparisons)]
            fn shr(self, y: $number) -> $number {
                let rest = if self < 0 { (0 as $number).wrapping_sub(1) } else { 0 };
                if y < 0 || y >= <$number>::BITS as $number { rest } else { self >> y }
            }
            #[inline(always)]
            fn wrap(self, bits: u16, signed: bool) -> $number {
                let unused = <$number>::BITS.saturating_sub(bits.into());
                let up = ((self as i64) << (64 - <$number>::BITS)) << unused;
                let down = 64 - <$number>::BITS + unused;
                if signed { (up >> down) as $number } else { ((up as u64) >> down) as $number }
            }
        }
    )*};
}

integers! {
    i32, I32, u32, i32::wrapping_abs, i32::saturating_neg, i32::saturating_abs;
    i64, I64, u64, i64::wrapping_abs, i64::saturating_neg, i64::saturating_abs;
    u64, U64, u64, std::convert::identity, |_| 0, std::convert::identity;
    u8, U8, u8, std::convert::identity, |_| 0, std::convert::identity;
}

macro_rules! floats {
    ($($number:ident, $ty:ident, $bits:ty, $erf:path, $erfc:path, $tgamma:path, $lgamma:path,
       $asinh:path, $acosh:path, $atanh:path;)*) => {$(
        impl Lane for $number {
            const TYPE: Type = Type::$ty;
            conversions!($number);
            #[inline(always)]
            fn from_word(word: u64) -> $number {
                $number::from_bits(word as $bits)
            }
            #[inline(always)]
            fn word(self) -> u64 {
                self.to_bits().into()
            }
            #[inline(always)]
            fn neg(self) -> $number {
                -self
            }
            #[inline(always)]
            fn abs(self) -> $number {
                $number::abs(self)
            }
            #[inline(always)]
            fn sign(self) -> $number {
                if self > 0.0 { 1.0 } else if self < 0.0 { -1.0 } else { self + 0.0 }
            }
            #[inline(always)]
            fn add(self, y: $number) -> $number {
                self + y
            }
            #[inline(always)]
            fn sub(self, y: $number) -> $number {
                self - y
            }
            #[inline(always)]
            fn mul(self, y: $number) -> $number {
                self * y
            }
            #[inline(always)]
            fn div(self, y: $number) -> $number {
                self / y
            }
            #[inline(always)]
            fn rem(self, y: $number) -> $number {
                self % y
            }
            #[inline(always)]
            fn modulo(self, y: $number) -> $number {
                let r = self % y;
                if y == 0.0 { self } else if r != 0.0 && (r < 0.0) != (y < 0.0) { r + y } else { r }
            }
        }

        impl Float for $number {
            #[inline(always)]
            fn is_nan(self) -> bool {
                $number::is_nan(self)
            }
            #[inline(always)]
            fn is_infinite(self) -> bool {
                $number::is_infinite(self)
            }
            #[inline(always)]
            fn is_finite(self) -> bool {
                $number::is_finite(self)
            }
            #[inline(always)]
            fn floor(self) -> $number {
                $number::floor(self)
            }
            #[inline(always)]
            fn ceil(self) -> $number {
                $number::ceil(self)
            }
            #[inline(always)]
            fn round(self) -> $number {
                $number::round(self)
            }
            #[inline(always)]
            fn trunc(self) -> $number {
                $number::trunc(self)
            }
            #[inline(always)]
            fn sqrt(self) -> $number {
                $number::sqrt(self)
            }
            fn cbrt(self) -> $number {
                $number::cbrt(self)
            }
            fn exp(self) -> $number {
                $number::exp(self)
            }
            fn expm1(self) -> $number {
                $number::exp_m1(self)
            }
            fn exp2(self) -> $number {
                $number::exp2(self)
            }
            fn log(self) -> $number {
                $number::ln(self)
            }
            fn log1p(self) -> $number {
                $number::ln_1p(self)
            }
            fn log2(self) -> $number {
                $number::log2(self)
            }
            fn log10(self) -> $number {
                $number::log10(self)
            }
            fn sin(self) -> $number {
                $number::sin(self)
            }
            fn cos(self) -> $number {
                $number::cos(self)
            }
            fn tan(self) -> $number {
                $number::tan(self)
            }
            fn asin(self) -> $number {
                $number::asin(self)
            }
            fn acos(self) -> $number {
                $number::acos(self)
            }
            fn atan(self) -> $number {
                $number::atan(self)
            }
            fn sinh(self) -> $number {
                $number::sinh(self)
            }
            fn cosh(self) -> $number {
                $number::cosh(self)
            }
            fn tanh(self) -> $number {
                $number::tanh(self)
            }
            fn asinh(self) -> $number {
                $asinh(self)
            }
            /// libm's is a number for some negative ones.
            fn acosh(self) -> $number {
                if self < 1.0 { $number::NAN } else { $acosh(self) }
            }
            fn atanh(self) -> $number {
                $atanh(self)
            }
            fn erf(self) -> $number {
                $erf(self)
            }
            fn erfc(self) -> $number {
                $erfc(self)
            }
            fn gamma(self) -> $number {
                $tgamma(self)
            }
            fn lgamma(self) -> $number {
                $lgamma(self)
            }
            fn pow(self, y: $number) -> $number {
                $number::powf(self, y)
            }
            fn atan2(self, y: $number) -> $number {
                $number::atan2(self, y)
            }
            fn hypot(self, y: $number) -> $number {
                $number::hypot(self, y)
            }
        }
    )*};
}

floats! {
    f32, F32, u32, libm::erff, libm::erfcf, libm::tgammaf, libm::lgammaf, libm::asinhf, libm::acoshf, libm::atanhf;
    f64, F64, u64, libm::erf, libm::erfc, libm::tgamma, libm::lgamma, libm::asinh, libm::acosh, libm::atanh;
}

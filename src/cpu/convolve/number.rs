//! The types in which products are summed: f32, f64, i32, i64.
#![forbid(unsafe_code)]

use pulp::Arch;

use super::{BLOCK, Tap};
use crate::cpu::map::Elements;
use crate::cpu::window::Window;
use crate::model::dtype::{Dtype, Element};
use crate::model::expression::half::{from_bf16, from_f16};
use crate::model::stencil::Plane;

/// A number that products are summed in; integers wrap.
pub trait Accumulator: Element + PartialEq {
    /// Elements of a row of sums in registers.
    const LANES: usize;
    /// self + weight·element; `FUSED` where the instruction set has it.
    fn plus<const FUSED: bool>(self, weight: Self, element: Self) -> Self;
    /// sums ← sums + the products of weights with elements of `tile`, of R rows of LANES.
    fn block<const R: usize, const FUSED: bool>(
        tile: &[Self],
        pitch: usize,
        taps: &[Tap<Self>],
        sums: (&mut [Self], usize),
    );
    fn from_signed(value: i64) -> Self;
    fn from_unsigned(value: u64) -> Self;
    fn from_double(value: f64) -> Self;
    fn to_f32(self) -> f32;
    fn to_f64(self) -> f64;
    fn to_i8(self) -> i8;
    fn to_i16(self) -> i16;
    fn to_i32(self) -> i32;
    fn to_i64(self) -> i64;
    fn to_u8(self) -> u8;
    fn to_u16(self) -> u16;
    fn to_u32(self) -> u32;
    fn to_u64(self) -> u64;
}

macro_rules! accumulator {
    ($number:ident, $plus:expr, $from_double:expr, [$($to:ident: $into:ident),*], $narrow:ident) => {
        impl Accumulator for $number {
            const LANES: usize = BLOCK / size_of::<$number>();

            #[inline(always)]
            fn plus<const FUSED: bool>(self, weight: $number, element: $number) -> $number {
                $plus(FUSED, self, weight, element)
            }

            #[inline(always)] // so that it is compiled for the instruction set of `dispatch`
            fn block<const R: usize, const FUSED: bool>(
                tile: &[$number],
                pitch: usize,
                taps: &[Tap<$number>],
                (sums, cols): (&mut [$number], usize),
            ) {
                const LANES: usize = BLOCK / size_of::<$number>();
                let mut held = [[$number::default(); LANES]; R];
                for (r, held) in held.iter_mut().enumerate() {
                    held.copy_from_slice(&sums[r * cols..][..LANES]);
                }
                for tap in taps {
                    let elements = &tile[tap.offset..];
                    for (r, held) in held.iter_mut().enumerate() {
                        let row: &[$number; LANES] = elements[r * pitch..].first_chunk().expect("a tile's row");
                        for lane in 0..LANES {
                            held[lane] = held[lane].plus::<FUSED>(tap.weight, row[lane]);
                        }
                    }
                }
                for (r, held) in held.iter().enumerate() {
                    sums[r * cols..][..LANES].copy_from_slice(held);
                }
            }

            #[inline(always)]
            fn from_signed(value: i64) -> $number {
                value as $number
            }

            #[inline(always)]
            fn from_unsigned(value: u64) -> $number {
                value as $number
            }

            #[inline(always)]
            fn from_double(value: f64) -> $number {
                $from_double(value)
            }

            #[inline(always)]
            fn to_f32(self) -> f32 {
                self as f32
            }

            #[inline(always)]
            fn to_f64(self) -> f64 {
                self as f64
            }

            $(
                #[inline(always)]
                fn $to(self) -> $into {
                    $narrow!(self, $number, $into)
                }
            )*
        }
    };
}

macro_rules! rounded {
    ($sum:expr, $number:ident, $into:ident) => {{
        let whole = $sum.trunc();
        let away = if ($sum - whole).abs() >= 0.5 { (1.0 as $number).copysign($sum) } else { 0.0 };
        (whole + away) as $into
    }};
}

macro_rules! saturated {
    ($sum:expr, $number:ident, $into:ident) => {
        i64::from($sum).clamp(
            if $into::MIN == 0 { 0 } else { $into::MIN as i64 },
            if size_of::<$into>() == 8 { i64::MAX } else { $into::MAX as i64 },
        ) as $into
    };
}

accumulator!(
    f32,
    |fused, sum: f32, weight: f32, element: f32| if fused { weight.mul_add(element, sum) } else { sum + weight * element },
    |value| value as f32,
    [to_i8: i8, to_i16: i16, to_i32: i32, to_i64: i64, to_u8: u8, to_u16: u16, to_u32: u32, to_u64: u64],
    rounded
);
accumulator!(
    f64,
    |fused, sum: f64, weight: f64, element: f64| if fused { weight.mul_add(element, sum) } else { sum + weight * element },
    |value| value,
    [to_i8: i8, to_i16: i16, to_i32: i32, to_i64: i64, to_u8: u8, to_u16: u16, to_u32: u32, to_u64: u64],
    rounded
);
accumulator!(
    i32,
    |_, sum: i32, weight: i32, element: i32| sum.wrapping_add(weight.wrapping_mul(element)),
    |value| value as i32,
    [to_i8: i8, to_i16: i16, to_i32: i32, to_i64: i64, to_u8: u8, to_u16: u16, to_u32: u32, to_u64: u64],
    saturated
);
accumulator!(
    i64,
    |_, sum: i64, weight: i64, element: i64| sum.wrapping_add(weight.wrapping_mul(element)),
    |value| value as i64,
    [to_i8: i8, to_i16: i16, to_i32: i32, to_i64: i64, to_u8: u8, to_u16: u16, to_u32: u32, to_u64: u64],
    saturated
);

/// What lies outside an array of these elements.
pub fn outside<A: Accumulator>(plane: &Plane, data: &Elements) -> A {
    let bits = |dtype: Dtype| plane.outside(dtype);
    match data {
        Elements::F64(_) => A::from_double(f64::from_bits(bits(Dtype::F64))),
        Elements::F32(_) => A::from_double(f32::from_bits(bits(Dtype::F32) as u32).into()),
        Elements::F16(_) => A::from_double(from_f16(bits(Dtype::F16) as u16).into()),
        Elements::Bf16(_) => A::from_double(from_bf16(bits(Dtype::Bf16) as u16).into()),
        Elements::I8(_) => A::from_signed((bits(Dtype::I8) as i8).into()),
        Elements::I16(_) => A::from_signed((bits(Dtype::I16) as i16).into()),
        Elements::I32(_) => A::from_signed((bits(Dtype::I32) as i32).into()),
        Elements::I64(_) => A::from_signed(bits(Dtype::I64) as i64),
        Elements::Bool(_) => A::from_unsigned(bits(Dtype::Bool)),
        Elements::U8(_) => A::from_unsigned(bits(Dtype::U8)),
        Elements::U16(_) => A::from_unsigned(bits(Dtype::U16)),
        Elements::U32(_) => A::from_unsigned(bits(Dtype::U32)),
        Elements::U64(_) => A::from_unsigned(bits(Dtype::U64)),
        Elements::OfResult => A::default(),
    }
}

/// Brings the elements of a window to rows of a tile.
pub fn loaded<A: Accumulator>(
    (arch, plane, window): (Arch, &Plane, &Window),
    data: &Elements,
    to: (&mut [A], usize),
    outside: A,
) {
    let at = (arch, plane);
    match *data {
        Elements::F64(from) => window.load(at, from, to, outside, A::from_double),
        Elements::F32(from) => window.load(at, from, to, outside, |x| A::from_double(x.into())),
        Elements::F16(from) => window.load(at, from, to, outside, |x| A::from_double(from_f16(x).into())),
        Elements::Bf16(from) => window.load(at, from, to, outside, |x| A::from_double(from_bf16(x).into())),
        Elements::I8(from) => window.load(at, from, to, outside, |x| A::from_signed(x.into())),
        Elements::I16(from) => window.load(at, from, to, outside, |x| A::from_signed(x.into())),
        Elements::I32(from) => window.load(at, from, to, outside, |x| A::from_signed(x.into())),
        Elements::I64(from) => window.load(at, from, to, outside, A::from_signed),
        Elements::Bool(from) => window.load(at, from, to, outside, |x| A::from_unsigned((x != 0).into())),
        Elements::U8(from) => window.load(at, from, to, outside, |x| A::from_unsigned(x.into())),
        Elements::U16(from) => window.load(at, from, to, outside, |x| A::from_unsigned(x.into())),
        Elements::U32(from) => window.load(at, from, to, outside, |x| A::from_unsigned(x.into())),
        Elements::U64(from) => window.load(at, from, to, outside, A::from_unsigned),
        Elements::OfResult => unreachable!("the result of a convolution is apart from its inputs"),
    }
}

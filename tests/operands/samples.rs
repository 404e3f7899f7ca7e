//! What the tests of reductions and scans share: numbers of every kind, and the operators that a dtype has.

use gpumex::model::numbered::NumberedEnum;
use gpumex::model::operator::{Operand, Operator};

use crate::common::{Number, RngExt, random};

/// A dtype with numbers of every kind: small and large, of both signs, -0 and NaN where there are such.
pub trait Sample: Number + Operand {
    const UNIT_ROUNDOFF: f64; // 0: an integer
    fn of(random: u64) -> Self;
    fn wide(self) -> f64;
}

macro_rules! integers {
    ($($number:ty),*) => {
        $(impl Sample for $number {
            const UNIT_ROUNDOFF: f64 = 0.0;
            fn of(random: u64) -> $number {
                random as $number
            }
            fn wide(self) -> f64 {
                self as f64
            }
        })*
    };
}

macro_rules! floats {
    ($($number:ty),*) => {
        $(impl Sample for $number {
            const UNIT_ROUNDOFF: f64 = <$number>::EPSILON as f64 / 2.0;
            fn of(random: u64) -> $number {
                match random % 64 {
                    0 => -0.0,
                    1 => 0.0,
                    _ => (random >> 40) as $number / (1 << 23) as $number - 1.0,
                }
            }
            fn wide(self) -> f64 {
                self.into()
            }
        })*
    };
}

integers!(i32, i64, u32, u64);
floats!(f32, f64);

macro_rules! for_every_operand {
    ($function:ident($($argument:expr),*)) => {
        for_every_dtype!($function($($argument),*): i32 i64 u32 u64 f32 f64)
    };
}
pub(crate) use for_every_operand;

/// The operators of a dtype by their own names; DEFAULT is another name of one of them.
pub fn operators<T: Number>() -> impl Iterator<Item = Operator> {
    let is_served = |op: &Operator| *op != Operator::Default && !(T::DTYPE.is_float() && op.is_of_bits());
    Operator::ALL.iter().copied().filter(is_served)
}

pub fn numbers<T: Sample>(seed: u64, len: usize) -> Vec<T> {
    let mut random = random(seed);
    (0..len).map(|_| T::of(random.random())).collect()
}

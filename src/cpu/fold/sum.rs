//! Sums and products.
#![forbid(unsafe_code)]

use std::marker::PhantomData;

use super::Fold;
use crate::model::dtype::Element;

/// An element as the number of an accumulator.
pub trait Number<Acc>: Element {
    fn number(self) -> Acc;
    /// Whether it is no number.
    fn is_nan(self) -> bool;
}

/// Arithmetic of an accumulator; integers wrap.
pub trait Accumulator: Copy + Send + Sync + 'static {
    const ZERO: Self;
    const ONE: Self;
    fn plus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
}

macro_rules! numbers {
    ($acc:ty, $is_nan:expr, $($number:ty),*) => {
        $(impl Number<$acc> for $number {
            #[inline(always)] // into loops
            fn number(self) -> $acc {
                self as $acc
            }
            #[inline(always)]
            fn is_nan(self) -> bool {
                $is_nan(self)
            }
        })*
    };
}

numbers!(f32, f32::is_nan, f32);
numbers!(f64, f32::is_nan, f32);
numbers!(f64, f64::is_nan, f64);
numbers!(f64, |_| false, i8, i16, i32, i64, u8, u16, u32, u64);
numbers!(u64, |_| false, i8, i16, i32, i64, u8, u16, u32, u64); // the bits of a signed one, extended

macro_rules! accumulators {
    ($($acc:ty: $zero:literal, $one:literal, $plus:expr, $times:expr);*) => {
        $(impl Accumulator for $acc {
            const ZERO: Self = $zero;
            const ONE: Self = $one;
            #[inline(always)] // into loops
            fn plus(self, other: Self) -> Self {
                $plus(self, other)
            }
            #[inline(always)]
            fn times(self, other: Self) -> Self {
                $times(self, other)
            }
        })*
    };
}

accumulators!(
    f32: 0.0, 1.0, |a, b| a + b, |a, b| a * b;
    f64: 0.0, 1.0, |a, b| a + b, |a, b| a * b;
    u64: 0, 1, u64::wrapping_add, u64::wrapping_mul
);

macro_rules! fold {
    ($(#[$doc:meta])* $name:ident: $identity:ident, $apply:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name<In, Acc> {
            omits: bool,
            types: PhantomData<fn(In) -> Acc>,
        }

        impl<In, Acc> $name<In, Acc> {
            /// `omits`: NaN is left out.
            pub fn new(omits: bool) -> Self {
                $name { omits, types: PhantomData }
            }
        }

        impl<In: Number<Acc>, Acc: Accumulator> Fold for $name<In, Acc> {
            type In = In;
            type Acc = Acc;

            #[inline(always)] // into loops
            fn identity(&self) -> Acc {
                Acc::$identity
            }
            #[inline(always)]
            fn step(&self, acc: Acc, element: In, _: usize) -> Acc {
                let number = if self.omits && element.is_nan() { Acc::$identity } else { element.number() };
                acc.$apply(number)
            }
            #[inline(always)]
            fn merge(&self, left: Acc, right: Acc) -> Acc {
                left.$apply(right)
            }
        }
    };
}

fold!(
    /// The sum.
    Sum: ZERO, plus
);
fold!(
    /// The product.
    Product: ONE, times
);

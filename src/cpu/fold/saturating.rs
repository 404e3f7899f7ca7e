//! Sums and products of integers that saturate in the dtype of the result, after each element.
#![forbid(unsafe_code)]

use std::marker::PhantomData;

use super::Fold;
use crate::model::dtype::{Dtype, Element};

/// An integer, and the 64 bits it is accumulated in: i64, or u64 for unsigned ones.
pub trait Integer: Element {
    type Wide: Copy + Send + Sync + 'static;
    const ONE: Self::Wide;
    const ZERO: Self::Wide;
    /// The values of a dtype that holds those of this type.
    fn range(dtype: Dtype) -> (Self::Wide, Self::Wide);
    fn add(self, acc: Self::Wide, range: (Self::Wide, Self::Wide)) -> Self::Wide;
    fn multiply(self, acc: Self::Wide, range: (Self::Wide, Self::Wide)) -> Self::Wide;
}

macro_rules! integers {
    ($wide:ty: $($number:ty),*) => {
        $(impl Integer for $number {
            type Wide = $wide;
            const ONE: $wide = 1;
            const ZERO: $wide = 0;
            fn range(dtype: Dtype) -> ($wide, $wide) {
                let range = dtype.integers().unwrap_or(0..=0);
                let within = |value: i128| value.clamp(<$wide>::MIN.into(), <$wide>::MAX.into()) as $wide;
                (within(*range.start()), within(*range.end()))
            }
            #[inline(always)] // into loops
            fn add(self, acc: $wide, (low, high): ($wide, $wide)) -> $wide {
                acc.saturating_add(self.into()).clamp(low, high)
            }
            #[inline(always)]
            fn multiply(self, acc: $wide, (low, high): ($wide, $wide)) -> $wide {
                acc.saturating_mul(self.into()).clamp(low, high)
            }
        })*
    };
}

integers!(i64: i8, i16, i32, i64);
integers!(u64: u8, u16, u32, u64);

macro_rules! fold {
    ($(#[$doc:meta])* $name:ident: $identity:ident, $apply:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name<In: Integer> {
            range: (In::Wide, In::Wide),
            types: PhantomData<fn(In)>,
        }

        impl<In: Integer> $name<In> {
            /// In integers of `dtype`.
            pub fn new(dtype: Dtype) -> Self {
                $name { range: In::range(dtype), types: PhantomData }
            }
        }

        impl<In: Integer> Fold for $name<In> {
            type In = In;
            type Acc = In::Wide;
            const ORDERED: bool = true;

            #[inline(always)] // into loops
            fn identity(&self) -> In::Wide {
                In::$identity
            }
            #[inline(always)]
            fn step(&self, acc: In::Wide, element: In, _: usize) -> In::Wide {
                element.$apply(acc, self.range)
            }
            fn merge(&self, _: In::Wide, right: In::Wide) -> In::Wide {
                right
            }
        }
    };
}

fold!(
    /// The sum.
    SaturatingSum: ZERO, add
);
fold!(
    /// The product.
    SaturatingProduct: ONE, multiply
);

//! Folds of an expression's lanes: their bits, unsigned integers that lie in wider ones, and blocks that begin at some place.
#![forbid(unsafe_code)]

use std::marker::PhantomData;

use super::count::Word;
use super::{Fold, Number};
use crate::model::dtype::{Bits, Element};

/// A number and its bits.
pub trait Key: Element {
    type Bits: Bits + Word;
    fn bits(self) -> Self::Bits;
}

macro_rules! keys {
    ($($number:ty: $bits:ty, $of:expr);*) => {
        $(impl Key for $number {
            type Bits = $bits;
            #[inline(always)] // into loops
            fn bits(self) -> $bits {
                $of(self)
            }
        })*
    };
}

keys!(
    u8: u8, |x| x;
    i32: u32, |x| x as u32;
    i64: u64, |x| x as u64;
    u64: u64, |x| x;
    f32: u32, f32::to_bits;
    f64: u64, f64::to_bits
);

macro_rules! adaptor {
    ($(#[$doc:meta])* $name:ident, $source:ident: $bound:path, $in:ty, $element:ident => $convert:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name<F, $source>(F, PhantomData<fn($source)>);

        impl<F, $source> $name<F, $source> {
            pub fn new(fold: F) -> Self {
                $name(fold, PhantomData)
            }
        }

        impl<$source: $bound, F: Fold<In = $in>> Fold for $name<F, $source> {
            type In = $source;
            type Acc = F::Acc;
            const ORDERED: bool = F::ORDERED;

            #[inline(always)] // into loops
            fn identity(&self) -> F::Acc {
                self.0.identity()
            }
            #[inline(always)]
            fn step(&self, acc: F::Acc, $element: $source, place: usize) -> F::Acc {
                self.0.step(acc, $convert, place)
            }
            #[inline(always)]
            fn merge(&self, left: F::Acc, right: F::Acc) -> F::Acc {
                self.0.merge(left, right)
            }
        }
    };
}

adaptor!(
    /// A fold of bits, of numbers.
    Keyed, T: Key, T::Bits, element => element.bits()
);
adaptor!(
    /// A fold of u64, of integers that are not negative.
    Unsigned, T: Number<u64>, u64, element => element.number()
);

/// A fold of elements that begin at a place.
#[derive(Clone, Copy)]
pub struct Shifted<F> {
    pub fold: F,
    pub from: usize,
}

impl<F: Fold> Fold for Shifted<F> {
    type In = F::In;
    type Acc = F::Acc;
    const ORDERED: bool = F::ORDERED;

    #[inline(always)] // into loops
    fn identity(&self) -> F::Acc {
        self.fold.identity()
    }
    #[inline(always)]
    fn step(&self, acc: F::Acc, element: F::In, place: usize) -> F::Acc {
        self.fold.step(acc, element, self.from + place)
    }
    #[inline(always)]
    fn merge(&self, left: F::Acc, right: F::Acc) -> F::Acc {
        self.fold.merge(left, right)
    }
}

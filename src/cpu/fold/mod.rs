//! What reductions and scans along a dimension do with an element: a result that takes one element after the other.
//!
//! Exact      Integers: sums and products wrap in 64 bits, which the result's dtype cuts; saturating ones are ordered, that is
//!            as computed one by one in the order of the dimension.
//! Extrema    Of unsigned integers of the element's size: ordered integers (floats as well), flipped for the minimum. NaN is 0 where
//!            it is left out, all bits where it stays.
#![forbid(unsafe_code)]

mod count;
mod extremum;
mod lanes;
mod saturating;
mod sum;

pub use count::{Count, Mean};
pub use extremum::{Extremum, First, FirstElement, Found, Place};
pub use lanes::{Key, Keyed, Shifted, Unsigned};
pub use saturating::{Integer, SaturatingProduct, SaturatingSum};
pub use sum::{Accumulator, Number, Product, Sum};

use crate::model::dtype::Element;

/// A reduction in progress: `step` takes the element at a place of the dimension, `merge` joins results of parts that follow one another.
pub trait Fold: Copy + Send + Sync {
    type In: Element;
    type Acc: Copy + Send + Sync;
    /// Whether elements are taken one by one, in order, from the identity on; `merge` is not called.
    const ORDERED: bool = false;
    /// Whether an ordered fold has summaries.
    const SUMMARISED: bool = false;

    fn identity(&self) -> Self::Acc;
    fn step(&self, acc: Self::Acc, element: Self::In, place: usize) -> Self::Acc;
    fn merge(&self, left: Self::Acc, right: Self::Acc) -> Self::Acc;
    /// Of an ordered fold: what elements that lie side by side are to any accumulator that they can be joined with at once, so that
    /// threads can share them; None where it cannot be told.
    #[inline(always)]
    fn summary(&self, _: &[Self::In]) -> Option<(Self::Acc, Self::Acc)> {
        None
    }
    /// The accumulator and the elements of a summary; None where they have to be taken one by one.
    #[inline(always)]
    fn join(&self, _: Self::Acc, _: (Self::Acc, Self::Acc)) -> Option<Self::Acc> {
        None
    }
    /// Takes elements that lie side by side, one by one or as if.
    #[inline(always)] // so that it is compiled for the caller's instruction set
    fn run(&self, acc: Self::Acc, elements: &[Self::In], first: usize) -> Self::Acc {
        (first..).zip(elements).fold(acc, |acc, (place, &element)| self.step(acc, element, place))
    }
}

/// A result of another type: as C's cast.
pub trait Cast<To> {
    fn cast(self) -> To;
}

macro_rules! casts {
    ($($from:ty: $($to:ty),*);*) => {
        $($(impl Cast<$to> for $from {
            #[inline(always)] // a conversion
            fn cast(self) -> $to {
                self as $to
            }
        })*)*
    };
}

casts!(
    u64: u8, u16, u32, u64, i8, i16, i32, i64;
    i64: u8, u16, u32, u64, i8, i16, i32, i64;
    f32: f32; f64: f64
);

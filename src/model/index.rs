//! The integers that count elements, or say where one is.
#![forbid(unsafe_code)]

use super::dtype::Element;
use super::payload::Value;

/// An unsigned integer that counts elements, or says where one is.
pub trait Index: Element + Ord + Value {
    fn from_usize(position: usize) -> Self;
    /// Where it lies; positions beyond the address space are its end.
    fn to_usize(self) -> usize;
}

macro_rules! indices {
    ($($number:ty),*) => {
        $(
            impl Index for $number {
                fn from_usize(position: usize) -> Self {
                    position as $number
                }
                fn to_usize(self) -> usize {
                    usize::try_from(self).unwrap_or(usize::MAX)
                }
            }
        )*
    };
}

indices!(u32, u64);

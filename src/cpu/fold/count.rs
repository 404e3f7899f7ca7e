//! Elements that are not 0, and sums with the number of what was added.
#![forbid(unsafe_code)]

use std::marker::PhantomData;
use std::ops::{BitAnd, BitOr, BitXor, Not};

use super::{Fold, Number};
use crate::model::dtype::{Bits, Dtype};

/// Counts elements by their bits; what is 0 without `mask`, or above `limit`, does not count.
#[derive(Clone, Copy)]
pub struct Count<In> {
    mask: In,
    limit: In,
}

impl<In: Bits + Word> Count<In> {
    /// Of elements of a dtype of this size; `omits`: a NaN does not count.
    pub fn new(dtype: Dtype, omits: bool) -> Self {
        match dtype.is_float() {
            true => Count { mask: !In::SIGN, limit: if omits { In::INFINITE } else { !In::SIGN } },
            false => Count { mask: In::ALL, limit: In::ALL },
        }
    }
}

impl<In: Bits + Word> Fold for Count<In> {
    type In = In;
    type Acc = u64;

    #[inline(always)] // into loops
    fn identity(&self) -> u64 {
        0
    }
    #[inline(always)]
    fn step(&self, acc: u64, element: In, _: usize) -> u64 {
        let bits = element & self.mask;
        acc + u64::from((bits != In::default()) & (bits <= self.limit))
    }
    #[inline(always)]
    fn merge(&self, left: u64, right: u64) -> u64 {
        left + right
    }
}

/// Unsigned integers as the bits of elements.
pub trait Word:
    Ord + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self> + Sized
{
    /// Of a float of this size, or of a signed integer.
    const SIGN: Self;
    /// The bits of an infinite float.
    const INFINITE: Self;
    const ALL: Self;
    const ONE: Self;
    /// The highest bit of a float's fraction.
    const QUIET: Self;
}

macro_rules! words {
    ($($word:ty: $infinite:literal, $quiet:literal);*) => {
        $(impl Word for $word {
            const SIGN: Self = 1 << (<$word>::BITS - 1);
            const INFINITE: Self = $infinite;
            const ALL: Self = <$word>::MAX;
            const ONE: Self = 1;
            const QUIET: Self = $quiet;
        })*
    };
}

words!(u8: 0, 0; u16: 0, 0; u32: 0x7F80_0000, 0x0040_0000; u64: 0x7FF0_0000_0000_0000, 0x0008_0000_0000_0000);

/// The sum of what is no NaN, and the number of it.
#[derive(Clone, Copy)]
pub struct Mean<In>(PhantomData<fn(In)>);

impl<In> Mean<In> {
    pub fn new() -> Self {
        Mean(PhantomData)
    }
}

impl<In: Number<f64>> Fold for Mean<In> {
    type In = In;
    type Acc = (f64, u64);

    #[inline(always)] // into loops
    fn identity(&self) -> (f64, u64) {
        (0.0, 0)
    }
    #[inline(always)]
    fn step(&self, (sum, count): (f64, u64), element: In, _: usize) -> (f64, u64) {
        match element.is_nan() {
            true => (sum, count),
            false => (sum + element.number(), count + 1),
        }
    }
    #[inline(always)]
    fn merge(&self, left: (f64, u64), right: (f64, u64)) -> (f64, u64) {
        (left.0 + right.0, left.1 + right.1)
    }
}

//! Sums and products of integers that saturate in the dtype of the result, after each element.
//!
//! Algorithm  A sum of a block whose positive elements alone stay below the highest value, and whose negative ones alone above the lowest,
//!            saturates nowhere: both are added up side by side. So it is with a sum that has saturated and a block that goes no way
//!            back. Else one element after the other. The two sums are the block's summary, which threads compute.
#![forbid(unsafe_code)]

use std::marker::PhantomData;

use super::Fold;
use crate::model::dtype::{Dtype, Element};

/// An integer, and the 64 bits it is accumulated in: i64, or u64 for unsigned ones.
pub trait Integer: Element {
    type Wide: Copy + Send + Sync + 'static;
    const ONE: Self::Wide;
    const ZERO: Self::Wide;
    /// Whether sums of many fit into those 64 bits.
    const SUMS_FIT: bool;
    /// The values of a dtype that holds those of this type.
    fn range(dtype: Dtype) -> (Self::Wide, Self::Wide);
    fn add(self, acc: Self::Wide, range: (Self::Wide, Self::Wide)) -> Self::Wide;
    fn multiply(self, acc: Self::Wide, range: (Self::Wide, Self::Wide)) -> Self::Wide;
    /// What the positive and the negative ones of up to 2^32 elements add up to; None where it may not fit.
    fn both_sums(block: &[Self]) -> Option<(Self::Wide, Self::Wide)>;
    /// The sum of acc and both, where all are in the range, or acc is at one end of it and stays there.
    fn at_once(
        acc: Self::Wide,
        both: (Self::Wide, Self::Wide),
        range: (Self::Wide, Self::Wide),
    ) -> Option<Self::Wide>;
}

/// Elements whose sums are taken side by side.
const BLOCK: usize = 1024;

macro_rules! integers {
    ($wide:ty, $fits:expr; $($number:ty),*) => {
        $(impl Integer for $number {
            type Wide = $wide;
            const ONE: $wide = 1;
            const ZERO: $wide = 0;
            const SUMS_FIT: bool = $fits;
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
            #[inline(always)]
            #[allow(clippy::unnecessary_min_or_max, reason = "of unsigned numbers")]
            fn both_sums(block: &[Self]) -> Option<($wide, $wide)> {
                Self::SUMS_FIT.then(|| {
                    block.iter().fold((0, 0), |(up, down): ($wide, $wide), &x| {
                        (up.wrapping_add(x.max(0).into()), down.wrapping_add(x.min(0).into()))
                    })
                })
            }
            #[inline(always)]
            fn at_once(acc: $wide, (up, down): ($wide, $wide), (low, high): ($wide, $wide)) -> Option<$wide> {
                if (acc == high && down == 0) || (acc == low && up == 0) {
                    return Some(acc);
                }
                let highest = acc.checked_add(up)?;
                (highest <= high && acc.checked_add(down)? >= low).then_some(highest.wrapping_add(down))
            }
        })*
    };
}

integers!(i64, true; i8, i16, i32);
integers!(u64, true; u8, u16, u32);
integers!(i64, false; i64);
integers!(u64, false; u64);

/// acc and all elements of a run.
#[inline(always)] // so that it is compiled for the caller's instruction set
fn sum_of_run<In: Integer>(acc: In::Wide, run: &[In], range: (In::Wide, In::Wide)) -> In::Wide {
    run.chunks(BLOCK).fold(acc, |acc, block| {
        let whole = In::both_sums(block).and_then(|both| In::at_once(acc, both, range));
        whole.unwrap_or_else(|| block.iter().fold(acc, |acc, element| element.add(acc, range)))
    })
}

/// acc times all elements of a run.
fn product_of_run<In: Integer>(acc: In::Wide, run: &[In], range: (In::Wide, In::Wide)) -> In::Wide {
    run.iter().fold(acc, |acc, element| element.multiply(acc, range))
}

macro_rules! fold {
    ($(#[$doc:meta])* $name:ident: $identity:ident, $apply:ident, $run:ident $(, $both_sums:ident, $at_once:ident)?) => {
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
            #[inline(always)]
            fn run(&self, acc: In::Wide, elements: &[In], _: usize) -> In::Wide {
                $run(acc, elements, self.range)
            }
            fn merge(&self, _: In::Wide, right: In::Wide) -> In::Wide {
                right
            }
            $(
                const SUMMARISED: bool = In::SUMS_FIT;

                #[inline(always)]
                fn summary(&self, elements: &[In]) -> Option<(In::Wide, In::Wide)> {
                    In::$both_sums(elements)
                }
                #[inline(always)]
                fn join(&self, acc: In::Wide, summary: (In::Wide, In::Wide)) -> Option<In::Wide> {
                    In::$at_once(acc, summary, self.range)
                }
            )?
        }
    };
}

fold!(
    /// The sum.
    SaturatingSum: ZERO, add, sum_of_run, both_sums, at_once
);
fold!(
    /// The product.
    SaturatingProduct: ONE, multiply, product_of_run
);

#[cfg(test)]
mod tests {
    use super::*;

    fn agrees<In: Integer<Wide = i64> + Copy>(numbers: &[In], dtype: Dtype) {
        let fold = SaturatingSum::<In>::new(dtype);
        for first in [0, 1, BLOCK / 2] {
            let run = &numbers[first..];
            let want = run.iter().fold(fold.identity(), |acc, &x| fold.step(acc, x, 0));
            assert_eq!(fold.run(fold.identity(), run, 0), want, "{dtype:?} from {first}");
        }
    }

    #[test]
    fn sums_of_runs_saturate_where_those_of_elements_do() {
        let small: Vec<i32> = (0..5 * BLOCK as i32).map(|i| (i * 7919) % 2001 - 1000).collect();
        agrees(&small, Dtype::I32);
        let mut large = small.clone();
        for at in [10, BLOCK, BLOCK + 1, 3 * BLOCK - 1, 3 * BLOCK] {
            (large[at], large[at + 5]) = (i32::MAX, i32::MIN);
            agrees(&large, Dtype::I32);
        }
        let bytes: Vec<i8> = small.iter().map(|&x| (x % 100) as i8).collect();
        agrees(&bytes, Dtype::I8);
        let wide: Vec<i64> = small.iter().map(|&x| i64::from(x) << 50).collect();
        agrees(&wide, Dtype::I64);
        let to_i64: Vec<i32> = large.iter().map(|&x| x.wrapping_mul(3)).collect();
        agrees(&to_i64, Dtype::I64);
    }
}

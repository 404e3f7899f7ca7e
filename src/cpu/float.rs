//! The element types of products of vectors and matrices.
#![forbid(unsafe_code)]

use std::ops::{Add, Div, Mul};

use pulp::Simd;

pub trait Float:
    Copy
    + Default
    + PartialEq
    + Send
    + Sync
    + Add<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + 'static
{
    const ONE: Self;
    /// A SIMD register of elements.
    type Lanes<S: Simd>: Copy;

    /// self·factor + summand, rounded once.
    fn fused(self, factor: Self, summand: Self) -> Self;
    fn root(self) -> Self;
    fn rounded(value: f64) -> Self;

    /// The whole registers of an array.
    fn lanes<S: Simd>(elements: &[Self]) -> &[Self::Lanes<S>];
    fn lanes_mut<S: Simd>(elements: &mut [Self]) -> &mut [Self::Lanes<S>];
    fn splat<S: Simd>(simd: S, value: Self) -> Self::Lanes<S>;
    /// The sum of the lanes.
    fn sum<S: Simd>(simd: S, lanes: Self::Lanes<S>) -> Self;
    /// x + y in each lane.
    fn plus<S: Simd>(simd: S, x: Self::Lanes<S>, y: Self::Lanes<S>) -> Self::Lanes<S>;
    /// x·y in each lane.
    fn times<S: Simd>(simd: S, x: Self::Lanes<S>, y: Self::Lanes<S>) -> Self::Lanes<S>;
    /// x·y + z in each lane, rounded once where the instruction set has that.
    fn times_plus<S: Simd>(
        simd: S,
        x: Self::Lanes<S>,
        y: Self::Lanes<S>,
        z: Self::Lanes<S>,
    ) -> Self::Lanes<S>;
}

/// What both types have alike. Functions of lanes are inlined, so that they are compiled for the instruction set of their caller.
macro_rules! float {
    (
        $type:ident, $lanes:ident, $from:ident, $from_mut:ident,
        $splat:ident, $sum:ident, $plus:ident, $times:ident, $times_plus:ident
    ) => {
        impl Float for $type {
            const ONE: $type = 1.0;
            type Lanes<S: Simd> = S::$lanes;

            #[inline(always)]
            fn fused(self, factor: $type, summand: $type) -> $type {
                self.mul_add(factor, summand)
            }

            fn root(self) -> $type {
                self.sqrt()
            }

            fn rounded(value: f64) -> $type {
                value as $type
            }

            #[inline(always)]
            fn lanes<S: Simd>(elements: &[$type]) -> &[S::$lanes] {
                S::$from(elements).0
            }

            #[inline(always)]
            fn lanes_mut<S: Simd>(elements: &mut [$type]) -> &mut [S::$lanes] {
                S::$from_mut(elements).0
            }

            #[inline(always)]
            fn splat<S: Simd>(simd: S, value: $type) -> S::$lanes {
                simd.$splat(value)
            }

            #[inline(always)]
            fn sum<S: Simd>(simd: S, lanes: S::$lanes) -> $type {
                simd.$sum(lanes)
            }

            #[inline(always)]
            fn plus<S: Simd>(simd: S, x: S::$lanes, y: S::$lanes) -> S::$lanes {
                simd.$plus(x, y)
            }

            #[inline(always)]
            fn times<S: Simd>(simd: S, x: S::$lanes, y: S::$lanes) -> S::$lanes {
                simd.$times(x, y)
            }

            #[inline(always)]
            fn times_plus<S: Simd>(simd: S, x: S::$lanes, y: S::$lanes, z: S::$lanes) -> S::$lanes {
                simd.$times_plus(x, y, z)
            }
        }
    };
}

float!(
    f32,
    f32s,
    as_simd_f32s,
    as_mut_simd_f32s,
    splat_f32s,
    reduce_sum_f32s,
    add_f32s,
    mul_f32s,
    mul_add_e_f32s
);
float!(
    f64,
    f64s,
    as_simd_f64s,
    as_mut_simd_f64s,
    splat_f64s,
    reduce_sum_f64s,
    add_f64s,
    mul_f64s,
    mul_add_e_f64s
);

//! The folds of an expression's lanes: sums, products and extrema, by the type of the lanes.
//!
//! Integers are folded as they are computed, in 32 bits or 64: the results are those of the dtype, whose values they have.
#![forbid(unsafe_code)]

use super::pool::Pooled;
use crate::cpu::fold::{
    Cast, Extremum, Fold, Integer, Key, Keyed, Number, Product, SaturatingProduct, SaturatingSum, Sum,
    Unsigned,
};
use crate::error::Result;
use crate::model::dtype::{Bits, Dtype};
use crate::model::expression::program::Type;
use crate::model::reduction::DimReduction;

/// What is folded, and how.
#[derive(Clone, Copy)]
pub struct Folding {
    /// Of the lanes.
    pub ty: Type,
    /// Of the elements, and of the results.
    pub dtype: Dtype,
    pub to: Dtype,
    /// Sum, product, minimum or maximum.
    pub op: DimReduction,
    /// NaN is left out.
    pub omits: bool,
    /// Sums and products of integers saturate, element by element.
    pub saturates: bool,
}

/// What runs with a fold; `word` makes the bits of a result of an accumulator.
pub trait WithFold: Sized {
    fn with<F: Fold<In: Pooled>>(self, fold: F, word: impl Fn(F::Acc) -> u64 + Copy + Send) -> Result<()>;
}

pub fn word_of_f32(value: f32) -> u64 {
    value.to_bits().into()
}

impl Folding {
    /// Runs `what` with the fold.
    pub fn dispatch(&self, what: impl WithFold) -> Result<()> {
        let (is_sum, is_extremum) = (self.op == DimReduction::Sum, self.is_extremum());
        match (self.ty, self.to) {
            (Type::U8, _) => what.with(Sum::<u8, u64>::new(false), |sum| sum),
            (Type::I32, _) => self.of_integers::<i32>(what),
            (Type::I64, _) => self.of_integers::<i64>(what),
            (Type::U64, _) => self.of_integers::<u64>(what),
            (Type::F32, _) if is_extremum => self.extremum::<f32, true>(what),
            (Type::F32, Dtype::F32) if is_sum => what.with(Sum::<f32, f32>::new(self.omits), word_of_f32),
            (Type::F32, Dtype::F32) => what.with(Product::<f32, f32>::new(self.omits), word_of_f32),
            (Type::F32, _) => self.in_double::<f32>(what),
            (Type::F64, _) if is_extremum => self.extremum::<f64, true>(what),
            (Type::F64, _) => self.in_double::<f64>(what),
        }
    }

    fn is_extremum(&self) -> bool {
        matches!(self.op, DimReduction::Min | DimReduction::Max)
    }

    fn of_integers<T: Pooled + Key + Number<u64> + Number<f64> + Integer>(
        &self,
        what: impl WithFold,
    ) -> Result<()>
    where
        T::Wide: Cast<u64>,
    {
        let (to, is_signed, is_sum) = (self.to, self.dtype.is_signed_integer(), self.op == DimReduction::Sum);
        match self.saturates {
            _ if self.is_extremum() => self.extremum::<T, false>(what),
            false if to == Dtype::F64 => self.in_double::<T>(what),
            false if is_sum => what.with(Sum::<T, u64>::new(false), |sum| sum),
            false => what.with(Product::<T, u64>::new(false), |all| all),
            true if is_signed && is_sum => what.with(SaturatingSum::<T>::new(to), Cast::cast),
            true if is_signed => what.with(SaturatingProduct::<T>::new(to), Cast::cast),
            true if is_sum => what.with(Unsigned::<_, T>::new(SaturatingSum::<u64>::new(to)), |sum| sum),
            true => what.with(Unsigned::<_, T>::new(SaturatingProduct::<u64>::new(to)), |all| all),
        }
    }

    fn in_double<T: Pooled + Number<f64>>(&self, what: impl WithFold) -> Result<()> {
        let omits = self.omits && self.dtype.is_float();
        match self.op {
            DimReduction::Sum => what.with(Sum::<T, f64>::new(omits), f64::to_bits),
            _ => what.with(Product::<T, f64>::new(omits), f64::to_bits),
        }
    }

    fn extremum<T: Pooled + Key, const FLOAT: bool>(&self, what: impl WithFold) -> Result<()> {
        let is_minimum = self.op == DimReduction::Min;
        let fold = Extremum::<T::Bits, FLOAT>::new(T::DTYPE, is_minimum, self.omits);
        let none = self.op.of_none(self.to); // the dtype may be narrower than the lanes
        what.with(Keyed::<_, T>::new(fold), move |rank| {
            if rank == fold.identity() { none } else { fold.element(rank).word() }
        })
    }
}

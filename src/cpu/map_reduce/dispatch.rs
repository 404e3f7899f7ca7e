//! The fold of each reduction of an expression, by the type of its lanes.
//!
//! Integers are folded as they are computed, in 32 bits or 64: the results are those of the dtype, whose values they have.
#![forbid(unsafe_code)]

use super::words::{Finished, Places, Words};
use super::{Execution, reduce};
use crate::cpu::fold::{
    self, Cast, Extremum, FirstElement, Fold, Integer, Key, Keyed, Number, SaturatingProduct, SaturatingSum,
    Unsigned,
};
use crate::cpu::map::pool::Pooled;
use crate::cpu::map::{Elements, Map};
use crate::error::Result;
use crate::model::dtype::{Bits, Dtype};
use crate::model::expression::Layout;
use crate::model::expression::program::{Program, Type};
use crate::model::reduction::{DimReduction, ReduceTask};

/// Where results go, and positions.
pub struct Results<'a> {
    /// Of the results.
    pub dtype: Dtype,
    pub result: Words<'a>,
    pub positions: Option<Words<'a>>,
}

/// A call: how, what is computed and how it is reduced.
struct Call<'a> {
    how: Execution<'a>,
    map: Map<'a>,
    task: &'a ReduceTask,
    /// Of the elements, and of the results.
    dtype: Dtype,
    to: Dtype,
}

/// results ← the reductions of the elements that the program makes of the inputs. No extent is 0.
pub fn map_reduce(
    how: Execution,
    program: &Program,
    layout: &Layout,
    inputs: &[Elements],
    task: &ReduceTask,
    results: Results,
) -> Result<()> {
    use DimReduction::*;
    let (dtype, to) = (program.dtype, results.dtype);
    let counts = matches!(task.op, Any | All | Count);
    let may_be_bytes = counts || task.op == Sum && !task.saturates && !to.is_float();
    let is_small = matches!(dtype, Dtype::U8 | Dtype::Bool);
    let program = program.in_bytes.as_deref().filter(|_| may_be_bytes && is_small).unwrap_or(program);
    let call = Call { how, map: Map::new(program, layout, inputs), task, dtype, to };
    match program.ty {
        Type::U8 if counts => call.counted::<u8>(results.result),
        Type::U8 => call.words(fold::Sum::<u8, u64>::new(false), results.result, |sum| sum),
        Type::I32 => call.of_integers::<i32>(results),
        Type::I64 => call.of_integers::<i64>(results),
        Type::U64 => call.of_integers::<u64>(results),
        Type::F32 => match (task.op, to) {
            (Sum, Dtype::F32) => {
                call.words(fold::Sum::<f32, f32>::new(task.omits), results.result, word_of_f32)
            }
            (Product, Dtype::F32) => {
                call.words(fold::Product::<f32, f32>::new(task.omits), results.result, word_of_f32)
            }
            (Min | Max, _) => call.extremum::<f32, true>(results),
            _ => call.in_double::<f32>(results.result),
        },
        Type::F64 => match task.op {
            Min | Max => call.extremum::<f64, true>(results),
            _ => call.in_double::<f64>(results.result),
        },
    }
}

fn word_of_f32(value: f32) -> u64 {
    value.to_bits().into()
}

impl Call<'_> {
    fn words<F: Fold<In: Pooled>>(
        &self,
        fold: F,
        result: Words,
        finish: impl Fn(F::Acc) -> u64 + Copy + Send,
    ) -> Result<()> {
        reduce(self.how, &self.map, fold, self.task.shape, Finished { result, finish })
    }

    fn of_integers<T: Pooled + Key + Number<u64> + Number<f64> + Integer>(
        &self,
        results: Results,
    ) -> Result<()>
    where
        T::Wide: Cast<u64>,
    {
        use DimReduction::*;
        let (to, result) = (self.to, results.result);
        match (self.task.op, self.task.saturates) {
            (Min | Max, _) => self.extremum::<T, false>(Results { result, ..results }),
            (Sum | Product, false) if to == Dtype::F64 => self.in_double::<T>(result),
            (Sum, false) => self.words(fold::Sum::<T, u64>::new(false), result, |sum| sum),
            (Product, false) => self.words(fold::Product::<T, u64>::new(false), result, |all| all),
            (Sum, true) if self.dtype.is_signed_integer() => {
                self.words(SaturatingSum::<T>::new(to), result, Cast::cast)
            }
            (Product, true) if self.dtype.is_signed_integer() => {
                self.words(SaturatingProduct::<T>::new(to), result, Cast::cast)
            }
            (Sum, true) => {
                self.words(Unsigned::<_, T>::new(SaturatingSum::<u64>::new(to)), result, |sum| sum)
            }
            (Product, true) => {
                self.words(Unsigned::<_, T>::new(SaturatingProduct::<u64>::new(to)), result, |all| all)
            }
            _ => self.in_double::<T>(result),
        }
    }

    /// Sums, products and means in f64, and counts.
    fn in_double<T: Pooled + Key + Number<f64>>(&self, result: Words) -> Result<()> {
        use DimReduction::*;
        let (count, is_double) = (self.task.shape.count as f64, self.to == Dtype::F64);
        let word = move |mean: f64| if is_double { mean.to_bits() } else { word_of_f32(mean as f32) };
        let omits = self.task.omits && self.dtype.is_float();
        match self.task.op {
            Sum => self.words(fold::Sum::<T, f64>::new(omits), result, f64::to_bits),
            Product => self.words(fold::Product::<T, f64>::new(omits), result, f64::to_bits),
            Mean if omits => self.words(fold::Mean::<T>::new(), result, move |(sum, count): (f64, u64)| {
                word(sum / count as f64)
            }),
            Mean => self.words(fold::Sum::<T, f64>::new(false), result, move |sum| word(sum / count)),
            _ => self.counted::<T>(result),
        }
    }

    fn counted<T: Pooled + Key>(&self, result: Words) -> Result<()> {
        let (all, op) = (self.task.shape.count as u64, self.task.op);
        let omits = self.task.omits && op != DimReduction::All; // to which a NaN that is left out is as one that is not 0
        let fold = Keyed::<_, T>::new(fold::Count::<T::Bits>::new(T::DTYPE, omits));
        match op {
            DimReduction::Any => self.words(fold, result, |found| u64::from(found > 0)),
            DimReduction::All => self.words(fold, result, move |found| u64::from(found == all)),
            _ if self.to == Dtype::F64 => self.words(fold, result, |found| (found as f64).to_bits()),
            _ => self.words(fold, result, |found| found),
        }
    }

    fn extremum<T: Pooled + Key, const FLOAT: bool>(&self, results: Results) -> Result<()> {
        let (is_minimum, omits) = (self.task.op == DimReduction::Min, self.task.omits);
        let Results { result, positions, .. } = results;
        match positions {
            None => {
                let fold = Extremum::<T::Bits, FLOAT>::new(T::DTYPE, is_minimum, omits);
                self.words(Keyed::<_, T>::new(fold), result, move |rank| fold.element(rank).word())
            }
            Some(positions) => {
                let fold = FirstElement::<T::Bits, FLOAT>::new(T::DTYPE, is_minimum, omits);
                let target = Places { result, positions };
                reduce(self.how, &self.map, Keyed::<_, T>::new(fold), self.task.shape, target)
            }
        }
    }
}

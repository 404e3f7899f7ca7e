//! The fold of each reduction of an expression, by the type of its lanes.
#![forbid(unsafe_code)]

use super::target::{Finished, Places};
use super::{Execution, reduce};
use crate::cpu::fold::{self, FirstElement, Fold, Key, Keyed, Number};
use crate::cpu::map::folds::{Folding, WithFold, word_of_f32};
use crate::cpu::map::pool::Pooled;
use crate::cpu::map::words::Words;
use crate::cpu::map::{Elements, Map};
use crate::error::Result;
use crate::model::dtype::Dtype;
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
    let may_be_bytes = match task.op {
        Any | All | Count => true,
        Sum => !task.saturates && !to.is_float(),
        _ => false,
    };
    let is_small = matches!(dtype, Dtype::U8 | Dtype::Bool);
    let program = program.in_bytes.as_deref().filter(|_| may_be_bytes && is_small).unwrap_or(program);
    let call = Call { how, map: Map::new(program, layout, inputs), task, dtype, to };
    let Results { result, positions, .. } = results;
    macro_rules! of_lanes {
        ($of:ident) => {
            match program.ty {
                Type::I32 => call.$of::<i32>(result),
                Type::I64 => call.$of::<i64>(result),
                Type::U64 => call.$of::<u64>(result),
                Type::F32 => call.$of::<f32>(result),
                Type::F64 => call.$of::<f64>(result),
                Type::U8 => call.counted::<u8>(result),
            }
        };
    }
    match (task.op, positions) {
        (Any | All | Count, _) => of_lanes!(counted),
        (Mean, _) => of_lanes!(mean),
        (_, Some(positions)) => {
            let places = Places { result, positions };
            match program.ty {
                Type::I64 => call.first::<i64, false>(places),
                Type::U64 => call.first::<u64, false>(places),
                Type::F32 => call.first::<f32, true>(places),
                Type::F64 => call.first::<f64, true>(places),
                Type::I32 | Type::U8 => call.first::<i32, false>(places),
            }
        }
        (_, None) => {
            let &ReduceTask { op, omits, saturates, .. } = task;
            Folding { ty: program.ty, dtype, to, op, omits, saturates }.dispatch(Reduction { call, result })
        }
    }
}

/// A reduction to one array.
struct Reduction<'a> {
    call: Call<'a>,
    result: Words<'a>,
}

impl WithFold for Reduction<'_> {
    fn with<F: Fold<In: Pooled>>(self, fold: F, word: impl Fn(F::Acc) -> u64 + Copy + Send) -> Result<()> {
        self.call.words(fold, self.result, word)
    }
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

    /// Means, in f64.
    fn mean<T: Pooled + Number<f64>>(&self, result: Words) -> Result<()> {
        let (count, is_double) = (self.task.shape.count as f64, self.to == Dtype::F64);
        let word = move |mean: f64| if is_double { mean.to_bits() } else { word_of_f32(mean as f32) };
        match self.task.omits && self.dtype.is_float() {
            true => self.words(fold::Mean::<T>::new(), result, move |(sum, count): (f64, u64)| {
                word(sum / count as f64)
            }),
            false => self.words(fold::Sum::<T, f64>::new(false), result, move |sum| word(sum / count)),
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

    /// Extrema with their positions.
    fn first<T: Pooled + Key, const FLOAT: bool>(&self, target: Places) -> Result<()> {
        let is_minimum = self.task.op == DimReduction::Min;
        let fold = FirstElement::<T::Bits, FLOAT>::new(T::DTYPE, is_minimum, self.task.omits);
        reduce(self.how, &self.map, Keyed::<_, T>::new(fold), self.task.shape, target)
    }
}

//! Prefixes of an expression, along a dimension or of all its elements.
//!
//! Source: the element-wise expression of [`super::map`] as the data of [`super::scan_dim`], which is not stored.
#![forbid(unsafe_code)]

use std::sync::Arc;

use super::cost;
use super::map::{elements_of, planes, views_of, with_host_literals};
use super::map_reduce::{dim_shape, words_of};
use super::prelude::*;
use super::reduce_dim::{numbers, saturates};
use super::scan::ScanKind;
use super::scan_dim::check_op;
use crate::array::Memory;
use crate::cpu::map::Elements;
use crate::memory::Place;
use crate::model::expression::program::Program;
use crate::model::expression::{Layout, Source};
use crate::model::reduction::{DimReduction, DimShape, NanFlag, ScanTask as Task};

/// Options of [`map_scan`].
#[derive(Clone, Debug)]
pub struct Options {
    pub variant: Variant,
    /// Of the expression.
    pub dtype: Dtype,
    /// Extents, the first one innermost, and the strides of each input; None: they are dense.
    pub shape: Vec<usize>,
    pub strides: Option<Vec<i64>>,
    /// The one that is scanned, from 0; None: all elements, in their order.
    pub dimension: Option<usize>,
    pub op: DimReduction,
    pub kind: ScanKind,
    pub accumulator_dtype: Dtype,
    pub nan: NanFlag,
    pub is_reversed: bool,
}

/// A call that was checked.
struct Call<'a> {
    variant: Variant,
    program: &'a Arc<Program>,
    task: Task,
    /// Of the elements, the first one innermost, with dimensions joined.
    layout: &'a Layout,
    /// Of all dimensions, with strides that are 0 along what is scanned.
    reduced: &'a Layout,
}

/// result\[i, j, k\] ← the prefix of the expression's elements \[i, 0 … count − 1, k\] at j, as [`mod@super::scan_dim`] has it; the elements
/// have options.dtype; result (inner, count, outer), dense, the first index fastest; inputs as in [`super::map`]; all anywhere, the result
/// apart from the inputs.
///
/// Sums and products of floats are within γ_n, all others the same on every backend where the elements are. Cost: reads each input and
/// writes the result once; computes twice where there are few columns and many rows, or scans the result where it is. Errors: those of both.
pub fn map_scan(
    ctx: &mut Context,
    options: &Options,
    source: Source,
    inputs: &[&Input],
    result: Output,
) -> Result<()> {
    ctx.begin();
    let (dtype, op) = (numbers(options.dtype)?, options.op);
    check_op(op)?;
    let to = op.result_dtype(dtype, options.accumulator_dtype)?;
    let saturates = saturates(op, source.rules, dtype, to)?;
    let shape = dim_shape(&options.shape, options.dimension)?;
    let strides = options.strides.as_deref();
    let layout = Layout::new(&options.shape, inputs.len(), strides, None)?;
    let reduced = Layout::reduced(&options.shape, inputs.len(), strides, options.dimension)?;
    let program = ctx.programs().get(&source, dtype)?;
    let views = views_of(&source, &layout, inputs)?;
    let result = result.view_of(to, &[shape.elements()])?;
    let memories: Vec<&dyn Memory> = views.iter().map(|view| view as _).collect();
    let arrays = all_apart(&[&result], &memories)?;
    let task = Task {
        op,
        shape,
        is_inclusive: options.kind == ScanKind::Inclusive,
        is_reversed: options.is_reversed,
        omits: op.omits(options.nan),
        saturates,
    };
    let call = Call { variant: options.variant, program: &program, task, layout: &layout, reduced: &reduced };
    let work = match saturates {
        true => cost::MAP_SCAN.alone(
            options.variant,
            arrays,
            arrays.bytes.saturating_mul(program.steps_of_work()),
        ),
        false => cost::MAP_SCAN.of_program(options.variant, arrays, 0, &program),
    };
    ctx.run_auto(work, |engine| call.run(engine, &views, result))
}

impl Call<'_> {
    fn run(&self, engine: &Engine, views: &[DynView], mut result: DynViewMut) -> Result<()> {
        match engine.select(self.variant)? {
            _ if result.is_empty() => Ok(()),
            Engine::Cpu(workers) => self.on_cpu((workers, self.variant), views, &mut result),
            Engine::Cuda(device) if self.is_faster_in_place(&result) => {
                let (program, dtype) =
                    (with_host_literals(self.program, self.layout, views)?, result.dtype());
                gpu::map::map(device, &program, self.layout, views, result.reborrow())?;
                gpu::scan_dim::scan_dim(device, &self.task, dtype, None, result)
            }
            Engine::Cuda(device) => {
                let program = with_host_literals(self.program, self.reduced, views)?;
                gpu::map_scan::map_scan(device, &program, self.reduced, views, &self.task, result)
            }
        }
    }

    /// Whether elements that have the dtype of the result are written there and then scanned: long rows of which there are few would be
    /// computed twice, and rows that are no multiples of a vector are loaded element by element (benches/dims.c, H100).
    fn is_faster_in_place(&self, result: &DynViewMut) -> bool {
        const MANY: usize = 1 << 16;
        const LONG_ROW: usize = 1 << 12;
        const FEW_ROWS: usize = 1 << 11;
        let DimShape { inner, count, outer } = self.task.shape;
        let (fast, length) =
            (if inner == 1 { count } else { inner }, if self.program.is_wide { 2 } else { 4 });
        let is_few_rows = inner == 1 && outer < FEW_ROWS && count >= LONG_ROW;
        let can_be = result.dtype() == self.program.dtype && result.place() != Place::Host;
        can_be && result.len() >= MANY && (is_few_rows || fast % length != 0)
    }

    fn on_cpu(&self, how: Execution, views: &[DynView], result: &mut DynViewMut) -> Result<()> {
        let (views, _, layout) = planes(self.program, views, &vec![false; views.len()], self.layout);
        let inputs: Vec<Elements> = views.iter().map(elements_of).collect::<Result<_>>()?;
        let to = result.dtype();
        cpu::map_scan::map_scan(how, self.program, &layout, &inputs, &self.task, to, words_of(result)?)
    }
}

//! Reductions of an expression, along a dimension or of all.
//!
//! Source: the element-wise expression of [`super::map`] as the data of [`super::reduce_dim`], which is not stored; numexpr has such sums
//! (D. M. Cooke, F. Alted, 2009).
#![forbid(unsafe_code)]

use std::sync::Arc;

use super::cost;
use super::dtypes::index_dtype_for;
use super::map::{elements_of, planes, views_of, with_host_literals};
use super::prelude::*;
use super::reduce_dim::{numbers, saturates};
use crate::array::Memory;
use crate::cpu::map::Elements;
use crate::cpu::map::words::Words;
use crate::cpu::map_reduce::Results;
use crate::error::Error;
use crate::model::expression::program::Program;
use crate::model::expression::{Layout, Source};
use crate::model::numbered::NumberedEnum;
use crate::model::reduction::{DimReduction, DimShape, NanFlag, ReduceTask as Task};

/// Options of [`map_reduce`].
#[derive(Clone, Debug)]
pub struct Options {
    pub variant: Variant,
    /// Of the expression.
    pub dtype: Dtype,
    /// Extents, the first one innermost, and the strides of each input; None: they are dense.
    pub shape: Vec<usize>,
    pub strides: Option<Vec<i64>>,
    /// The one that is reduced, from 0; None: all.
    pub dimension: Option<usize>,
    pub op: DimReduction,
    pub accumulator_dtype: Dtype,
    pub nan: NanFlag,
    pub index_dtype: Dtype,
}

/// The elements (inner, count, outer), of which `dimension` is the count, or with None all.
pub(super) fn dim_shape(shape: &[usize], dimension: Option<usize>) -> Result<DimShape> {
    let product = |extents: &[usize]| {
        let product = extents.iter().try_fold(1usize, |product, &extent| product.checked_mul(extent));
        product.filter(|&product| isize::try_from(product).is_ok()).ok_or_else(|| {
            Error::invalid(format!("options.shape has {shape:?}; as many elements have no address"))
        })
    };
    Ok(match dimension {
        None => DimShape { inner: 1, count: product(shape)?, outer: 1 },
        Some(dimension) => DimShape {
            inner: product(&shape[..dimension])?,
            count: shape[dimension],
            outer: product(&shape[dimension + 1..])?,
        },
    })
}

/// A call that was checked.
struct Call<'a> {
    variant: Variant,
    program: &'a Arc<Program>,
    task: Task,
    /// Of the elements, the first one innermost, with dimensions joined.
    layout: &'a Layout,
    /// Of all dimensions, with the strides of the result.
    reduced: &'a Layout,
}

/// result\[i, k\] ← the reduction of the expression's elements \[i, 0 … count − 1, k\], which have options.dtype; result and positions
/// (inner, outer), dense, the first index fastest; inputs as in [`super::map`]; all anywhere, apart from one another.
///
/// The elements are those of map, and results as of [`mod@super::reduce_dim`]: sums of floats |error| ≤ γ_n Σ|e|, all others the same on every
/// backend where the elements are. Cost: reads each input once. Errors: those of both.
pub fn map_reduce(
    ctx: &mut Context,
    options: &Options,
    source: Source,
    inputs: &[&Input],
    result: Output,
    positions: Option<Output>,
) -> Result<()> {
    ctx.begin();
    let (dtype, op) = (numbers(options.dtype)?, options.op);
    let to = op.result_dtype(dtype, options.accumulator_dtype)?;
    let saturates = saturates(op, source.rules, dtype, to)?;
    let shape = dim_shape(&options.shape, options.dimension)?;
    let index = index_dtype(options, shape.count, positions.is_some())?;
    let strides = options.strides.as_deref();
    let layout = Layout::new(&options.shape, inputs.len(), strides, None)?;
    let reduced = Layout::reduced(&options.shape, inputs.len(), strides, options.dimension)?;
    let program = ctx.programs().get(&source, dtype)?;
    let views = views_of(&source, &layout, inputs)?;
    let results = [shape.inner, shape.outer];
    let result = result.view_of(to, &results)?;
    let positions = positions.map(|positions| positions.view_of(index, &results)).transpose()?;
    let memories: Vec<&dyn Memory> = views.iter().map(|view| view as _).collect();
    let arrays = all_apart(&[&result, &positions], &memories)?;
    let task = Task { op, shape, omits: op.omits(options.nan), saturates };
    let call = Call { variant: options.variant, program: &program, task, layout: &layout, reduced: &reduced };
    let bytes = layout.count().saturating_mul(dtype.size());
    let work = match saturates {
        true => cost::REDUCE_DIM_SATURATING.alone(
            options.variant,
            arrays,
            bytes.saturating_mul(program.steps_of_work()),
        ),
        false => cost::MAP_REDUCE.of_program(options.variant, arrays, bytes, &program),
    };
    ctx.run_auto(work, |engine| call.run(engine, &views, result, positions))
}

/// The dtype of positions, NONE without any.
fn index_dtype(options: &Options, count: usize, has_positions: bool) -> Result<Dtype> {
    match has_positions {
        false => Ok(Dtype::None),
        true if !matches!(options.op, DimReduction::Min | DimReduction::Max) => Err(Error::invalid(format!(
            "options.positions is set and options.op is {}; positions are those of MIN and MAX",
            options.op.c_name()
        ))),
        true => index_dtype_for(options.index_dtype, "the extent that is reduced", count),
    }
}

impl Call<'_> {
    fn run(
        &self,
        engine: &Engine,
        views: &[DynView],
        result: DynViewMut,
        positions: Option<DynViewMut>,
    ) -> Result<()> {
        let (op, to) = (self.task.op, result.dtype());
        match engine.select(self.variant)? {
            _ if result.is_empty() => Ok(()),
            _ if self.task.shape.count == 0 => {
                if let Some(positions) = positions {
                    super::fill::fill_bits(engine, positions, 0)?;
                }
                super::fill::fill_bits(engine, result, op.of_none(to))
            }
            Engine::Cpu(workers) => self.on_cpu((workers, self.variant), views, result, positions),
            Engine::Cuda(device) => {
                let program = with_host_literals(self.program, self.reduced, views)?;
                gpu::map_reduce::map_reduce(
                    device,
                    &program,
                    self.reduced,
                    views,
                    &self.task,
                    result,
                    positions,
                )
            }
        }
    }

    fn on_cpu(
        &self,
        how: Execution,
        views: &[DynView],
        mut result: DynViewMut,
        mut positions: Option<DynViewMut>,
    ) -> Result<()> {
        let (views, _, layout) = planes(self.program, views, &vec![false; views.len()], self.layout);
        let inputs: Vec<Elements> = views.iter().map(elements_of).collect::<Result<_>>()?;
        let results = Results {
            dtype: result.dtype(),
            result: words_of(&mut result)?,
            positions: positions.as_mut().map(words_of).transpose()?,
        };
        cpu::map_reduce::map_reduce(how, self.program, &layout, &inputs, &self.task, results)
    }
}

/// An array on the host by its bits.
pub(super) fn words_of<'v>(array: &'v mut DynViewMut) -> Result<Words<'v>> {
    Ok(match array.dtype().size() {
        1 => Words::U8(array.on_host()?),
        2 => Words::U16(array.on_host()?),
        4 => Words::U32(array.on_host()?),
        _ => Words::U64(array.on_host()?),
    })
}

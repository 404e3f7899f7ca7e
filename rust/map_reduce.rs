//! Reductions of an expression.

use gpumex_core::array::{Input, Output};
use gpumex_core::model::expression::Source;
use gpumex_core::ops;

use super::array::output;
use super::{ArrayMut, Context, DimReduction, Dtype, Element, Index, MapInput, NanFlag, Rules, Variant};
use crate::{Error, Result};

/// Options of [`Context::map_reduce`].
#[derive(Clone, Copy, Debug, Default)]
pub struct MapReduceOptions<'a> {
    variant: Variant,
    rules: Rules,
    dtype: Dtype,
    op: DimReduction,
    dimension: Option<usize>,
    nan: NanFlag,
    names: Option<&'a str>,
}

impl<'a> MapReduceOptions<'a> {
    /// The default of each option: the sum of all elements by the rules of C, of inputs a, b, c and so on.
    pub fn new() -> MapReduceOptions<'a> {
        MapReduceOptions::default()
    }

    /// How it is computed.
    #[must_use]
    pub fn variant(self, variant: Variant) -> MapReduceOptions<'a> {
        MapReduceOptions { variant, ..self }
    }

    /// How operations get their types, and whether sums and products of integers wrap, or saturate after each element.
    #[must_use]
    pub fn rules(self, rules: Rules) -> MapReduceOptions<'a> {
        MapReduceOptions { rules, ..self }
    }

    /// The dtype of the expression's elements; else the one that the rules give it.
    #[must_use]
    pub fn dtype(self, dtype: Dtype) -> MapReduceOptions<'a> {
        MapReduceOptions { dtype, ..self }
    }

    /// What is computed; else the sum.
    #[must_use]
    pub fn op(self, op: DimReduction) -> MapReduceOptions<'a> {
        MapReduceOptions { op, ..self }
    }

    /// The dimension that is reduced, from 0; else all are.
    #[must_use]
    pub fn dimension(self, dimension: usize) -> MapReduceOptions<'a> {
        MapReduceOptions { dimension: Some(dimension), ..self }
    }

    /// What NaN is; else as the reduction takes it.
    #[must_use]
    pub fn nan(self, nan: NanFlag) -> MapReduceOptions<'a> {
        MapReduceOptions { nan, ..self }
    }

    /// Names of the inputs, between blanks or commas.
    #[must_use]
    pub fn names(self, names: &'a str) -> MapReduceOptions<'a> {
        MapReduceOptions { names: Some(names), ..self }
    }

    fn results(&self, shape: &[usize]) -> usize {
        match self.dimension {
            None => 1,
            Some(dimension) => (0..shape.len()).filter(|&at| at != dimension).map(|at| shape[at]).product(),
        }
    }
}

impl Context {
    /// The elements of an expression, which has these extents, the first one the fastest, reduced: all of them to one result, or along a
    /// dimension. The inputs are a, b, c and so on; each is dense, or has one element. The type of the results is the one that is
    /// computed in; `u8` receives those of ANY and ALL. Nothing of the size of the expression is stored.
    ///
    /// ```
    /// use gpumex::{Context, DimReduction, MapReduceOptions};
    ///
    /// let (ctx, x, y) = (Context::new()?, [1.0f32, 2.0, 3.0, 4.0], [2.0f32]);
    /// let inputs = [(&x).into(), (&y).into()];
    /// let mut sum = [0.0f32];
    /// ctx.map_reduce("(a - b) ^ 2", &inputs, &[4], &mut sum, &MapReduceOptions::new())?;
    /// assert_eq!(sum, [6.0]);
    /// let mut counts = [0u64; 2];
    /// let options = MapReduceOptions::new().op(DimReduction::Count).dimension(1);
    /// ctx.map_reduce("a > b", &inputs, &[2, 2], &mut counts, &options)?;
    /// assert_eq!(counts, [1, 1]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn map_reduce<R: Element>(
        &self,
        expression: &str,
        inputs: &[MapInput],
        shape: &[usize],
        result: &mut (impl ArrayMut<Elem = R> + ?Sized),
        options: &MapReduceOptions,
    ) -> Result<()> {
        self.map_reduce_into::<R>(expression, inputs, shape, result, (Dtype::None, None), options)
    }

    /// The minimum or maximum of an expression, and its first position.
    ///
    /// ```
    /// use gpumex::{Context, DimReduction, MapReduceOptions};
    ///
    /// let (ctx, x) = (Context::new()?, [3, -7, 5, 6, -1, 2]);
    /// let (mut largest, mut positions) = ([0; 2], [0u32; 2]);
    /// let options = MapReduceOptions::new().op(DimReduction::Max).dimension(0);
    /// ctx.map_reduce_positions("abs (a)", &[(&x).into()], &[3, 2], &mut largest, &mut positions, &options)?;
    /// assert_eq!((largest, positions), ([7, 6], [1, 0]));
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn map_reduce_positions<R: Element, I: Index>(
        &self,
        expression: &str,
        inputs: &[MapInput],
        shape: &[usize],
        result: &mut (impl ArrayMut<Elem = R> + ?Sized),
        positions: &mut (impl ArrayMut<Elem = I> + ?Sized),
        options: &MapReduceOptions,
    ) -> Result<()> {
        has_room("map_reduce", "positions", positions.len(), options.results(shape))?;
        let positions = (I::DTYPE, Some(output("options.positions", positions)));
        self.map_reduce_into::<R>(expression, inputs, shape, result, positions, options)
    }

    fn map_reduce_into<R: Element>(
        &self,
        expression: &str,
        inputs: &[MapInput],
        shape: &[usize],
        result: &mut (impl ArrayMut<Elem = R> + ?Sized),
        (index_dtype, positions): (Dtype, Option<Output>),
        options: &MapReduceOptions,
    ) -> Result<()> {
        has_dimension("map_reduce", options.dimension, shape)?;
        has_room("map_reduce", "result", result.len(), options.results(shape))?;
        let source = source(expression, options.names, inputs, options.rules);
        self.call("map_reduce", |ctx| {
            let is_truth = matches!(options.op, DimReduction::Any | DimReduction::All);
            let call = ops::map_reduce::Options {
                variant: options.variant,
                dtype: if options.dtype == Dtype::None { source.natural_dtype()? } else { options.dtype },
                shape: shape.to_vec(),
                strides: Some(strides(inputs, shape)?),
                dimension: options.dimension,
                op: options.op,
                accumulator_dtype: if is_truth && R::DTYPE == Dtype::U8 { Dtype::Bool } else { R::DTYPE },
                nan: options.nan,
                index_dtype,
            };
            let inputs: Vec<&Input> = inputs.iter().map(|input| &input.array).collect();
            ops::map_reduce::map_reduce(ctx, &call, source, &inputs, output("result", result), positions)
        })
    }
}

pub(super) fn source(expression: &str, names: Option<&str>, inputs: &[MapInput], rules: Rules) -> Source {
    let (text, names) = (expression.to_string(), names.map(str::to_string));
    let dtypes = inputs.iter().map(|input| input.dtype).collect();
    Source { text, names, dtypes, rules, has_neighbours: false }
}

/// The number of elements of an expression with these extents; None: more than can be counted.
pub(super) fn elements(shape: &[usize]) -> Option<usize> {
    shape.iter().try_fold(1usize, |product, &extent| product.checked_mul(extent))
}

/// Of each input, one after the other.
pub(super) fn strides(inputs: &[MapInput], shape: &[usize]) -> Result<Vec<i64>> {
    let strides: Vec<_> = inputs.iter().map(|input| strides_of(input.len, shape)).collect::<Result<_>>()?;
    Ok(strides.concat())
}

/// Of a dense array, or of one element, which is broadcast.
fn strides_of(len: usize, shape: &[usize]) -> Result<Vec<i64>> {
    match len {
        1 => Ok(vec![0; shape.len()]),
        len if Some(len) == elements(shape) => {
            let mut next = 1;
            let stride = |&extent: &usize| {
                let stride = next;
                next *= extent as i64; // of an array that is there
                stride
            };
            Ok(shape.iter().map(stride).collect())
        }
        _ => Err(Error::invalid(format!("an input has {len} elements, the extents are {shape:?}"))),
    }
}

/// A dimension is one of the extents.
pub(super) fn has_dimension(operation: &str, dimension: Option<usize>, shape: &[usize]) -> Result<()> {
    match dimension {
        Some(dimension) if dimension >= shape.len() => {
            Err(Error::invalid(format!("{operation}: dimension is {dimension} of {}", shape.len())))
        }
        _ => Ok(()),
    }
}

pub(super) fn has_room(operation: &str, name: &str, len: usize, results: usize) -> Result<()> {
    match results <= len {
        true => Ok(()),
        false => Err(Error::invalid(format!(
            "{operation}: {name} has {len} elements, there are {results} results"
        ))),
    }
}

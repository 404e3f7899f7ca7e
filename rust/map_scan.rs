//! Prefix scans of an expression.

use gpumex_core::array::Input;
use gpumex_core::ops;
use gpumex_core::ops::scan::ScanKind;

use super::array::output;
use super::map_reduce::{elements, has_dimension, has_room, source, strides};
use super::{ArrayMut, Context, DimReduction, Dtype, Element, MapInput, NanFlag, Rules, Variant};
use crate::Result;

/// Options of [`Context::map_scan`].
#[derive(Clone, Copy, Debug, Default)]
pub struct MapScanOptions<'a> {
    variant: Variant,
    rules: Rules,
    dtype: Dtype,
    op: DimReduction,
    dimension: Option<usize>,
    kind: ScanKind,
    nan: NanFlag,
    reverse: bool,
    names: Option<&'a str>,
}

impl<'a> MapScanOptions<'a> {
    /// The default of each option: exclusive sums of all elements by the rules of C, of inputs a, b, c and so on.
    pub fn new() -> MapScanOptions<'a> {
        MapScanOptions::default()
    }

    /// How it is computed.
    #[must_use]
    pub fn variant(self, variant: Variant) -> MapScanOptions<'a> {
        MapScanOptions { variant, ..self }
    }

    /// How operations get their types, and whether sums and products of integers wrap, or saturate after each element.
    #[must_use]
    pub fn rules(self, rules: Rules) -> MapScanOptions<'a> {
        MapScanOptions { rules, ..self }
    }

    /// The dtype of the expression's elements; else the one that the rules give it.
    #[must_use]
    pub fn dtype(self, dtype: Dtype) -> MapScanOptions<'a> {
        MapScanOptions { dtype, ..self }
    }

    /// The sum, the product, the minimum or the maximum; else the sum.
    #[must_use]
    pub fn op(self, op: DimReduction) -> MapScanOptions<'a> {
        MapScanOptions { op, ..self }
    }

    /// The dimension that is scanned, from 0; else all elements are, in the order in which the first dimension is the fastest.
    #[must_use]
    pub fn dimension(self, dimension: usize) -> MapScanOptions<'a> {
        MapScanOptions { dimension: Some(dimension), ..self }
    }

    /// Whether an element is in its own result; else it is not.
    #[must_use]
    pub fn kind(self, kind: ScanKind) -> MapScanOptions<'a> {
        MapScanOptions { kind, ..self }
    }

    /// What NaN is; else as the reduction takes it.
    #[must_use]
    pub fn nan(self, nan: NanFlag) -> MapScanOptions<'a> {
        MapScanOptions { nan, ..self }
    }

    /// From the last element of the dimension to the first.
    #[must_use]
    pub fn reverse(self, reverse: bool) -> MapScanOptions<'a> {
        MapScanOptions { reverse, ..self }
    }

    /// Names of the inputs, between blanks or commas.
    #[must_use]
    pub fn names(self, names: &'a str) -> MapScanOptions<'a> {
        MapScanOptions { names: Some(names), ..self }
    }
}

impl Context {
    /// The prefixes of an expression, which has these extents, the first one the fastest: of all its elements, or along a dimension. The
    /// inputs are a, b, c and so on; each is dense, or has one element. result has as many elements as the expression, and the type that
    /// is computed in; `u8` receives minima and maxima of BOOL. The elements of the expression are not stored.
    ///
    /// ```
    /// use gpumex::{Context, MapScanOptions, ScanKind};
    ///
    /// let (ctx, x, y) = (Context::new()?, [1.0f32, 4.0, 3.0, 2.0], [2.0f32]);
    /// let inputs = [(&x).into(), (&y).into()];
    /// let mut sums = [0.0f32; 4];
    /// let options = MapScanOptions::new().kind(ScanKind::Inclusive);
    /// ctx.map_scan("a * b", &inputs, &[4], &mut sums, &options)?;
    /// assert_eq!(sums, [2.0, 10.0, 16.0, 20.0]);
    /// let mut before = [0u64; 4]; // how many elements before this one are greater than 2
    /// ctx.map_scan("a > b", &inputs, &[4], &mut before, &MapScanOptions::new())?;
    /// assert_eq!(before, [0, 0, 1, 2]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn map_scan<R: Element>(
        &self,
        expression: &str,
        inputs: &[MapInput],
        shape: &[usize],
        result: &mut (impl ArrayMut<Elem = R> + ?Sized),
        options: &MapScanOptions,
    ) -> Result<()> {
        has_dimension("map_scan", options.dimension, shape)?;
        has_room("map_scan", "result", result.len(), elements(shape).unwrap_or(usize::MAX))?;
        let source = source(expression, options.names, inputs, options.rules);
        self.call("map_scan", |ctx| {
            let dtype = if options.dtype == Dtype::None { source.natural_dtype()? } else { options.dtype };
            let is_truth =
                dtype == Dtype::Bool && matches!(options.op, DimReduction::Min | DimReduction::Max);
            let call = ops::map_scan::Options {
                variant: options.variant,
                dtype,
                shape: shape.to_vec(),
                strides: Some(strides(inputs, shape)?),
                dimension: options.dimension,
                op: options.op,
                kind: options.kind,
                accumulator_dtype: if is_truth && R::DTYPE == Dtype::U8 { Dtype::Bool } else { R::DTYPE },
                nan: options.nan,
                is_reversed: options.reverse,
            };
            let inputs: Vec<&Input> = inputs.iter().map(|input| &input.array).collect();
            ops::map_scan::map_scan(ctx, &call, source, &inputs, output("result", result))
        })
    }
}

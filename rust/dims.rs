//! Reductions and prefix scans along a dimension.

use gpumex_core::array::Output;
use gpumex_core::ops;
use gpumex_core::ops::scan::ScanKind;

use super::array::{in_place, input, output};
use super::options::options;
use super::{Array, ArrayMut, Context, DimReduction, Dtype, Element, Index, NanFlag, Rules, Variant};
use crate::{Error, Result};

options! {
    /// Options of [`Context::reduce_dim`].
    ReduceDimOptions {
        /// How it is computed.
        variant: Variant,
        /// What is computed; else the sum.
        op: DimReduction,
        /// Whether sums and products of integers wrap, or saturate after each element.
        rules: Rules,
        /// What NaN is; else as the reduction takes it.
        nan: NanFlag,
    }
}

options! {
    /// Options of [`Context::scan_dim`].
    ScanDimOptions {
        /// How it is computed.
        variant: Variant,
        /// The sum, the product, the minimum or the maximum; else the sum.
        op: DimReduction,
        /// Whether an element is in its own result; else it is not.
        kind: ScanKind,
        /// Whether sums and products of integers wrap, or saturate after each element.
        rules: Rules,
        /// What NaN is; else as the reduction takes it.
        nan: NanFlag,
        /// From the last element of the dimension to the first.
        reverse: bool,
    }
}

impl Context {
    /// Reduction along the middle dimension of an array (inner, count, outer), the first index fastest. The type of the results is the
    /// one that is computed in; `u8` receives those of ANY and ALL.
    ///
    /// ```
    /// use gpumex::{Context, DimReduction, ReduceDimOptions};
    ///
    /// let (ctx, matrix) = (Context::new()?, [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0]);
    /// let mut sums = [0.0f32; 2];
    /// ctx.reduce_dim(&matrix, [2, 3, 1], &mut sums, &ReduceDimOptions::new())?;
    /// assert_eq!(sums, [9.0, 12.0]);
    /// let mut maxima = [0.0f32; 3];
    /// ctx.reduce_dim(&matrix, [1, 2, 3], &mut maxima, &ReduceDimOptions::new().op(DimReduction::Max))?;
    /// assert_eq!(maxima, [2.0, 4.0, 6.0]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn reduce_dim<T: Element, R: Element>(
        &self,
        data: &(impl Array<Elem = T> + ?Sized),
        shape: [usize; 3],
        result: &mut (impl ArrayMut<Elem = R> + ?Sized),
        options: &ReduceDimOptions,
    ) -> Result<()> {
        self.reduce_dim_into::<T, R>(data, shape, result, (Dtype::None, None), options)
    }

    /// The minimum or maximum along a dimension, and its first position.
    ///
    /// ```
    /// use gpumex::{Context, DimReduction, ReduceDimOptions};
    ///
    /// let ctx = Context::new()?;
    /// let (mut smallest, mut positions) = ([0; 2], [0u32; 2]);
    /// let options = ReduceDimOptions::new().op(DimReduction::Min);
    /// ctx.reduce_dim_positions(&[5, 3, 3, 7, 1, 2], [1, 3, 2], &mut smallest, &mut positions, &options)?;
    /// assert_eq!((smallest, positions), ([3, 1], [1, 1]));
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn reduce_dim_positions<T: Element, I: Index>(
        &self,
        data: &(impl Array<Elem = T> + ?Sized),
        shape: [usize; 3],
        result: &mut (impl ArrayMut<Elem = T> + ?Sized),
        positions: &mut (impl ArrayMut<Elem = I> + ?Sized),
        options: &ReduceDimOptions,
    ) -> Result<()> {
        has_room("reduce_dim", "positions", positions.len(), [shape[0], shape[2]])?;
        let positions = (I::DTYPE, Some(output("options.positions", positions)));
        self.reduce_dim_into::<T, T>(data, shape, result, positions, options)
    }

    fn reduce_dim_into<T: Element, R: Element>(
        &self,
        data: &(impl Array<Elem = T> + ?Sized),
        shape: [usize; 3],
        result: &mut (impl ArrayMut<Elem = R> + ?Sized),
        (index_dtype, positions): (Dtype, Option<Output>),
        options: &ReduceDimOptions,
    ) -> Result<()> {
        has_room("reduce_dim", "data", data.len(), shape)?;
        has_room("reduce_dim", "result", result.len(), [shape[0], shape[2]])?;
        let is_truth = matches!(options.op, DimReduction::Any | DimReduction::All);
        let options = ops::reduce_dim::Options {
            variant: options.variant,
            dtype: T::DTYPE,
            op: options.op,
            accumulator_dtype: if is_truth && R::DTYPE == Dtype::U8 { Dtype::Bool } else { R::DTYPE },
            rules: options.rules,
            nan: options.nan,
            index_dtype,
        };
        let (result, [inner, count, outer]) = (output("result", result), shape);
        self.call("reduce_dim", |ctx| {
            let data = input("data", data);
            ops::reduce_dim::reduce_dim(ctx, &options, data, (inner, count, outer), result, positions)
        })
    }

    /// Prefix scan along the middle dimension of an array (inner, count, outer), the first index fastest. The type of the results is
    /// the one that is computed in.
    ///
    /// ```
    /// use gpumex::{Context, ScanDimOptions, ScanKind};
    ///
    /// let (ctx, mut sums) = (Context::new()?, [0; 6]);
    /// let options = ScanDimOptions::new().kind(ScanKind::Inclusive);
    /// ctx.scan_dim(&[1, 2, 3, 4, 5, 6], [2, 3, 1], &mut sums, &options)?;
    /// assert_eq!(sums, [1, 2, 4, 6, 9, 12]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn scan_dim<T: Element, R: Element>(
        &self,
        data: &(impl Array<Elem = T> + ?Sized),
        shape: [usize; 3],
        result: &mut (impl ArrayMut<Elem = R> + ?Sized),
        options: &ScanDimOptions,
    ) -> Result<()> {
        has_room("scan_dim", "data", data.len(), shape)?;
        has_room("scan_dim", "result", result.len(), shape)?;
        let (result, options) = (output("result", result), scan_options::<T, R>(options));
        self.call("scan_dim", |ctx| {
            ops::scan_dim::scan_dim(ctx, &options, input("data", data), shape.into(), result)
        })
    }

    /// As [`Context::scan_dim`], in place.
    ///
    /// ```
    /// let (ctx, mut counts) = (gpumex::Context::new()?, [2u32, 5, 3, 1]);
    /// ctx.scan_dim_in_place(&mut counts, [1, 2, 2], &Default::default())?;
    /// assert_eq!(counts, [0, 2, 0, 3]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn scan_dim_in_place<T: Element>(
        &self,
        data: &mut (impl ArrayMut<Elem = T> + ?Sized),
        shape: [usize; 3],
        options: &ScanDimOptions,
    ) -> Result<()> {
        has_room("scan_dim", "data", data.len(), shape)?;
        let options = scan_options::<T, T>(options);
        self.call("scan_dim", |ctx| {
            let (data, result) = in_place(["data", "result"], data);
            ops::scan_dim::scan_dim(ctx, &options, data, shape.into(), result)
        })
    }
}

fn scan_options<T: Element, R: Element>(options: &ScanDimOptions) -> ops::scan_dim::Options {
    ops::scan_dim::Options {
        variant: options.variant,
        dtype: T::DTYPE,
        op: options.op,
        kind: options.kind,
        accumulator_dtype: R::DTYPE,
        rules: options.rules,
        nan: options.nan,
        is_reversed: options.reverse,
    }
}

/// Refuses an array that is shorter than its extents say.
fn has_room<const RANK: usize>(operation: &str, name: &str, len: usize, shape: [usize; RANK]) -> Result<()> {
    let elements = shape.iter().try_fold(1usize, |product, &extent| product.checked_mul(extent));
    match elements {
        Some(elements) if elements <= len => Ok(()),
        _ => {
            Err(Error::invalid(format!("{operation}: {name} has {len} elements, its extents are {shape:?}")))
        }
    }
}

//! Windows that move over a matrix: filters and medians.

use gpumex_core::model::window::Windows;
use gpumex_core::ops;

use super::array::{input, output};
use super::{
    Array, ArrayMut, Boundary, Context, ConvolveKind, ConvolveShape, Element, StencilOrder, Variant,
};
use crate::{Error, Result};

/// Options of [`Context::convolve_with`].
#[derive(Clone, Copy, Debug, Default)]
pub struct ConvolveOptions {
    variant: Variant,
    boundary: Boundary,
    constant: f64,
    shape: ConvolveShape,
    kind: ConvolveKind,
    order: StencilOrder,
}

impl ConvolveOptions {
    /// The default of each option: a convolution of as many results as elements, clamped edges, row-major arrays.
    pub fn new() -> ConvolveOptions {
        ConvolveOptions::default()
    }

    /// How it is computed.
    #[must_use]
    pub fn variant(self, variant: Variant) -> ConvolveOptions {
        ConvolveOptions { variant, ..self }
    }

    /// What lies outside the matrix.
    #[must_use]
    pub fn boundary(self, boundary: Boundary) -> ConvolveOptions {
        ConvolveOptions { boundary, ..self }
    }

    /// A number that lies outside the matrix, rounded to its dtype.
    #[must_use]
    pub fn constant(self, constant: f64) -> ConvolveOptions {
        ConvolveOptions { boundary: Boundary::Constant, constant, ..self }
    }

    /// How many results there are.
    #[must_use]
    pub fn shape(self, shape: ConvolveShape) -> ConvolveOptions {
        ConvolveOptions { shape, ..self }
    }

    /// Whether the filter is turned.
    #[must_use]
    pub fn kind(self, kind: ConvolveKind) -> ConvolveOptions {
        ConvolveOptions { kind, ..self }
    }

    /// In which order matrix, filter and result are stored.
    #[must_use]
    pub fn order(self, order: StencilOrder) -> ConvolveOptions {
        ConvolveOptions { order, ..self }
    }
}

/// Options of [`Context::median_filter_with`].
#[derive(Clone, Copy, Debug, Default)]
pub struct MedianFilterOptions {
    variant: Variant,
    boundary: Boundary,
    constant: f64,
    order: StencilOrder,
}

impl MedianFilterOptions {
    /// The default of each option: clamped edges, row-major arrays.
    pub fn new() -> MedianFilterOptions {
        MedianFilterOptions::default()
    }

    /// How it is computed.
    #[must_use]
    pub fn variant(self, variant: Variant) -> MedianFilterOptions {
        MedianFilterOptions { variant, ..self }
    }

    /// What lies outside the matrix.
    #[must_use]
    pub fn boundary(self, boundary: Boundary) -> MedianFilterOptions {
        MedianFilterOptions { boundary, ..self }
    }

    /// A number that lies outside the matrix, rounded to its dtype.
    #[must_use]
    pub fn constant(self, constant: f64) -> MedianFilterOptions {
        MedianFilterOptions { boundary: Boundary::Constant, constant, ..self }
    }

    /// In which order matrix and result are stored.
    #[must_use]
    pub fn order(self, order: StencilOrder) -> MedianFilterOptions {
        MedianFilterOptions { order, ..self }
    }
}

impl Context {
    /// result\[y, x\] ← Σ filter\[i, j\]·data\[y − i + m, x − j + n\], of as many results as elements, with clamped edges: m and n are half
    /// of the filter's rows and columns. The filter has the type in which products are summed: f32, f64, of integers i32 and i64 as well.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// let (data, filter) = ([0.0f32, 0.0, 4.0, 0.0, 0.0], [1.0f32, 2.0, 1.0]);
    /// let mut result = [0.0f32; 5];
    /// ctx.convolve(&data, (1, 5), &filter, (1, 3), &mut result)?;
    /// assert_eq!(result, [0.0, 4.0, 8.0, 4.0, 0.0]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn convolve(
        &self,
        data: &(impl Array + ?Sized),
        size: (usize, usize),
        filter: &(impl Array + ?Sized),
        filter_size: (usize, usize),
        result: &mut (impl ArrayMut + ?Sized),
    ) -> Result<()> {
        self.convolve_with(data, size, filter, filter_size, result, &ConvolveOptions::new())
    }

    /// As [`Context::convolve`], with options.
    pub fn convolve_with<D: Array + ?Sized, F: Array + ?Sized, R: ArrayMut + ?Sized>(
        &self,
        data: &D,
        (rows, cols): (usize, usize),
        filter: &F,
        (filter_rows, filter_cols): (usize, usize),
        result: &mut R,
        options: &ConvolveOptions,
    ) -> Result<()> {
        self.call("convolve", |ctx| {
            let plane = gpumex_core::model::stencil::Plane {
                rows,
                cols,
                boundary: options.boundary,
                constant: options.constant,
            };
            let windows = Windows::new(options.shape, plane, [filter_rows, filter_cols])?;
            check_len("data", data.len(), [rows, cols])?;
            check_len("filter", filter.len(), [filter_rows, filter_cols])?;
            check_len("result", result.len(), windows.result)?;
            let options = ops::convolve::Options {
                variant: options.variant,
                dtype: D::Elem::DTYPE,
                accumulator_dtype: F::Elem::DTYPE,
                result_dtype: R::Elem::DTYPE,
                boundary: options.boundary,
                constant: options.constant,
                shape: options.shape,
                kind: options.kind,
                order: options.order,
            };
            let (data, filter) = (input("data", data), input("filter", filter));
            let (size, window) = ([rows, cols], [filter_rows, filter_cols]);
            ops::convolve::convolve(ctx, &options, data, size, filter, window, output("result", result))
        })
    }

    /// result\[y, x\] ← the median of the window around data\[y, x\], with clamped edges; of an even number of elements the mean of the
    /// middle two.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// let data = [1u8, 1, 9, 1, 1];
    /// let mut result = [0u8; 5];
    /// ctx.median_filter(&data, (1, 5), (1, 3), &mut result)?;
    /// assert_eq!(result, [1, 1, 1, 1, 1]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn median_filter<D: Array + ?Sized>(
        &self,
        data: &D,
        size: (usize, usize),
        window: (usize, usize),
        result: &mut (impl ArrayMut<Elem = D::Elem> + ?Sized),
    ) -> Result<()> {
        self.median_filter_with(data, size, window, result, &MedianFilterOptions::new())
    }

    /// As [`Context::median_filter`], with options.
    pub fn median_filter_with<D: Array + ?Sized>(
        &self,
        data: &D,
        (rows, cols): (usize, usize),
        (window_rows, window_cols): (usize, usize),
        result: &mut (impl ArrayMut<Elem = D::Elem> + ?Sized),
        options: &MedianFilterOptions,
    ) -> Result<()> {
        self.call("median_filter", |ctx| {
            check_len("data", data.len(), [rows, cols])?;
            check_len("result", result.len(), [rows, cols])?;
            let options = ops::median_filter::Options {
                variant: options.variant,
                dtype: D::Elem::DTYPE,
                boundary: options.boundary,
                constant: options.constant,
                order: options.order,
            };
            let (size, window) = ([rows, cols], [window_rows, window_cols]);
            let (data, result) = (input("data", data), output("result", result));
            ops::median_filter::median_filter(ctx, &options, data, size, window, result)
        })
    }
}

fn check_len(name: &str, len: usize, [rows, cols]: [usize; 2]) -> Result<()> {
    if rows.checked_mul(cols) == Some(len) {
        return Ok(());
    }
    Err(Error::new(
        crate::Status::InvalidArgument,
        format!("{name} has {len} elements; its size is {rows}·{cols}"),
    ))
}

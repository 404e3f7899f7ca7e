//! Calls, and convolution by the definition.

use gpumex::ffi::{ConvolveOptions, gpumex_convolve};
use gpumex::model::dtype::Dtype;
use gpumex::model::stencil::Boundary;
use gpumex::model::variant::Variant;
use gpumex::model::window::{ConvolveKind, ConvolveShape};

use crate::common::*;
use crate::map::arrays::{Array, Number, decoded};
use crate::stencil::calls::Grid;

/// A filter and how it is applied.
#[derive(Clone, Debug)]
pub struct Filter {
    pub weights: Array,
    pub rows: usize,
    pub cols: usize,
    pub shape: ConvolveShape,
    pub kind: ConvolveKind,
}

impl Filter {
    /// The size of the result, and what lies before its first row and column in the full convolution.
    fn along(&self, len: usize, window: usize) -> (usize, usize) {
        match self.shape {
            _ if len == 0 => (0, 0),
            ConvolveShape::Full => (len + window - 1, 0),
            ConvolveShape::Same => (len, window / 2),
            ConvolveShape::Valid => ((len + 1).saturating_sub(window), window - 1),
        }
    }

    pub fn result(&self, grid: &Grid) -> [usize; 2] {
        [self.along(grid.rows, self.rows).0, self.along(grid.cols, self.cols).0]
    }

    fn weight(&self, i: usize, j: usize) -> Number {
        match self.kind {
            ConvolveKind::Convolution => self.weights.numbers[i * self.cols + j],
            ConvolveKind::Correlation => {
                self.weights.numbers[(self.rows - 1 - i) * self.cols + self.cols - 1 - j]
            }
        }
    }

    /// The products of each result whose weight is not 0: f64 of floats, i128 of integers.
    pub fn products(&self, grid: &Grid, data: &Array) -> Vec<Vec<(Number, Number)>> {
        let ([rows, cols], before) =
            (self.result(grid), (self.along(grid.rows, self.rows).1, self.along(grid.cols, self.cols).1));
        let places = (0..rows).flat_map(|y| (0..cols).map(move |x| (y, x)));
        places
            .map(|(y, x)| {
                let mut products = Vec::new();
                for i in 0..self.rows {
                    for j in 0..self.cols {
                        let (row, col) = ((y + before.0) as i64 - i as i64, (x + before.1) as i64 - j as i64);
                        if self.weight(i, j).to_f64() != 0.0 {
                            products.push((self.weight(i, j), grid.element(data, row, col)));
                        }
                    }
                }
                products
            })
            .collect()
    }
}

/// The bytes of the result of each variant.
#[track_caller]
pub fn convolved(
    ctx: &Context,
    kind: Kind,
    (filter, grid): (&Filter, &Grid),
    data: &Array,
    (to, order): (Dtype, i32),
) -> Vec<Vec<u8>> {
    let [rows, cols] = filter.result(grid);
    let mut found = Vec::new();
    for variant in ctx.variants::<Variant>() {
        let options = ConvolveOptions {
            variant: variant as i32,
            dtype: data.dtype as i32,
            accumulator_dtype: filter.weights.dtype as i32,
            result_dtype: to as i32,
            boundary: grid.boundary as i32,
            constant: grid.constant,
            shape: filter.shape as i32,
            kind: filter.kind as i32,
            order,
            ..ConvolveOptions::default()
        };
        let mut from = Placed::holding(ctx, kind, &data.bytes());
        let mut weights = Placed::holding(ctx, kind, &filter.weights.bytes());
        let mut result = Placed::<u8>::new(ctx, kind, rows * cols * to.size());
        let (a, f, r) = (from.as_ptr(), weights.as_ptr(), result.as_mut_ptr());
        // SAFETY: elements of their dtypes, as many as the shapes say.
        let status = unsafe {
            let (m, n) = (filter.rows, filter.cols);
            gpumex_convolve(ctx.handle, &options, a, grid.rows, grid.cols, f, m, n, r)
        };
        ok(status, format!("{:?}, {variant:?}, {filter:?} of {grid:?}", ctx.backend));
        found.push(result.written());
    }
    found
}

pub fn numbers(dtype: Dtype, bytes: &[u8]) -> Vec<Number> {
    bytes.chunks_exact(dtype.size()).map(|element| decoded(dtype, element)).collect()
}

/// Small whole numbers of a dtype.
pub fn whole(dtype: Dtype, seed: u64, count: usize) -> Array {
    let bytes = random_bytes(seed, count);
    match dtype.integers() {
        None => Array::floats(dtype, bytes.into_iter().map(|byte| f64::from(byte % 32) - 16.0)),
        Some(_) if dtype == Dtype::Bool => {
            Array::ints(dtype, bytes.into_iter().map(|byte| (byte % 2).into()))
        }
        Some(range) => Array::ints(
            dtype,
            bytes.into_iter().map(|byte| i128::from(byte % 32) - if *range.start() < 0 { 16 } else { 0 }),
        ),
    }
}

pub const BOUNDARIES: [Boundary; 6] = [
    Boundary::Clamp,
    Boundary::Dead,
    Boundary::Torus,
    Boundary::Mirror,
    Boundary::Reflect,
    Boundary::Constant,
];

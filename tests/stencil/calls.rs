//! Calls, and where neighbours are, by the definition.

use std::ffi::{CString, c_void};
use std::ptr::null;

use gpumex::ffi::{StencilOptions, gpumex_stencil, gpumex_stencil_dtype};
use gpumex::model::dtype::Dtype;
use gpumex::model::expression::Rules;
use gpumex::model::numbered::NumberedEnum;
use gpumex::model::stencil::Boundary;
use gpumex::model::variant::Variant;

use crate::common::*;
use crate::map::arrays::{Array, Number, decoded};

/// Of arrays and results.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    pub rows: usize,
    pub cols: usize,
    pub boundary: Boundary,
    pub constant: f64,
}

impl Grid {
    /// The index of the element at a place; None where the constant is.
    pub fn at(&self, row: i64, col: i64) -> Option<usize> {
        let (row, col) = (self.moved(row, self.rows as i64)?, self.moved(col, self.cols as i64)?);
        Some(row as usize * self.cols + col as usize)
    }

    /// Step by step: to the edge, from the opposite edge on, or back from a mirror.
    fn moved(&self, mut index: i64, len: i64) -> Option<i64> {
        while index < 0 || index >= len {
            index = match self.boundary {
                Boundary::Dead | Boundary::Constant => return None,
                Boundary::Clamp => index.max(0).min(len - 1),
                Boundary::Torus if index < 0 => index + len,
                Boundary::Torus => index - len,
                Boundary::Mirror if index < 0 => -1 - index,
                Boundary::Mirror => 2 * len - 1 - index,
                Boundary::Reflect if len == 1 => 0,
                Boundary::Reflect if index < 0 => -index,
                Boundary::Reflect => 2 * (len - 1) - index,
            };
        }
        Some(index)
    }

    /// The element of an array at a place.
    pub fn element(&self, array: &Array, row: i64, col: i64) -> Number {
        let constant = if self.boundary == Boundary::Constant { self.constant } else { 0.0 };
        match self.at(row, col) {
            Some(index) => array.numbers[index],
            None if array.dtype == Dtype::Bool => Number::Int((constant != 0.0).into()),
            None if array.dtype == Dtype::F32 => Number::Float((constant as f32).into()),
            None => match array.dtype.integers() {
                None => Number::Float(constant),
                Some(range) => Number::Int((constant.round() as i128).clamp(*range.start(), *range.end())),
            },
        }
    }
}

pub fn natural(rules: Rules, text: &str, dtypes: &[Dtype]) -> Result<Dtype, i32> {
    let numbers: Vec<i32> = dtypes.iter().map(|&dtype| dtype as i32).collect();
    let options =
        StencilOptions { rules: rules as i32, dtypes: numbers.as_ptr(), ..StencilOptions::default() };
    let (text, mut dtype) = (CString::new(text).unwrap(), -1);
    // SAFETY: as many dtypes, a text, a number to write to.
    match unsafe { gpumex_stencil_dtype(&options, text.as_ptr(), dtypes.len(), &mut dtype) } {
        0 => Ok(Dtype::ALL[dtype as usize]),
        status => Err(status),
    }
}

/// The bytes of the result, which are the same with each variant.
#[track_caller]
pub fn bytes_of(
    ctx: &Context,
    kind: Kind,
    (rules, text): (Rules, &str),
    grid: &Grid,
    inputs: &[Array],
    to: Dtype,
) -> Vec<u8> {
    let dtypes: Vec<i32> = inputs.iter().map(|input| input.dtype as i32).collect();
    let mut placed: Vec<Placed<u8>> =
        inputs.iter().map(|input| Placed::holding(ctx, kind, &input.bytes())).collect();
    let pointers: Vec<*const c_void> = placed.iter_mut().map(Placed::as_ptr).collect();
    let expression = CString::new(text).unwrap();
    let mut found = None;
    for variant in ctx.variants::<Variant>() {
        let options = StencilOptions {
            variant: variant as i32,
            rules: rules as i32,
            dtype: to as i32,
            boundary: grid.boundary as i32,
            constant: grid.constant,
            dtypes: if dtypes.is_empty() { null() } else { dtypes.as_ptr() },
            ..StencilOptions::default()
        };
        let mut result = Placed::<u8>::new(ctx, kind, grid.rows * grid.cols * to.size());
        let (text, at) = (expression.as_ptr(), result.as_mut_ptr());
        // SAFETY: rows·cols elements of their dtypes each.
        let status = unsafe {
            let (count, Grid { rows, cols, .. }) = (inputs.len(), *grid);
            gpumex_stencil(ctx.handle, &options, text, pointers.as_ptr(), count, rows, cols, at)
        };
        ok(status, format!("{:?}, {variant:?}, {rules:?}: {expression:?} of {grid:?}", ctx.backend));
        let bytes = result.written();
        assert!(
            *found.get_or_insert_with(|| bytes.clone()) == bytes,
            "{:?}: {expression:?} of {grid:?}, {variant:?}",
            ctx.backend
        );
    }
    found.expect("there is a variant")
}

#[track_caller]
pub fn computed(
    ctx: &Context,
    expression: (Rules, &str),
    grid: &Grid,
    inputs: &[Array],
    to: Dtype,
) -> Vec<Number> {
    let bytes = bytes_of(ctx, None, expression, grid, inputs, to);
    bytes.chunks_exact(to.size()).map(|element| decoded(to, element)).collect()
}

//! Expressions of neighbours in two dimensions.

use gpumex_core::array::Input;
use gpumex_core::model::expression::Source;
use gpumex_core::ops;

use super::array::output;
use super::context::fenced;
use super::{ArrayMut, Boundary, Context, Dtype, Element, MapInput, Rules, StencilOrder, Variant};
use crate::{Error, Result};

/// Options of [`Context::stencil_with`] and [`stencil_dtype`].
#[derive(Clone, Copy, Debug, Default)]
pub struct StencilOptions<'a> {
    variant: Variant,
    rules: Rules,
    names: Option<&'a str>,
    boundary: Boundary,
    constant: f64,
    order: StencilOrder,
}

impl<'a> StencilOptions<'a> {
    /// The default of each option: rules of C, inputs a, b, c and so on, clamped edges, row-major arrays.
    pub fn new() -> StencilOptions<'a> {
        StencilOptions::default()
    }

    /// How it is computed.
    #[must_use]
    pub fn variant(self, variant: Variant) -> StencilOptions<'a> {
        StencilOptions { variant, ..self }
    }

    /// How operations get their types.
    #[must_use]
    pub fn rules(self, rules: Rules) -> StencilOptions<'a> {
        StencilOptions { rules, ..self }
    }

    /// Names of the inputs, between blanks or commas.
    #[must_use]
    pub fn names(self, names: &'a str) -> StencilOptions<'a> {
        StencilOptions { names: Some(names), ..self }
    }

    /// What lies outside the inputs.
    #[must_use]
    pub fn boundary(self, boundary: Boundary) -> StencilOptions<'a> {
        StencilOptions { boundary, ..self }
    }

    /// A number that lies outside the inputs, rounded to the dtype of each.
    #[must_use]
    pub fn constant(self, constant: f64) -> StencilOptions<'a> {
        StencilOptions { boundary: Boundary::Constant, constant, ..self }
    }

    /// In which order inputs and result are stored.
    #[must_use]
    pub fn order(self, order: StencilOrder) -> StencilOptions<'a> {
        StencilOptions { order, ..self }
    }

    fn source(&self, expression: &str, dtypes: Vec<Dtype>) -> Source {
        let (text, names) = (expression.to_string(), self.names.map(str::to_string));
        Source { text, names, dtypes, rules: self.rules, has_neighbours: true }
    }
}

/// The dtype that the rules give the result of an expression of inputs of these dtypes.
///
/// ```
/// use gpumex::{Dtype, StencilOptions, stencil_dtype};
///
/// assert_eq!(stencil_dtype("a(0,1) - a(0,-1)", &[Dtype::U8], &StencilOptions::new())?, Dtype::I32);
/// # Ok::<(), gpumex::Error>(())
/// ```
pub fn stencil_dtype(expression: &str, dtypes: &[Dtype], options: &StencilOptions) -> Result<Dtype> {
    fenced("stencil_dtype", || options.source(expression, dtypes.to_vec()).natural_dtype())
}

impl Context {
    /// result\[y, x\] ← the expression of the elements around (y, x), by the rules of C and with clamped edges: `a(dy, dx)` is a\[y + dy,
    /// x + dx\]. All arrays have rows·cols elements. What an expression may have is in the documentation of `gpumex_stencil`.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// let a = [0.0f32, 0.0, 8.0, 0.0, 0.0, 0.0];
    /// let mut result = [0.0f32; 6];
    /// ctx.stencil("(a(0,-1) + 2 * a + a(0,1)) / 4", &[(&a).into()], (2, 3), &mut result)?;
    /// assert_eq!(result, [0.0, 2.0, 6.0, 0.0, 0.0, 0.0]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn stencil(
        &self,
        expression: &str,
        inputs: &[MapInput],
        (rows, cols): (usize, usize),
        result: &mut (impl ArrayMut + ?Sized),
    ) -> Result<()> {
        self.stencil_with(expression, inputs, (rows, cols), result, &StencilOptions::new())
    }

    /// As [`Context::stencil`], with options.
    pub fn stencil_with<R: ArrayMut + ?Sized>(
        &self,
        expression: &str,
        inputs: &[MapInput],
        (rows, cols): (usize, usize),
        result: &mut R,
        options: &StencilOptions,
    ) -> Result<()> {
        let source = options.source(expression, inputs.iter().map(|input| input.dtype).collect());
        self.call("stencil", |ctx| {
            check_len("result", result.len(), rows, cols)?;
            inputs.iter().try_for_each(|input| check_len("an input", input.len, rows, cols))?;
            let options = ops::stencil::Options {
                variant: options.variant,
                dtype: R::Elem::DTYPE,
                boundary: options.boundary,
                constant: options.constant,
                order: options.order,
            };
            let inputs: Vec<&Input> = inputs.iter().map(|input| &input.array).collect();
            ops::stencil::stencil(ctx, &options, &source, &inputs, [rows, cols], output("result", result))
        })
    }
}

fn check_len(name: &str, len: usize, rows: usize, cols: usize) -> Result<()> {
    if rows.checked_mul(cols) == Some(len) {
        return Ok(());
    }
    Err(Error::new(
        crate::Status::InvalidArgument,
        format!("{name} has {len} elements; rows·cols are {rows}·{cols}"),
    ))
}

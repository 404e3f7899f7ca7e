//! Element-wise expressions.

use gpumex_core::array::Input;
use gpumex_core::model::expression::{Layout, Source};
use gpumex_core::ops;

use super::array::{input, output};
use super::context::fenced;
use super::{Array, ArrayMut, Context, Dtype, Element, Rules, Variant};
use crate::{Error, Result};

/// An input of [`Context::map`] and [`Context::stencil`]: any array, by `(&array).into()`.
pub struct MapInput<'a> {
    pub(super) dtype: Dtype,
    pub(super) len: usize,
    pub(super) array: Input<'a>,
}

impl<'a, A: Array + ?Sized> From<&'a A> for MapInput<'a> {
    fn from(array: &'a A) -> MapInput<'a> {
        MapInput { dtype: A::Elem::DTYPE, len: array.len(), array: input("an input", array) }
    }
}

/// Options of [`Context::map_with`] and [`map_dtype`].
#[derive(Clone, Copy, Debug, Default)]
pub struct MapOptions<'a> {
    variant: Variant,
    rules: Rules,
    names: Option<&'a str>,
}

impl<'a> MapOptions<'a> {
    /// The default of each option: rules of C, inputs a, b, c and so on.
    pub fn new() -> MapOptions<'a> {
        MapOptions::default()
    }

    /// How it is computed.
    #[must_use]
    pub fn variant(self, variant: Variant) -> MapOptions<'a> {
        MapOptions { variant, ..self }
    }

    /// How operations get their types.
    #[must_use]
    pub fn rules(self, rules: Rules) -> MapOptions<'a> {
        MapOptions { rules, ..self }
    }

    /// Names of the inputs, between blanks or commas.
    #[must_use]
    pub fn names(self, names: &'a str) -> MapOptions<'a> {
        MapOptions { names: Some(names), ..self }
    }

    fn source(&self, expression: &str, dtypes: Vec<Dtype>) -> Source {
        let (text, names) = (expression.to_string(), self.names.map(str::to_string));
        Source { text, names, dtypes, rules: self.rules, has_neighbours: false }
    }
}

/// The dtype that the rules give the result of an expression of inputs of these dtypes.
///
/// ```
/// use gpumex::{Dtype, MapOptions, Rules, map_dtype};
///
/// assert_eq!(map_dtype("a / 2", &[Dtype::U8], &MapOptions::new())?, Dtype::I32);
/// assert_eq!(map_dtype("a / 2", &[Dtype::U8], &MapOptions::new().rules(Rules::Matlab))?, Dtype::U8);
/// # Ok::<(), gpumex::Error>(())
/// ```
pub fn map_dtype(expression: &str, dtypes: &[Dtype], options: &MapOptions) -> Result<Dtype> {
    fenced("map_dtype", || options.source(expression, dtypes.to_vec()).natural_dtype())
}

impl Context {
    /// result\[i\] ← the expression of the elements i of the inputs, by the rules of C. The inputs are a, b, c and so on; each has the
    /// length of result, or one element. What an expression may have is in the documentation of `gpumex_map`.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// let (a, b) = ([1.0, 2.0, 3.0], [2u8]);
    /// let mut result = [0.0f32; 3];
    /// ctx.map("sqrt (a) > 1.5 ? -1 : a / b", &[(&a).into(), (&b).into()], &mut result)?;
    /// assert_eq!(result, [0.5, 1.0, -1.0]);
    /// let z = [gpumex::Complex { re: 3.0f32, im: 4.0 }];
    /// let mut size = [0.0f32];
    /// ctx.map("abs (a)", &[(&z).into()], &mut size)?;
    /// assert_eq!(size, [5.0]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn map(
        &self,
        expression: &str,
        inputs: &[MapInput],
        result: &mut (impl ArrayMut + ?Sized),
    ) -> Result<()> {
        self.map_with(expression, inputs, result, &MapOptions::new())
    }

    /// As [`Context::map`], with options.
    pub fn map_with<R: ArrayMut + ?Sized>(
        &self,
        expression: &str,
        inputs: &[MapInput],
        result: &mut R,
        options: &MapOptions,
    ) -> Result<()> {
        let count = result.len();
        let source = options.source(expression, inputs.iter().map(|input| input.dtype).collect());
        self.call("map", |ctx| {
            let strides =
                inputs.iter().map(|input| stride(input.len, count)).collect::<Result<Vec<i64>>>()?;
            let layout = Layout::new(&[count], inputs.len(), Some(&strides), None)?;
            let options = ops::map::Options { variant: options.variant, dtype: R::Elem::DTYPE, layout };
            let inputs: Vec<&Input> = inputs.iter().map(|input| &input.array).collect();
            ops::map::map(ctx, &options, source, &inputs, output("result", result))
        })
    }
}

/// One element is broadcast.
fn stride(len: usize, count: usize) -> Result<i64> {
    match len {
        1 => Ok(0),
        len if len == count => Ok(1),
        _ => Err(Error::new(
            crate::Status::InvalidArgument,
            format!("an input has {len} elements and result {count}; it has as many, or one"),
        )),
    }
}

//! Vectors: sums, multiples and inner products, as the BLAS has them.

use gpumex_core::ops;

use super::array::{input, output, same_len, zeroed};
use super::options::{options, variant_options};
use super::{AddVariant, Array, ArrayMut, Context, DotVariant, Factor, Float, ScaleFactor, Variant};
use crate::Result;

variant_options! {
    /// Options of [`Context::add_with`].
    AddOptions: AddVariant,
    /// Options of [`Context::axpy_with`].
    AxpyOptions: Variant,
}

options! {
    /// Options of [`Context::dot_with`].
    DotOptions {
        /// How it is computed.
        variant: DotVariant,
        /// Of complex vectors the sum of conj (x\[i\])·y\[i\].
        conjugate: bool,
    }
}

options! {
    /// Options of [`Context::scale_with`].
    ScaleOptions {
        /// How it is computed.
        variant: Variant,
        /// What of alpha is the factor.
        factor: ScaleFactor,
    }
}

impl Context {
    /// y ← x + y.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// let mut y = [1.0, 2.0];
    /// ctx.add(&[10.0, 20.0], &mut y)?;
    /// assert_eq!(y, [11.0, 22.0]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn add<T: Float>(
        &self,
        x: &(impl Array<Elem = T> + ?Sized),
        y: &mut (impl ArrayMut<Elem = T> + ?Sized),
    ) -> Result<()> {
        self.add_with(x, y, &AddOptions::new())
    }

    /// As [`Context::add`], with options.
    pub fn add_with<T: Float>(
        &self,
        x: &(impl Array<Elem = T> + ?Sized),
        y: &mut (impl ArrayMut<Elem = T> + ?Sized),
        options: &AddOptions,
    ) -> Result<()> {
        let count = same_len("add", ("x", x.len()), ("y", y.len()))?;
        let options = ops::add::Options { variant: options.variant, dtype: T::DTYPE };
        self.call("add", |ctx| ops::add::add(ctx, &options, input("x", x), output("y", y), count))
    }

    /// y ← alpha·x + beta·y, each element with one fused multiply-add; beta = 0 does not read y.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// let mut y = [1.0f32, 2.0];
    /// ctx.axpy(2.0, &[10.0, 20.0], -1.0, &mut y)?;
    /// assert_eq!(y, [19.0, 38.0]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn axpy<T: Float>(
        &self,
        alpha: T,
        x: &(impl Array<Elem = T> + ?Sized),
        beta: T,
        y: &mut (impl ArrayMut<Elem = T> + ?Sized),
    ) -> Result<()> {
        self.axpy_with(&[alpha], x, &[beta], y, &AxpyOptions::new())
    }

    /// As [`Context::axpy`], with options; alpha and beta are arrays of one element anywhere, results of other operations on the device
    /// for one.
    pub fn axpy_with<T: Float>(
        &self,
        alpha: &(impl Array<Elem = T> + ?Sized),
        x: &(impl Array<Elem = T> + ?Sized),
        beta: &(impl Array<Elem = T> + ?Sized),
        y: &mut (impl ArrayMut<Elem = T> + ?Sized),
        options: &AxpyOptions,
    ) -> Result<()> {
        let count = same_len("axpy", ("x", x.len()), ("y", y.len()))?;
        let options = ops::axpy::Options {
            variant: options.variant,
            dtype: T::DTYPE,
            alpha: Some(input("alpha", alpha)),
            beta: Some(input("beta", beta)),
        };
        self.call("axpy", |ctx| ops::axpy::axpy(ctx, &options, input("x", x), output("y", y), count))
    }

    /// x ← alpha·x.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// let mut x = [1.0, 2.0];
    /// ctx.scale(0.5, &mut x)?;
    /// assert_eq!(x, [0.5, 1.0]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn scale<T: Float>(&self, alpha: T, x: &mut (impl ArrayMut<Elem = T> + ?Sized)) -> Result<()> {
        self.scale_with(&[alpha], x, &ScaleOptions::new())
    }

    /// As [`Context::scale`], with options; alpha is an array of one element anywhere.
    ///
    /// ```
    /// use gpumex::{Context, DeviceArray, ScaleFactor, ScaleOptions};
    ///
    /// let ctx = Context::new()?;
    /// let mut x = ctx.array(&[3.0, 4.0])?;
    /// let mut square = ctx.zeros(1)?; // of the length, on the device
    /// ctx.dot_with(&x, &x, &mut square, &Default::default())?;
    /// let normalise = ScaleOptions::new().factor(ScaleFactor::ReciprocalRoot);
    /// ctx.scale_with(&square, &mut x, &normalise)?;
    /// assert!((x.to_vec()?[0] - 0.6f64).abs() < 1e-15);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn scale_with<T: Float>(
        &self,
        alpha: &(impl Array<Elem = T> + ?Sized),
        x: &mut (impl ArrayMut<Elem = T> + ?Sized),
        options: &ScaleOptions,
    ) -> Result<()> {
        let count = x.len();
        let options =
            ops::scale::Options { variant: options.variant, dtype: T::DTYPE, factor: options.factor };
        self.call("scale", |ctx| {
            ops::scale::scale(ctx, &options, input("alpha", alpha), output("x", x), count)
        })
    }

    /// The inner product of two vectors: the sum of x\[i\]·y\[i\].
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// assert_eq!(ctx.dot(&[1.0, 2.0], &[10.0, 20.0])?, 50.0);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn dot<T: Factor>(
        &self,
        x: &(impl Array<Elem = T> + ?Sized),
        y: &(impl Array<Elem = T> + ?Sized),
    ) -> Result<T> {
        let mut result = zeroed(1)?;
        self.dot_with(x, y, &mut result, &DotOptions::new())?;
        Ok(result[0])
    }

    /// As [`Context::dot`], with options, into an array of one element anywhere.
    pub fn dot_with<T: Factor>(
        &self,
        x: &(impl Array<Elem = T> + ?Sized),
        y: &(impl Array<Elem = T> + ?Sized),
        result: &mut (impl ArrayMut<Elem = T> + ?Sized),
        options: &DotOptions,
    ) -> Result<()> {
        let count = same_len("dot", ("x", x.len()), ("y", y.len()))?;
        let options = dot_options::<T>(options);
        self.call("dot", |ctx| {
            ops::dot::dot(ctx, &options, input("x", x), input("y", y), count, output("result", result))
        })
    }
}

/// As the operation takes them.
pub(super) fn dot_options<T: Factor>(&DotOptions { variant, conjugate }: &DotOptions) -> ops::dot::Options {
    ops::dot::Options { variant, dtype: T::DTYPE, conjugates: conjugate }
}

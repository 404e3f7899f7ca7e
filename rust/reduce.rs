//! Reductions and prefix scans.

use gpumex_core::array::Output;
use gpumex_core::ops;
use gpumex_core::ops::scan::ScanKind;

use super::array::{in_place, input, output, same_len, zeroed};
use super::options::options;
use super::{Array, ArrayMut, Context, Element, Operator, Variant};
use crate::Result;

options! {
    /// Options of [`Context::reduce_with`].
    ReduceOptions {
        /// How it is computed.
        variant: Variant,
        /// What combines two elements; else the sum.
        op: Operator,
    }
}

options! {
    /// Options of [`Context::scan_with`].
    ScanOptions {
        /// How it is computed.
        variant: Variant,
        /// What combines two elements; else the sum.
        op: Operator,
        /// Whether an element is in its own result; else it is not.
        kind: ScanKind,
    }
}

impl Context {
    /// The sum of all elements, in their type; integers wrap.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// assert_eq!(ctx.reduce(&[1u32, 2, 3])?, 6);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn reduce<T: Element>(&self, data: &(impl Array<Elem = T> + ?Sized)) -> Result<T> {
        let mut result = zeroed(1)?;
        self.reduce_with(data, &mut result, &ReduceOptions::new())?;
        Ok(result[0])
    }

    /// All elements combined, into an array of one element anywhere. Its type is the one that is computed in: an integer type of as
    /// many bytes as that of the elements or more, for integers.
    ///
    /// ```
    /// use gpumex::{Context, Operator, ReduceOptions};
    ///
    /// let ctx = Context::new()?;
    /// let mut product = [0u64];
    /// ctx.reduce_with(&[100u8, 200, 3], &mut product, &ReduceOptions::new().op(Operator::Product))?;
    /// assert_eq!(product, [60_000]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn reduce_with<T: Element, R: Element>(
        &self,
        data: &(impl Array<Elem = T> + ?Sized),
        result: &mut (impl ArrayMut<Elem = R> + ?Sized),
        options: &ReduceOptions,
    ) -> Result<()> {
        self.reduce_into::<T, R>(data, output("result", result), None, options)
    }

    /// All elements joined by an associative expression of `a` and `b`, the earlier one and the later one, into an array of one element
    /// anywhere; its type is the one that is computed in, by the rules of C. Of no elements the result is `identity`, and without one an
    /// error. What an expression may have is in the documentation of `gpumex_map`.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// let mut farthest = [0f32];
    /// ctx.reduce_by(&[3f32, -7.0, 5.0], &mut farthest, "abs (a) >= abs (b) ? a : b", Some(0.0))?;
    /// assert_eq!(farthest, [-7.0]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn reduce_by<T: Element, R: Element>(
        &self,
        data: &(impl Array<Elem = T> + ?Sized),
        result: &mut (impl ArrayMut<Elem = R> + ?Sized),
        expression: &str,
        identity: Option<R>,
    ) -> Result<()> {
        let options = ops::reduce::Options {
            expression: Some(expression),
            ..reduce_options::<T, R>(&ReduceOptions::new())
        };
        self.call("reduce", |ctx| {
            let identity =
                identity.as_ref().map(|identity| input("identity", std::slice::from_ref(identity)));
            let result = output("result", result);
            ops::reduce::reduce(ctx, &options, input("data", data), data.len(), identity, result, None)
        })
    }

    /// As [`Context::reduce_with`], into two arrays: one in memory of the device for the operations that follow, one of the host.
    pub fn reduce_to_both<T: Element, R: Element>(
        &self,
        data: &(impl Array<Elem = T> + ?Sized),
        result: &mut (impl ArrayMut<Elem = R> + ?Sized),
        result_copy: &mut (impl ArrayMut<Elem = R> + ?Sized),
        options: &ReduceOptions,
    ) -> Result<()> {
        let copy = Some(output("options.result_copy", result_copy));
        self.reduce_into::<T, R>(data, output("result", result), copy, options)
    }

    fn reduce_into<T: Element, R: Element>(
        &self,
        data: &(impl Array<Elem = T> + ?Sized),
        result: Output,
        copy: Option<Output>,
        options: &ReduceOptions,
    ) -> Result<()> {
        let options = reduce_options::<T, R>(options);
        self.call("reduce", |ctx| {
            ops::reduce::reduce(ctx, &options, input("data", data), data.len(), None, result, copy)
        })
    }

    /// Exclusive prefix sum: result\[i\] ← the sum of data\[..i\].
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// let mut sums = [0u32; 4];
    /// ctx.scan(&[2, 5, 3, 1], &mut sums)?;
    /// assert_eq!(sums, [0, 2, 7, 10]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn scan<T: Element>(
        &self,
        data: &(impl Array<Elem = T> + ?Sized),
        result: &mut (impl ArrayMut<Elem = T> + ?Sized),
    ) -> Result<()> {
        self.scan_with(data, result, &ScanOptions::new())
    }

    /// Prefix scan with options. The type of the result is the one that is computed in, as with [`Context::reduce_with`].
    ///
    /// ```
    /// use gpumex::{Context, Operator, ScanKind, ScanOptions};
    ///
    /// let ctx = Context::new()?;
    /// let mut maxima = [0u32; 4];
    /// let options = ScanOptions::new().op(Operator::Max).kind(ScanKind::Inclusive);
    /// ctx.scan_with(&[2u32, 5, 3, 7], &mut maxima, &options)?;
    /// assert_eq!(maxima, [2, 5, 5, 7]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn scan_with<T: Element, R: Element>(
        &self,
        data: &(impl Array<Elem = T> + ?Sized),
        result: &mut (impl ArrayMut<Elem = R> + ?Sized),
        options: &ScanOptions,
    ) -> Result<()> {
        self.scan_into(data, result, None, options)
    }

    /// As [`Context::scan_with`], and the total of all elements, into an array of one element.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// let (mut offsets, mut total) = ([0u64; 3], [0]);
    /// ctx.scan_with_total(&[2u32, 5, 3], &mut offsets, &mut total, &Default::default())?;
    /// assert_eq!((offsets, total), ([0, 2, 7], [10]));
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn scan_with_total<T: Element, R: Element>(
        &self,
        data: &(impl Array<Elem = T> + ?Sized),
        result: &mut (impl ArrayMut<Elem = R> + ?Sized),
        total: &mut (impl ArrayMut<Elem = R> + ?Sized),
        options: &ScanOptions,
    ) -> Result<()> {
        self.scan_into(data, result, Some(output("total", total)), options)
    }

    fn scan_into<T: Element, R: Element>(
        &self,
        data: &(impl Array<Elem = T> + ?Sized),
        result: &mut (impl ArrayMut<Elem = R> + ?Sized),
        total: Option<Output>,
        options: &ScanOptions,
    ) -> Result<()> {
        let count = same_len("scan", ("data", data.len()), ("result", result.len()))?;
        let options = scan_options::<T, R>(options);
        self.call("scan", |ctx| {
            ops::scan::scan(ctx, &options, input("data", data), count, None, output("result", result), total)
        })
    }

    /// Prefix scan by an associative expression of `a` and `b`, as for [`Context::reduce_by`]. An exclusive scan begins with `identity`, and
    /// without one is an error.
    ///
    /// ```
    /// use gpumex::{Context, ScanKind};
    ///
    /// let (ctx, mut latest) = (Context::new()?, [0; 5]);
    /// ctx.scan_by(&[3, 0, 0, 8, 0], &mut latest, "b == 0 ? a : b", ScanKind::Inclusive, None)?;
    /// assert_eq!(latest, [3, 3, 3, 8, 8]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn scan_by<T: Element, R: Element>(
        &self,
        data: &(impl Array<Elem = T> + ?Sized),
        result: &mut (impl ArrayMut<Elem = R> + ?Sized),
        expression: &str,
        kind: ScanKind,
        identity: Option<R>,
    ) -> Result<()> {
        let count = same_len("scan", ("data", data.len()), ("result", result.len()))?;
        let options = scan_options::<T, R>(&ScanOptions::new().kind(kind));
        let options = ops::scan::Options { expression: Some(expression), ..options };
        self.call("scan", |ctx| {
            let identity =
                identity.as_ref().map(|identity| input("identity", std::slice::from_ref(identity)));
            let (data, result) = (input("data", data), output("result", result));
            ops::scan::scan(ctx, &options, data, count, identity, result, None)
        })
    }

    /// As [`Context::scan_with`], in place.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// let mut counts = ctx.array(&[2u32, 5, 3])?;
    /// ctx.scan_in_place(&mut counts, &Default::default())?;
    /// assert_eq!(counts.to_vec()?, [0, 2, 7]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn scan_in_place<T: Element>(
        &self,
        data: &mut (impl ArrayMut<Elem = T> + ?Sized),
        options: &ScanOptions,
    ) -> Result<()> {
        let (count, options) = (data.len(), scan_options::<T, T>(options));
        self.call("scan", |ctx| {
            let (data, result) = in_place(["data", "result"], data);
            ops::scan::scan(ctx, &options, data, count, None, result, None)
        })
    }
}

/// As the operation takes them.
pub(super) fn reduce_options<T: Element, R: Element>(
    &ReduceOptions { variant, op }: &ReduceOptions,
) -> ops::reduce::Options<'static> {
    let (dtype, accumulator_dtype, expression) = (T::DTYPE, R::DTYPE, None);
    ops::reduce::Options { variant, dtype, op, accumulator_dtype, expression }
}

/// The same of a scan.
pub(super) fn scan_options<T: Element, R: Element>(options: &ScanOptions) -> ops::scan::Options<'static> {
    ops::scan::Options {
        variant: options.variant,
        dtype: T::DTYPE,
        op: options.op,
        kind: options.kind,
        accumulator_dtype: R::DTYPE,
        expression: None,
    }
}

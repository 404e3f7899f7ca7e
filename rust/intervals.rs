//! Intervals: a value or a copy for each of them, and which one an element belongs to.

use gpumex_core::ops;

use super::array::{input, output, same_len};
use super::options::{options, variant_options};
use super::{Array, ArrayMut, Context, Index, Number, Variant, View};
use crate::Result;

variant_options! {
    /// Options of [`Context::interval_expand_with`].
    IntervalExpandOptions: Variant,
    /// Options of [`Context::interval_move`].
    IntervalMoveOptions: Variant,
    /// Options of [`Context::load_balance_search_with`].
    LoadBalanceSearchOptions: Variant,
}

impl Context {
    /// output\[k\] ← values\[j\] for each element k of interval j, each value repeated by the length of its interval; `scan` is the
    /// exclusive prefix sum of the lengths.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// let mut expanded = [0; 5];
    /// ctx.interval_expand(&[0u32, 2, 2], &[10, 20, 30], &mut expanded)?; // lengths 2, 0, 3
    /// assert_eq!(expanded, [10, 10, 30, 30, 30]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn interval_expand<T: Number, I: Index>(
        &self,
        scan: &(impl Array<Elem = I> + ?Sized),
        values: &(impl Array<Elem = T> + ?Sized),
        expanded: &mut (impl ArrayMut<Elem = T> + ?Sized),
    ) -> Result<()> {
        self.interval_expand_with(scan, values, expanded, &IntervalExpandOptions::new())
    }

    /// As [`Context::interval_expand`], with options.
    pub fn interval_expand_with<T: Number, I: Index>(
        &self,
        scan: &(impl Array<Elem = I> + ?Sized),
        values: &(impl Array<Elem = T> + ?Sized),
        expanded: &mut (impl ArrayMut<Elem = T> + ?Sized),
        &IntervalExpandOptions { variant }: &IntervalExpandOptions,
    ) -> Result<()> {
        let intervals = same_len("interval_expand", ("scan", scan.len()), ("values", values.len()))?;
        let (options, count) = (
            ops::interval_expand::Options { variant, dtype: T::DTYPE, index_dtype: I::DTYPE },
            expanded.len(),
        );
        self.call("interval_expand", |ctx| {
            let (scan, values, expanded) =
                (input("scan", scan), input("values", values), output("output", expanded));
            ops::interval_expand::interval_expand(ctx, &options, count, scan, values, intervals, expanded)
        })
    }

    /// to\[scatter\[j\] + r\] ← from\[gather\[j\] + r\] for each element r of each interval j.
    ///
    /// ```
    /// use gpumex::{Context, Intervals};
    ///
    /// let ctx = Context::new()?;
    /// let intervals = Intervals::new(&[0u32, 2], 5).gather(&[4, 0]); // lengths 2 and 3, from 4 and from 0 on
    /// let mut to = [0; 5];
    /// ctx.interval_move(intervals, &[10, 20, 30, 40, 50, 60], &mut to, &Default::default())?;
    /// assert_eq!(to, [50, 60, 10, 20, 30]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn interval_move<T: Number, I: Index>(
        &self,
        intervals: Intervals<I>,
        from: &(impl Array<Elem = T> + ?Sized),
        to: &mut (impl ArrayMut<Elem = T> + ?Sized),
        &IntervalMoveOptions { variant }: &IntervalMoveOptions,
    ) -> Result<()> {
        let Intervals { scan, count, gather, scatter } = &intervals;
        let places = ops::interval_move::Places {
            count: *count,
            gather: gather.as_ref().map(|gather| input("gather", gather)),
            scatter: scatter.as_ref().map(|scatter| input("scatter", scatter)),
            scan: input("scan", scan),
            intervals: scan.len(),
        };
        let options = ops::interval_move::Options { variant, dtype: T::DTYPE, index_dtype: I::DTYPE };
        let (from, to_count) = ((input("input", from), from.len()), to.len());
        self.call("interval_move", |ctx| {
            ops::interval_move::interval_move(ctx, &options, places, from, (output("output", to), to_count))
        })
    }

    /// indices\[k\] ← the object that work item k belongs to; `scan` is the exclusive prefix sum of how many items each object has.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// let mut objects = [0u32; 5];
    /// ctx.load_balance_search(&[0, 2, 2], &mut objects)?; // 2, 0 and 3 items
    /// assert_eq!(objects, [0, 0, 2, 2, 2]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn load_balance_search<I: Index>(
        &self,
        scan: &(impl Array<Elem = I> + ?Sized),
        indices: &mut (impl ArrayMut<Elem = I> + ?Sized),
    ) -> Result<()> {
        self.load_balance_search_with(scan, indices, &LoadBalanceSearchOptions::new())
    }

    /// As [`Context::load_balance_search`], with options.
    pub fn load_balance_search_with<I: Index>(
        &self,
        scan: &(impl Array<Elem = I> + ?Sized),
        indices: &mut (impl ArrayMut<Elem = I> + ?Sized),
        &LoadBalanceSearchOptions { variant }: &LoadBalanceSearchOptions,
    ) -> Result<()> {
        let (count, objects) = (indices.len(), scan.len());
        let options = ops::load_balance_search::Options { variant, index_dtype: I::DTYPE };
        self.call("load_balance_search", |ctx| {
            let (scan, indices) = (input("scan", scan), output("indices", indices));
            ops::load_balance_search::load_balance_search(ctx, &options, count, scan, objects, indices)
        })
    }
}

/// Intervals of elements: where each begins in the source and in the target of [`Context::interval_move`].
#[derive(Clone, Copy)]
pub struct Intervals<'a, I> {
    scan: View<'a, I>,
    count: usize,
    gather: Option<View<'a, I>>,
    scatter: Option<View<'a, I>>,
}

impl<'a, I: Index> Intervals<'a, I> {
    /// Dense intervals of `count` elements in all; `scan` is the exclusive prefix sum of their lengths.
    pub fn new(scan: &'a (impl Array<Elem = I> + ?Sized), count: usize) -> Intervals<'a, I> {
        Intervals { scan: scan.view(), count, gather: None, scatter: None }
    }

    /// Where each begins in the source.
    #[must_use]
    pub fn gather(self, gather: &'a (impl Array<Elem = I> + ?Sized)) -> Intervals<'a, I> {
        Intervals { gather: Some(gather.view()), ..self }
    }

    /// Where each begins in the target.
    #[must_use]
    pub fn scatter(self, scatter: &'a (impl Array<Elem = I> + ?Sized)) -> Intervals<'a, I> {
        Intervals { scatter: Some(scatter.view()), ..self }
    }
}

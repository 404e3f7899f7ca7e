//! Sorting: whole arrays, nearly sorted ones, segments; and whether keys are sorted.

use gpumex_core::array::{Input, Output};
use gpumex_core::model::dtype::Dtype;
use gpumex_core::ops;
use gpumex_core::ops::segmented_sort::Segments as SegmentsBy;

use super::array::{input, output, same_len};
use super::options::options;
use super::payload::{Moved, Payload};
use super::{Array, ArrayMut, Context, Element, Index, SortOrder, SortVariant, Variant};
use crate::{Error, Result};

options! {
    /// Options of [`Context::sort_with`].
    SortOptions {
        /// How it is computed.
        variant: SortVariant,
        /// The order of the sorted keys.
        order: SortOrder,
    }
}

options! {
    /// Options of [`Context::locality_sort`].
    LocalitySortOptions {
        /// How it is computed.
        variant: Variant,
        /// The order of the sorted keys.
        order: SortOrder,
    }
}

options! {
    /// Options of [`Context::segmented_sort_with`].
    SegmentedSortOptions {
        /// How it is computed.
        variant: Variant,
        /// The order of the sorted keys.
        order: SortOrder,
    }
}

options! {
    /// Options of [`Context::check_sorted_with`].
    CheckSortedOptions {
        /// The order that the keys should have.
        order: SortOrder,
        /// Equal neighbours are out of order too.
        strict: bool,
    }
}

impl Context {
    /// sorted ← the keys, ascending and stable; −0 equals 0, NaN is greater than all numbers.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// let mut sorted = [0.0f32; 3];
    /// ctx.sort(&[2.0, f32::INFINITY, -1.0], &mut sorted)?;
    /// assert_eq!(sorted, [-1.0, 2.0, f32::INFINITY]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn sort<K: Element>(
        &self,
        keys: &(impl Array<Elem = K> + ?Sized),
        sorted: &mut (impl ArrayMut<Elem = K> + ?Sized),
    ) -> Result<()> {
        self.sort_with(keys, sorted, Payload::none(), &SortOptions::new())
    }

    /// As [`Context::sort`], with what moves with the keys and with options.
    ///
    /// ```
    /// use gpumex::{Context, Payload, SortOptions, SortOrder};
    ///
    /// let ctx = Context::new()?;
    /// let (mut sorted, mut positions) = ([0; 3], [0u32; 3]);
    /// let descending = SortOptions::new().order(SortOrder::Descending);
    /// ctx.sort_with(&[10, 30, 20], &mut sorted, Payload::indices(&mut positions), &descending)?;
    /// assert_eq!((sorted, positions), ([30, 20, 10], [1, 2, 0]));
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn sort_with<K: Element>(
        &self,
        keys: &(impl Array<Elem = K> + ?Sized),
        sorted: &mut (impl ArrayMut<Elem = K> + ?Sized),
        payload: Payload,
        options: &SortOptions,
    ) -> Result<()> {
        let count = same_len("sort", ("keys", keys.len()), ("sorted", sorted.len()))?;
        let keys = input("keys", keys);
        self.sort_into::<K>(keys, count, output("sorted", sorted), payload, (options, None))
    }

    /// As [`Context::sort_with`], in the order of an expression that is true where key `a` precedes key `b`: a strict weak order, by the rules of
    /// C. What an expression may have is in the documentation of `gpumex_map`.
    ///
    /// ```
    /// use gpumex::{Context, Payload};
    ///
    /// let (ctx, mut sorted) = (Context::new()?, [0; 4]);
    /// ctx.sort_by(&[3, -5, 1, -2], &mut sorted, Payload::none(), "abs (a) < abs (b)")?;
    /// assert_eq!(sorted, [1, -2, 3, -5]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn sort_by<K: Element>(
        &self,
        keys: &(impl Array<Elem = K> + ?Sized),
        sorted: &mut (impl ArrayMut<Elem = K> + ?Sized),
        payload: Payload,
        expression: &str,
    ) -> Result<()> {
        let count = same_len("sort", ("keys", keys.len()), ("sorted", sorted.len()))?;
        let (keys, how) = (input("keys", keys), (&SortOptions::new(), Some(expression)));
        self.sort_into::<K>(keys, count, output("sorted", sorted), payload, how)
    }

    /// Sorts the keys in place, through a copy.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// let mut keys = vec![3, 1, 2];
    /// ctx.sort_in_place(&mut keys, &Default::default())?;
    /// assert_eq!(keys, [1, 2, 3]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn sort_in_place<K: Element>(
        &self,
        keys: &mut (impl ArrayMut<Elem = K> + ?Sized),
        options: &SortOptions,
    ) -> Result<()> {
        let copy = self.array(keys)?;
        self.sort_with(&copy, keys, Payload::none(), options)
    }

    /// positions ← the positions of the keys in the order in which they would be sorted.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// let mut positions = [0u64; 3];
    /// ctx.argsort(&[30, 10, 20], &mut positions, &Default::default())?;
    /// assert_eq!(positions, [1, 2, 0]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn argsort<K: Element, I: Index>(
        &self,
        keys: &(impl Array<Elem = K> + ?Sized),
        positions: &mut (impl ArrayMut<Elem = I> + ?Sized),
        options: &SortOptions,
    ) -> Result<()> {
        let count = same_len("sort", ("keys", keys.len()), ("positions", positions.len()))?;
        let payload = Payload::indices(positions);
        let keys = input("keys", keys);
        self.sort_into::<K>(keys, count, Output::absent("sorted"), payload, (options, None))
    }

    fn sort_into<K: Element>(
        &self,
        keys: Input,
        count: usize,
        sorted: Output,
        Payload { moved, values, result }: Payload,
        (options, expression): (&SortOptions, Option<&str>),
    ) -> Result<()> {
        let options = ops::sort::Options { expression, ..sort_options::<K>(options, moved) };
        self.call("sort", |ctx| ops::sort::sort(ctx, &options, keys, values, count, sorted, result))
    }

    /// As [`Context::sort_with`], by merging: fast where keys are nearly sorted.
    ///
    /// ```
    /// use gpumex::{Context, Payload};
    ///
    /// let ctx = Context::new()?;
    /// let mut sorted = [0u16; 4];
    /// ctx.locality_sort(&[1, 3, 2, 4], &mut sorted, Payload::none(), &Default::default())?;
    /// assert_eq!(sorted, [1, 2, 3, 4]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn locality_sort<K: Element>(
        &self,
        keys: &(impl Array<Elem = K> + ?Sized),
        sorted: &mut (impl ArrayMut<Elem = K> + ?Sized),
        payload: Payload,
        &LocalitySortOptions { variant, order }: &LocalitySortOptions,
    ) -> Result<()> {
        let count = same_len("locality_sort", ("keys", keys.len()), ("sorted", sorted.len()))?;
        let Payload { moved: Moved { kind, value_dtype, index_dtype }, values, result } = payload;
        let dtype = K::DTYPE;
        let options =
            ops::locality_sort::Options { variant, dtype, order, payload: kind, value_dtype, index_dtype };
        self.call("locality_sort", |ctx| {
            let (keys, sorted) = (input("keys", keys), output("sorted", sorted));
            ops::locality_sort::locality_sort(ctx, &options, keys, values, count, sorted, result)
        })
    }

    /// sorted ← the keys of each segment ascending, segments in place; `starts` are the positions at which segments begin, ascending.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// let mut sorted = [0; 6];
    /// ctx.segmented_sort(&[3, 1, 2, 6, 5, 4], &[0u32, 3], &mut sorted)?;
    /// assert_eq!(sorted, [1, 2, 3, 4, 5, 6]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn segmented_sort<K: Element, I: Index>(
        &self,
        keys: &(impl Array<Elem = K> + ?Sized),
        starts: &(impl Array<Elem = I> + ?Sized),
        sorted: &mut (impl ArrayMut<Elem = K> + ?Sized),
    ) -> Result<()> {
        let segments = Segments::starts(starts);
        self.segmented_sort_with(keys, segments, sorted, Payload::none(), &SegmentedSortOptions::new())
    }

    /// As [`Context::segmented_sort`], with what moves with the keys and with options. Positions have the type of the starts.
    pub fn segmented_sort_with<K: Element>(
        &self,
        keys: &(impl Array<Elem = K> + ?Sized),
        segments: Segments,
        sorted: &mut (impl ArrayMut<Elem = K> + ?Sized),
        payload: Payload,
        options: &SegmentedSortOptions,
    ) -> Result<()> {
        let count = same_len("segmented_sort", ("keys", keys.len()), ("sorted", sorted.len()))?;
        let Payload { moved: Moved { kind, value_dtype, index_dtype: moved }, values, result } = payload;
        let index_dtype = match (segments.dtype, moved) {
            (own, Dtype::None) | (Dtype::None, own) => own,
            (own, moved) if own == moved => own,
            _ => {
                return Err(Error::invalid(
                    "segmented_sort: the positions have another type than the segments",
                ));
            }
        };
        let options = ops::segmented_sort::Options {
            variant: options.variant,
            dtype: K::DTYPE,
            order: options.order,
            payload: kind,
            value_dtype,
            index_dtype,
            segments_by: segments.by,
        };
        self.call("segmented_sort", |ctx| {
            let (keys, sorted, segments) =
                (input("keys", keys), output("sorted", sorted), (segments.array, segments.len));
            ops::segmented_sort::segmented_sort(ctx, &options, keys, values, count, segments, sorted, result)
        })
    }

    /// The first position of keys that are not ascending; None where they are.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// assert_eq!(ctx.check_sorted(&[1, 2, 2, 1])?, Some(3));
    /// assert_eq!(ctx.check_sorted(&[1, 2, 2, 3])?, None);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn check_sorted<K: Element>(&self, keys: &(impl Array<Elem = K> + ?Sized)) -> Result<Option<usize>> {
        self.check_sorted_with(keys, &CheckSortedOptions::new())
    }

    /// As [`Context::check_sorted`], with options.
    pub fn check_sorted_with<K: Element>(
        &self,
        keys: &(impl Array<Elem = K> + ?Sized),
        &CheckSortedOptions { order, strict }: &CheckSortedOptions,
    ) -> Result<Option<usize>> {
        let (count, mut first) = (keys.len(), 0);
        let options = ops::check_sorted::Options { dtype: K::DTYPE, order, strict };
        self.call("check_sorted", |ctx| {
            ops::check_sorted::check_sorted(ctx, &options, input("keys", keys), count, Some(&mut first))
        })?;
        Ok(usize::try_from(first).ok().filter(|&first| first < count))
    }
}

/// As the operation takes them.
pub(super) fn sort_options<K: Element>(
    &SortOptions { variant, order }: &SortOptions,
    Moved { kind: payload, value_dtype, index_dtype }: Moved,
) -> ops::sort::Options<'static> {
    let (dtype, expression) = (K::DTYPE, None);
    ops::sort::Options { variant, dtype, order, payload, value_dtype, index_dtype, expression }
}

/// Where segments begin.
pub struct Segments<'a> {
    array: Input<'a>,
    len: usize,
    dtype: Dtype,
    by: SegmentsBy,
}

impl<'a> Segments<'a> {
    /// At these positions, ascending; 0 may be left out.
    pub fn starts<I: Index>(starts: &'a (impl Array<Elem = I> + ?Sized)) -> Segments<'a> {
        let (len, array) = (starts.len(), input("segments", starts));
        Segments { array, len, dtype: I::DTYPE, by: SegmentsBy::Offsets }
    }

    /// At the keys whose bits are set: bit i % 32 of word i / 32 is that of key i.
    ///
    /// ```
    /// use gpumex::{Context, Payload, Segments};
    ///
    /// let ctx = Context::new()?;
    /// let mut sorted = [0; 4];
    /// let (none, options) = (Payload::none(), Default::default());
    /// ctx.segmented_sort_with(&[4, 3, 2, 1], Segments::flags(&[0b100]), &mut sorted, none, &options)?;
    /// assert_eq!(sorted, [3, 4, 1, 2]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn flags(flags: &'a (impl Array<Elem = u32> + ?Sized)) -> Segments<'a> {
        let (len, array) = (flags.len(), input("segments", flags));
        Segments { array, len, dtype: Dtype::None, by: SegmentsBy::Flags }
    }
}

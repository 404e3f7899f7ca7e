//! Sorted arrays: merging, set operations, joins and searches. That they are sorted is not checked: see [`Context::check_sorted`].

use gpumex_core::array::Output;
use gpumex_core::model::dtype::Dtype;
use gpumex_core::ops;

use super::array::{input, output, same_len, zeroed};
use super::options::options;
use super::payload::{Moved, PairPayload};
use super::{
    Array, ArrayMut, Bound, Context, Element, Index, JoinKind, SetOperator, SortOrder, Variant, ViewMut,
};
use crate::Result;

options! {
    /// Options of [`Context::merge_with`].
    MergeOptions {
        /// How it is computed.
        variant: Variant,
        /// The order of the keys.
        order: SortOrder,
    }
}

options! {
    /// Options of [`Context::set_operation_with`].
    SetOptions {
        /// How it is computed.
        variant: Variant,
        /// The order of the keys.
        order: SortOrder,
        /// Neither array holds a key twice.
        distinct: bool,
    }
}

options! {
    /// Options of [`Context::join_with`].
    JoinOptions {
        /// How it is computed.
        variant: Variant,
        /// The order of the keys.
        order: SortOrder,
        /// Which keys without a partner are kept; else none.
        kind: JoinKind,
    }
}

options! {
    /// Options of [`Context::sorted_search_with`].
    SearchOptions {
        /// How it is computed.
        variant: Variant,
        /// The order of the keys.
        order: SortOrder,
        /// The position among equal keys; else before the first of them.
        bound: Bound,
    }
}

options! {
    /// Options of [`Context::sorted_equality_count_with`].
    EqualityCountOptions {
        /// How it is computed.
        variant: Variant,
        /// The order of the keys.
        order: SortOrder,
    }
}

impl Context {
    /// keys ← the keys of a and b, each sorted, in one order; of equal keys those of a come first.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// let mut keys = [0; 5];
    /// ctx.merge(&[1, 4, 5], &[2, 4], &mut keys)?;
    /// assert_eq!(keys, [1, 2, 4, 4, 5]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn merge<K: Element>(
        &self,
        a: &(impl Array<Elem = K> + ?Sized),
        b: &(impl Array<Elem = K> + ?Sized),
        keys: &mut (impl ArrayMut<Elem = K> + ?Sized),
    ) -> Result<()> {
        self.merge_with(a, b, keys, PairPayload::none(), &MergeOptions::new())
    }

    /// As [`Context::merge`], with what moves with the keys and with options.
    pub fn merge_with<K: Element>(
        &self,
        a: &(impl Array<Elem = K> + ?Sized),
        b: &(impl Array<Elem = K> + ?Sized),
        keys: &mut (impl ArrayMut<Elem = K> + ?Sized),
        payload: PairPayload,
        options: &MergeOptions,
    ) -> Result<()> {
        self.merge_into(a, b, keys, payload, (options, None))
    }

    /// As [`Context::merge_with`], of arrays that are sorted by an expression that is true where key `a` precedes key `b`, as for
    /// [`Context::sort_by`].
    ///
    /// ```
    /// use gpumex::{Context, PairPayload};
    ///
    /// let (ctx, mut keys) = (Context::new()?, [0; 5]);
    /// ctx.merge_by(&[5, 4, 1], &[4, 2], &mut keys, PairPayload::none(), "a > b")?;
    /// assert_eq!(keys, [5, 4, 4, 2, 1]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn merge_by<K: Element>(
        &self,
        a: &(impl Array<Elem = K> + ?Sized),
        b: &(impl Array<Elem = K> + ?Sized),
        keys: &mut (impl ArrayMut<Elem = K> + ?Sized),
        payload: PairPayload,
        expression: &str,
    ) -> Result<()> {
        self.merge_into(a, b, keys, payload, (&MergeOptions::new(), Some(expression)))
    }

    fn merge_into<K: Element>(
        &self,
        a: &(impl Array<Elem = K> + ?Sized),
        b: &(impl Array<Elem = K> + ?Sized),
        keys: &mut (impl ArrayMut<Elem = K> + ?Sized),
        payload: PairPayload,
        (&MergeOptions { variant, order }, expression): (&MergeOptions, Option<&str>),
    ) -> Result<()> {
        same_len("merge", ("keys", keys.len()), ("a and b", a.len().saturating_add(b.len())))?;
        let PairPayload { moved: Moved { kind, value_dtype, index_dtype }, a: a_values, b: b_values, result } =
            payload;
        let (dtype, payload) = (K::DTYPE, kind);
        let options =
            ops::merge::Options { variant, dtype, order, payload, value_dtype, index_dtype, expression };
        let a = ops::merge::Run { count: a.len(), keys: input("a_keys", a), values: a_values };
        let b = ops::merge::Run { count: b.len(), keys: input("b_keys", b), values: b_values };
        self.call("merge", |ctx| ops::merge::merge(ctx, &options, a, b, output("keys", keys), result))
    }

    /// The intersection, union, difference or symmetric difference of two sorted arrays, in which a key may occur more than once.
    ///
    /// ```
    /// use gpumex::{Context, SetOperator};
    ///
    /// let ctx = Context::new()?;
    /// let (a, b) = ([1, 2, 2, 3], [2, 3, 4]);
    /// assert_eq!(ctx.set_operation(SetOperator::Intersection, &a, &b)?, [2, 3]);
    /// assert_eq!(ctx.set_operation(SetOperator::Difference, &a, &b)?, [1, 2]);
    /// assert_eq!(ctx.set_operation(SetOperator::Union, &a, &b)?, [1, 2, 2, 3, 4]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn set_operation<K: Element>(
        &self,
        op: SetOperator,
        a: &(impl Array<Elem = K> + ?Sized),
        b: &(impl Array<Elem = K> + ?Sized),
    ) -> Result<Vec<K>> {
        let (mut keys, mut needed) = (zeroed(a.len().saturating_add(b.len()))?, [0]);
        let (payload, options) = (PairPayload::none(), SetOptions::new());
        self.set_operation_with(op, a, b, &mut keys, payload, &mut needed, &options)?;
        keys.truncate(to_usize(needed));
        Ok(keys)
    }

    /// As [`Context::set_operation`], into the array `keys`, with what moves with the keys and with options. `needed`, an array of one
    /// element anywhere, receives the number of keys; where `keys` is shorter the call is INVALID_ARGUMENT, and where it has no elements
    /// they are counted only.
    ///
    /// ```
    /// use gpumex::{Context, PairPayload, SetOperator};
    ///
    /// let ctx = Context::new()?;
    /// let (mut keys, mut positions, mut needed) = ([0; 4], [0u32; 4], [0]);
    /// let (op, payload) = (SetOperator::Intersection, PairPayload::indices(&mut positions));
    /// ctx.set_operation_with(op, &[1, 2], &[2, 3], &mut keys, payload, &mut needed, &Default::default())?;
    /// assert_eq!((needed, keys[0], positions[0]), ([1], 2, 1));
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    #[allow(clippy::too_many_arguments)]
    pub fn set_operation_with<K: Element>(
        &self,
        op: SetOperator,
        a: &(impl Array<Elem = K> + ?Sized),
        b: &(impl Array<Elem = K> + ?Sized),
        keys: &mut (impl ArrayMut<Elem = K> + ?Sized),
        payload: PairPayload,
        needed: &mut (impl ArrayMut<Elem = u64> + ?Sized),
        options: &SetOptions,
    ) -> Result<()> {
        let PairPayload { moved, a: a_values, b: b_values, result } = payload;
        let options = ops::set_operation::Options {
            variant: options.variant,
            dtype: K::DTYPE,
            order: options.order,
            op,
            payload: moved.kind,
            value_dtype: moved.value_dtype,
            index_dtype: moved.index_dtype,
            distinct: options.distinct,
        };
        let a = ops::set_operation::Side { count: a.len(), keys: input("a_keys", a), values: a_values };
        let b = ops::set_operation::Side { count: b.len(), keys: input("b_keys", b), values: b_values };
        let target = ops::set_operation::Target {
            capacity: keys.len(),
            keys: Some(output("keys", keys)),
            values: result,
            needed: output("needed", needed),
        };
        self.call("set_operation", |ctx| ops::set_operation::set_operation(ctx, &options, a, b, target))
    }

    /// The pairs of positions (i, j) with a\[i\] = b\[j\], of two sorted arrays. With an outer join a position that is none has all bits
    /// set.
    ///
    /// ```
    /// use gpumex::{Context, JoinKind, JoinOptions};
    ///
    /// let ctx = Context::new()?;
    /// let (a, b) = ([1, 2, 5], [2, 2, 3]);
    /// assert_eq!(ctx.join::<_, u32>(&a, &b, &JoinOptions::new())?, [(1, 0), (1, 1)]);
    /// let left = JoinOptions::new().kind(JoinKind::Left);
    /// assert_eq!(ctx.join(&a, &b, &left)?, [(0, u64::MAX), (1, 0), (1, 1), (2, u64::MAX)]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn join<K: Element, I: Index>(
        &self,
        a: &(impl Array<Elem = K> + ?Sized),
        b: &(impl Array<Elem = K> + ?Sized),
        options: &JoinOptions,
    ) -> Result<Vec<(I, I)>> {
        let mut needed = [0];
        self.join_with(a, b, &mut [] as &mut [I], &mut [], &mut needed, options)?;
        let count = to_usize(needed);
        let (mut a_indices, mut b_indices) = (zeroed(count)?, zeroed(count)?);
        self.join_with(a, b, &mut a_indices, &mut b_indices, &mut needed, options)?;
        Ok(a_indices.into_iter().zip(b_indices).collect())
    }

    /// As [`Context::join`], into two arrays of one length; `needed` is as in [`Context::set_operation_with`].
    pub fn join_with<K: Element, I: Index>(
        &self,
        a: &(impl Array<Elem = K> + ?Sized),
        b: &(impl Array<Elem = K> + ?Sized),
        a_indices: &mut (impl ArrayMut<Elem = I> + ?Sized),
        b_indices: &mut (impl ArrayMut<Elem = I> + ?Sized),
        needed: &mut (impl ArrayMut<Elem = u64> + ?Sized),
        &JoinOptions { variant, order, kind }: &JoinOptions,
    ) -> Result<()> {
        let target = ops::join::Target {
            capacity: same_len("join", ("a_indices", a_indices.len()), ("b_indices", b_indices.len()))?,
            a_indices: output("a_indices", a_indices),
            b_indices: output("b_indices", b_indices),
            needed: output("needed", needed),
        };
        let options = ops::join::Options { variant, dtype: K::DTYPE, order, kind, index_dtype: I::DTYPE };
        let (a, b) = ((input("a", a), a.len()), (input("b", b), b.len()));
        self.call("join", |ctx| ops::join::join(ctx, &options, a, b, target))
    }

    /// bounds\[i\] ← how many elements of the sorted array b precede a\[i\]; a is sorted too.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// let mut bounds = [0u32; 3];
    /// ctx.sorted_search(&[1, 4, 9], &[2, 4, 4], &mut bounds)?;
    /// assert_eq!(bounds, [0, 1, 3]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn sorted_search<K: Element, I: Index>(
        &self,
        a: &(impl Array<Elem = K> + ?Sized),
        b: &(impl Array<Elem = K> + ?Sized),
        bounds: &mut (impl ArrayMut<Elem = I> + ?Sized),
    ) -> Result<()> {
        self.sorted_search_with(a, b, SearchOutputs::new().a_indices(bounds), &SearchOptions::new())
    }

    /// The bounds of the elements of each of two sorted arrays in the other one, and which are in both.
    ///
    /// ```
    /// use gpumex::{Context, SearchOutputs};
    ///
    /// let ctx = Context::new()?;
    /// let (mut flags, mut matches) = ([0; 3], [0; 2]);
    /// let outputs = SearchOutputs::new().a_flags(&mut flags).matches(&mut matches);
    /// ctx.sorted_search_with(&[1, 4, 9], &[2, 4, 4], outputs, &Default::default())?;
    /// assert_eq!((flags, matches), ([0, 1, 0], [1, 2])); // 4 once in a, twice in b
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn sorted_search_with<K: Element, I: Index>(
        &self,
        a: &(impl Array<Elem = K> + ?Sized),
        b: &(impl Array<Elem = K> + ?Sized),
        outputs: SearchOutputs<I>,
        options: &SearchOptions,
    ) -> Result<()> {
        self.search_into(a, b, outputs, (options, None))
    }

    /// As [`Context::sorted_search_with`], of arrays that are sorted by an expression that is true where key `a` precedes key `b`, as for
    /// [`Context::sort_by`]. The order of the options is not used.
    ///
    /// ```
    /// use gpumex::{Context, SearchOutputs};
    ///
    /// let (ctx, mut bounds) = (Context::new()?, [0u32; 2]);
    /// let outputs = SearchOutputs::new().a_indices(&mut bounds);
    /// ctx.sorted_search_by(&[-7, 2], &[9, 6, -4], outputs, &Default::default(), "abs (a) > abs (b)")?;
    /// assert_eq!(bounds, [1, 3]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn sorted_search_by<K: Element, I: Index>(
        &self,
        a: &(impl Array<Elem = K> + ?Sized),
        b: &(impl Array<Elem = K> + ?Sized),
        outputs: SearchOutputs<I>,
        options: &SearchOptions,
        expression: &str,
    ) -> Result<()> {
        let options = options.order(SortOrder::Ascending);
        self.search_into(a, b, outputs, (&options, Some(expression)))
    }

    fn search_into<K: Element, I: Index>(
        &self,
        a: &(impl Array<Elem = K> + ?Sized),
        b: &(impl Array<Elem = K> + ?Sized),
        mut outputs: SearchOutputs<I>,
        (&SearchOptions { variant, order, bound }, expression): (&SearchOptions, Option<&str>),
    ) -> Result<()> {
        let (dtype, index_dtype) = (K::DTYPE, I::DTYPE);
        let options = ops::sorted_search::Options { variant, dtype, order, bound, index_dtype, expression };
        let (a, b) = ((input("a", a), a.len()), (input("b", b), b.len()));
        let outputs = ops::sorted_search::Outputs {
            a_indices: wanted("a_indices", &mut outputs.a_indices),
            b_indices: wanted("b_indices", &mut outputs.b_indices),
            a_flags: wanted("a_flags", &mut outputs.a_flags),
            b_flags: wanted("b_flags", &mut outputs.b_flags),
            matches: wanted("matches", &mut outputs.matches),
        };
        self.call("sorted_search", |ctx| ops::sorted_search::sorted_search(ctx, &options, a, b, outputs))
    }

    /// counts\[i\] ← how many elements of the sorted array b equal a\[i\]; a is sorted too.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// let mut counts = [0u32; 3];
    /// ctx.sorted_equality_count(&[1, 4, 9], &[2, 4, 4], &mut counts)?;
    /// assert_eq!(counts, [0, 2, 0]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn sorted_equality_count<K: Element, I: Index>(
        &self,
        a: &(impl Array<Elem = K> + ?Sized),
        b: &(impl Array<Elem = K> + ?Sized),
        counts: &mut (impl ArrayMut<Elem = I> + ?Sized),
    ) -> Result<()> {
        self.equality_count(a, b, counts, None, &EqualityCountOptions::new())
    }

    /// As [`Context::sorted_equality_count`], with options; lower\[i\] ← how many elements of b precede a\[i\].
    pub fn sorted_equality_count_with<K: Element, I: Index>(
        &self,
        a: &(impl Array<Elem = K> + ?Sized),
        b: &(impl Array<Elem = K> + ?Sized),
        counts: &mut (impl ArrayMut<Elem = I> + ?Sized),
        lower: &mut (impl ArrayMut<Elem = I> + ?Sized),
        options: &EqualityCountOptions,
    ) -> Result<()> {
        self.equality_count(a, b, counts, Some(output("lower", lower)), options)
    }

    fn equality_count<K: Element, I: Index>(
        &self,
        a: &(impl Array<Elem = K> + ?Sized),
        b: &(impl Array<Elem = K> + ?Sized),
        counts: &mut (impl ArrayMut<Elem = I> + ?Sized),
        lower: Option<Output>,
        &EqualityCountOptions { variant, order }: &EqualityCountOptions,
    ) -> Result<()> {
        same_len("sorted_equality_count", ("a", a.len()), ("counts", counts.len()))?;
        let (dtype, index_dtype): (Dtype, Dtype) = (K::DTYPE, I::DTYPE);
        let options = ops::sorted_equality_count::Options { variant, dtype, order, index_dtype };
        let (a, b, counts) = ((input("a", a), a.len()), (input("b", b), b.len()), output("counts", counts));
        self.call("sorted_equality_count", |ctx| {
            ops::sorted_equality_count::sorted_equality_count(ctx, &options, a, b, counts, lower)
        })
    }
}

/// What [`Context::sorted_search_with`] finds out.
pub struct SearchOutputs<'a, I> {
    a_indices: Option<ViewMut<'a, I>>,
    b_indices: Option<ViewMut<'a, I>>,
    a_flags: Option<ViewMut<'a, u8>>,
    b_flags: Option<ViewMut<'a, u8>>,
    matches: Option<ViewMut<'a, u64>>,
}

impl<'a> SearchOutputs<'a, u64> {
    /// Nothing.
    pub fn new() -> SearchOutputs<'a, u64> {
        SearchOutputs { a_indices: None, b_indices: None, a_flags: None, b_flags: None, matches: None }
    }

    /// Element i receives the bound of a\[i\] in b.
    #[must_use]
    pub fn a_indices<I: Index>(
        self,
        bounds: &'a mut (impl ArrayMut<Elem = I> + ?Sized),
    ) -> SearchOutputs<'a, I> {
        let SearchOutputs { a_flags, b_flags, matches, .. } = self;
        SearchOutputs { a_indices: Some(bounds.view_mut()), b_indices: None, a_flags, b_flags, matches }
    }
}

impl Default for SearchOutputs<'_, u64> {
    fn default() -> Self {
        SearchOutputs::new()
    }
}

impl<'a, I: Index> SearchOutputs<'a, I> {
    /// Element j receives the other bound of b\[j\] in a: the upper one where the option `bound` is LOWER. After `a_indices`, whose type
    /// it has.
    #[must_use]
    pub fn b_indices(self, bounds: &'a mut (impl ArrayMut<Elem = I> + ?Sized)) -> SearchOutputs<'a, I> {
        SearchOutputs { b_indices: Some(bounds.view_mut()), ..self }
    }

    /// Element i receives 1 where a\[i\] is in b, else 0.
    #[must_use]
    pub fn a_flags(self, flags: &'a mut (impl ArrayMut<Elem = u8> + ?Sized)) -> SearchOutputs<'a, I> {
        SearchOutputs { a_flags: Some(flags.view_mut()), ..self }
    }

    /// Element j receives 1 where b\[j\] is in a, else 0.
    #[must_use]
    pub fn b_flags(self, flags: &'a mut (impl ArrayMut<Elem = u8> + ?Sized)) -> SearchOutputs<'a, I> {
        SearchOutputs { b_flags: Some(flags.view_mut()), ..self }
    }

    /// Two elements receive how many elements of a are in b, and how many of b in a.
    #[must_use]
    pub fn matches(self, matches: &'a mut (impl ArrayMut<Elem = u64> + ?Sized)) -> SearchOutputs<'a, I> {
        SearchOutputs { matches: Some(matches.view_mut()), ..self }
    }
}

/// A result that may be left out.
pub(super) fn wanted<'v, T: Element>(
    name: &'static str,
    view: &'v mut Option<ViewMut<'_, T>>,
) -> Option<Output<'v>> {
    view.as_mut().map(|view| output(name, view))
}

/// A number of elements of this machine.
pub(super) fn to_usize([count]: [u64; 1]) -> usize {
    usize::try_from(count).expect("lengths fit a usize on 64-bit machines")
}

//! Elements that move: to and from given positions, between others, and out of an array.

use gpumex_core::ops;

use super::array::{input, output, same_len, zeroed};
use super::merge::{to_usize, wanted};
use super::options::{options, variant_options};
use super::{Array, ArrayMut, Context, Element, Index, Number, Variant, ViewMut};
use crate::{Error, Result};

variant_options! {
    /// Options of [`Context::bulk_insert_with`].
    BulkInsertOptions: Variant,
    /// Options of [`Context::bulk_remove_with`].
    BulkRemoveOptions: Variant,
    /// Options of [`Context::compact_with`].
    CompactOptions: Variant,
}

options! {
    /// Options of [`Context::gather_with`].
    GatherOptions {
        /// How it is computed.
        variant: Variant,
        /// An index that is out of range is INVALID_ARGUMENT. The call waits for that.
        check: bool,
    }
}

options! {
    /// Options of [`Context::scatter_with`].
    ScatterOptions {
        /// How it is computed.
        variant: Variant,
        /// An index that is out of range is INVALID_ARGUMENT. The call waits for that.
        check: bool,
    }
}

impl Context {
    /// result\[i\] ← source\[indices\[i\]\], 0 where the index is out of range.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// let mut result = [0; 3];
    /// ctx.gather(&[10, 20, 30], &[2u32, 0, 7], &mut result)?;
    /// assert_eq!(result, [30, 10, 0]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn gather<T: Element, I: Index>(
        &self,
        source: &(impl Array<Elem = T> + ?Sized),
        indices: &(impl Array<Elem = I> + ?Sized),
        result: &mut (impl ArrayMut<Elem = T> + ?Sized),
    ) -> Result<()> {
        self.gather_with(source, indices, result, &GatherOptions::new())
    }

    /// As [`Context::gather`], with options.
    pub fn gather_with<T: Element, I: Index>(
        &self,
        source: &(impl Array<Elem = T> + ?Sized),
        indices: &(impl Array<Elem = I> + ?Sized),
        result: &mut (impl ArrayMut<Elem = T> + ?Sized),
        &GatherOptions { variant, check }: &GatherOptions,
    ) -> Result<()> {
        let count = same_len("gather", ("indices", indices.len()), ("result", result.len()))?;
        let options = ops::gather::Options { variant, dtype: T::DTYPE, index_dtype: I::DTYPE, check };
        let (source, indices) = ((input("source", source), source.len()), (input("indices", indices), count));
        self.call("gather", |ctx| {
            ops::gather::gather(ctx, &options, source, indices, output("result", result))
        })
    }

    /// target\[indices\[i\]\] ← source\[i\] where the index is in range; the rest of target stays. Of equal indices one wins, which one is
    /// unspecified.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// let mut target = [0; 3];
    /// ctx.scatter(&[10, 20, 30], &[2u32, 0, 7], &mut target)?;
    /// assert_eq!(target, [20, 0, 10]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn scatter<T: Element, I: Index>(
        &self,
        source: &(impl Array<Elem = T> + ?Sized),
        indices: &(impl Array<Elem = I> + ?Sized),
        target: &mut (impl ArrayMut<Elem = T> + ?Sized),
    ) -> Result<()> {
        self.scatter_with(source, indices, target, &ScatterOptions::new())
    }

    /// As [`Context::scatter`], with options.
    pub fn scatter_with<T: Element, I: Index>(
        &self,
        source: &(impl Array<Elem = T> + ?Sized),
        indices: &(impl Array<Elem = I> + ?Sized),
        target: &mut (impl ArrayMut<Elem = T> + ?Sized),
        &ScatterOptions { variant, check }: &ScatterOptions,
    ) -> Result<()> {
        let count = same_len("scatter", ("source", source.len()), ("indices", indices.len()))?;
        let options = ops::gather::Options { variant, dtype: T::DTYPE, index_dtype: I::DTYPE, check };
        let (indices, target_count) = ((input("indices", indices), count), target.len());
        self.call("scatter", |ctx| {
            let target = (output("target", target), target_count);
            ops::scatter::scatter(ctx, &options, input("source", source), indices, target)
        })
    }

    /// result ← b with each a\[i\] before b\[indices\[i\]\]; the indices ascend, and those beyond b mean its end.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// let mut result = [0; 5];
    /// ctx.bulk_insert(&[10, 20], &[1u32, 3], &[1, 2, 3], &mut result)?;
    /// assert_eq!(result, [1, 10, 2, 3, 20]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn bulk_insert<T: Number, I: Index>(
        &self,
        a: &(impl Array<Elem = T> + ?Sized),
        indices: &(impl Array<Elem = I> + ?Sized),
        b: &(impl Array<Elem = T> + ?Sized),
        result: &mut (impl ArrayMut<Elem = T> + ?Sized),
    ) -> Result<()> {
        self.bulk_insert_with(a, indices, b, result, &BulkInsertOptions::new())
    }

    /// As [`Context::bulk_insert`], with options.
    pub fn bulk_insert_with<T: Number, I: Index>(
        &self,
        a: &(impl Array<Elem = T> + ?Sized),
        indices: &(impl Array<Elem = I> + ?Sized),
        b: &(impl Array<Elem = T> + ?Sized),
        result: &mut (impl ArrayMut<Elem = T> + ?Sized),
        &BulkInsertOptions { variant }: &BulkInsertOptions,
    ) -> Result<()> {
        let count = same_len("bulk_insert", ("a", a.len()), ("indices", indices.len()))?;
        same_len("bulk_insert", ("result", result.len()), ("a and b", count.saturating_add(b.len())))?;
        let options = ops::bulk_insert::Options { variant, dtype: T::DTYPE, index_dtype: I::DTYPE };
        let (a, b) = ((input("a", a), input("indices", indices), count), (input("b", b), b.len()));
        self.call("bulk_insert", |ctx| {
            ops::bulk_insert::bulk_insert(ctx, &options, a, b, output("result", result))
        })
    }

    /// result ← source without the elements at the indices, which ascend and differ.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// let mut result = [0; 2];
    /// ctx.bulk_remove(&[1, 2, 3, 4], &[0u32, 2], &mut result)?;
    /// assert_eq!(result, [2, 4]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn bulk_remove<T: Number, I: Index>(
        &self,
        source: &(impl Array<Elem = T> + ?Sized),
        indices: &(impl Array<Elem = I> + ?Sized),
        result: &mut (impl ArrayMut<Elem = T> + ?Sized),
    ) -> Result<()> {
        self.bulk_remove_with(source, indices, result, &BulkRemoveOptions::new())
    }

    /// As [`Context::bulk_remove`], with options.
    pub fn bulk_remove_with<T: Number, I: Index>(
        &self,
        source: &(impl Array<Elem = T> + ?Sized),
        indices: &(impl Array<Elem = I> + ?Sized),
        result: &mut (impl ArrayMut<Elem = T> + ?Sized),
        &BulkRemoveOptions { variant }: &BulkRemoveOptions,
    ) -> Result<()> {
        let left = result.len().saturating_add(indices.len());
        same_len("bulk_remove", ("source", source.len()), ("the result and the indices", left))?;
        let options = ops::bulk_remove::Options { variant, dtype: T::DTYPE, index_dtype: I::DTYPE };
        let source = (input("source", source), source.len());
        let indices = (input("indices", indices), indices.len());
        self.call("bulk_remove", |ctx| {
            ops::bulk_remove::bulk_remove(ctx, &options, source, indices, output("result", result))
        })
    }

    /// The elements whose flags are not 0.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// assert_eq!(ctx.compact(&[10, 20, 30], &[1, 0, 1])?, [10, 30]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn compact<T: Element>(
        &self,
        data: &(impl Array<Elem = T> + ?Sized),
        flags: &(impl Array<Elem = u8> + ?Sized),
    ) -> Result<Vec<T>> {
        let (mut kept, mut needed) = (zeroed(data.len())?, [0]);
        let outputs = CompactOutputs::new().kept(&mut kept);
        self.compact_with(data, flags, outputs, &mut needed, &CompactOptions::new())?;
        kept.truncate(to_usize(needed));
        Ok(kept)
    }

    /// As [`Context::compact`], into arrays: of the elements, of their positions, or both. `needed`, an array of one element anywhere,
    /// receives the number of elements kept; where the arrays are shorter the call is INVALID_ARGUMENT, and without arrays elements are
    /// counted only.
    ///
    /// ```
    /// use gpumex::{CompactOutputs, Context};
    ///
    /// let ctx = Context::new()?;
    /// let (mut positions, mut needed) = ([0u32; 3], [0]);
    /// let outputs = CompactOutputs::new().positions(&mut positions);
    /// ctx.compact_with(&[10, 20, 30], &[1, 0, 1], outputs, &mut needed, &Default::default())?;
    /// assert_eq!((needed, &positions[..2]), ([2], &[0, 2][..]));
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn compact_with<T: Element, I: Index>(
        &self,
        data: &(impl Array<Elem = T> + ?Sized),
        flags: &(impl Array<Elem = u8> + ?Sized),
        mut outputs: CompactOutputs<T, I>,
        needed: &mut (impl ArrayMut<Elem = u64> + ?Sized),
        &CompactOptions { variant }: &CompactOptions,
    ) -> Result<()> {
        let count = same_len("compact", ("data", data.len()), ("flags", flags.len()))?;
        let lengths = [outputs.kept.as_ref().map(Array::len), outputs.positions.as_ref().map(Array::len)];
        let wanted = ops::compact::Wanted {
            kept: wanted("kept", &mut outputs.kept),
            positions: wanted("positions", &mut outputs.positions),
            capacity: capacity("compact", &lengths)?,
            needed: output("needed", needed),
        };
        let options = ops::compact::Options { variant, dtype: T::DTYPE, index_dtype: I::DTYPE };
        self.call("compact", |ctx| {
            ops::compact::compact(ctx, &options, input("data", data), input("flags", flags), count, wanted)
        })
    }
}

/// What [`Context::compact_with`] gives.
pub struct CompactOutputs<'a, T, I> {
    kept: Option<ViewMut<'a, T>>,
    positions: Option<ViewMut<'a, I>>,
}

impl<'a, T: Element> CompactOutputs<'a, T, u64> {
    /// Nothing.
    pub fn new() -> CompactOutputs<'a, T, u64> {
        CompactOutputs { kept: None, positions: None }
    }

    /// The positions of the elements kept.
    #[must_use]
    pub fn positions<I: Index>(
        self,
        positions: &'a mut (impl ArrayMut<Elem = I> + ?Sized),
    ) -> CompactOutputs<'a, T, I> {
        CompactOutputs { kept: self.kept, positions: Some(positions.view_mut()) }
    }
}

impl<T: Element> Default for CompactOutputs<'_, T, u64> {
    fn default() -> Self {
        CompactOutputs::new()
    }
}

impl<'a, T: Element, I: Index> CompactOutputs<'a, T, I> {
    /// The elements kept.
    #[must_use]
    pub fn kept(self, kept: &'a mut (impl ArrayMut<Elem = T> + ?Sized)) -> CompactOutputs<'a, T, I> {
        CompactOutputs { kept: Some(kept.view_mut()), ..self }
    }
}

/// The one length of results of which some may be left out; 0 without any.
pub(super) fn capacity(operation: &str, lengths: &[Option<usize>]) -> Result<usize> {
    let mut lengths = lengths.iter().flatten();
    let first = lengths.next().copied().unwrap_or(0);
    match lengths.find(|&&len| len != first) {
        Some(other) => Err(Error::invalid(format!(
            "{operation}: results have {first} and {other} elements; they have one length"
        ))),
        None => Ok(first),
    }
}

//! N-D indexing: elements at positions of each dimension, and dimensions in another order.

use gpumex_core::array::Input;
use gpumex_core::model::indexing::Selection as Taken;
use gpumex_core::ops;

use super::array::{input, output};
use super::options::{options, variant_options};
use super::{Array, ArrayMut, Context, Dtype, Element, Variant};
use crate::{Error, Result};

variant_options! {
    /// Options of [`Context::permute_with`].
    PermuteOptions: Variant,
}

options! {
    /// Options of [`Context::gather_nd_with`].
    GatherNdOptions {
        /// How it is computed.
        variant: Variant,
        /// An index that is out of range is INVALID_ARGUMENT. The call waits for that.
        check: bool,
    }
}

options! {
    /// Options of [`Context::scatter_nd_with`].
    ScatterNdOptions {
        /// How it is computed.
        variant: Variant,
        /// An index that is out of range is INVALID_ARGUMENT. The call waits for that.
        check: bool,
        /// Of elements that go to one place the last one wins.
        last: bool,
    }
}

/// What is taken of a dimension: a range, an index vector or a mask.
pub struct Selection<'a> {
    taken: Taken,
    indices: Option<Input<'a>>,
}

impl<'a> Selection<'a> {
    /// All of a dimension.
    pub fn all(extent: usize) -> Selection<'a> {
        Selection::range(extent, 0, extent)
    }

    /// `count` positions of a dimension from `start` on.
    pub fn range(extent: usize, start: i64, count: usize) -> Selection<'a> {
        let taken = Taken { extent, count, start, step: 1, wraps: false, indices: None };
        Selection { taken, indices: None }
    }

    /// A range modulo the extent.
    pub fn wrapped(extent: usize, start: i64, count: usize) -> Selection<'a> {
        let Selection { taken, indices } = Selection::range(extent, start, count);
        Selection { taken: Taken { wraps: true, ..taken }, indices }
    }

    /// Positions by an index vector of u32, u64, i32, i64 or f64, from 0.
    pub fn at<I: Element>(extent: usize, indices: &'a (impl Array<Elem = I> + ?Sized)) -> Selection<'a> {
        let Selection { taken, .. } = Selection::range(extent, 0, indices.len());
        Selection {
            taken: Taken { indices: Some(I::DTYPE), ..taken },
            indices: Some(input("indices", indices)),
        }
    }

    /// The set elements of a mask, `count` of them; it has a byte for each element of the dimension.
    pub fn mask(mask: &'a (impl Array<Elem = u8> + ?Sized), count: usize) -> Selection<'a> {
        let Selection { taken, .. } = Selection::range(mask.len(), 0, count);
        Selection {
            taken: Taken { indices: Some(Dtype::Bool), ..taken },
            indices: Some(input("indices", mask)),
        }
    }

    /// The step of a range.
    #[must_use]
    pub fn step(self, step: i64) -> Selection<'a> {
        Selection { taken: Taken { step, ..self.taken }, ..self }
    }

    /// What is added to each element of an index vector: −1 where they count from 1.
    #[must_use]
    pub fn start(self, start: i64) -> Selection<'a> {
        Selection { taken: Taken { start, ..self.taken }, ..self }
    }
}

/// The selections of all dimensions and their index vectors, and how many elements there are and are taken.
type Split<'a> = (Vec<Taken>, Vec<Option<Input<'a>>>, [usize; 2]);

fn split(dimensions: Vec<Selection<'_>>) -> Split<'_> {
    let (taken, indices): (Vec<Taken>, Vec<_>) =
        dimensions.into_iter().map(|one| (one.taken, one.indices)).unzip();
    let product = |of: fn(&Taken) -> usize| taken.iter().map(of).fold(1, usize::saturating_mul);
    let counts = [product(|one| one.extent), product(|one| one.count)];
    (taken, indices, counts)
}

/// Refuses an array of another length.
fn has_len(name: &str, len: usize, want: usize) -> Result<()> {
    match len == want {
        true => Ok(()),
        false => Err(Error::new(
            crate::Status::InvalidArgument,
            format!("{name} has {len} elements, its dimensions {want}"),
        )),
    }
}

impl Context {
    /// result ← what is selected of each dimension of source, the first one fastest; 0 where an index is out of range.
    ///
    /// ```
    /// use gpumex::{Context, Selection};
    ///
    /// let ctx = Context::new()?;
    /// let source = [1, 2, 3, 4, 5, 6]; // 2 rows, 3 columns
    /// let mut result = [0; 4];
    /// ctx.gather_nd(&source, vec![Selection::all(2), Selection::at(3, &[2u32, 0])], &mut result)?;
    /// assert_eq!(result, [5, 6, 1, 2]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn gather_nd<T: Element>(
        &self,
        source: &(impl Array<Elem = T> + ?Sized),
        dimensions: Vec<Selection>,
        result: &mut (impl ArrayMut<Elem = T> + ?Sized),
    ) -> Result<()> {
        self.gather_nd_with(source, dimensions, result, &GatherNdOptions::new())
    }

    /// As [`Context::gather_nd`], with options.
    pub fn gather_nd_with<T: Element>(
        &self,
        source: &(impl Array<Elem = T> + ?Sized),
        dimensions: Vec<Selection>,
        result: &mut (impl ArrayMut<Elem = T> + ?Sized),
        &GatherNdOptions { variant, check }: &GatherNdOptions,
    ) -> Result<()> {
        let (selections, indices, [elements, taken]) = split(dimensions);
        let lens = [source.len(), result.len()];
        let options =
            ops::gather_nd::Options { variant, dtype: T::DTYPE, selections, check, ..Default::default() };
        self.call("gather_nd", |ctx| {
            has_len("source", lens[0], elements)?;
            has_len("result", lens[1], taken)?;
            let (source, result) = (input("source", source), output("result", result));
            ops::gather_nd::gather_nd(ctx, &options, &indices, source, result)
        })
    }

    /// What is selected of each dimension of target, the first one fastest, ← values, or their one element everywhere.
    ///
    /// ```
    /// use gpumex::{Context, Selection};
    ///
    /// let ctx = Context::new()?;
    /// let mut target = [0; 6]; // 2 rows, 3 columns
    /// ctx.scatter_nd(&[7], vec![Selection::range(2, 1, 1), Selection::range(3, 0, 2).step(2)], &mut target)?;
    /// assert_eq!(target, [0, 7, 0, 0, 0, 7]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn scatter_nd<T: Element>(
        &self,
        values: &(impl Array<Elem = T> + ?Sized),
        dimensions: Vec<Selection>,
        target: &mut (impl ArrayMut<Elem = T> + ?Sized),
    ) -> Result<()> {
        self.scatter_nd_with(values, dimensions, target, &ScatterNdOptions::new())
    }

    /// As [`Context::scatter_nd`], with options.
    pub fn scatter_nd_with<T: Element>(
        &self,
        values: &(impl Array<Elem = T> + ?Sized),
        dimensions: Vec<Selection>,
        target: &mut (impl ArrayMut<Elem = T> + ?Sized),
        &ScatterNdOptions { variant, check, last }: &ScatterNdOptions,
    ) -> Result<()> {
        let (selections, indices, [elements, taken]) = split(dimensions);
        let (lens, broadcast) = ([values.len(), target.len()], values.len() == 1);
        let dtype = T::DTYPE;
        let options =
            ops::scatter_nd::Options { variant, dtype, selections, check, broadcast, last, leading: 0 };
        self.call("scatter_nd", |ctx| {
            has_len("values", lens[0], if broadcast { 1 } else { taken })?;
            has_len("target", lens[1], elements)?;
            let (values, target) = (input("values", values), output("target", target));
            ops::scatter_nd::scatter_nd(ctx, &options, &indices, values, target)
        })
    }

    /// Dimension k of result ← dimension order\[k\] of source, which has this shape, the first one fastest.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// let mut transposed = [0; 6];
    /// ctx.permute(&[1, 2, 3, 4, 5, 6], &[2, 3], &[1, 0], &mut transposed)?;
    /// assert_eq!(transposed, [1, 3, 5, 2, 4, 6]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn permute<T: Element>(
        &self,
        source: &(impl Array<Elem = T> + ?Sized),
        shape: &[usize],
        order: &[usize],
        result: &mut (impl ArrayMut<Elem = T> + ?Sized),
    ) -> Result<()> {
        self.permute_with(source, shape, order, result, &PermuteOptions::new())
    }

    /// As [`Context::permute`], with options.
    pub fn permute_with<T: Element>(
        &self,
        source: &(impl Array<Elem = T> + ?Sized),
        shape: &[usize],
        order: &[usize],
        result: &mut (impl ArrayMut<Elem = T> + ?Sized),
        &PermuteOptions { variant }: &PermuteOptions,
    ) -> Result<()> {
        let (lens, options) =
            ([source.len(), result.len()], ops::permute::Options { variant, dtype: T::DTYPE });
        self.call("permute", |ctx| {
            let count = shape.iter().copied().fold(1, usize::saturating_mul);
            has_len("source", lens[0], count)?;
            has_len("result", lens[1], count)?;
            let (source, result) = (input("source", source), output("result", result));
            ops::permute::permute(ctx, &options, source, (shape, order), result)
        })
    }
}

//! Segments of arrays: reductions of each, and sparse matrices.

use gpumex_core::array::{Input, Output};
use gpumex_core::ops;

use super::array::{input, output, same_len, zeroed};
use super::merge::{to_usize, wanted};
use super::moves::capacity;
use super::options::options;
use super::{
    Array, ArrayMut, Context, DeviceArray, Element, Index, Number, Operator, SegmentedReduceOptions,
    SpmvOptions, Variant, ViewMut,
};
use crate::{Error, Result};

options! {
    /// Options of [`Context::reduce_by_key_with`].
    ReduceByKeyOptions {
        /// How it is computed.
        variant: Variant,
        /// What combines two elements; else the sum.
        op: Operator,
    }
}

impl Context {
    /// For each run of equal neighbouring keys its key and the sum of its data.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// let (keys, sums) = ctx.reduce_by_key(&[7u8, 7, 9, 7], &[1, 2, 3, 4])?;
    /// assert_eq!((keys, sums), (vec![7, 9, 7], vec![3, 3, 4]));
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn reduce_by_key<K: Element, T: Number>(
        &self,
        keys: &(impl Array<Elem = K> + ?Sized),
        data: &(impl Array<Elem = T> + ?Sized),
    ) -> Result<(Vec<K>, Vec<T>)> {
        let (mut unique, mut results, mut needed) = (zeroed(keys.len())?, zeroed(keys.len())?, [0]);
        let outputs = ReduceByKeyOutputs::new().unique_keys(&mut unique).results(&mut results);
        self.reduce_by_key_with(keys, data, outputs, &mut needed, &ReduceByKeyOptions::new())?;
        unique.truncate(to_usize(needed));
        results.truncate(to_usize(needed));
        Ok((unique, results))
    }

    /// The keys without those that equal the one before them: of sorted keys each once.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// assert_eq!(ctx.unique(&[1, 1, 2, 5, 5, 5])?, [1, 2, 5]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn unique<K: Element>(&self, keys: &(impl Array<Elem = K> + ?Sized)) -> Result<Vec<K>> {
        let (mut unique, mut needed) = (zeroed(keys.len())?, [0]);
        let outputs = ReduceByKeyOutputs::new().unique_keys(&mut unique);
        self.reduce_by_key_with(keys, &[] as &[u32], outputs, &mut needed, &ReduceByKeyOptions::new())?;
        unique.truncate(to_usize(needed));
        Ok(unique)
    }

    /// As [`Context::reduce_by_key`], into arrays: of the keys, of the results, of the positions at which runs begin, or some of them.
    /// `needed`, an array of one element anywhere, receives the number of runs; where the arrays are shorter the call is
    /// INVALID_ARGUMENT, and without arrays runs are counted only. The data are not read without results.
    ///
    /// ```
    /// use gpumex::{Context, ReduceByKeyOutputs};
    ///
    /// let ctx = Context::new()?;
    /// let (mut offsets, mut needed) = ([0u32; 5], [0]);
    /// let outputs = ReduceByKeyOutputs::new().offsets(&mut offsets);
    /// ctx.reduce_by_key_with(&[7u8, 7, 9, 7], &[0; 4], outputs, &mut needed, &Default::default())?;
    /// assert_eq!((needed, &offsets[..4]), ([3], &[0, 2, 3, 4][..]));
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn reduce_by_key_with<K: Element, T: Number, I: Index>(
        &self,
        keys: &(impl Array<Elem = K> + ?Sized),
        data: &(impl Array<Elem = T> + ?Sized),
        outputs: ReduceByKeyOutputs<K, T, I>,
        needed: &mut (impl ArrayMut<Elem = u64> + ?Sized),
        options: &ReduceByKeyOptions,
    ) -> Result<()> {
        self.reduce_runs(keys, data, outputs, needed, (options, None))
    }

    /// As [`Context::reduce_by_key_with`], by an associative expression of `a` and `b`, the earlier one and the later one, in the type of the
    /// data by the rules of C.
    ///
    /// ```
    /// use gpumex::{Context, ReduceByKeyOutputs};
    ///
    /// let ctx = Context::new()?;
    /// let (mut results, mut needed) = ([0; 2], [0]);
    /// let outputs = ReduceByKeyOutputs::<u8, i32, u64>::new().results(&mut results);
    /// ctx.reduce_by_key_by(&[7u8, 7, 9], &[3, -5, 4], outputs, &mut needed, "abs (a) > abs (b) ? a : b")?;
    /// assert_eq!((needed, results), ([2], [-5, 4]));
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn reduce_by_key_by<K: Element, T: Number, I: Index>(
        &self,
        keys: &(impl Array<Elem = K> + ?Sized),
        data: &(impl Array<Elem = T> + ?Sized),
        outputs: ReduceByKeyOutputs<K, T, I>,
        needed: &mut (impl ArrayMut<Elem = u64> + ?Sized),
        expression: &str,
    ) -> Result<()> {
        self.reduce_runs(keys, data, outputs, needed, (&ReduceByKeyOptions::new(), Some(expression)))
    }

    fn reduce_runs<K: Element, T: Number, I: Index>(
        &self,
        keys: &(impl Array<Elem = K> + ?Sized),
        data: &(impl Array<Elem = T> + ?Sized),
        mut outputs: ReduceByKeyOutputs<K, T, I>,
        needed: &mut (impl ArrayMut<Elem = u64> + ?Sized),
        (&ReduceByKeyOptions { variant, op }, expression): (&ReduceByKeyOptions, Option<&str>),
    ) -> Result<()> {
        let offsets = match outputs.offsets.as_ref().map(Array::len) {
            Some(0) => {
                return Err(Error::invalid(
                    "reduce_by_key: offsets is empty; it has an element more than there are runs",
                ));
            }
            len => len.map(|len| len - 1),
        };
        let keys_and_results =
            [outputs.unique_keys.as_ref().map(Array::len), outputs.results.as_ref().map(Array::len)];
        let options = ops::reduce_by_key::Options {
            variant,
            dtype: T::DTYPE,
            op,
            key_dtype: K::DTYPE,
            index_dtype: I::DTYPE,
            expression,
        };
        let arrays = ops::reduce_by_key::Arrays {
            keys: input("keys", keys),
            data: input("data", data),
            count: keys.len(),
            unique_keys: wanted("unique_keys", &mut outputs.unique_keys),
            results: wanted("results", &mut outputs.results),
            offsets: wanted("offsets", &mut outputs.offsets),
            capacity: capacity("reduce_by_key", &[keys_and_results[0], keys_and_results[1], offsets])?,
            needed: output("needed", needed),
        };
        self.call("reduce_by_key", |ctx| ops::reduce_by_key::reduce_by_key(ctx, &options, arrays))
    }

    /// result\[s\] ← the sum of data\[offsets\[s\] .. offsets\[s + 1\]\]; there is one offset more than segments.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// let mut sums = [0; 3];
    /// ctx.segmented_reduce(&[1, 2, 3, 4], &[0u32, 2, 2, 4], &mut sums)?;
    /// assert_eq!(sums, [3, 0, 7]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn segmented_reduce<T: Number, I: Index>(
        &self,
        data: &(impl Array<Elem = T> + ?Sized),
        offsets: &(impl Array<Elem = I> + ?Sized),
        result: &mut (impl ArrayMut<Elem = T> + ?Sized),
    ) -> Result<()> {
        self.segmented_reduce_with(data, offsets, result, &SegmentedReduceOptions::new())
    }

    /// As [`Context::segmented_reduce`], with options.
    ///
    /// ```
    /// use gpumex::{Context, Operator, SegmentedReduceOptions};
    ///
    /// let ctx = Context::new()?;
    /// let (offsets, mut maxima) = ([0u32, 2, 2, 4], [0; 3]);
    /// let geometry = ctx.segments_prepare(&offsets, 4)?;
    /// let options = SegmentedReduceOptions::new().op(Operator::Max).identity(-1).geometry(&geometry);
    /// ctx.segmented_reduce_with(&[1, 2, 3, 4], &offsets, &mut maxima, &options)?;
    /// assert_eq!(maxima, [2, -1, 4]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn segmented_reduce_with<T: Number, I: Index>(
        &self,
        data: &(impl Array<Elem = T> + ?Sized),
        offsets: &(impl Array<Elem = I> + ?Sized),
        result: &mut (impl ArrayMut<Elem = T> + ?Sized),
        options: &SegmentedReduceOptions<T, I>,
    ) -> Result<()> {
        let (count, segments) =
            (data.len(), segments_of("segmented_reduce", offsets.len(), ("result", result.len()))?);
        let core = ops::segmented_reduce::Options {
            variant: options.variant,
            dtype: T::DTYPE,
            op: options.op,
            index_dtype: I::DTYPE,
            expression: options.expression,
        };
        let (data, offsets) = (input("data", data), input("offsets", offsets));
        let sources = options.sources.as_ref().map(|sources| input("sources", sources));
        let geometry = options.geometry.and_then(Geometry::input);
        let identity = options.identity.as_ref().map(|identity| input("options.identity", identity));
        self.call("segmented_reduce", |ctx| {
            let result = output("result", result);
            ops::segmented_reduce::segmented_reduce(
                ctx, &core, data, count, offsets, segments, sources, geometry, identity, result,
            )
        })
    }

    /// What [`Context::segmented_reduce_with`] and [`Context::spmv_with`] need to know of segments, found once for many calls with the
    /// same offsets into arrays of `count` elements.
    pub fn segments_prepare<I: Index>(
        &self,
        offsets: &(impl Array<Elem = I> + ?Sized),
        count: usize,
    ) -> Result<Geometry> {
        let sizes = [offsets.len().saturating_sub(1), count];
        let prepare = |geometry: Output, capacity: usize| {
            let mut needed = 0;
            self.call("segments_prepare", |ctx| {
                let (offsets, needed) = (input("offsets", offsets), &mut needed);
                ops::segments_prepare::segments_prepare(
                    ctx,
                    I::DTYPE,
                    offsets,
                    sizes,
                    geometry,
                    capacity,
                    needed,
                )
            })?;
            Ok(needed)
        };
        match prepare(Output::absent("geometry"), 0)? {
            0 => Ok(Geometry { elements: None }),
            needed => {
                let mut elements = self.zeros(needed)?;
                prepare(output("geometry", &mut elements), needed)?;
                Ok(Geometry { elements: Some(elements) })
            }
        }
    }

    /// y ← A·x for a sparse matrix in compressed rows.
    ///
    /// ```
    /// use gpumex::{Context, Csr};
    ///
    /// let ctx = Context::new()?;
    /// let matrix = Csr { values: &[1.0, 2.0, 3.0], columns: &[0u32, 2, 1], offsets: &[0, 2, 3] };
    /// let mut y = [0.0; 2];
    /// ctx.spmv(matrix, &[1.0, 10.0, 100.0], &mut y)?;
    /// assert_eq!(y, [201.0, 30.0]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn spmv<T: Number, I: Index>(
        &self,
        matrix: Csr<
            &(impl Array<Elem = T> + ?Sized),
            &(impl Array<Elem = I> + ?Sized),
            &(impl Array<Elem = I> + ?Sized),
        >,
        x: &(impl Array<Elem = T> + ?Sized),
        y: &mut (impl ArrayMut<Elem = T> + ?Sized),
    ) -> Result<()> {
        self.spmv_with(matrix, x, y, &SpmvOptions::new())
    }

    /// As [`Context::spmv`], with options: other operators than sum and product for one.
    ///
    /// ```
    /// use gpumex::{Context, Csr, Operator, SpmvOptions};
    ///
    /// let ctx = Context::new()?;
    /// let roads = Csr { values: &[1.0, 5.0, 1.0], columns: &[1u32, 2, 2], offsets: &[0, 2, 3, 3] };
    /// let far = [f64::INFINITY, f64::INFINITY, 0.0]; // to place 2, over no road
    /// let mut nearer = [0.0; 3];
    /// let options = SpmvOptions::new().add(Operator::Min).multiply(Operator::Sum).identity(f64::INFINITY);
    /// ctx.spmv_with(roads, &far, &mut nearer, &options)?;
    /// assert_eq!(nearer, [5.0, 1.0, f64::INFINITY]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn spmv_with<T: Number, I: Index>(
        &self,
        matrix: Csr<
            &(impl Array<Elem = T> + ?Sized),
            &(impl Array<Elem = I> + ?Sized),
            &(impl Array<Elem = I> + ?Sized),
        >,
        x: &(impl Array<Elem = T> + ?Sized),
        y: &mut (impl ArrayMut<Elem = T> + ?Sized),
        options: &SpmvOptions<T, I>,
    ) -> Result<()> {
        let Csr { values, columns, offsets } = matrix;
        if !options.pattern {
            same_len("spmv", ("values", values.len()), ("columns", columns.len()))?;
        }
        let core = ops::spmv::Options {
            variant: options.variant,
            dtype: T::DTYPE,
            index_dtype: I::DTYPE,
            add: options.add,
            multiply: options.multiply,
        };
        let arrays = ops::spmv::Arrays {
            values: (!options.pattern).then(|| input("values", values)),
            columns: input("columns", columns),
            nonzeros: columns.len(),
            offsets: input("offsets", offsets),
            rows: segments_of("spmv", offsets.len(), ("y", y.len()))?,
            x: input("x", x),
            cols: x.len(),
            sources: options.sources.as_ref().map(|sources| input("sources", sources)),
            geometry: options.geometry.and_then(Geometry::input),
            identity: options.identity.as_ref().map(|identity| input("options.identity", identity)),
        };
        self.call("spmv", |ctx| ops::spmv::spmv(ctx, &core, arrays, output("y", y)))
    }
}

/// The number of segments between offsets, which is that of the results.
fn segments_of(operation: &str, offsets: usize, (name, results): (&str, usize)) -> Result<usize> {
    same_len(operation, ("offsets", offsets), (&format!("{name} and one more"), results.saturating_add(1)))?;
    Ok(results)
}

/// A sparse matrix in compressed rows: row r has the nonzeros offsets\[r\] .. offsets\[r + 1\], with their values and columns.
#[derive(Clone, Copy, Debug)]
pub struct Csr<V, C, O> {
    /// The values of the nonzeros.
    pub values: V,
    /// The columns of the nonzeros, in any order; those beyond x are ignored.
    pub columns: C,
    /// Where rows begin, ascending, and the end of the last one.
    pub offsets: O,
}

/// What [`Context::segments_prepare`] found. It belongs to one device; with other offsets results are unspecified.
pub struct Geometry {
    elements: Option<DeviceArray<u64>>, // None where the backend needs none
}

impl Geometry {
    fn input(&self) -> Option<Input<'_>> {
        self.elements.as_ref().map(|elements| input("options.geometry", elements))
    }
}

/// What [`Context::reduce_by_key_with`] gives.
pub struct ReduceByKeyOutputs<'a, K, T, I> {
    unique_keys: Option<ViewMut<'a, K>>,
    results: Option<ViewMut<'a, T>>,
    offsets: Option<ViewMut<'a, I>>,
}

impl<'a, K: Element, T: Number> ReduceByKeyOutputs<'a, K, T, u64> {
    /// Nothing.
    pub fn new() -> ReduceByKeyOutputs<'a, K, T, u64> {
        ReduceByKeyOutputs { unique_keys: None, results: None, offsets: None }
    }

    /// The positions at which runs begin, and the end of the last one: an element more than there are runs.
    #[must_use]
    pub fn offsets<I: Index>(
        self,
        offsets: &'a mut (impl ArrayMut<Elem = I> + ?Sized),
    ) -> ReduceByKeyOutputs<'a, K, T, I> {
        let ReduceByKeyOutputs { unique_keys, results, .. } = self;
        ReduceByKeyOutputs { unique_keys, results, offsets: Some(offsets.view_mut()) }
    }
}

impl<K: Element, T: Number> Default for ReduceByKeyOutputs<'_, K, T, u64> {
    fn default() -> Self {
        ReduceByKeyOutputs::new()
    }
}

impl<'a, K: Element, T: Number, I: Index> ReduceByKeyOutputs<'a, K, T, I> {
    /// The first key of each run.
    #[must_use]
    pub fn unique_keys(
        self,
        keys: &'a mut (impl ArrayMut<Elem = K> + ?Sized),
    ) -> ReduceByKeyOutputs<'a, K, T, I> {
        ReduceByKeyOutputs { unique_keys: Some(keys.view_mut()), ..self }
    }

    /// The data of each run, combined.
    #[must_use]
    pub fn results(
        self,
        results: &'a mut (impl ArrayMut<Elem = T> + ?Sized),
    ) -> ReduceByKeyOutputs<'a, K, T, I> {
        ReduceByKeyOutputs { results: Some(results.view_mut()), ..self }
    }
}

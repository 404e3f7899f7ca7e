//! Copies, and arrays of one value, of ascending and of random numbers: operations on arrays of any kind.

use std::ops::Range;

use gpumex_core::ops;

use super::array::{input, output, same_len};
use super::{Array, ArrayMut, Context, DeviceArray, Element, PrefetchTarget};
use crate::Result;

impl Context {
    /// to ← from, of the same length, wherever they lie. Asynchronous between two arrays of a device.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// let mut copy = [0.0f32; 2];
    /// ctx.copy(&ctx.array(&[1.5f32, 2.5])?, &mut copy)?;
    /// assert_eq!(copy, [1.5, 2.5]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn copy<T: Element>(
        &self,
        from: &(impl Array<Elem = T> + ?Sized),
        to: &mut (impl ArrayMut<Elem = T> + ?Sized),
    ) -> Result<()> {
        let bytes = same_len("copy", ("from", from.len()), ("to", to.len()))? * size_of::<T>();
        self.call("copy", |ctx| ops::copy::copy(ctx, output("to", to), input("from", from), bytes))
    }

    /// array\[i\] ← value.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// let mut array = vec![0u16; 4];
    /// ctx.fill(&mut array, 7)?;
    /// assert_eq!(array, [7; 4]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn fill<T: Element>(&self, array: &mut (impl ArrayMut<Elem = T> + ?Sized), value: T) -> Result<()> {
        let (count, value) = (array.len(), [value]);
        self.call("fill", |ctx| {
            ops::fill::fill(ctx, T::DTYPE, output("array", array), count, input("value", &value))
        })
    }

    /// array\[i\] ← first + i·step. Integers: both are whole numbers, and each element is one of the type.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// let mut array = [0i8; 4];
    /// ctx.fill_ascending(&mut array, 5.0, -2.0)?;
    /// assert_eq!(array, [5, 3, 1, -1]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn fill_ascending<T: Element>(
        &self,
        array: &mut (impl ArrayMut<Elem = T> + ?Sized),
        first: f64,
        step: f64,
    ) -> Result<()> {
        let count = array.len();
        self.call("fill_ascending", |ctx| {
            ops::fill::fill_ascending(ctx, T::DTYPE, output("array", array), count, first, step)
        })
    }

    /// Uniform random numbers of `range`, the same for a seed on every backend: floats in `[start, end)`, integers from `start` to
    /// `end` inclusive.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// let mut array = ctx.zeros::<f64>(1000)?;
    /// ctx.random(&mut array, 1, 2.0..3.0)?;
    /// assert!(array.to_vec()?.iter().all(|x| (2.0..3.0).contains(x)));
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn random<T: Element>(
        &self,
        array: &mut (impl ArrayMut<Elem = T> + ?Sized),
        seed: u64,
        range: Range<f64>,
    ) -> Result<()> {
        let (count, uniform) = (array.len(), uniform(seed, range));
        self.call("random", |ctx| ops::random::random(ctx, T::DTYPE, output("array", array), count, uniform))
    }

    /// Normal random numbers of a mean and a standard deviation, the same for a seed on every backend: f32 or f64.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// let mut array = vec![0f64; 10_000];
    /// ctx.random_normal(&mut array, 1, 5.0, 2.0)?;
    /// let mean = array.iter().sum::<f64>() / 10_000.0;
    /// assert!((mean - 5.0).abs() < 0.1);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn random_normal<T: Element>(
        &self,
        array: &mut (impl ArrayMut<Elem = T> + ?Sized),
        seed: u64,
        mean: f64,
        deviation: f64,
    ) -> Result<()> {
        let (count, normal) = (array.len(), ops::random_normal::Normal { seed, mean, deviation });
        self.call("random_normal", |ctx| {
            ops::random_normal::random_normal(ctx, T::DTYPE, output("array", array), count, normal)
        })
    }

    /// Random numbers as of [`Context::random`], ascending.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// let mut array = vec![0u32; 100];
    /// ctx.random_sorted(&mut array, 1, 0.0..9.0)?;
    /// assert!(array.is_sorted() && array[99] <= 9);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn random_sorted<T: Element>(
        &self,
        array: &mut (impl ArrayMut<Elem = T> + ?Sized),
        seed: u64,
        range: Range<f64>,
    ) -> Result<()> {
        let (count, uniform) = (array.len(), uniform(seed, range));
        self.call("random_sorted", |ctx| {
            ops::random::random_sorted(ctx, T::DTYPE, output("array", array), count, uniform)
        })
    }

    /// Migrates the pages of an array of kind MANAGED to where they are needed next; the elements stay.
    ///
    /// ```
    /// use gpumex::{Context, MemoryKind, PrefetchTarget};
    ///
    /// let ctx = Context::new()?;
    /// let mut array = ctx.zeros_in::<f32>(MemoryKind::Managed, 1000)?;
    /// ctx.prefetch(&mut array, PrefetchTarget::Device)?;
    /// assert_eq!(array.to_vec()?, [0.0; 1000]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn prefetch<T: Element>(&self, array: &mut DeviceArray<T>, target: PrefetchTarget) -> Result<()> {
        let bytes = array.len() * size_of::<T>();
        self.call("prefetch", |ctx| ops::prefetch::prefetch(ctx, output("array", array), bytes, target))
    }
}

fn uniform(seed: u64, range: Range<f64>) -> ops::random::Uniform {
    ops::random::Uniform { seed, lo: range.start, hi: range.end }
}

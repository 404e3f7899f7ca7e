//! Histograms.

use gpumex_core::ops;

use super::array::{input, output, zeroed};
use super::{Array, ArrayMut, Context, Element, Float, HistogramOutliers, HistogramVariant, Sample, View};
use crate::Result;

/// Options of [`Context::histogram_with`].
#[derive(Clone, Copy, Default)]
pub struct HistogramOptions<'a> {
    variant: HistogramVariant,
    channels: i32,
    accumulate: bool,
    range: Option<[f64; 2]>,
    edges: Option<View<'a, f64>>,
    outliers: HistogramOutliers,
    right_edge: bool,
}

impl<'a> HistogramOptions<'a> {
    /// The default of each option: bin k counts the integer k.
    pub fn new() -> HistogramOptions<'a> {
        HistogramOptions::default()
    }

    /// How it is computed.
    #[must_use]
    pub fn variant(self, variant: HistogramVariant) -> HistogramOptions<'a> {
        HistogramOptions { variant, ..self }
    }

    /// Interleaved channels of the samples, 1 to 4; the counts are (channels, bins).
    #[must_use]
    pub fn channels(self, channels: i32) -> HistogramOptions<'a> {
        HistogramOptions { channels, ..self }
    }

    /// Counts are added to, instead of overwritten.
    #[must_use]
    pub fn accumulate(self, accumulate: bool) -> HistogramOptions<'a> {
        HistogramOptions { accumulate, ..self }
    }

    /// Bins of one width in `range`.
    #[must_use]
    pub fn range(self, range: std::ops::Range<f64>) -> HistogramOptions<'a> {
        HistogramOptions { range: Some([range.start, range.end]), ..self }
    }

    /// Bins between ascending edges, one more than there are bins.
    #[must_use]
    pub fn edges(self, edges: &'a (impl Array<Elem = f64> + ?Sized)) -> HistogramOptions<'a> {
        HistogramOptions { edges: Some(edges.view()), ..self }
    }

    /// Where samples below the first bin or above the last one fall; else into none.
    #[must_use]
    pub fn outliers(self, outliers: HistogramOutliers) -> HistogramOptions<'a> {
        HistogramOptions { outliers, ..self }
    }

    /// The upper end belongs to the last bin.
    #[must_use]
    pub fn right_edge(self, right_edge: bool) -> HistogramOptions<'a> {
        HistogramOptions { right_edge, ..self }
    }

    /// As the operation takes them.
    pub(super) fn of<T: Element>(&'a self) -> ops::histogram::Options<'a> {
        ops::histogram::Options {
            variant: self.variant,
            dtype: T::DTYPE,
            channels: self.channels,
            accumulate: self.accumulate,
            range: self.range,
            edges: self.edges.as_ref().map(|edges| input("edges", edges)),
            weights: None,
            outliers: self.outliers,
            has_right_edge: self.right_edge,
        }
    }

    /// The bins of a channel; what does not come out even is too short for one more.
    pub(super) fn bins(&self, counts: usize) -> usize {
        counts / usize::try_from(self.channels).unwrap_or(1).max(1)
    }
}

impl Context {
    /// How often each value of a byte occurs.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// let counts = ctx.histogram(b"hello")?;
    /// assert_eq!((counts[b'l' as usize], counts[b'x' as usize]), (2, 0));
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn histogram(&self, data: &(impl Array<Elem = u8> + ?Sized)) -> Result<Vec<u64>> {
        let mut counts = zeroed(ops::histogram::BYTE_VALUES)?;
        self.histogram_with(data, &mut counts, &HistogramOptions::new())?;
        Ok(counts)
    }

    /// counts\[k\] ← how many samples fall into bin k; the bins are the elements of counts. NaN falls into none.
    ///
    /// ```
    /// use gpumex::{Context, HistogramOptions};
    ///
    /// let ctx = Context::new()?;
    /// let mut counts = [0; 4];
    /// ctx.histogram_with(&[0.1, 0.6, 0.7, 9.0], &mut counts, &HistogramOptions::new().range(0.0..1.0))?;
    /// assert_eq!(counts, [1, 0, 2, 0]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn histogram_with<T: Sample>(
        &self,
        data: &(impl Array<Elem = T> + ?Sized),
        counts: &mut (impl ArrayMut<Elem = u64> + ?Sized),
        options: &HistogramOptions,
    ) -> Result<()> {
        let (len, bins) = (data.len(), options.bins(counts.len()));
        let options = options.of::<T>();
        self.call("histogram", |ctx| {
            ops::histogram::histogram(ctx, &options, input("data", data), len, output("counts", counts), bins)
        })
    }

    /// sums\[k\] ← the sum of the weights of the samples that fall into bin k, a weight for each (pixel of the) samples.
    ///
    /// ```
    /// use gpumex::{Context, HistogramOptions};
    ///
    /// let ctx = Context::new()?;
    /// let mut sums = [0.0; 3];
    /// ctx.histogram_weighted(&[0u8, 2, 2], &[0.5f32, 1.0, 3.0], &mut sums, &HistogramOptions::new())?;
    /// assert_eq!(sums, [0.5, 0.0, 4.0]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn histogram_weighted<T: Sample, W: Float>(
        &self,
        data: &(impl Array<Elem = T> + ?Sized),
        weights: &(impl Array<Elem = W> + ?Sized),
        sums: &mut (impl ArrayMut<Elem = f64> + ?Sized),
        options: &HistogramOptions,
    ) -> Result<()> {
        let (len, bins) = (data.len(), options.bins(sums.len()));
        let options = ops::histogram::Options {
            weights: Some((input("weights", weights), W::DTYPE)),
            ..options.of::<T>()
        };
        self.call("histogram", |ctx| {
            ops::histogram::histogram(ctx, &options, input("data", data), len, output("counts", sums), bins)
        })
    }

    /// The first k for which edges\[k\] is NaN or less than edges\[k − 1\]; None where they ascend.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// assert_eq!(ctx.check_edges(&[0.0, 2.0, 1.0])?, Some(2));
    /// assert_eq!(ctx.check_edges(&[0.0, 1.0, 2.0])?, None);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn check_edges(&self, edges: &(impl Array<Elem = f64> + ?Sized)) -> Result<Option<usize>> {
        let count = edges.len();
        let first =
            self.call("check_edges", |ctx| ops::histogram::check_edges(ctx, input("edges", edges), count))?;
        Ok((first < count).then_some(first))
    }
}

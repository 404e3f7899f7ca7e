//! One call of the histogram: samples of a type, with or without weights, into counters, on either backend.
#![forbid(unsafe_code)]

use super::{HistogramVariant, HistogramWeights, Options};
use crate::array::{Element, Output, View, ViewMut};
use crate::context::{Context, Engine, Progress};
use crate::error::Result;
use crate::gpu::histogram::{Counting, Path};
use crate::histogram::{Bins, Rule};
use crate::memory::Place;
use crate::{cpu, gpu};

/// Bytes of the first part that a watcher is told of.
const FIRST_PART: u64 = 1 << 20;

/// What both backends count.
pub trait Sample: Element + cpu::histogram::Sample {}
impl<T: Element + cpu::histogram::Sample> Sample for T {}

/// counts (channels, bins) ← the counts of the samples, or the sums of their weights.
pub fn count<T: Sample>(
    ctx: &mut Context,
    options: &Options,
    samples: View<T>,
    channels: usize,
    bins: &Bins<View<f64>>,
    counts: Output,
) -> Result<()> {
    let job = Job { samples, channels, bins, is_added: options.accumulate, variant: options.variant };
    let pixels = samples.len() / channels;
    match &options.weights {
        None => job.count(ctx, job.target(counts)?),
        Some((weights, HistogramWeights::F64)) => {
            job.weigh(ctx, weights.view::<f64>(&[pixels])?, job.target(counts)?)
        }
        Some((weights, HistogramWeights::F32)) => {
            job.weigh(ctx, weights.view::<f32>(&[pixels])?, job.target(counts)?)
        }
    }
}

/// What one call counts.
struct Job<'j, 'a, T> {
    samples: View<'a, T>,
    channels: usize,
    bins: &'j Bins<View<'a, f64>>,
    is_added: bool,
    variant: HistogramVariant,
}

impl<T: Sample> Job<'_, '_, T> {
    /// The counters, apart from what is read.
    fn target<'c, C: Element>(&self, counts: Output<'c>) -> Result<ViewMut<'c, C>> {
        let counts = counts.view::<C>(&[self.channels, self.bins.count])?;
        counts.apart(&self.samples)?;
        if let Rule::Edges(edges) = &self.bins.rule {
            counts.apart(edges)?;
        }
        Ok(counts)
    }

    fn count(&self, ctx: &mut Context, mut counts: ViewMut<u64>) -> Result<()> {
        ctx.run_long(|engine, _, progress| match (engine, self.variant) {
            (Engine::Cpu(workers), variant) => {
                let (bins, counts) = (self.bins_on_host()?, counts.on_host()?);
                let samples = self.samples.on_host()?;
                self.begin(counts);
                self.in_parts(progress, &mut || Ok(()), |from, len| {
                    let part = &samples[from..from + len];
                    match variant {
                        HistogramVariant::Sequential => {
                            cpu::histogram::sequential(workers, part, self.channels, &bins, counts)
                        }
                        _ => cpu::histogram::count(workers, part, self.channels, &bins, counts),
                    }
                })
            }
            (Engine::Cuda(_), HistogramVariant::Sequential) => crate::ops::sequential_is_for_the_cpu(),
            (Engine::Cuda(device), variant) => {
                let path = path_of(variant);
                let may_be_few = path == Path::Auto && !self.is_added;
                if may_be_few && gpu::histogram::few(device, self.bins, &self.samples, &mut counts)? {
                    return Ok(());
                }
                let mut counting =
                    Counting::new(device, path, self.channels, self.bins, counts, self.is_added)?;
                self.in_parts(progress, &mut || device.synchronize(), |from, len| {
                    counting.count(self.samples.part(from, len))
                })?;
                counting.finish::<T>()
            }
        })
    }

    fn weigh<W: Sample>(&self, ctx: &mut Context, weights: View<W>, mut counts: ViewMut<f64>) -> Result<()> {
        counts.apart(&weights)?;
        let pixels = |from: usize, len: usize| (from / self.channels, len / self.channels);
        ctx.run_long(|engine, _, progress| match (engine, self.variant) {
            (Engine::Cpu(workers), variant) => {
                let (bins, counts) = (self.bins_on_host()?, counts.on_host()?);
                let (samples, weights) = (self.samples.on_host()?, weights.on_host()?);
                self.begin(counts);
                self.in_parts(progress, &mut || Ok(()), |from, len| {
                    let (first, of) = pixels(from, len);
                    let (part, weights) = (&samples[from..from + len], &weights[first..first + of]);
                    match variant {
                        HistogramVariant::Sequential => cpu::histogram::weigh_sequential(
                            workers,
                            part,
                            weights,
                            self.channels,
                            &bins,
                            counts,
                        ),
                        _ => cpu::histogram::weigh(workers, part, weights, self.channels, &bins, counts),
                    }
                })
            }
            (Engine::Cuda(_), HistogramVariant::Sequential) => crate::ops::sequential_is_for_the_cpu(),
            (Engine::Cuda(device), variant) => {
                let path = path_of(variant);
                let mut counting =
                    Counting::new(device, path, self.channels, self.bins, counts, self.is_added)?;
                self.in_parts(progress, &mut || device.synchronize(), |from, len| {
                    let (first, of) = pixels(from, len);
                    counting.weigh(self.samples.part(from, len), weights.part(first, of))
                })?;
                counting.finish::<T>()
            }
        })
    }

    fn bins_on_host(&self) -> Result<Bins<&[f64]>> {
        if let Rule::Edges(edges) = &self.bins.rule {
            edges.on_host()?;
        }
        Ok(self.bins.with_edges(|edges| edges.on_host().unwrap_or_default()))
    }

    fn begin<C: Element>(&self, counts: &mut [C]) {
        if !self.is_added {
            counts.fill(C::default());
        }
    }

    /// Runs `body (from, len)` on parts of the samples that are whole pixels: on all of them at once where nobody watches, or where
    /// they are the device's, whose calls do not wait.
    fn in_parts(
        &self,
        progress: &mut Progress,
        wait: &mut dyn FnMut() -> Result<()>,
        mut body: impl FnMut(usize, usize) -> Result<()>,
    ) -> Result<()> {
        let len = self.samples.len();
        if matches!(self.samples.place(), Place::Device(_)) {
            return body(0, len);
        }
        let pixel = self.channels * size_of::<T>();
        let (mut reached, mut done) = (0, 0);
        progress.in_steps_from(FIRST_PART, self.samples.bytes() as u64, wait, &mut |bytes| {
            reached += bytes as usize;
            let from = std::mem::replace(&mut done, reached / pixel * self.channels);
            body(from, done - from)
        })?;
        if len == 0 { body(0, 0) } else { Ok(()) }
    }
}

/// The memory path of a variant.
fn path_of(variant: HistogramVariant) -> Path {
    match variant {
        HistogramVariant::Global => Path::Global,
        HistogramVariant::Strided => Path::Strided,
        HistogramVariant::Shared => Path::Shared,
        HistogramVariant::Auto | HistogramVariant::Sequential => Path::Auto,
    }
}

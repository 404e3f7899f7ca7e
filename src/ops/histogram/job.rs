//! One call of the histogram: samples of a type, with or without weights, into counters, on either backend.
#![forbid(unsafe_code)]

use super::super::cost;
use super::{HistogramVariant, Options};
use crate::array::{DynView, Element, Footprint, Memory, Output, View, ViewMut, all_apart};
use crate::context::{Context, Engine, Progress, Work};
use crate::cpu;
use crate::error::{Error, Result};
use crate::gpu;
use crate::gpu::histogram::Counting;
use crate::memory::Place;
use crate::model::dtype::Dtype;
use crate::model::histogram::{Bins, Rule};
use crate::model::numbered::NumberedEnum;
use crate::vector::fill;

/// Bytes of the first part that a watcher is told of.
const FIRST_PART: u64 = 1 << 20;

/// Calls a function that is generic over a sample with the type of its dtype.
macro_rules! dispatch_sample {
    ($dtype:expr, $function:ident($($argument:expr),* $(,)?)) => {
        match $dtype {
            Dtype::U8 => $function::<u8>($($argument),*),
            Dtype::U16 => $function::<u16>($($argument),*),
            Dtype::U32 => $function::<u32>($($argument),*),
            Dtype::I32 => $function::<i32>($($argument),*),
            Dtype::F32 => $function::<f32>($($argument),*),
            _ => $function::<f64>($($argument),*),
        }
    };
}

/// counts (channels, bins) ← the counts of the samples, or the sums of their weights.
pub fn count(
    ctx: &mut Context,
    options: &Options,
    samples: DynView,
    channels: usize,
    bins: &Bins<View<f64>>,
    counts: Output,
) -> Result<()> {
    let job = Job { samples, channels, bins, is_added: options.accumulate, variant: options.variant };
    match &options.weights {
        None => job.count(ctx, job.target(counts)?),
        Some((weights, dtype)) => {
            let dtype = match dtype.required("weights_dtype")? {
                dtype @ (Dtype::F32 | Dtype::F64) => dtype,
                other => {
                    return Err(Error::unsupported(format!(
                        "options.weights_dtype is {}; weights are F32 or F64",
                        other.c_name()
                    )));
                }
            };
            let weights = weights.view_of(dtype, &[samples.len() / channels])?;
            job.weigh(ctx, weights, job.target(counts)?)
        }
    }
}

/// What one call counts.
struct Job<'j, 'a> {
    samples: DynView<'a>,
    channels: usize,
    bins: &'j Bins<View<'a, f64>>,
    is_added: bool,
    variant: HistogramVariant,
}

impl Job<'_, '_> {
    /// The counters, apart from what is read.
    fn target<'c, C: Element>(&self, counts: Output<'c>) -> Result<ViewMut<'c, C>> {
        let counts = counts.view::<C>(&[self.channels, self.bins.count])?;
        all_apart(&[&counts], &[&self.samples])?;
        if let Rule::Edges(edges) = &self.bins.rule {
            counts.apart(edges)?;
        }
        Ok(counts)
    }

    /// What it takes, with its arrays beside the samples.
    fn work(&self, others: &[&dyn Memory]) -> Work {
        let mut arrays = others.iter().fold(Footprint::of(&[&self.samples]), |all, array| all.and(*array));
        if let Rule::Edges(edges) = &self.bins.rule {
            arrays = arrays.and(edges);
        }
        cost::HISTOGRAM.of_units(self.variant, arrays, self.samples.bytes().len())
    }

    fn count(&self, ctx: &mut Context, mut counts: ViewMut<u64>) -> Result<()> {
        ctx.run_long_auto(self.work(&[&counts]), |engine, _, progress| match engine.select(self.variant)? {
            Engine::Cpu(workers) => {
                let (bins, counts) = (self.bins_on_host()?, counts.on_host()?);
                self.samples.bytes().on_host()?;
                self.begin(counts);
                self.in_parts(progress, &mut || Ok(()), &mut |part, _| {
                    dispatch_sample!(part.dtype(), count_on_cpu(self, workers, part, &bins, counts))
                })
            }
            Engine::Cuda(device) => {
                let variant = self.variant;
                let may_be_few = variant == HistogramVariant::Auto && !self.is_added;
                if may_be_few && gpu::histogram::few(device, self.bins, &self.samples, &mut counts)? {
                    return Ok(());
                }
                let mut counting =
                    Counting::new(device, variant, self.channels, self.bins, counts, self.is_added)?;
                self.in_parts(progress, &mut || device.synchronize(), &mut |part, _| counting.count(part))?;
                counting.finish(self.samples.dtype())
            }
        })
    }

    fn weigh(&self, ctx: &mut Context, weights: DynView, mut counts: ViewMut<f64>) -> Result<()> {
        all_apart(&[&counts], &[&weights])?;
        let weights_of =
            |part: &DynView, from: usize| weights.part(from / self.channels, part.len() / self.channels);
        ctx.run_long_auto(self.work(&[&counts, &weights]), |engine, _, progress| {
            match engine.select(self.variant)? {
                Engine::Cpu(workers) => {
                    let (bins, counts) = (self.bins_on_host()?, counts.on_host()?);
                    self.samples.bytes().on_host()?;
                    weights.bytes().on_host()?;
                    self.begin(counts);
                    self.in_parts(progress, &mut || Ok(()), &mut |part, from| {
                        let weights = weights_of(&part, from);
                        dispatch_sample!(
                            part.dtype(),
                            weigh_on_cpu(self, workers, part, weights, &bins, counts)
                        )
                    })
                }
                Engine::Cuda(device) => {
                    let variant = self.variant;
                    let mut counting =
                        Counting::new(device, variant, self.channels, self.bins, counts, self.is_added)?;
                    self.in_parts(progress, &mut || device.synchronize(), &mut |part, from| {
                        counting.weigh(part, weights_of(&part, from))
                    })?;
                    counting.finish(self.samples.dtype())
                }
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
            fill(counts, C::default());
        }
    }

    /// Runs `body (part, from)` on parts of the samples that are whole pixels, from a sample on: on all of them at once where nobody
    /// watches, or where they are the device's, whose calls do not wait.
    fn in_parts(
        &self,
        progress: &mut Progress,
        wait: &mut dyn FnMut() -> Result<()>,
        body: &mut dyn FnMut(DynView, usize) -> Result<()>,
    ) -> Result<()> {
        let samples = self.samples;
        if matches!(samples.place(), Place::Device(_)) {
            return body(samples, 0);
        }
        let pixel = self.channels * samples.dtype().size();
        let (mut reached, mut done) = (0, 0);
        progress.in_steps_from(FIRST_PART, samples.bytes().len() as u64, wait, &mut |bytes| {
            reached += bytes as usize;
            let from = std::mem::replace(&mut done, reached / pixel * self.channels);
            body(samples.part(from, done - from), from)
        })?;
        if samples.is_empty() { body(samples, 0) } else { Ok(()) }
    }
}

fn count_on_cpu<T: Element + cpu::histogram::Sample>(
    job: &Job,
    workers: &cpu::Workers,
    part: DynView,
    bins: &Bins<&[f64]>,
    counts: &mut [u64],
) -> Result<()> {
    let part = part.on_host::<T>()?;
    match job.variant {
        HistogramVariant::Sequential => cpu::histogram::sequential(workers, part, job.channels, bins, counts),
        _ => cpu::histogram::count(workers, part, job.channels, bins, counts),
    }
}

fn weigh_on_cpu<T: Element + cpu::histogram::Sample>(
    job: &Job,
    workers: &cpu::Workers,
    part: DynView,
    weights: DynView,
    bins: &Bins<&[f64]>,
    counts: &mut [f64],
) -> Result<()> {
    match weights.dtype() {
        Dtype::F32 => weigh_by::<T, f32>(job, workers, part, weights, bins, counts),
        _ => weigh_by::<T, f64>(job, workers, part, weights, bins, counts),
    }
}

fn weigh_by<T: Element + cpu::histogram::Sample, W: Element + cpu::histogram::Sample>(
    job: &Job,
    workers: &cpu::Workers,
    part: DynView,
    weights: DynView,
    bins: &Bins<&[f64]>,
    counts: &mut [f64],
) -> Result<()> {
    let (part, weights) = (part.on_host::<T>()?, weights.on_host::<W>()?);
    match job.variant {
        HistogramVariant::Sequential => {
            cpu::histogram::weigh_sequential(workers, part, weights, job.channels, bins, counts)
        }
        _ => cpu::histogram::weigh(workers, part, weights, job.channels, bins, counts),
    }
}

//! Histogram on the device. A long array of the host is counted in pieces, while the next piece is on its way; a
//! short one where it is. Bytes and 16-bit numbers are counted by value first, and the values then put into bins.

mod launch;

use super::Device;
use super::runtime::kernels::{
    Bins as KernelBins, HISTOGRAM_SMALL_MAX, Samples, gpumexk_histogram_fold, gpumexk_histogram_small,
};
use super::runtime::memory::{Buffer, DeviceInput, DeviceOutput};
use crate::array::{DynView, Element, View, ViewMut};
use crate::error::{Error, Result};
use crate::interrupt;
use crate::memory::Place;
use crate::model::dtype::Dtype;
use crate::model::histogram::HistogramVariant;
use crate::model::histogram::{BYTE_VALUES, Bins, Rule};

use launch::*;

/// Pixels of a piece of weighted samples, which are not copied while others are counted.
const WEIGHTED_PIECE: usize = 16 << 20;

/// A histogram that grows part by part; `C` is u64, or f64 with weights.
pub struct Counting<'d, 'a, C> {
    device: &'d Device,
    variant: HistogramVariant,
    channels: usize,
    bins: KernelBins,
    _edges: Option<DeviceInput<'d, f64>>,
    counts: DeviceOutput<'d, 'a, C>,
    values: Option<Buffer<'d, u64>>, // how often each value occurs, before `finish` puts them into bins
}

impl<'d, 'a, C: Element> Counting<'d, 'a, C> {
    /// counts (channels, bins) ← zeros, or, where it is added to, themselves.
    pub fn new(
        device: &'d Device,
        variant: HistogramVariant,
        channels: usize,
        bins: &Bins<View<f64>>,
        counts: ViewMut<'a, C>,
        is_added: bool,
    ) -> Result<Counting<'d, 'a, C>> {
        let edges = match &bins.rule {
            Rule::Edges(edges) => Some(device.read(edges)?),
            _ => None,
        };
        let len = counts.len();
        let mut counts = if is_added { device.update(counts)? } else { device.write(counts)? };
        if !is_added {
            clear(device, counts.as_mut_ptr(), len)?;
        }
        let bins = kernel_bins(bins, edges.as_ref());
        Ok(Counting { device, variant, channels, bins, _edges: edges, counts, values: None })
    }

    /// The rest of the work, and the counts to where the caller has them.
    pub fn finish(mut self, dtype: Dtype) -> Result<()> {
        if let Some(values) = &self.values {
            let (from, to) = (values.as_ptr(), self.counts.as_mut_ptr().cast());
            let (dtype, channels) = (number_of(dtype), self.channels as i32);
            // SAFETY: values has all values of each channel, counts the bins of each.
            self.device.launch(|stream| unsafe {
                gpumexk_histogram_fold(from, dtype, channels, &self.bins, to, stream)
            })?;
        }
        self.counts.finish()
    }
}

impl Counting<'_, '_, u64> {
    /// Counts more samples, whole pixels.
    pub fn count(&mut self, samples: DynView) -> Result<()> {
        let dtype = samples.dtype();
        let are_byte_values = dtype == Dtype::U8 && self.bins.rule == 0 && self.bins.count == BYTE_VALUES;
        if self.variant.is_textbook() && !are_byte_values {
            return self.count_textbook(samples);
        }
        let values = values_of(dtype).filter(|&values| !(self.bins.rule == 0 && self.bins.count == values));
        if let Some(values) = values
            && self.values.is_none()
        {
            let buffer = Buffer::new(self.device, self.channels * values)?;
            clear(self.device, buffer.as_ptr(), self.channels * values)?;
            self.values = Some(buffer);
        }
        let by_value =
            KernelBins { count: values.unwrap_or(0), rule: 0, outliers: 0, right_edge: 0, ..self.bins };
        let (bins, to) = match &self.values {
            Some(values) => (by_value, values.as_ptr()),
            None => (self.bins, self.counts.as_mut_ptr()),
        };
        let (device, variant, channels) = (self.device, self.variant, self.channels);
        device.read_in_pieces(&samples.bytes(), channels * dtype.size(), |from, bytes| match dtype {
            Dtype::U8 => count_bytes(device, variant, from, bytes, channels, to),
            _ => put_into_bins(device, samples_of(from, dtype, bytes / dtype.size(), channels), &bins, to),
        })
    }
}

impl Counting<'_, '_, u64> {
    fn count_textbook(&mut self, samples: DynView) -> Result<()> {
        let (device, variant, dtype) = (self.device, self.variant, samples.dtype());
        let most = if variant == HistogramVariant::Shared { shared_bins_max(device)? } else { usize::MAX };
        if self.bins.count > most {
            return Err(Error::unsupported(format!(
                "options.variant is GPUMEX_HISTOGRAM_VARIANT_SHARED and bins is {}; a block's shared memory holds {most} bins here",
                self.bins.count
            )));
        }
        let (bins, to) = (self.bins, self.counts.as_mut_ptr());
        device.read_in_pieces(&samples.bytes(), dtype.size(), |from, bytes| {
            count_textbook(device, variant, samples_of(from, dtype, bytes / dtype.size(), 1), &bins, to)
        })
    }
}

impl Counting<'_, '_, f64> {
    /// Adds the weights of more samples, whole pixels with a weight each.
    pub fn weigh(&mut self, samples: DynView, weights: DynView) -> Result<()> {
        let (channels, to) = (self.channels, self.counts.as_mut_ptr());
        let is_copied = [samples.place(), weights.place()].contains(&Place::Host);
        let piece = if is_copied { WEIGHTED_PIECE } else { weights.len().max(1) };
        for first in (0..weights.len()).step_by(piece) {
            interrupt::check(first, weights.len())?;
            let pixels = piece.min(weights.len() - first);
            let part = self.device.read(&samples.part(first * channels, pixels * channels).bytes())?;
            let part_weights = self.device.read(&weights.part(first, pixels).bytes())?;
            let samples = Samples {
                weights: part_weights.as_ptr().cast(),
                weights_dtype: number_of(weights.dtype()),
                ..samples_of(part.as_ptr(), samples.dtype(), pixels * channels, channels)
            };
            put_into_bins(self.device, samples, &self.bins, to)?;
        }
        Ok(())
    }
}

/// Counts a small array of bytes of the host by value, by one block that reads and writes the host's memory; false
/// where the array or what is asked for is another.
pub fn few(
    device: &Device,
    bins: &Bins<View<f64>>,
    samples: &DynView,
    counts: &mut ViewMut<u64>,
) -> Result<bool> {
    let is_on_host = samples.place() == Place::Host && counts.place() == Place::Host;
    let are_values =
        samples.dtype() == Dtype::U8 && bins.are_values(BYTE_VALUES) && counts.len() == BYTE_VALUES;
    if !is_on_host || !are_values || samples.len() > HISTOGRAM_SMALL_MAX {
        return Ok(false);
    }
    device.wait_at_end()?;
    let Ok(zero_copy) = device.zero_copy() else { return Ok(false) };
    let counters = counts.bytes_on_host()?;
    let behind = counters.len();
    zero_copy.put(behind, samples.bytes().on_host()?);
    // SAFETY: the zero-copy buffer holds the counters and the data behind them.
    device.launch(|stream| unsafe {
        gpumexk_histogram_small(zero_copy.at(behind), samples.len(), zero_copy.at(0), stream)
    })?;
    device.synchronize()?;
    zero_copy.take(0, counters);
    Ok(true)
}

//! The launches of the histogram's kernels, and their numbers for types and bins.

use crate::array::{Element, View};
use crate::error::Result;
use crate::gpu::Device;
use crate::gpu::runtime::kernels::{
    Bins as KernelBins, Samples, gpumexk_histogram_bins, gpumexk_histogram_bytes, gpumexk_histogram_clear,
    gpumexk_histogram_global, gpumexk_histogram_shared, gpumexk_histogram_shared_bins_max,
    gpumexk_histogram_strided, gpumexk_histogram_textbook,
};
use crate::gpu::runtime::memory::DeviceInput;
use crate::gpu::runtime::tuning::Kernel;
use crate::model::dtype::Dtype;
use crate::model::histogram::HistogramVariant;
use crate::model::histogram::{BYTE_VALUES, Bins, Rule};

pub fn clear<C: Element>(device: &Device, counts: *mut C, len: usize) -> Result<()> {
    // SAFETY: len counters, u64 or f64.
    device.launch(|stream| unsafe { gpumexk_histogram_clear(counts.cast(), len, stream) })
}

pub fn count_bytes(
    device: &Device,
    variant: HistogramVariant,
    from: *const u8,
    len: usize,
    channels: usize,
    to: *mut u64,
) -> Result<()> {
    let kernel = match variant {
        HistogramVariant::Global => Kernel::HistogramGlobal,
        HistogramVariant::Strided => Kernel::HistogramStrided,
        HistogramVariant::Shared => Kernel::HistogramShared,
        _ => Kernel::HistogramBytes,
    };
    let tuning = &device.tuning(kernel);
    // SAFETY: len bytes, 256 counters for each of the channels; the textbook's paths have one.
    device.launch(|stream| unsafe {
        match variant {
            HistogramVariant::Global => gpumexk_histogram_global(from, len, to, tuning, stream),
            HistogramVariant::Strided => gpumexk_histogram_strided(from, len, to, tuning, stream),
            HistogramVariant::Shared => gpumexk_histogram_shared(from, len, to, tuning, stream),
            _ => gpumexk_histogram_bytes(from, len, channels as i32, to, tuning, stream),
        }
    })
}

/// Counts integers by value, for any number of bins, with a kernel of the textbook's.
pub fn count_textbook(
    device: &Device,
    variant: HistogramVariant,
    samples: Samples,
    bins: &KernelBins,
    counts: *mut u64,
) -> Result<()> {
    let (kernel, memory) = match variant {
        HistogramVariant::Global => (Kernel::HistogramGlobal, 0),
        HistogramVariant::Strided => (Kernel::HistogramStrided, 1),
        _ => (Kernel::HistogramShared, 2),
    };
    let tuning = &device.tuning(kernel);
    // SAFETY: samples as long as they say, counts has the bins.
    device.launch(|stream| unsafe {
        gpumexk_histogram_textbook(&samples, bins, memory, counts, tuning, stream)
    })
}

/// How many bins a block's shared memory holds.
pub fn shared_bins_max(device: &Device) -> Result<usize> {
    let mut bins = 0;
    // SAFETY: a number to write to.
    device.launch(|_| unsafe { gpumexk_histogram_shared_bins_max(&mut bins) })?;
    Ok(bins)
}

pub fn put_into_bins<C: Element>(
    device: &Device,
    samples: Samples,
    bins: &KernelBins,
    counts: *mut C,
) -> Result<()> {
    let tuning = &device.tuning(Kernel::HistogramBins);
    // SAFETY: samples, weights and edges are as long as they say, counts has the bins of each channel.
    device.launch(|stream| unsafe { gpumexk_histogram_bins(&samples, bins, counts.cast(), tuning, stream) })
}

pub fn samples_of(data: *const u8, dtype: Dtype, len: usize, channels: usize) -> Samples {
    let (weights, weights_dtype) = (std::ptr::null(), number_of(Dtype::F64));
    Samples {
        data: data.cast(),
        len,
        dtype: number_of(dtype),
        channels: channels as i32,
        weights,
        weights_dtype,
    }
}

pub fn kernel_bins(bins: &Bins<View<f64>>, on_device: Option<&DeviceInput<f64>>) -> KernelBins {
    let (rule, [lo, hi, width]) = match bins.rule {
        Rule::Values => (0, [0.0; 3]),
        Rule::Even { lo, hi, width } => (1, [lo, hi, width]),
        Rule::Edges(_) => (2, [0.0; 3]),
    };
    let edges = on_device.map_or(std::ptr::null(), DeviceInput::as_ptr);
    let (outliers, right_edge) = (bins.outliers as i32, bins.has_right_edge.into());
    KernelBins { count: bins.count, rule, outliers, right_edge, lo, hi, width, edges }
}

/// How many values a type has, of those that are counted by value.
pub fn values_of(dtype: Dtype) -> Option<usize> {
    match dtype {
        Dtype::U8 => Some(BYTE_VALUES),
        Dtype::U16 => Some(1 << 16),
        _ => None,
    }
}

/// The number of a type in kernels.h.
pub fn number_of(dtype: Dtype) -> i32 {
    match dtype {
        Dtype::U8 => 0,
        Dtype::U16 => 1,
        Dtype::U32 => 2,
        Dtype::I32 => 3,
        Dtype::F32 => 4,
        _ => 5,
    }
}

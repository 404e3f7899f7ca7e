//! Byte histogram.
//!
//! Source of the variants: M. Pantoja, "CUDA Memory Model", Petascale Semester Curriculum, unit 7 lesson 8, 2020.
#![forbid(unsafe_code)]

use crate::array::{Input, Output};
use crate::choice::Choice;
use crate::context::{Context, Engine};
use crate::error::{Error, Result};
use crate::{cpu, gpu};

/// A byte has this many values, and its histogram this many bins.
pub const BYTE_VALUES: usize = 256;

/// How `gpumex_histogram` computes; the counts are the same.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HistogramVariant {
    /// The best one.
    #[default]
    Auto = 0,
    /// The plain loop, on one core; CPU backend only.
    Sequential = 1,
    /// One thread a sample, atomics on the counters in global memory.
    Global = 2,
    /// As GLOBAL with a grid of fixed size that strides over the samples.
    Strided = 3,
    /// Counters of each block in shared memory, added up at the end.
    Shared = 4,
}

/// Type of a sample.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HistogramDtype {
    /// uint8_t
    #[default]
    U8 = 0,
    /// uint16_t
    U16 = 1,
    /// uint32_t
    U32 = 2,
    /// int32_t
    I32 = 3,
    /// float
    F32 = 4,
    /// double
    F64 = 5,
}

impl Choice for HistogramVariant {
    const NAME: &'static str = "gpumex_histogram_variant";
    const ALL: &'static [Self] = &[Self::Auto, Self::Sequential, Self::Global, Self::Strided, Self::Shared];
}

impl Choice for HistogramDtype {
    const NAME: &'static str = "gpumex_histogram_dtype";
    const ALL: &'static [Self] = &[Self::U8, Self::U16, Self::U32, Self::I32, Self::F32, Self::F64];
}

/// Options of [`histogram`]; the default counts bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: HistogramVariant,
    pub dtype: HistogramDtype,
}

/// counts\[v\] ← #{ i : data\[i\] = v }.  data (len) u8, counts (bins = 256) u64, overwritten.
///
/// Cost: reads len bytes once. Errors: INVALID_ARGUMENT (bins, size, overlap), UNSUPPORTED (dtype), OUT_OF_MEMORY,
/// CUDA.
pub fn histogram(
    ctx: &mut Context,
    options: &Options,
    data: Input,
    len: usize,
    counts: Output,
    bins: usize,
) -> Result<()> {
    ctx.begin();
    if options.dtype != HistogramDtype::U8 {
        return Err(Error::unsupported(format!("dtype {:?} is not served by this version", options.dtype)));
    }
    if bins != BYTE_VALUES {
        return Err(Error::unsupported(format!(
            "bins is {bins}; this version serves {BYTE_VALUES}, one a byte value"
        )));
    }
    let samples = data.view::<u8>(&[len])?;
    let mut counts = counts.view::<u64>(&[bins])?;
    counts.apart(&samples)?;
    ctx.run(|engine| match (engine, options.variant) {
        (Engine::Cpu(workers), HistogramVariant::Sequential) => {
            cpu::histogram::sequential(workers, samples.on_host()?, counts.on_host()?)
        }
        (Engine::Cpu(workers), _) => {
            cpu::histogram::histogram(workers, samples.on_host()?, counts.on_host()?)
        }
        (Engine::Cuda(_), HistogramVariant::Sequential) => super::sequential_is_for_the_cpu(),
        (Engine::Cuda(device), variant) => {
            let path = match variant {
                HistogramVariant::Global => gpu::histogram::Path::Global,
                HistogramVariant::Strided => gpu::histogram::Path::Strided,
                _ => gpu::histogram::Path::Shared,
            };
            gpu::histogram::histogram(device, path, samples, counts)
        }
    })
}

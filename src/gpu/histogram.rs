//! Byte histogram on the device: upload, one launch, download of the counts.

use super::Device;
use super::kernels::{gpumexk_histogram_global, gpumexk_histogram_shared, gpumexk_histogram_strided};
use super::memory::Buffer;
use crate::error::Result;

/// The memory path of the kernel.
#[derive(Clone, Copy)]
pub enum Path {
    Global,
    Strided,
    Shared,
}

/// counts (256) ← the histogram of data.
pub fn histogram(device: &Device, path: Path, data: &[u8], counts: &mut [u64]) -> Result<()> {
    let samples = Buffer::from_host(device, data)?;
    let totals = Buffer::<u64>::new(device, counts.len())?;
    let (from, len, to) = (samples.as_ptr(), data.len(), totals.as_ptr());
    // SAFETY: samples holds len bytes, totals 256 counters.
    device.launch(|stream| unsafe {
        match path {
            Path::Global => gpumexk_histogram_global(from, len, to, stream),
            Path::Strided => gpumexk_histogram_strided(from, len, to, stream),
            Path::Shared => gpumexk_histogram_shared(from, len, to, stream),
        }
    })?;
    totals.to_host(counts)
}

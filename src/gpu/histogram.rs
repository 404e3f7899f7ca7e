//! Byte histogram on the device.

use super::Device;
use super::kernels::{gpumexk_histogram_global, gpumexk_histogram_shared, gpumexk_histogram_strided};
use crate::array::{View, ViewMut};
use crate::error::Result;

/// The memory path of the kernel.
#[derive(Clone, Copy)]
pub enum Path {
    Global,
    Strided,
    Shared,
}

/// counts (256) ← the histogram of data.
pub fn histogram(device: &Device, path: Path, data: View<u8>, counts: ViewMut<u64>) -> Result<()> {
    let samples = device.read(&data)?;
    let mut totals = device.write(counts)?;
    let (from, len, to) = (samples.as_ptr(), data.len(), totals.as_mut_ptr());
    // SAFETY: samples holds len bytes, totals 256 counters.
    device.launch(|stream| unsafe {
        match path {
            Path::Global => gpumexk_histogram_global(from, len, to, stream),
            Path::Strided => gpumexk_histogram_strided(from, len, to, stream),
            Path::Shared => gpumexk_histogram_shared(from, len, to, stream),
        }
    })?;
    totals.finish()
}

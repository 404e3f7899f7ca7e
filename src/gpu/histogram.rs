//! Byte histogram on the device. A long array of the host is counted in pieces, while the next piece is on its way.

use super::Device;
use super::kernels::{
    gpumexk_histogram_clear, gpumexk_histogram_global, gpumexk_histogram_shared, gpumexk_histogram_strided,
};
use super::tuning::Kernel;
use crate::array::{View, ViewMut};
use crate::error::Result;

/// The memory path of the kernel.
#[derive(Clone, Copy)]
pub enum Path {
    Global,
    Strided,
    Shared,
}

impl Path {
    fn kernel(self) -> Kernel {
        match self {
            Path::Global => Kernel::HistogramGlobal,
            Path::Strided => Kernel::HistogramStrided,
            Path::Shared => Kernel::HistogramShared,
        }
    }
}

/// counts (256) ← the histogram of data.
pub fn histogram(device: &Device, path: Path, data: View<u8>, counts: ViewMut<u64>) -> Result<()> {
    let mut totals = device.write(counts)?;
    let (to, tuning) = (totals.as_mut_ptr(), &device.tuning(path.kernel()));
    // SAFETY: totals holds 256 counters.
    device.launch(|stream| unsafe { gpumexk_histogram_clear(to, stream) })?;
    device.read_in_pieces(&data, |from, len| {
        // SAFETY: the piece holds len bytes, totals 256 counters.
        device.launch(|stream| unsafe {
            match path {
                Path::Global => gpumexk_histogram_global(from, len, to, tuning, stream),
                Path::Strided => gpumexk_histogram_strided(from, len, to, tuning, stream),
                Path::Shared => gpumexk_histogram_shared(from, len, to, tuning, stream),
            }
        })
    })?;
    totals.finish()
}

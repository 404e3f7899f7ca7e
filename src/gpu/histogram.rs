//! Byte histogram on the device. A long array of the host is counted in pieces, while the next piece is on its
//! way; a short one where it is.

use super::Device;
use super::kernels::{
    HISTOGRAM_SMALL_MAX, gpumexk_histogram_clear, gpumexk_histogram_global, gpumexk_histogram_shared,
    gpumexk_histogram_small, gpumexk_histogram_strided,
};
use super::mailbox::Mailbox;
use super::tuning::Kernel;
use crate::array::{View, ViewMut};
use crate::error::Result;
use crate::memory::Place;

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
    let is_on_host = data.place() == Place::Host && counts.place() == Place::Host;
    if matches!(path, Path::Shared)
        && is_on_host
        && data.len() <= HISTOGRAM_SMALL_MAX
        && let Some(mailbox) = device.mailbox()
    {
        return histogram_of_few(device, mailbox, data, counts);
    }
    let mut totals = device.write(counts)?;
    let (to, tuning) = (totals.as_mut_ptr(), &device.tuning(path.kernel()));
    let mut is_first = true;
    device.read_in_pieces(&data, |from, len| {
        let is_fresh = std::mem::replace(&mut is_first, false);
        // SAFETY: the piece holds len bytes, totals 256 counters.
        device.launch(|stream| unsafe {
            let cleared = if is_fresh { gpumexk_histogram_clear(to, stream) } else { 0 };
            match path {
                _ if cleared != 0 => cleared,
                Path::Global => gpumexk_histogram_global(from, len, to, tuning, stream),
                Path::Strided => gpumexk_histogram_strided(from, len, to, tuning, stream),
                Path::Shared => gpumexk_histogram_shared(from, len, to, tuning, stream),
            }
        })
    })?;
    totals.finish()
}

/// The histogram of a small array of the host, by one block that reads and writes the host's memory.
fn histogram_of_few(
    device: &Device,
    mailbox: &Mailbox,
    data: View<u8>,
    mut counts: ViewMut<u64>,
) -> Result<()> {
    let counters = counts.bytes_on_host()?;
    let behind = counters.len();
    mailbox.put(behind, data.on_host()?);
    // SAFETY: the mailbox holds the counters and the data behind them.
    device.launch(|stream| unsafe {
        gpumexk_histogram_small(mailbox.at(behind), data.len(), mailbox.at(0), stream)
    })?;
    device.synchronize()?;
    mailbox.take(0, counters);
    Ok(())
}

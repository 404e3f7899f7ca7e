//! Medians of windows of a matrix, on the device.

use super::Device;
use super::runtime::kernels::gpumexk_median_filter;
use super::runtime::tuning::Kernel;
use super::windows::described;
use crate::array::{DynView, DynViewMut};
use crate::error::Result;
use crate::model::window::Windows;

/// result ← the median of each window; nothing is empty.
pub fn median_filter(device: &Device, windows: &Windows, data: DynView, result: DynViewMut) -> Result<()> {
    let tuning = device.tuning(Kernel::MedianFilter);
    let source = device.read(&data.bytes())?;
    let mut result = device.write(result.into_bytes())?;
    let args = described(windows, source.as_ptr(), data.dtype());
    let to = result.as_mut_ptr().cast();
    // SAFETY: the arrays have the elements of the windows, which the caller has checked.
    device.launch(|stream| unsafe { gpumexk_median_filter(&args, to, &tuning, stream) })?;
    result.finish()
}

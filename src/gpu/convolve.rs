//! Convolution of a matrix with a filter, on the device.

use std::ffi::c_int;

use super::Device;
use super::runtime::kernels::gpumexk_convolve;
use super::runtime::tuning::Kernel;
use super::windows::described;
use crate::array::{DynView, DynViewMut};
use crate::error::Result;
use crate::model::window::Windows;

/// result ← the sums of each window, whose weights are the filter, or the filter turned; nothing is empty.
pub fn convolve(
    device: &Device,
    windows: &Windows,
    data: DynView,
    filter: DynView,
    is_turned: bool,
    result: DynViewMut,
) -> Result<()> {
    let (dtype, accumulator, tuning) =
        (result.dtype() as c_int, filter.dtype() as c_int, device.tuning(Kernel::Convolve));
    let (source, filter) = (device.read(&data.bytes())?, device.read(&filter.bytes())?);
    let mut result = device.write(result.into_bytes())?;
    let args = described(windows, source.as_ptr(), data.dtype());
    let (weights, to) = (filter.as_ptr().cast(), result.as_mut_ptr().cast());
    // SAFETY: the arrays have the elements of the windows, which the caller has checked.
    device.launch(|stream| unsafe {
        gpumexk_convolve(&args, weights, accumulator, is_turned.into(), to, dtype, &tuning, stream)
    })?;
    result.finish()
}

//! Elements to given positions, on the device.

use std::ffi::c_int;

use super::Device;
use super::runtime::kernels::gpumexk_scatter;
use super::runtime::tuning::Kernel;
use crate::array::{DynView, DynViewMut};
use crate::error::Result;

/// target\[indices\[i\]\] ← source\[i\], where the index is in range.
pub fn scatter(device: &Device, source: DynView, indices: DynView, target: DynViewMut) -> Result<()> {
    let (count, target_count, tuning) = (indices.len(), target.len(), device.tuning(Kernel::Scatter));
    let (bytes, index_bytes) = (source.dtype().size() as c_int, indices.dtype().size() as c_int);
    let (source, indices) = (device.read(&source.bytes())?, device.read(&indices.bytes())?);
    // What no index names stays.
    let mut target = device.update(target.into_bytes())?;
    let (from, at, to) = (source.as_ptr().cast(), indices.as_ptr().cast(), target.as_mut_ptr().cast());
    // SAFETY: count elements and indices, target_count elements of these sizes.
    device.launch(|stream| unsafe {
        gpumexk_scatter(from, bytes, at, index_bytes, count, to, target_count, &tuning, stream)
    })?;
    target.finish()
}

//! Elements at given positions, on the device.

use std::ffi::c_int;

use super::Device;
use super::runtime::kernels::gpumexk_gather;
use super::runtime::tuning::Kernel;
use crate::array::{DynView, DynViewMut};
use crate::error::Result;

/// result\[i\] ← source\[indices\[i\]\], zero where the index is out of range.
pub fn gather(device: &Device, source: DynView, indices: DynView, result: DynViewMut) -> Result<()> {
    let (source_count, count, tuning) = (source.len(), indices.len(), device.tuning(Kernel::Gather));
    let (bytes, index_bytes) = (source.dtype().size() as c_int, indices.dtype().size() as c_int);
    let (source, indices) = (device.read(&source.bytes())?, device.read(&indices.bytes())?);
    let mut result = device.write(result.into_bytes())?;
    let (from, at, to) = (source.as_ptr().cast(), indices.as_ptr().cast(), result.as_mut_ptr().cast());
    // SAFETY: source_count elements, count indices and as many elements of these sizes.
    device.launch(|stream| unsafe {
        gpumexk_gather(from, source_count, bytes, at, index_bytes, count, to, &tuning, stream)
    })?;
    result.finish()
}

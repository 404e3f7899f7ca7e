//! Removal of many elements on the device.

use std::ffi::c_int;

use super::Device;
use super::runtime::kernels::gpumexk_bulk_remove;
use crate::array::{DynView, DynViewMut};
use crate::error::Result;

/// result ← source without the elements at `indices`.
pub fn bulk_remove(device: &Device, source: DynView, indices: DynView, result: DynViewMut) -> Result<()> {
    let (count, index_count) = (source.len(), indices.len());
    let (value_bytes, index_bytes) = (source.dtype().size() as c_int, indices.dtype().size() as c_int);
    let (source, indices, mut result) =
        (device.read(&source.bytes())?, device.read(&indices.bytes())?, device.write(result.into_bytes())?);
    let (from, without, to) = (source.as_ptr().cast(), indices.as_ptr().cast(), result.as_mut_ptr().cast());
    // SAFETY: source holds `count`, indices `index_count` elements of their widths, result the difference.
    device.launch(|stream| unsafe {
        gpumexk_bulk_remove(from, count, value_bytes, without, index_count, index_bytes, to, stream)
    })?;
    result.finish()
}

//! Removal of many elements on the device.

use std::ffi::c_int;

use super::Device;
use super::kernels::gpumexk_bulk_remove;
use crate::array::{Element, View, ViewMut};
use crate::error::Result;
use crate::primitives::Index;

/// result ← source without the elements at `indices`.
pub fn bulk_remove<T: Element, I: Index>(
    device: &Device,
    source: View<T>,
    indices: View<I>,
    result: ViewMut<T>,
) -> Result<()> {
    let (count, index_count) = (source.len(), indices.len());
    let (width, index_width) = (size_of::<T>() as c_int, size_of::<I>() as c_int);
    let (source, indices, mut result) =
        (device.read(&source)?, device.read(&indices)?, device.write(result)?);
    let (from, without, to) = (source.as_ptr().cast(), indices.as_ptr().cast(), result.as_mut_ptr().cast());
    // SAFETY: source holds `count`, indices `index_count` elements of their widths, result the difference.
    device.launch(|stream| unsafe {
        gpumexk_bulk_remove(from, count, width, without, index_count, index_width, to, stream)
    })?;
    result.finish()
}

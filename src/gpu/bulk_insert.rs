//! Insertion of many elements on the device.

use std::ffi::c_int;

use super::Device;
use super::kernels::gpumexk_bulk_insert;
use crate::array::{Element, View, ViewMut};
use crate::error::Result;
use crate::primitives::Index;

/// result ← b with each a\[i\] before b\[indices\[i\]\].
pub fn bulk_insert<T: Element, I: Index>(
    device: &Device,
    a: View<T>,
    indices: View<I>,
    b: View<T>,
    result: ViewMut<T>,
) -> Result<()> {
    let (a_count, b_count) = (a.len(), b.len());
    let (width, index_width) = (size_of::<T>() as c_int, size_of::<I>() as c_int);
    let (a, indices, b) = (device.read(&a)?, device.read(&indices)?, device.read(&b)?);
    let mut result = device.write(result)?;
    let (what, at, into) = (a.as_ptr().cast(), indices.as_ptr().cast(), b.as_ptr().cast());
    let to = result.as_mut_ptr().cast();
    // SAFETY: a and indices hold a_count elements of their widths, b b_count, result the sum.
    device.launch(|stream| unsafe {
        gpumexk_bulk_insert(what, at, a_count, into, b_count, width, index_width, to, stream)
    })?;
    result.finish()
}

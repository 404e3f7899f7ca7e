//! Insertion of many elements on the device.

use std::ffi::c_int;

use super::Device;
use super::runtime::kernels::gpumexk_bulk_insert;
use crate::array::{DynView, DynViewMut};
use crate::error::Result;

/// result ← b with each a\[i\] before b\[indices\[i\]\].
pub fn bulk_insert(
    device: &Device,
    a: DynView,
    indices: DynView,
    b: DynView,
    result: DynViewMut,
) -> Result<()> {
    let (a_count, b_count) = (a.len(), b.len());
    let (value_bytes, index_bytes) = (a.dtype().size() as c_int, indices.dtype().size() as c_int);
    let (a, indices, b) =
        (device.read(&a.bytes())?, device.read(&indices.bytes())?, device.read(&b.bytes())?);
    let mut result = device.write(result.into_bytes())?;
    let (what, at, into) = (a.as_ptr().cast(), indices.as_ptr().cast(), b.as_ptr().cast());
    let to = result.as_mut_ptr().cast();
    // SAFETY: a and indices hold a_count elements of their widths, b b_count, result the sum.
    device.launch(|stream| unsafe {
        gpumexk_bulk_insert(what, at, a_count, into, b_count, value_bytes, index_bytes, to, stream)
    })?;
    result.finish()
}

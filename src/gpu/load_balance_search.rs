//! Load-balancing search on the device.

use std::ffi::c_int;

use super::Device;
use super::runtime::kernels::gpumexk_load_balance_search;
use crate::array::{DynView, DynViewMut};
use crate::error::Result;

/// indices\[k\] ← the object of item k.
pub fn load_balance_search(device: &Device, scan: DynView, indices: DynViewMut) -> Result<()> {
    let (count, objects, index_bytes) = (indices.len(), scan.len(), scan.dtype().size() as c_int);
    let (scan, mut indices) = (device.read(&scan.bytes())?, device.write(indices.into_bytes())?);
    let (from, to) = (scan.as_ptr().cast(), indices.as_mut_ptr().cast());
    // SAFETY: scan holds `objects` numbers of `index_bytes` bytes, indices `count`.
    device.launch(|stream| unsafe {
        gpumexk_load_balance_search(count, from, objects, index_bytes, to, stream)
    })?;
    indices.finish()
}

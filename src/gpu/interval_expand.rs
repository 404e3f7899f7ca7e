//! Expansion of intervals on the device.

use std::ffi::c_int;

use super::Device;
use super::runtime::kernels::gpumexk_interval_expand;
use crate::array::{DynView, DynViewMut};
use crate::error::Result;

/// output\[k\] ← the value of the interval of element k.
pub fn interval_expand(device: &Device, scan: DynView, values: DynView, output: DynViewMut) -> Result<()> {
    let (count, intervals) = (output.len(), scan.len());
    let (value_bytes, index_bytes) = (values.dtype().size() as c_int, scan.dtype().size() as c_int);
    let (scan, values, mut output) =
        (device.read(&scan.bytes())?, device.read(&values.bytes())?, device.write(output.into_bytes())?);
    let (from, of, to) = (scan.as_ptr().cast(), values.as_ptr().cast(), output.as_mut_ptr().cast());
    // SAFETY: scan and values hold `intervals` elements of their widths, output `count`.
    device.launch(|stream| unsafe {
        gpumexk_interval_expand(count, from, intervals, index_bytes, of, value_bytes, to, stream)
    })?;
    output.finish()
}

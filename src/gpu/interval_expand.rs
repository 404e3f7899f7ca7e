//! Expansion of intervals on the device.

use std::ffi::c_int;

use super::Device;
use super::kernels::gpumexk_interval_expand;
use crate::array::{Element, View, ViewMut};
use crate::error::Result;
use crate::primitives::Index;

/// output\[k\] ← the value of the interval of element k.
pub fn interval_expand<T: Element, I: Index>(
    device: &Device,
    scan: View<I>,
    values: View<T>,
    output: ViewMut<T>,
) -> Result<()> {
    let (count, intervals) = (output.len(), scan.len());
    let (width, index_width) = (size_of::<T>() as c_int, size_of::<I>() as c_int);
    let (scan, values, mut output) = (device.read(&scan)?, device.read(&values)?, device.write(output)?);
    let (from, of, to) = (scan.as_ptr().cast(), values.as_ptr().cast(), output.as_mut_ptr().cast());
    // SAFETY: scan and values hold `intervals` elements of their widths, output `count`.
    device.launch(|stream| unsafe {
        gpumexk_interval_expand(count, from, intervals, index_width, of, width, to, stream)
    })?;
    output.finish()
}

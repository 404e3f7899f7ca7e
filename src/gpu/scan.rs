//! Prefixes of an array on the device.

use std::ptr::null_mut;

use super::Device;
use super::device::check_launch;
use super::kernels::{gpumexk_scan, gpumexk_scan_scratch};
use super::memory::Buffer;
use crate::array::{Pair, ViewMut};
use crate::error::Result;
use crate::primitives::{Operand, Operator};

/// The target ← the prefixes of the source, which it may be; total (1) ← what the operator makes of all.
pub fn scan<T: Operand>(
    device: &Device,
    op: Operator,
    is_inclusive: bool,
    arrays: Pair<T>,
    total: Option<ViewMut<T>>,
) -> Result<()> {
    let (source, dtype, op) = (arrays.source(), T::DTYPE as i32, op as i32);
    let (count, mut bytes) = (source.len(), 0);
    // SAFETY: writes one size.
    check_launch(unsafe { gpumexk_scan_scratch(count, dtype, &mut bytes) })?;
    let scratch = Buffer::<u8>::new(device, bytes)?;
    let mut total = total.map(|total| device.write(total)).transpose()?;
    let total_at = total.as_mut().map_or(null_mut(), |total| total.as_mut_ptr()).cast();
    // One array is scanned in place, on the device as well.
    let (data, mut result) = match arrays.is_same() {
        true => (None, device.update(arrays.into_target())?),
        false => (Some(device.read(&source)?), device.write(arrays.into_target())?),
    };
    let to = result.as_mut_ptr();
    let from = data.as_ref().map_or(to.cast_const(), |data| data.as_ptr()).cast();
    let (to, scratch_at) = (to.cast(), scratch.as_ptr().cast());
    // SAFETY: data and result hold count elements of the dtype, the total one or it is null; the scratch has the bytes that
    // were asked for.
    device.launch(|stream| unsafe {
        gpumexk_scan(from, count, dtype, op, is_inclusive.into(), scratch_at, to, total_at, stream)
    })?;
    result.finish()?;
    total.map_or(Ok(()), |total| total.finish())
}

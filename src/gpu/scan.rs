//! Prefixes of an array on the device.

use super::Device;
use super::runtime::device::check_launch;
use super::runtime::kernels::{ScanArgs, gpumexk_scan, gpumexk_scan_scratch};
use super::runtime::memory::{Buffer, finish, target};
use super::runtime::tuning::Kernel;
use crate::array::{DynView, DynViewMut};
use crate::error::Result;
use crate::model::operator::Operator;

/// result ← the prefixes of data, or where it is None of itself; total (1) ← the reduction of all.
pub fn scan(
    device: &Device,
    op: Operator,
    is_inclusive: bool,
    data: Option<DynView>,
    result: DynViewMut,
    total: Option<DynViewMut>,
) -> Result<()> {
    let (count, dtype, mut bytes) = (result.len(), result.dtype() as i32, 0);
    let tuning = device.tuning(Kernel::Scan);
    // SAFETY: writes one size.
    check_launch(unsafe { gpumexk_scan_scratch(count, dtype, &tuning, &mut bytes) })?;
    let scratch = Buffer::<u8>::new(device, bytes)?;
    let mut total = device.write_optional(total)?;
    let total_at = target(&mut total);
    // One array is scanned in place, on the device as well.
    let (data, mut result) = match data {
        None => (None, device.update(result.into_bytes())?),
        data => (device.read_optional(data)?, device.write(result.into_bytes())?),
    };
    let to = result.as_mut_ptr();
    let from = data.as_ref().map_or(to.cast_const(), |data| data.as_ptr()).cast();
    let (op, inclusive) = (op as i32, is_inclusive.into());
    let args = ScanArgs { data: from, count, dtype, op, inclusive, result: to.cast(), total: total_at };
    let scratch = scratch.as_ptr().cast();
    // SAFETY: data and result hold count elements of the dtype, the total one or it is null; the scratch has the bytes that
    // were asked for.
    device.launch(|stream| unsafe { gpumexk_scan(&args, scratch, &tuning, stream) })?;
    result.finish()?;
    finish(total)
}

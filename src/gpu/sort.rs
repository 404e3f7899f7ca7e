//! Stable sort on the device.

use std::ptr::null;

use super::Device;
use super::runtime::device::check_launch;
use super::runtime::kernels::{SortArgs, gpumexk_sort, gpumexk_sort_scratch};
use super::runtime::memory::{Buffer, finish, source, target};
use super::runtime::tuning::Kernel;
use crate::array::{DynView, DynViewMut};
use crate::error::Result;
use crate::model::order::SortOrder;

/// sorted ← the keys in order, and sorted_values ← their values, or without values their positions; each unless it is None.
pub fn sort(
    device: &Device,
    order: SortOrder,
    keys: DynView,
    values: Option<DynView>,
    sorted: Option<DynViewMut>,
    sorted_values: Option<DynViewMut>,
) -> Result<()> {
    let (count, dtype) = (keys.len(), keys.dtype() as i32);
    let value_bytes = sorted_values.as_ref().map_or(0, |values| values.dtype().size() as i32);
    let (keys, values) = (device.read(&keys.bytes())?, device.read_optional(values)?);
    let (mut sorted, mut sorted_values) =
        (device.write_optional(sorted)?, device.write_optional(sorted_values)?);
    let args = SortArgs {
        keys: keys.as_ptr().cast(),
        sorted: target(&mut sorted),
        values: source(&values),
        sorted_values: target(&mut sorted_values),
        count,
        dtype,
        descending: (order == SortOrder::Descending).into(),
        value_bytes,
        unless: null(),
    };
    // SAFETY: the arrays hold count keys and values, or are NULL.
    unsafe { launch(device, args)? };
    finish(sorted)?;
    finish(sorted_values)
}

/// Sorts, with scratch of its own.
///
/// # Safety
/// The arrays are the device's, `count` elements each, apart.
pub(super) unsafe fn launch(device: &Device, args: SortArgs) -> Result<()> {
    if args.count == 0 {
        return Ok(());
    }
    let mut bytes = 0;
    // SAFETY: writes one size.
    check_launch(unsafe { gpumexk_sort_scratch(&args, &mut bytes) })?;
    let (scratch, tuning) = (Buffer::<u8>::new(device, bytes)?, device.tuning(Kernel::Sort));
    // SAFETY: the caller's promise, and the bytes that were asked for.
    device.launch(|stream| unsafe { gpumexk_sort(&args, scratch.as_ptr().cast(), &tuning, stream) })
}

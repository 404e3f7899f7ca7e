//! The elements whose flags are set, on the device.

use std::ffi::c_int;

use super::Device;
use super::runtime::device::check_launch;
use super::runtime::kernels::{CompactArgs, gpumexk_compact, gpumexk_compact_scratch};
use super::runtime::memory::{Buffer, source};
use super::runtime::sized_output::{is_copied, part_ptr};
use crate::array::{DynView, DynViewMut, View, ViewMut};
use crate::error::Result;

/// kept, positions (capacity) ← the elements whose flags are set, and where they stand; needed (1) ← how many they are, which is
/// returned where the host sees it. value_bytes, index: the bytes of an element and of a position.
#[allow(clippy::too_many_arguments)] // those of the operation
pub fn compact(
    device: &Device,
    [value_bytes, index]: [usize; 2],
    data: Option<DynView>,
    flags: View<u8>,
    kept: Option<DynViewMut>,
    positions: Option<DynViewMut>,
    capacity: usize,
    needed: ViewMut<u64>,
) -> Result<Option<u64>> {
    let (count, mut bytes) = (flags.len(), 0);
    // SAFETY: writes one size.
    check_launch(unsafe { gpumexk_compact_scratch(count, &mut bytes) })?;
    let scratch = Buffer::<u8>::new(device, bytes)?;
    let (data, flags) = (device.read_optional(data)?, device.read(&flags)?);
    let most = capacity.min(count);
    let mut kept = device.write_part(kept.map(|kept| kept.first(most)))?;
    let mut positions = device.write_part(positions.map(|positions| positions.first(most)))?;

    let mut args = CompactArgs {
        data: source(&data),
        flags: flags.as_ptr(),
        count,
        kept: part_ptr(&mut kept),
        positions: part_ptr(&mut positions),
        capacity,
        needed: std::ptr::null_mut(),
        value_bytes: value_bytes as c_int,
        position_bytes: index as c_int,
    };
    let scratch = scratch.as_ptr().cast();
    let found = device.run_sized(needed, is_copied(&kept) || is_copied(&positions), &mut |needed| {
        args.needed = needed;
        // SAFETY: data and flags hold count elements, kept and positions as many as are written, or they are null; needed holds
        // one; the scratch has the bytes that were asked for.
        device.launch(|stream| unsafe { gpumexk_compact(&args, scratch, stream) })
    })?;
    found.finish(kept, most)?;
    found.finish(positions, most)?;
    Ok(found.len_on_host())
}

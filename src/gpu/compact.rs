//! The elements whose flags are set, on the device.

use std::ptr::null;

use super::Device;
use super::device::check_launch;
use super::found::{address, is_copied};
use super::kernels::{gpumexk_compact, gpumexk_compact_scratch};
use super::memory::Buffer;
use crate::array::{Element, View, ViewMut};
use crate::error::Result;
use crate::primitives::Index;

/// kept, positions (capacity) ← the elements whose flags are set, and where they stand; needed (1) ← how many they are, which is
/// returned where the host sees it.
pub fn compact<T: Element, I: Index>(
    device: &Device,
    data: Option<View<T>>,
    flags: View<u8>,
    kept: Option<ViewMut<T>>,
    positions: Option<ViewMut<I>>,
    capacity: usize,
    needed: ViewMut<u64>,
) -> Result<Option<u64>> {
    let (count, mut bytes) = (flags.len(), 0);
    // SAFETY: writes one size.
    check_launch(unsafe { gpumexk_compact_scratch(count, size_of::<T>(), &mut bytes) })?;
    let scratch = Buffer::<u8>::new(device, bytes)?;
    let data = data.map(|data| device.read(&data)).transpose()?;
    let flags = device.read(&flags)?;
    let most = capacity.min(count);
    let mut kept = kept.map(|kept| device.write(kept.first(most))).transpose()?;
    let mut positions = positions.map(|positions| device.write(positions.first(most))).transpose()?;

    let (from, by) = (data.as_ref().map_or(null(), |data| data.as_ptr()).cast(), flags.as_ptr());
    let kept_at = address(&mut kept);
    let positions_at = address(&mut positions);
    let (scratch, width, index) = (scratch.as_ptr().cast(), size_of::<T>(), size_of::<I>());
    let found = device.find(needed, is_copied(&kept) || is_copied(&positions), |needed| {
        // SAFETY: data and flags hold count elements, kept and positions as many as are written, or they are null; needed holds
        // one; the scratch has the bytes that were asked for.
        device.launch(|stream| unsafe {
            gpumexk_compact(
                from,
                width,
                by,
                count,
                scratch,
                kept_at,
                positions_at,
                index,
                capacity,
                needed,
                stream,
            )
        })
    })?;
    found.finish(kept, most)?;
    found.finish(positions, most)?;
    Ok(found.seen())
}

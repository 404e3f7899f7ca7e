//! Sort-merge join on the device.

use std::ptr::null_mut;

use super::Device;
use super::runtime::kernels::{JoinArgs, gpumexk_join, gpumexk_join_scratch};
use super::runtime::memory::Buffer;
use super::runtime::sized_output::{is_copied, part_ptr};
use super::runtime::tuning::Kernel;
use crate::array::{DynView, DynViewMut, ViewMut};
use crate::error::Result;
use crate::model::order::SortOrder;

/// What is asked for, beside the arrays.
#[derive(Clone, Copy)]
pub struct Asked {
    pub order: SortOrder,
    /// Keys without a partner are there.
    pub keeps_a: bool,
    pub keeps_b: bool,
}

/// a_indices, b_indices (equally long) ← the first pairs; how many there are, where the host sees `needed`.
pub fn join(
    device: &Device,
    asked: &Asked,
    [a, b]: [DynView; 2],
    [a_indices, b_indices]: [DynViewMut; 2],
    needed: ViewMut<u64>,
) -> Result<Option<u64>> {
    let (capacity, index_bytes) = (a_indices.len(), a_indices.dtype().size() as i32);
    let (a_keys, b_keys) = (device.read(&a.bytes())?, device.read(&b.bytes())?);
    let (mut a_indices, mut b_indices) =
        (device.write_part(Some(a_indices))?, device.write_part(Some(b_indices))?);
    let mut args = JoinArgs {
        a: a_keys.as_ptr().cast(),
        a_count: a.len(),
        b: b_keys.as_ptr().cast(),
        b_count: b.len(),
        dtype: a.dtype() as i32,
        descending: (asked.order == SortOrder::Descending).into(),
        keeps_a: asked.keeps_a.into(),
        keeps_b: asked.keeps_b.into(),
        index_bytes,
        a_indices: part_ptr(&mut a_indices),
        b_indices: part_ptr(&mut b_indices),
        capacity,
        needed: null_mut(),
    };
    let mut bytes = 0;
    // SAFETY: numbers alone are read.
    super::runtime::device::check_launch(unsafe { gpumexk_join_scratch(&args, &mut bytes) })?;
    let (scratch, tuning) = (Buffer::<u8>::new(device, bytes)?, device.tuning(Kernel::Join));
    let found = device.run_sized(needed, is_copied(&a_indices) || is_copied(&b_indices), &mut |needed| {
        args.needed = needed;
        // SAFETY: arrays of the lengths that args says, or NULL; as much scratch as was asked for.
        device.launch(|stream| unsafe { gpumexk_join(&args, scratch.as_ptr().cast(), &tuning, stream) })
    })?;
    found.finish(a_indices, capacity)?;
    found.finish(b_indices, capacity)?;
    Ok(found.len_on_host())
}

//! The first index that is out of range, on the device.

use std::ffi::c_int;

use super::Device;
use super::runtime::kernels::gpumexk_check_indices;
use super::runtime::memory::Buffer;
use crate::array::{DynView, Output};
use crate::error::Result;

/// The first i for which indices\[i\] is not below `limit`, and that index; waits for the answer.
pub fn first_out_of_range(device: &Device, indices: DynView, limit: usize) -> Result<Option<(usize, u64)>> {
    device.refuse_capture("the host reads what was found")?;
    let (count, dtype) = (indices.len(), indices.dtype());
    let indices = device.read(&indices.bytes())?;
    let position = Buffer::<u64>::new(device, 1)?;
    let (from, to, bytes) = (indices.as_ptr(), position.as_ptr(), dtype.size() as c_int);
    // SAFETY: count indices of these bytes, room for one position.
    device.launch(|stream| unsafe { gpumexk_check_indices(from.cast(), bytes, count, limit, to, stream) })?;
    let mut found = [0u64];
    device.download(&mut Output::new("the position", &mut found).view(&[1])?, to)?;
    device.synchronize()?;
    let Some(position) = usize::try_from(found[0]).ok().filter(|&position| position < count) else {
        return Ok(None);
    };
    let mut index = [0u64]; // little-endian: an index of 4 bytes is its low half
    let mut copy = Output::new("the index", &mut index).view_of(dtype, &[1])?.into_bytes();
    device.download(&mut copy, from.wrapping_add(position * dtype.size()))?;
    device.synchronize()?;
    Ok(Some((position, index[0])))
}

//! One key and one reduction for each run of equal neighbouring keys, on the device.

use std::ptr::null_mut;

use super::Device;
use super::runtime::kernels::{ReduceByKeyArgs, gpumexk_reduce_by_key, gpumexk_reduce_by_key_scratch};
use super::runtime::memory::{Buffer, source};
use super::runtime::sized_output::{is_copied, part_ptr};
use crate::array::{DynView, DynViewMut, ViewMut};
use crate::error::Result;
use crate::model::dtype::Dtype;
use crate::model::operator::Operator;

/// The arrays of a call; outputs that are not wanted, or have no elements, are None.
pub struct Arrays<'a> {
    pub keys: DynView<'a>,
    pub data: Option<DynView<'a>>,
    pub unique_keys: Option<DynViewMut<'a>>,
    pub results: Option<DynViewMut<'a>>,
    pub offsets: Option<DynViewMut<'a>>,
    pub capacity: usize,
    pub needed: ViewMut<'a, u64>,
}

/// The number of runs, where the host sees `needed`; data is of the dtype.
pub fn reduce_by_key(device: &Device, op: Operator, dtype: Dtype, arrays: Arrays) -> Result<Option<u64>> {
    let Arrays { keys, data, unique_keys, results, offsets, capacity, needed } = arrays;
    let offset_bytes = offsets.as_ref().map_or(0, |offsets| offsets.dtype().size() as i32);
    let (count, key_dtype, mut bytes) = (keys.len(), keys.dtype(), 0);
    // SAFETY: a number to write to.
    device.launch(|_| unsafe {
        gpumexk_reduce_by_key_scratch(count, key_dtype.size(), dtype.size(), &mut bytes)
    })?;
    let scratch = Buffer::<u64>::new(device, bytes.div_ceil(size_of::<u64>()))?;
    let (keys, data) = (device.read(&keys.bytes())?, device.read_optional(data)?);
    let (mut unique_keys, mut results) = (device.write_part(unique_keys)?, device.write_part(results)?);
    let mut offsets = device.write_part(offsets)?;
    let mut args = ReduceByKeyArgs {
        keys: keys.as_ptr().cast(),
        data: source(&data),
        count,
        key_dtype: key_dtype as i32,
        dtype: dtype as i32,
        op: op as i32,
        offset_bytes,
        unique_keys: part_ptr(&mut unique_keys),
        results: part_ptr(&mut results),
        offsets: part_ptr(&mut offsets),
        capacity,
        needed: null_mut(),
    };
    let are_copied = is_copied(&unique_keys) || is_copied(&results) || is_copied(&offsets);
    let found = device.run_sized(needed, are_copied, &mut |needed| {
        args.needed = needed;
        // SAFETY: count keys and, where results are wanted, as many elements; outputs of `capacity` elements, offsets of one
        // more; the scratch is as asked for.
        device.launch(|stream| unsafe { gpumexk_reduce_by_key(&args, scratch.as_ptr().cast(), stream) })
    })?;
    found.finish(unique_keys, capacity)?;
    found.finish(results, capacity)?;
    found.finish_offsets(offsets, capacity)?;
    Ok(found.len_on_host())
}

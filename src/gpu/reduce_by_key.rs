//! One key and one reduction for each run of equal neighbouring keys, on the device.

use std::ptr::null_mut;

use super::Device;
use super::runtime::kernels::{ReduceByKeyArgs, gpumexk_reduce_by_key, gpumexk_reduce_by_key_scratch};
use super::runtime::memory::{Buffer, source};
use super::runtime::sized_output::{address, is_copied};
use crate::array::{DynView, DynViewMut, ViewMut};
use crate::error::Result;
use crate::model::dtype::Dtype;
use crate::model::primitives::Operator;

/// The arrays of a call; outputs that are not wanted, or have no elements, are None.
pub struct Arrays<'a> {
    pub keys: DynView<'a>,
    pub data: Option<DynView<'a>>,
    pub unique_keys: Option<DynViewMut<'a>>,
    pub results: Option<DynViewMut<'a>>,
    pub capacity: usize,
    pub needed: ViewMut<'a, u64>,
}

/// The number of runs, where the host sees `needed`; data is of the dtype.
pub fn reduce_by_key(device: &Device, op: Operator, dtype: Dtype, arrays: Arrays) -> Result<Option<u64>> {
    let Arrays { keys, data, unique_keys, results, capacity, needed } = arrays;
    let (count, key_dtype, mut bytes) = (keys.len(), keys.dtype(), 0);
    // SAFETY: a number to write to.
    device.launch(|_| unsafe {
        gpumexk_reduce_by_key_scratch(count, key_dtype.size(), dtype.size(), &mut bytes)
    })?;
    let scratch = Buffer::<u64>::new(device, bytes.div_ceil(size_of::<u64>()))?;
    let (keys, data) = (device.read(&keys.bytes())?, device.read_optional(data)?);
    let (mut unique_keys, mut results) = (device.write_part(unique_keys)?, device.write_part(results)?);
    let mut args = ReduceByKeyArgs {
        keys: keys.as_ptr().cast(),
        data: source(&data),
        count,
        key_dtype: key_dtype as i32,
        dtype: dtype as i32,
        op: op as i32,
        unique_keys: address(&mut unique_keys),
        results: address(&mut results),
        capacity,
        needed: null_mut(),
    };
    let found = device.find(needed, is_copied(&unique_keys) || is_copied(&results), &mut |needed| {
        args.needed = needed;
        // SAFETY: count keys and, where results are wanted, as many elements; outputs of `capacity` elements; the scratch is as
        // asked for.
        device.launch(|stream| unsafe { gpumexk_reduce_by_key(&args, scratch.as_ptr().cast(), stream) })
    })?;
    found.finish(unique_keys, capacity)?;
    found.finish(results, capacity)?;
    Ok(found.seen())
}

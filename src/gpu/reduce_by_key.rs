//! One key and one reduction for each run of equal neighbouring keys, on the device.

use std::ptr::{null, null_mut};

use super::Device;
use super::found::{address, is_copied};
use super::kernels::{Runs, gpumexk_reduce_by_key, gpumexk_reduce_by_key_scratch};
use super::memory::Buffer;
use crate::array::{View, ViewMut};
use crate::dtype::Dtype;
use crate::error::Result;
use crate::primitives::{Key, Operand, Operator};

/// The arrays of a call; outputs that are not wanted, or have no elements, are None.
pub struct Arrays<'a, K, T> {
    pub keys: View<'a, K>,
    pub key_dtype: Dtype,
    pub data: Option<View<'a, T>>,
    pub unique_keys: Option<ViewMut<'a, K>>,
    pub results: Option<ViewMut<'a, T>>,
    pub capacity: usize,
    pub needed: ViewMut<'a, u64>,
}

/// The number of runs, where the host sees `needed`.
pub fn reduce_by_key<K: Key, T: Operand>(
    device: &Device,
    op: Operator,
    arrays: Arrays<K, T>,
) -> Result<Option<u64>> {
    let Arrays { keys, key_dtype, data, unique_keys, results, capacity, needed } = arrays;
    let (count, mut bytes) = (keys.len(), 0);
    // SAFETY: a number to write to.
    device.launch(|_| unsafe {
        gpumexk_reduce_by_key_scratch(count, size_of::<K>(), size_of::<T>(), &mut bytes)
    })?;
    let scratch = Buffer::<u64>::new(device, bytes.div_ceil(size_of::<u64>()))?;
    let keys = device.read(&keys)?;
    let data = data.map(|data| device.read(&data)).transpose()?;
    let mut unique_keys = unique_keys.map(|keys| device.write(keys)).transpose()?;
    let mut results = results.map(|results| device.write(results)).transpose()?;
    let mut runs = Runs {
        keys: keys.as_ptr().cast(),
        data: data.as_ref().map_or(null(), |data| data.as_ptr().cast()),
        count,
        key_dtype: key_dtype as i32,
        dtype: T::DTYPE as i32,
        number: op as i32,
        unique_keys: address(&mut unique_keys),
        results: address(&mut results),
        capacity,
        needed: null_mut(),
    };
    let found = device.find(needed, is_copied(&unique_keys) || is_copied(&results), |needed| {
        runs.needed = needed;
        // SAFETY: count keys and, where results are wanted, as many elements; outputs of `capacity` elements; the scratch is as
        // asked for.
        device.launch(|stream| unsafe { gpumexk_reduce_by_key(&runs, scratch.as_ptr().cast(), stream) })
    })?;
    found.finish(unique_keys, capacity)?;
    found.finish(results, capacity)?;
    Ok(found.seen())
}

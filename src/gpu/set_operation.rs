//! Set operations on the device.

use std::ptr::{null, null_mut};

use super::Device;
use super::found::{address, is_copied};
use super::kernels::{Sets, gpumexk_set_operation, gpumexk_set_operation_scratch};
use super::memory::Buffer;
use crate::array::{Element, View, ViewMut};
use crate::error::Result;
use crate::primitives::{Order, Payload, SetOperator};

/// What is asked for, beside the arrays.
#[derive(Clone, Copy)]
pub struct Asked {
    pub op: SetOperator,
    pub order: Order,
    pub payload: Payload,
    pub capacity: usize,
}

/// keys, values (capacity, or empty) ← the result's first elements; its length, where the host sees `needed`.
pub fn set_operation<K: Element, V: Element>(
    device: &Device,
    asked: &Asked,
    [a, b]: [View<K>; 2],
    [a_values, b_values]: [View<V>; 2],
    keys: ViewMut<K>,
    values: ViewMut<V>,
    needed: ViewMut<u64>,
) -> Result<Option<u64>> {
    let (a_keys, b_keys) = (device.read(&a)?, device.read(&b)?);
    let moves_values = asked.payload == Payload::Values && !values.is_empty();
    let [a_values, b_values] =
        [a_values, b_values].map(|values| moves_values.then(|| device.read(&values)).transpose());
    let (a_values, b_values) = (a_values?, b_values?);
    let (mut keys, mut values) = (device.write_part(keys)?, device.write_part(values)?);
    let mut job = Sets {
        a_keys: a_keys.as_ptr().cast(),
        a_values: a_values.as_ref().map_or(null(), |values| values.as_ptr().cast()),
        a_count: a.len(),
        b_keys: b_keys.as_ptr().cast(),
        b_values: b_values.as_ref().map_or(null(), |values| values.as_ptr().cast()),
        b_count: b.len(),
        dtype: K::DTYPE as i32,
        descending: (asked.order == Order::Greater).into(),
        op: asked.op as i32,
        payload: if values.is_some() { asked.payload as i32 } else { Payload::None as i32 },
        width: size_of::<V>() as i32,
        keys: address(&mut keys),
        values: address(&mut values),
        capacity: asked.capacity,
        needed: null_mut(),
    };
    let mut bytes = 0;
    // SAFETY: numbers alone are read.
    super::device::check_launch(unsafe { gpumexk_set_operation_scratch(&job, &mut bytes) })?;
    let scratch = Buffer::<u8>::new(device, bytes)?;
    let found = device.find(needed, is_copied(&keys) || is_copied(&values), |needed| {
        job.needed = needed;
        // SAFETY: arrays of the lengths that the job says, or NULL; as much scratch as was asked for.
        device.launch(|stream| unsafe { gpumexk_set_operation(&job, scratch.as_ptr().cast(), stream) })
    })?;
    found.finish(keys, asked.capacity)?;
    found.finish(values, asked.capacity)?;
    Ok(found.seen())
}

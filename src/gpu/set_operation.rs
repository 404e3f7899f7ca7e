//! Set operations on the device.

use std::ptr::null_mut;

use super::Device;
use super::runtime::kernels::{SetOperationArgs, gpumexk_set_operation, gpumexk_set_operation_scratch};
use super::runtime::memory::{Buffer, source};
use super::runtime::sized_output::{is_copied, part_ptr};
use super::runtime::tuning::Kernel;
use crate::array::{DynView, DynViewMut, ViewMut};
use crate::error::Result;
use crate::model::order::SortOrder;
use crate::model::payload::Payload;
use crate::model::set_operation::SetOperator;

/// What is asked for, beside the arrays.
#[derive(Clone, Copy)]
pub struct Asked {
    pub op: SetOperator,
    pub order: SortOrder,
    pub payload: Payload,
    pub capacity: usize,
}

/// keys, values (capacity, where they are wanted) ← the result's first elements; its length, where the host sees `needed`.
pub fn set_operation(
    device: &Device,
    asked: &Asked,
    [a, b]: [DynView; 2],
    [a_values, b_values]: [Option<DynView>; 2],
    keys: Option<DynViewMut>,
    values: Option<DynViewMut>,
    needed: ViewMut<u64>,
) -> Result<Option<u64>> {
    let (a_keys, b_keys) = (device.read(&a.bytes())?, device.read(&b.bytes())?);
    let value_bytes = values.as_ref().map_or(4, |values| values.dtype().size() as i32);
    let (mut keys, mut values) = (device.write_part(keys)?, device.write_part(values)?);
    let wanted = |from: Option<DynView>| device.read_optional(from.filter(|_| values.is_some()));
    let (a_values, b_values) = (wanted(a_values)?, wanted(b_values)?);
    let mut args = SetOperationArgs {
        a_keys: a_keys.as_ptr().cast(),
        a_values: source(&a_values),
        a_count: a.len(),
        b_keys: b_keys.as_ptr().cast(),
        b_values: source(&b_values),
        b_count: b.len(),
        dtype: a.dtype() as i32,
        descending: (asked.order == SortOrder::Descending).into(),
        op: asked.op as i32,
        payload: if values.is_some() { asked.payload as i32 } else { Payload::None as i32 },
        value_bytes,
        keys: part_ptr(&mut keys),
        values: part_ptr(&mut values),
        capacity: asked.capacity,
        needed: null_mut(),
    };
    let mut bytes = 0;
    // SAFETY: numbers alone are read.
    super::runtime::device::check_launch(unsafe { gpumexk_set_operation_scratch(&args, &mut bytes) })?;
    let (scratch, tuning) = (Buffer::<u8>::new(device, bytes)?, device.tuning(Kernel::SetOperation));
    let found = device.run_sized(needed, is_copied(&keys) || is_copied(&values), &mut |needed| {
        args.needed = needed;
        // SAFETY: arrays of the lengths that args says, or NULL; as much scratch as was asked for.
        device.launch(|stream| unsafe {
            gpumexk_set_operation(&args, scratch.as_ptr().cast(), &tuning, stream)
        })
    })?;
    found.finish(keys, asked.capacity)?;
    found.finish(values, asked.capacity)?;
    Ok(found.len_on_host())
}

//! Two arrays in order become one, on the device.

use super::Device;
use super::runtime::kernels::{MergeArgs, gpumexk_merge};
use super::runtime::memory::{finish, source, target};
use super::runtime::tuning::Kernel;
use crate::array::{DynView, DynViewMut};
use crate::error::Result;
use crate::model::order::SortOrder;

/// Keys of two arrays, what moves with them, values of both or else the positions of the keys, and where to.
pub struct Runs<'a> {
    pub a_keys: DynView<'a>,
    pub a_values: Option<DynView<'a>>,
    pub b_keys: DynView<'a>,
    pub b_values: Option<DynView<'a>>,
    pub keys: DynViewMut<'a>,
    pub values: Option<DynViewMut<'a>>,
}

/// keys, values ← those of a and b.
pub fn merge(device: &Device, order: SortOrder, runs: Runs) -> Result<()> {
    let Runs { a_keys, a_values, b_keys, b_values, keys, values } = runs;
    let (a_count, b_count, dtype) = (a_keys.len(), b_keys.len(), a_keys.dtype() as i32);
    let value_bytes = values.as_ref().map_or(0, |values| values.dtype().size() as i32);
    let positions = values.is_some() && a_values.is_none();
    let (a_keys, b_keys) = (device.read(&a_keys.bytes())?, device.read(&b_keys.bytes())?);
    let (a_values, b_values) = (device.read_optional(a_values)?, device.read_optional(b_values)?);
    let (mut keys, mut values) = (device.write(keys.into_bytes())?, device.write_optional(values)?);
    let args = MergeArgs {
        a_keys: a_keys.as_ptr().cast(),
        a_values: source(&a_values),
        a_count,
        b_keys: b_keys.as_ptr().cast(),
        b_values: source(&b_values),
        b_count,
        dtype,
        descending: i32::from(order == SortOrder::Descending),
        value_bytes,
        positions: i32::from(positions),
        keys: keys.as_mut_ptr().cast(),
        values: target(&mut values),
    };
    let tuning = device.tuning(Kernel::Merge);
    // SAFETY: keys of the dtype, values of value_bytes, a_count and b_count of them, and as many as both together.
    device.launch(|stream| unsafe { gpumexk_merge(&args, &tuning, stream) })?;
    finish(values)?;
    keys.finish()
}

//! Two arrays in order become one, on the device.

use std::ptr::{null, null_mut};

use super::Device;
use super::kernels::{Merging, gpumexk_merge};
use crate::array::{Element, View, ViewMut};
use crate::error::Result;
use crate::primitives::{Index, Key, Order};

/// Keys of two arrays, and what moves with them: values of both, or the positions of the keys.
pub struct Merge<'a, K, V> {
    pub a: View<'a, K>,
    pub b: View<'a, K>,
    pub keys: ViewMut<'a, K>,
    #[allow(clippy::type_complexity)] // one of a kind
    pub moved: Option<(Option<(View<'a, V>, View<'a, V>)>, ViewMut<'a, V>)>,
}

/// keys, values ← those of a and b.
pub fn merge<K: Key, V: Index>(device: &Device, order: Order, merge: Merge<K, V>) -> Result<()> {
    let Merge { a, b, keys, moved } = merge;
    let (a_count, b_count) = (a.len(), b.len());
    let (a, b) = (device.read(&a)?, device.read(&b)?);
    let (from, to) = moved.map_or((None, None), |(from, to)| (from, Some(to)));
    let positions = to.is_some() && from.is_none();
    let from = from.map(|(a, b)| Ok((device.read(&a)?, device.read(&b)?))).transpose()?;
    let mut keys = device.write(keys)?;
    let mut values = to.map(|to| device.write(to)).transpose()?;
    let merging = Merging {
        a_keys: a.as_ptr().cast(),
        a_values: from.as_ref().map_or(null(), |(a, _)| a.as_ptr().cast()),
        a_count,
        b_keys: b.as_ptr().cast(),
        b_values: from.as_ref().map_or(null(), |(_, b)| b.as_ptr().cast()),
        b_count,
        dtype: <K as Element>::DTYPE as i32,
        descending: i32::from(order == Order::Greater),
        value_bytes: if values.is_some() { size_of::<V>() as i32 } else { 0 },
        positions: i32::from(positions),
        keys: keys.as_mut_ptr().cast(),
        values: values.as_mut().map_or(null_mut(), |values| values.as_mut_ptr().cast()),
    };
    // SAFETY: keys of the dtype, values of value_bytes, a_count and b_count of them, and as many as both together.
    device.launch(|stream| unsafe { gpumexk_merge(&merging, stream) })?;
    if let Some(values) = values {
        values.finish()?;
    }
    keys.finish()
}

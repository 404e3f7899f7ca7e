//! Stable sort on the device.

use std::ptr::{null, null_mut};

use super::Device;
use super::device::check_launch;
use super::kernels::{Sorting, gpumexk_sort, gpumexk_sort_scratch};
use super::memory::Buffer;
use crate::array::{Element, View, ViewMut};
use crate::error::Result;
use crate::primitives::{Index, Key, Order};

/// sorted ← the keys in order.
pub fn sort<K: Key>(device: &Device, order: Order, keys: View<K>, sorted: ViewMut<K>) -> Result<()> {
    let what = Sorting { count: keys.len(), ..keys_of::<K>(order) };
    let (keys, mut sorted) = (device.read(&keys)?, device.write(sorted)?);
    let (from, to) = (keys.as_ptr().cast(), sorted.as_mut_ptr().cast());
    // SAFETY: both hold count keys.
    unsafe { launch(device, Sorting { keys: from, sorted: to, ..what })? };
    sorted.finish()
}

/// The same, and sorted_values ← the values of the sorted keys.
pub fn sort_with_values<K: Key, V: Element>(
    device: &Device,
    order: Order,
    keys: View<K>,
    values: View<V>,
    sorted: ViewMut<K>,
    sorted_values: ViewMut<V>,
) -> Result<()> {
    let what = Sorting { count: keys.len(), value_bytes: size_of::<V>() as i32, ..keys_of::<K>(order) };
    let (keys, values) = (device.read(&keys)?, device.read(&values)?);
    let (mut sorted, mut sorted_values) = (device.write(sorted)?, device.write(sorted_values)?);
    let what = Sorting {
        keys: keys.as_ptr().cast(),
        sorted: sorted.as_mut_ptr().cast(),
        values: values.as_ptr().cast(),
        sorted_values: sorted_values.as_mut_ptr().cast(),
        ..what
    };
    // SAFETY: the arrays hold count keys and values.
    unsafe { launch(device, what)? };
    sorted.finish()?;
    sorted_values.finish()
}

/// The same for the positions of the keys; where `sorted` is None for them alone.
pub fn sort_with_positions<K: Key, I: Index>(
    device: &Device,
    order: Order,
    keys: View<K>,
    sorted: Option<ViewMut<K>>,
    positions: ViewMut<I>,
) -> Result<()> {
    let what = Sorting { count: keys.len(), value_bytes: size_of::<I>() as i32, ..keys_of::<K>(order) };
    let keys = device.read(&keys)?;
    let mut sorted = sorted.map(|sorted| device.write(sorted)).transpose()?;
    let mut positions = device.write(positions)?;
    let what = Sorting {
        keys: keys.as_ptr().cast(),
        sorted: sorted.as_mut().map_or(null_mut(), |sorted| sorted.as_mut_ptr().cast()),
        sorted_values: positions.as_mut_ptr().cast(),
        ..what
    };
    // SAFETY: the arrays hold count keys and positions.
    unsafe { launch(device, what)? };
    if let Some(sorted) = sorted {
        sorted.finish()?;
    }
    positions.finish()
}

/// Keys of this type without an array.
fn keys_of<K: Key>(order: Order) -> Sorting {
    Sorting {
        keys: null(),
        sorted: null_mut(),
        values: null(),
        sorted_values: null_mut(),
        count: 0,
        dtype: K::DTYPE as i32,
        descending: (order == Order::Greater).into(),
        value_bytes: 0,
        unless: null(),
    }
}

/// Sorts, with scratch of its own.
///
/// # Safety
/// The arrays are the device's, `count` elements each, apart.
pub(super) unsafe fn launch(device: &Device, what: Sorting) -> Result<()> {
    if what.count == 0 {
        return Ok(());
    }
    let mut bytes = 0;
    // SAFETY: writes one size.
    check_launch(unsafe { gpumexk_sort_scratch(&what, &mut bytes) })?;
    let scratch = Buffer::<u8>::new(device, bytes)?;
    // SAFETY: the caller's promise, and the bytes that were asked for.
    device.launch(|stream| unsafe { gpumexk_sort(&what, scratch.as_ptr().cast(), stream) })
}

//! The merge sort for keys that are nearly in order, on the device; segmented_sort gives it segments.

use std::ptr::{null, null_mut};

use super::Device;
use super::device::check_launch;
use super::kernels::{
    MergeSorting, SegmentHeads, gpumexk_locality_sort, gpumexk_locality_sort_scratch, gpumexk_segmented_sort,
    gpumexk_segmented_sort_scratch,
};
use super::memory::Buffer;
use crate::array::{Element, View, ViewMut};
use crate::error::Result;
use crate::primitives::{Index, Key, Order};

/// What moves with the keys: values or, without them, positions, and where to.
pub type Moved<'a, V> = Option<(Option<View<'a, V>>, ViewMut<'a, V>)>;

/// sorted ← the keys in order, with what moves with them.
pub fn locality_sort<K: Key, V: Index>(
    device: &Device,
    order: Order,
    keys: View<K>,
    sorted: ViewMut<K>,
    moved: Moved<V>,
) -> Result<()> {
    sort(device, order, keys, None, sorted, moved)
}

/// The same, in segments when there are any.
pub(super) fn sort<K: Key, V: Index>(
    device: &Device,
    order: Order,
    keys: View<K>,
    segments: Option<SegmentHeads>,
    sorted: ViewMut<K>,
    moved: Moved<V>,
) -> Result<()> {
    let count = keys.len();
    let keys = device.read(&keys)?;
    let (from, to) = moved.map_or((None, None), |(from, to)| (from, Some(to)));
    let positions = to.is_some() && from.is_none();
    let values = from.map(|from| device.read(&from)).transpose()?;
    let mut sorted = device.write(sorted)?;
    let mut sorted_values = to.map(|to| device.write(to)).transpose()?;
    let sorting = MergeSorting {
        keys: keys.as_ptr().cast(),
        values: values.as_ref().map_or(null(), |values| values.as_ptr().cast()),
        count,
        dtype: <K as Element>::DTYPE as i32,
        descending: i32::from(order == Order::Greater),
        value_bytes: if sorted_values.is_some() { size_of::<V>() as i32 } else { 0 },
        positions: i32::from(positions),
        sorted: sorted.as_mut_ptr().cast(),
        sorted_values: sorted_values.as_mut().map_or(null_mut(), |values| values.as_mut_ptr().cast()),
    };
    let mut bytes = 0;
    // SAFETY: writes one size.
    check_launch(unsafe {
        match segments {
            None => gpumexk_locality_sort_scratch(&sorting, &mut bytes),
            Some(_) => gpumexk_segmented_sort_scratch(&sorting, &mut bytes),
        }
    })?;
    let scratch = Buffer::<u8>::new(device, bytes)?;
    // SAFETY: count keys of the dtype and values of value_bytes, as many heads as they say, the bytes that were asked for.
    device.launch(|stream| unsafe {
        match &segments {
            None => gpumexk_locality_sort(&sorting, scratch.as_ptr().cast(), stream),
            Some(segments) => gpumexk_segmented_sort(&sorting, segments, scratch.as_ptr().cast(), stream),
        }
    })?;
    if let Some(values) = sorted_values {
        values.finish()?;
    }
    sorted.finish()
}

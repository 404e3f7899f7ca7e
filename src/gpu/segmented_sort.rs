//! Segments of an array, each sorted by itself, on the device.

use super::Device;
use super::kernels::SegmentHeads;
use super::locality_sort::{Moved, sort};
use crate::array::{View, ViewMut};
use crate::error::Result;
use crate::primitives::{Index, Key, Order};

/// sorted ← for each segment its keys in order, with what moves with them. Segments begin at the positions `heads`, or where the
/// bits of its words are set.
pub fn segmented_sort<K: Key, V: Index, H: Index>(
    device: &Device,
    order: Order,
    keys: View<K>,
    (heads, are_flags): (View<H>, bool),
    sorted: ViewMut<K>,
    moved: Moved<V>,
) -> Result<()> {
    let count = heads.len();
    let heads = device.read(&heads)?;
    let segments = SegmentHeads {
        heads: heads.as_ptr().cast(),
        count,
        flags: i32::from(are_flags),
        index_bytes: size_of::<H>() as i32,
    };
    sort(device, order, keys, Some(segments), sorted, moved)
}

//! The merge sort for keys that are nearly in order, on the device; with segments that of segmented_sort.

use super::Device;
use super::runtime::device::check_launch;
use super::runtime::kernels::{
    MergeSortArgs, SegmentHeads, gpumexk_locality_sort, gpumexk_locality_sort_scratch,
    gpumexk_segmented_sort, gpumexk_segmented_sort_scratch,
};
use super::runtime::memory::{Buffer, finish, source, target};
use crate::array::{DynView, DynViewMut};
use crate::error::Result;
use crate::model::order::SortOrder;

/// sorted ← the keys in order, with their values or, without values, their positions where sorted_values are wanted; in segments when
/// there are any, which begin at positions, or where the bits of words are set.
pub fn sort(
    device: &Device,
    order: SortOrder,
    keys: DynView,
    values: Option<DynView>,
    segments: Option<(DynView, bool)>,
    sorted: DynViewMut,
    sorted_values: Option<DynViewMut>,
) -> Result<()> {
    let (count, dtype) = (keys.len(), keys.dtype() as i32);
    let value_bytes = sorted_values.as_ref().map_or(0, |values| values.dtype().size() as i32);
    let positions = sorted_values.is_some() && values.is_none();
    let heads = segments.map(|(heads, _)| device.read(&heads.bytes())).transpose()?;
    let segments = segments.zip(heads.as_ref()).map(|((heads, are_flags), on_device)| SegmentHeads {
        heads: on_device.as_ptr().cast(),
        count: heads.len(),
        flags: i32::from(are_flags),
        index_bytes: heads.dtype().size() as i32,
    });
    let (keys, values) = (device.read(&keys.bytes())?, device.read_optional(values)?);
    let (mut sorted, mut sorted_values) =
        (device.write(sorted.into_bytes())?, device.write_optional(sorted_values)?);
    let args = MergeSortArgs {
        keys: keys.as_ptr().cast(),
        values: source(&values),
        count,
        dtype,
        descending: i32::from(order == SortOrder::Descending),
        value_bytes,
        positions: i32::from(positions),
        sorted: sorted.as_mut_ptr().cast(),
        sorted_values: target(&mut sorted_values),
    };
    let mut bytes = 0;
    // SAFETY: writes one size.
    check_launch(unsafe {
        match segments {
            None => gpumexk_locality_sort_scratch(&args, &mut bytes),
            Some(_) => gpumexk_segmented_sort_scratch(&args, &mut bytes),
        }
    })?;
    let scratch = Buffer::<u8>::new(device, bytes)?;
    // SAFETY: count keys of the dtype and values of value_bytes, as many heads as they say, the bytes that were asked for.
    device.launch(|stream| unsafe {
        match &segments {
            None => gpumexk_locality_sort(&args, scratch.as_ptr().cast(), stream),
            Some(segments) => gpumexk_segmented_sort(&args, segments, scratch.as_ptr().cast(), stream),
        }
    })?;
    finish(sorted_values)?;
    sorted.finish()
}

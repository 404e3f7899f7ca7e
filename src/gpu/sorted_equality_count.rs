//! Counts of equal elements on the device.

use std::ffi::c_int;

use super::Device;
use super::runtime::kernels::gpumexk_sorted_equality_count;
use super::runtime::memory::{finish, target};
use super::sorted_search::sorted_arrays;
use crate::array::{DynView, DynViewMut};
use crate::error::Result;
use crate::model::order::SortOrder;

/// counts\[i\] ← how many of b equal a\[i\], lower\[i\] ← how many are before it.
pub fn sorted_equality_count(
    device: &Device,
    order: SortOrder,
    a: DynView,
    b: DynView,
    counts: DynViewMut,
    lower: Option<DynViewMut>,
) -> Result<()> {
    let index_bytes = counts.dtype().size() as c_int;
    let (from_a, from_b) = (device.read(&a.bytes())?, device.read(&b.bytes())?);
    let arrays = sorted_arrays(order, (&a, &from_a), (&b, &from_b));
    let (mut counts, mut lower) = (device.write(counts.into_bytes())?, device.write_optional(lower)?);
    let (to, bounds) = (counts.as_mut_ptr().cast(), target(&mut lower));
    // SAFETY: the arrays have the lengths and the sizes of elements that they state, the outputs the length of a.
    device.launch(|stream| unsafe {
        gpumexk_sorted_equality_count(&arrays, index_bytes, to, bounds, stream)
    })?;
    counts.finish()?;
    finish(lower)
}

//! Sorted search on the device.

use std::ffi::c_int;

use super::Device;
use super::runtime::kernels::{SortedArrays, SortedSearchArgs, gpumexk_sorted_search};
use super::runtime::memory::{DeviceInput, finish, target};
use super::runtime::tuning::Kernel;
use crate::array::{DynView, DynViewMut};
use crate::error::Result;
use crate::model::order::SortOrder;
use crate::model::sorted_search::Bound;

/// The outputs; None where not asked for.
pub struct Outputs<'a> {
    pub a_indices: Option<DynViewMut<'a>>,
    pub b_indices: Option<DynViewMut<'a>>,
    pub a_flags: Option<DynViewMut<'a>>,
    pub b_flags: Option<DynViewMut<'a>>,
    pub matches: Option<DynViewMut<'a>>,
}

/// Where the elements of a lie in b, and those of b in a.
pub fn sorted_search(
    device: &Device,
    order: SortOrder,
    bound: Bound,
    a: DynView,
    b: DynView,
    outputs: Outputs,
) -> Result<()> {
    let (from_a, from_b) = (device.read(&a.bytes())?, device.read(&b.bytes())?);
    let arrays = sorted_arrays(order, (&a, &from_a), (&b, &from_b));
    let indices = outputs.a_indices.as_ref().or(outputs.b_indices.as_ref());
    let index_bytes = indices.map_or(8, |indices| indices.dtype().size() as c_int);
    let mut a_indices = device.write_optional(outputs.a_indices)?;
    let mut b_indices = device.write_optional(outputs.b_indices)?;
    let mut a_flags = device.write_optional(outputs.a_flags)?;
    let mut b_flags = device.write_optional(outputs.b_flags)?;
    let mut matches = device.write_optional(outputs.matches)?;
    let tuning = device.tuning(Kernel::SortedSearch);
    let args = SortedSearchArgs {
        upper: c_int::from(bound == Bound::Upper),
        index_bytes,
        a_indices: target(&mut a_indices),
        b_indices: target(&mut b_indices),
        a_flags: target(&mut a_flags).cast(),
        b_flags: target(&mut b_flags).cast(),
        matches: target(&mut matches).cast(),
    };
    // SAFETY: the arrays have the lengths and the sizes of elements that they state, the outputs those of a and b, matches two.
    device.launch(|stream| unsafe { gpumexk_sorted_search(&arrays, &args, &tuning, stream) })?;
    finish(a_indices)?;
    finish(b_indices)?;
    finish(a_flags)?;
    finish(b_flags)?;
    finish(matches)
}

/// Two sorted arrays as launchers take them.
pub(super) fn sorted_arrays(
    order: SortOrder,
    (a, on_device_a): (&DynView, &DeviceInput<u8>),
    (b, on_device_b): (&DynView, &DeviceInput<u8>),
) -> SortedArrays {
    SortedArrays {
        a: on_device_a.as_ptr().cast(),
        a_count: a.len(),
        b: on_device_b.as_ptr().cast(),
        b_count: b.len(),
        key_bytes: a.dtype().size() as c_int,
        dtype: a.dtype() as c_int,
        descending: c_int::from(order == SortOrder::Descending),
    }
}

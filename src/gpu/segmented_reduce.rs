//! The reduction of each segment of an array on the device.

use super::Device;
use super::runtime::kernels::gpumexk_segmented_reduce;
use super::runtime::tuning::Kernel;
use super::segments::OnDevice;
use crate::array::{DynView, DynViewMut, Input};
use crate::error::Result;
use crate::model::operator::Operator;

/// result (segments) ← the reduction of each segment of data.
pub fn segmented_reduce(
    device: &Device,
    op: Operator,
    data: DynView,
    offsets: DynView,
    sources: Option<DynView>,
    (geometry, identity): (Option<Input>, Option<u64>),
    result: DynViewMut,
) -> Result<()> {
    let (of, dtype) = (data.dtype(), data.dtype() as i32);
    let on_device = OnDevice::new(device, &offsets, sources, data.len())?;
    let on_device = on_device.prepared(device, geometry, &result)?;
    let data = device.read(&data.bytes())?;
    let mut result = device.write(result.into_bytes())?;
    let (segments, scratch) = (on_device.segments(), on_device.scratch());
    let tuning = device.tuning(Kernel::SegmentedReduce);
    let (from, to) = (data.as_ptr().cast(), result.as_mut_ptr().cast());
    // SAFETY: segments + 1 offsets, as many sources where there are any, count elements of the dtype, as many results as
    // segments; the scratch is as documented.
    device.launch(|stream| unsafe {
        gpumexk_segmented_reduce(&segments, dtype, op as i32, from, to, scratch, &tuning, stream)
    })?;
    on_device.fill_empty(device, of, identity, to)?;
    result.finish()
}

//! The reduction of each segment of an array on the device.

use super::Device;
use super::kernels::gpumexk_segmented_reduce;
use super::segments::OnDevice;
use crate::array::{Input, View, ViewMut};
use crate::error::Result;
use crate::primitives::{Index, Operand, Operator};

/// result (segments) ← the reduction of each segment of data.
pub fn segmented_reduce<T: Operand, I: Index>(
    device: &Device,
    op: Operator,
    data: View<T>,
    offsets: View<I>,
    sources: Option<View<I>>,
    geometry: Option<Input>,
    result: ViewMut<T>,
) -> Result<()> {
    let on_device = OnDevice::new(device, &offsets, sources.as_ref(), data.len())?;
    let on_device = on_device.prepared(device, geometry, &result)?;
    let data = device.read(&data)?;
    let mut result = device.write(result)?;
    let (segments, scratch) = (on_device.segments(), on_device.scratch());
    let (from, to) = (data.as_ptr().cast(), result.as_mut_ptr().cast());
    // SAFETY: segments + 1 offsets, as many sources where there are any, count elements of the dtype, as many results as
    // segments; the scratch is as documented.
    device.launch(|stream| unsafe {
        gpumexk_segmented_reduce(&segments, T::DTYPE as i32, op as i32, from, to, scratch, stream)
    })?;
    result.finish()
}

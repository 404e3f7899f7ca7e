//! Where the blocks of a walk over segments begin, found once for many walks, on the device.

use super::Device;
use super::runtime::kernels::gpumexk_segments_prepare;
use super::segments::OnDevice;
use crate::array::{DynView, ViewMut};
use crate::error::Result;

pub use super::segments::geometry_elements;

/// geometry ← that of the segments which `offsets` bounds among `count` elements.
pub fn prepare(device: &Device, offsets: DynView, count: usize, geometry: ViewMut<u64>) -> Result<()> {
    let on_device = OnDevice::new(device, &offsets, None, count)?;
    let (segments, mut geometry) = (on_device.segments(), device.write(geometry)?);
    let to = geometry.as_mut_ptr();
    // SAFETY: segments + 1 offsets; as many elements as gpumexk_segments_geometry says.
    device.launch(|stream| unsafe { gpumexk_segments_prepare(&segments, to, stream) })?;
    geometry.finish()
}

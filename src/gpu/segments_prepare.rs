//! Where the blocks of a walk over segments begin, found once for many walks, on the device.

use super::Device;
use super::kernels::gpumexk_segments_prepare;
use super::segments::OnDevice;
use crate::array::{View, ViewMut};
use crate::error::Result;
use crate::primitives::Index;

pub use super::segments::geometry_elements;

/// geometry ← that of the segments which `offsets` bounds among `count` elements.
pub fn prepare<I: Index>(
    device: &Device,
    offsets: View<I>,
    count: usize,
    geometry: ViewMut<u64>,
) -> Result<()> {
    let on_device = OnDevice::new(device, &offsets, None, count)?;
    let (segments, mut geometry) = (on_device.segments(), device.write(geometry)?);
    let to = geometry.as_mut_ptr();
    // SAFETY: segments + 1 offsets; as many elements as gpumexk_segments_geometry says.
    device.launch(|stream| unsafe { gpumexk_segments_prepare(&segments, to, stream) })?;
    geometry.finish()
}

//! Segments as launchers take them.

use std::ffi::c_void;

use super::Device;
use super::runtime::kernels::{
    SEGMENTS_SCRATCH, Segments, gpumexk_segments_fill_empty, gpumexk_segments_geometry,
};
use super::runtime::memory::{Buffer, DeviceInput, source};
use crate::array::{DynView, DynViewMut, Input, all_apart};
use crate::error::Result;
use crate::model::dtype::Dtype;

/// Segments on the device for the length of a call, with the scratch of a walk over them.
pub struct OnDevice<'d> {
    offsets: DeviceInput<'d, u8>,
    index: Dtype,
    sources: Option<DeviceInput<'d, u8>>,
    geometry: Option<DeviceInput<'d, u64>>,
    segments: usize,
    count: usize,
    scratch: Buffer<'d, u64>,
}

impl<'d> OnDevice<'d> {
    pub fn new(
        device: &'d Device,
        offsets: &DynView,
        sources: Option<DynView>,
        count: usize,
    ) -> Result<OnDevice<'d>> {
        Ok(OnDevice {
            offsets: device.read(&offsets.bytes())?,
            index: offsets.dtype(),
            sources: device.read_optional(sources)?,
            geometry: None,
            segments: offsets.len().saturating_sub(1),
            count,
            scratch: Buffer::new(device, SEGMENTS_SCRATCH / size_of::<u64>())?,
        })
    }

    /// With what gpumex_segments_prepare made of these segments; `result`, what the call writes, lies apart from it.
    pub fn prepared(
        mut self,
        device: &'d Device,
        geometry: Option<Input>,
        result: &DynViewMut,
    ) -> Result<OnDevice<'d>> {
        if let Some(geometry) = geometry {
            let geometry = geometry.view::<u64>(&[geometry_elements(device, self.segments, self.count)?])?;
            all_apart(&[result], &[&geometry])?;
            self.geometry = Some(device.read(&geometry)?);
        }
        Ok(self)
    }

    pub fn segments(&self) -> Segments {
        Segments {
            offsets: self.offsets.as_ptr().cast(),
            sources: source(&self.sources),
            segments: self.segments,
            count: self.count,
            index_dtype: (self.index == Dtype::U32).into(),
            geometry: self.geometry.as_ref().map_or(std::ptr::null(), |geometry| geometry.as_ptr().cast()),
        }
    }

    /// Empty segments get `identity`, where one is given, behind the kernels that wrote the results.
    pub fn fill_empty(
        &self,
        device: &Device,
        dtype: Dtype,
        identity: Option<u64>,
        result: *mut c_void,
    ) -> Result<()> {
        let Some(bits) = identity else { return Ok(()) };
        let (segments, bytes) = (self.segments(), dtype.size() as i32);
        // SAFETY: segments + 1 offsets, as many results as segments.
        device.launch(|stream| unsafe { gpumexk_segments_fill_empty(&segments, bytes, bits, result, stream) })
    }

    pub fn scratch(&self) -> *mut c_void {
        self.scratch.as_ptr().cast()
    }
}

/// How many numbers the geometry of so many segments and elements has on the device.
pub fn geometry_elements(device: &Device, segments: usize, count: usize) -> Result<usize> {
    let mut elements = 0;
    // SAFETY: a number to write to.
    device.launch(|_| unsafe { gpumexk_segments_geometry(segments, count, &mut elements) })?;
    Ok(elements)
}

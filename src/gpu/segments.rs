//! Segments as launchers take them.

use std::ffi::c_void;

use super::Device;
use super::kernels::{SEGMENTS_SCRATCH, Segments, gpumexk_segments_geometry};
use super::memory::{Buffer, Reading};
use crate::array::{Element, Input, View, ViewMut};
use crate::dtype::Dtype;
use crate::error::Result;
use crate::primitives::Index;

/// Segments on the device for the length of a call, with the scratch of a walk over them.
pub struct OnDevice<'d, I> {
    offsets: Reading<'d, I>,
    sources: Option<Reading<'d, I>>,
    geometry: Option<Reading<'d, u64>>,
    segments: usize,
    count: usize,
    scratch: Buffer<'d, u64>,
}

impl<'d, I: Index> OnDevice<'d, I> {
    pub fn new(
        device: &'d Device,
        offsets: &View<I>,
        sources: Option<&View<I>>,
        count: usize,
    ) -> Result<OnDevice<'d, I>> {
        Ok(OnDevice {
            offsets: device.read(offsets)?,
            sources: sources.map(|sources| device.read(sources)).transpose()?,
            geometry: None,
            segments: offsets.len().saturating_sub(1),
            count,
            scratch: Buffer::new(device, SEGMENTS_SCRATCH / size_of::<u64>())?,
        })
    }

    /// With what gpumex_segments_prepare made of these segments; `result`, what the call writes, lies apart from it.
    pub fn prepared<T: Element>(
        mut self,
        device: &'d Device,
        geometry: Option<Input>,
        result: &ViewMut<T>,
    ) -> Result<OnDevice<'d, I>> {
        if let Some(geometry) = geometry {
            let geometry = geometry.view::<u64>(&[geometry_elements(device, self.segments, self.count)?])?;
            result.apart(&geometry)?;
            self.geometry = Some(device.read(&geometry)?);
        }
        Ok(self)
    }

    pub fn segments(&self) -> Segments {
        Segments {
            offsets: self.offsets.as_ptr().cast(),
            sources: self.sources.as_ref().map_or(std::ptr::null(), |sources| sources.as_ptr().cast()),
            segments: self.segments,
            count: self.count,
            index_dtype: (I::DTYPE == Dtype::U32).into(),
            geometry: self.geometry.as_ref().map_or(std::ptr::null(), |geometry| geometry.as_ptr().cast()),
        }
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

//! Segments as launchers take them.

use std::ffi::c_void;

use super::Device;
use super::kernels::{SEGMENTS_SCRATCH, Segments};
use super::memory::{Buffer, Reading};
use crate::array::View;
use crate::dtype::Dtype;
use crate::error::Result;
use crate::primitives::Index;

/// Segments on the device for the length of a call, with the scratch of a walk over them.
pub struct OnDevice<'d, I> {
    offsets: Reading<'d, I>,
    sources: Option<Reading<'d, I>>,
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
            segments: offsets.len().saturating_sub(1),
            count,
            scratch: Buffer::new(device, SEGMENTS_SCRATCH / size_of::<u64>())?,
        })
    }

    pub fn segments(&self) -> Segments {
        Segments {
            offsets: self.offsets.as_ptr().cast(),
            sources: self.sources.as_ref().map_or(std::ptr::null(), |sources| sources.as_ptr().cast()),
            segments: self.segments,
            count: self.count,
            index_dtype: (I::DTYPE == Dtype::U32).into(),
            geometry: std::ptr::null(),
        }
    }

    pub fn scratch(&self) -> *mut c_void {
        self.scratch.as_ptr().cast()
    }
}

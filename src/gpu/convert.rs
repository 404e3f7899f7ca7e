//! Integers of one width as integers of another one, on the device: for keys and accumulators that ops/widen.rs converts.

use std::ptr::null;

use super::Device;
use super::runtime::kernels::gpumexk_convert;
use super::runtime::memory::Buffer;
use crate::array::{DynView, DynViewMut, View};
use crate::error::{Error, Result};
use crate::model::dtype::Dtype;

/// `len` elements of a dtype on the device for the length of a call.
pub struct Temporary<'d> {
    elements: Buffer<'d, u64>, // aligned for any dtype
    len: usize,
    dtype: Dtype,
}

impl<'d> Temporary<'d> {
    /// With undefined contents.
    pub fn new(device: &'d Device, dtype: Dtype, len: usize) -> Result<Temporary<'d>> {
        let bytes = len.checked_mul(dtype.size());
        let bytes = bytes.ok_or_else(|| Error::out_of_memory("device memory", usize::MAX))?;
        Ok(Temporary { elements: Buffer::new(device, bytes.div_ceil(8))?, len, dtype })
    }

    pub fn view(&self) -> DynView<'_> {
        let (address, device) = (self.elements.as_ptr().cast(), self.elements.device());
        // SAFETY: len elements, which the buffer keeps for as long as the view lives.
        unsafe { DynView::on_device(address, self.len, self.dtype, device.ordinal()) }
    }

    pub fn view_mut(&mut self) -> DynViewMut<'_> {
        let (address, device) = (self.elements.as_ptr().cast(), self.elements.device());
        // SAFETY: as above, borrowed by the view alone.
        unsafe { DynViewMut::on_device(address, self.len, self.dtype, device.ordinal()) }
    }
}

/// The elements as those of a wider dtype.
pub fn widened<'d>(device: &'d Device, source: DynView, dtype: Dtype) -> Result<Temporary<'d>> {
    let (count, from_dtype) = (source.len(), source.dtype());
    let from = device.read(&source.bytes())?;
    let wide = Temporary::new(device, dtype, count)?;
    let bytes = [from_dtype, dtype].map(|dtype| dtype.size() as i32);
    let (from, is_signed) = (from.as_ptr().cast(), from_dtype.is_signed_integer().into());
    let to = wide.elements.as_ptr().cast();
    // SAFETY: both arrays hold count elements of their dtypes.
    device.launch(|stream| unsafe {
        gpumexk_convert(from, count, bytes[0], is_signed, null(), to, bytes[1], stream)
    })?;
    Ok(wide)
}

/// target ← the low bytes of the elements, as many as `written` and the target's length say; *limit is read in stream order.
pub fn narrow(
    device: &Device,
    source: &Temporary,
    written: usize,
    limit: Option<View<u64>>,
    target: DynViewMut,
) -> Result<()> {
    let (count, dtype) = (target.len().min(source.len).min(written), target.dtype());
    let limit = limit.map(|limit| device.read(&limit)).transpose()?;
    let mut target = device.write(target.into_bytes())?;
    let count = match &limit {
        // What lies behind the limit is not written, and must not be copied to the host.
        Some(limit) if target.is_copied() => {
            count.min(usize::try_from(device.read_number(limit.as_ptr())?).unwrap_or(usize::MAX))
        }
        _ => count,
    };
    let (from, to) = (source.elements.as_ptr().cast_const().cast(), target.as_mut_ptr().cast());
    let limit = limit.as_ref().map_or(null(), |limit| limit.as_ptr());
    let bytes = [source.dtype, dtype].map(|dtype| dtype.size() as i32);
    // SAFETY: both arrays hold count elements of their dtypes; limit is one number or NULL.
    device
        .launch(|stream| unsafe { gpumexk_convert(from, count, bytes[0], 0, limit, to, bytes[1], stream) })?;
    target.finish_first(count * dtype.size())
}

//! Reduction of an array on the device.

use super::Device;
use super::runtime::kernels::{REDUCE_PARTIALS, gpumexk_reduce};
use super::runtime::memory::Buffer;
use super::runtime::tuning::Kernel;
use crate::array::{DynView, DynViewMut};
use crate::error::Result;
use crate::model::operator::Operator;

/// result (1) ← the reduction of data.
pub fn reduce(device: &Device, op: Operator, data: DynView, result: DynViewMut) -> Result<()> {
    let (count, dtype, op) = (data.len(), data.dtype(), op as i32);
    let tuning = device.tuning(Kernel::Reduce);
    let data = device.read(&data.bytes())?;
    let partials = Buffer::<u8>::new(device, REDUCE_PARTIALS * dtype.size())?;
    let (mut result, dtype) = (device.write(result.into_bytes())?, dtype as i32);
    let (from, partials, to) = (data.as_ptr().cast(), partials.as_ptr().cast(), result.as_mut_ptr().cast());
    // SAFETY: data holds count elements of the dtype, the result one; the scratch is as documented.
    device
        .launch(|stream| unsafe { gpumexk_reduce(from, count, dtype, op, partials, to, &tuning, stream) })?;
    result.finish()
}

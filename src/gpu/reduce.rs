//! Reduction of an array on the device.

use super::Device;
use super::kernels::{REDUCE_PARTIALS, gpumexk_reduce};
use super::memory::Buffer;
use crate::array::{View, ViewMut};
use crate::error::Result;
use crate::primitives::{Operand, Operator};

/// result (1) ← what the operator makes of data.
pub fn reduce<T: Operand>(device: &Device, op: Operator, data: View<T>, result: ViewMut<T>) -> Result<()> {
    let (count, dtype, op) = (data.len(), T::DTYPE as i32, op as i32);
    let data = device.read(&data)?;
    let partials = Buffer::<T>::new(device, REDUCE_PARTIALS)?;
    let mut result = device.write(result)?;
    let (from, partials, to) = (data.as_ptr().cast(), partials.as_ptr().cast(), result.as_mut_ptr().cast());
    // SAFETY: data holds count elements of the dtype, the result one; the scratch is as documented.
    device.launch(|stream| unsafe { gpumexk_reduce(from, count, dtype, op, partials, to, stream) })?;
    result.finish()
}

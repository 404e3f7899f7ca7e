//! Arrays of one value and of ascending ones on the device.

use super::Device;
use super::kernels::{
    gpumexk_fill, gpumexk_fill_ascending_f32, gpumexk_fill_ascending_f64, gpumexk_fill_ascending_int,
};
use super::tuning::Kernel;
use crate::array::{Element, ViewMut};
use crate::dtype::Dtype;
use crate::error::Result;

/// array ← value, everywhere.
pub fn fill<T: Element + Into<u64>>(device: &Device, array: ViewMut<T>, value: T) -> Result<()> {
    let (count, tuning) = (array.len(), device.tuning(Kernel::Fill));
    let mut array = device.write(array)?;
    let (to, width, pattern) = (array.as_mut_ptr().cast(), size_of::<T>(), value.into());
    // SAFETY: the array holds count elements of that width.
    device.launch(|stream| unsafe { gpumexk_fill(to, count, width, pattern, &tuning, stream) })?;
    array.finish()
}

/// array\[i\] ← first + i·step. For integers `first` and `step` are whole numbers that an i64 holds.
pub fn fill_ascending<T: Element>(device: &Device, array: ViewMut<T>, first: f64, step: f64) -> Result<()> {
    let (count, tuning) = (array.len(), device.tuning(Kernel::FillAscending));
    let mut array = device.write(array)?;
    let to = array.as_mut_ptr();
    // SAFETY: the array holds count elements of the dtype.
    device.launch(|stream| unsafe {
        match T::DTYPE {
            Dtype::F32 => gpumexk_fill_ascending_f32(to.cast(), count, first, step, &tuning, stream),
            Dtype::F64 => gpumexk_fill_ascending_f64(to.cast(), count, first, step, &tuning, stream),
            _ => {
                let (first, step) = (first as i64 as u64, step as i64 as u64);
                gpumexk_fill_ascending_int(to.cast(), count, size_of::<T>(), first, step, &tuning, stream)
            }
        }
    })?;
    array.finish()
}

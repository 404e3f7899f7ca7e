//! Arrays of one value and of ascending ones on the device.

use super::Device;
use super::runtime::kernels::{
    gpumexk_fill, gpumexk_fill_ascending_f32, gpumexk_fill_ascending_f64, gpumexk_fill_ascending_int,
};
use super::runtime::tuning::Kernel;
use crate::array::DynViewMut;
use crate::error::Result;
use crate::model::dtype::Dtype;

/// array ← value, everywhere.
pub fn fill(device: &Device, array: DynViewMut, value: u64) -> Result<()> {
    let (count, value_bytes, tuning) = (array.len(), array.dtype().size(), device.tuning(Kernel::Fill));
    let mut array = device.write(array.into_bytes())?;
    let to = array.as_mut_ptr().cast();
    // SAFETY: the array holds count elements of that width.
    device.launch(|stream| unsafe { gpumexk_fill(to, count, value_bytes, value, &tuning, stream) })?;
    array.finish()
}

/// array\[i\] ← first + i·step. For integers `first` and `step` are whole numbers that an i64 holds.
pub fn fill_ascending(device: &Device, array: DynViewMut, first: f64, step: f64) -> Result<()> {
    let (count, dtype) = (array.len(), array.dtype());
    let tuning = device.tuning(Kernel::FillAscending);
    let mut array = device.write(array.into_bytes())?;
    let to = array.as_mut_ptr();
    // SAFETY: the array holds count elements of the dtype.
    device.launch(|stream| unsafe {
        match dtype {
            Dtype::F32 => gpumexk_fill_ascending_f32(to.cast(), count, first, step, &tuning, stream),
            Dtype::F64 => gpumexk_fill_ascending_f64(to.cast(), count, first, step, &tuning, stream),
            _ => {
                let (first, step) = (first as i64 as u64, step as i64 as u64);
                gpumexk_fill_ascending_int(to.cast(), count, dtype.size(), first, step, &tuning, stream)
            }
        }
    })?;
    array.finish()
}

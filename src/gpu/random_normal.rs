//! Normal random numbers on the device.

use super::Device;
use super::runtime::kernels::{gpumexk_random_normal_f32, gpumexk_random_normal_f64};
use super::runtime::tuning::Kernel;
use crate::array::DynViewMut;
use crate::error::Result;
use crate::model::dtype::Dtype;

/// array ← normal numbers.
pub fn random_normal(device: &Device, array: DynViewMut, seed: u64, mean: f64, deviation: f64) -> Result<()> {
    let (count, dtype, tuning) = (array.len(), array.dtype(), device.tuning(Kernel::RandomNormal));
    let mut array = device.write(array.into_bytes())?;
    let to = array.as_mut_ptr();
    // SAFETY: the array holds count elements of the dtype.
    device.launch(|stream| unsafe {
        match dtype {
            Dtype::F32 => {
                let (mean, deviation) = (mean as f32, deviation as f32);
                gpumexk_random_normal_f32(to.cast(), count, seed, mean, deviation, &tuning, stream)
            }
            _ => gpumexk_random_normal_f64(to.cast(), count, seed, mean, deviation, &tuning, stream),
        }
    })?;
    array.finish()
}

//! A vector times a number, on the device.

use super::Device;
use super::Float;
use super::axpy::scalar_of;
use super::runtime::kernels::{gpumexk_scale_f32, gpumexk_scale_f64};
use super::runtime::tuning::Kernel;
use crate::array::{View, ViewMut};
use crate::error::Result;
use crate::model::dtype::Dtype;
use crate::model::scale::ScaleFactor;

/// x ← x times what `factor` makes of alpha.
pub fn scale<T: Float>(
    device: &Device,
    factor: ScaleFactor,
    alpha: View<T>,
    mut x: ViewMut<T>,
) -> Result<()> {
    let (count, tuning, views) = (x.len(), device.tuning(Kernel::Scale), [x.as_view()]);
    let (alpha, factor) = (scalar_of(device, Some(alpha))?, factor as i32);
    let mut x = device.update(x)?;
    device.prefetch_managed(&views)?;
    let to = x.as_mut_ptr();
    // SAFETY: x holds count elements of T, which is f32 or f64; the number is such a one, or on the device.
    device.launch(|stream| unsafe {
        match T::DTYPE {
            Dtype::F32 => gpumexk_scale_f32(&alpha, factor, to.cast(), count, &tuning, stream),
            _ => gpumexk_scale_f64(&alpha, factor, to.cast(), count, &tuning, stream),
        }
    })?;
    x.finish()
}

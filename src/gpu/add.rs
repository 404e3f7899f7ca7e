//! Sum of two vectors on the device.

use super::Device;
use super::Float;
use super::runtime::kernels::{gpumexk_add_f32, gpumexk_add_f64};
use super::runtime::tuning::Kernel;
use crate::array::{View, ViewMut};
use crate::error::Result;
use crate::model::dtype::Dtype;
use crate::model::variant::AddVariant;

/// y ← x + y.
pub fn add<T: Float>(device: &Device, variant: AddVariant, x: View<T>, mut y: ViewMut<T>) -> Result<()> {
    let (count, tuning, views) = (y.len(), device.tuning(Kernel::Add), [x, y.as_view()]);
    let x = device.read(&x)?;
    let mut y = device.update(y)?;
    if variant != AddVariant::OnDemand {
        device.prefetch_managed(&views)?;
    }
    let (from, to) = (x.as_ptr(), y.as_mut_ptr());
    // SAFETY: both hold count elements of T, which is f32 or f64.
    device.launch(|stream| unsafe {
        match T::DTYPE {
            Dtype::F32 => gpumexk_add_f32(from.cast(), to.cast(), count, &tuning, stream),
            _ => gpumexk_add_f64(from.cast(), to.cast(), count, &tuning, stream),
        }
    })?;
    y.finish()
}

//! Inner product of two vectors on the device.

use super::Device;
use super::Float;
use super::runtime::kernels::{
    DOT_PARTIALS, gpumexk_dot_atomic_f32, gpumexk_dot_atomic_f64, gpumexk_dot_shared_f32,
    gpumexk_dot_shared_f64, gpumexk_dot_two_pass_f32, gpumexk_dot_two_pass_f64,
};
use super::runtime::memory::Buffer;
use super::runtime::tuning::Kernel;
use crate::array::{View, ViewMut};
use crate::error::Result;
use crate::model::dtype::Dtype;
use crate::model::variant::DotVariant;

/// result (1) ← Σ x·y.
pub fn dot<T: Float>(
    device: &Device,
    variant: DotVariant,
    x: View<T>,
    y: View<T>,
    result: ViewMut<T>,
) -> Result<()> {
    let (count, tuning) = (x.len(), device.tuning(Kernel::Dot));
    let (x, y) = (device.read(&x)?, device.read(&y)?);
    let partials = match variant {
        DotVariant::Atomic | DotVariant::Shared => 0,
        _ => DOT_PARTIALS,
    };
    let partials = Buffer::<T>::new(device, partials)?;
    let mut result = device.write(result)?;
    let (from_x, from_y, sums, to) = (x.as_ptr(), y.as_ptr(), partials.as_ptr(), result.as_mut_ptr());
    // SAFETY: x and y hold count elements of T, which is f32 or f64, the result one; two_pass has the scratch that
    // it documents.
    device.launch(|stream| unsafe {
        let (x32, y32, sums32, to32) = (from_x.cast(), from_y.cast(), sums.cast(), to.cast());
        let (x64, y64, sums64, to64) = (from_x.cast(), from_y.cast(), sums.cast(), to.cast());
        match (variant, T::DTYPE) {
            (DotVariant::Atomic, Dtype::F32) => {
                gpumexk_dot_atomic_f32(x32, y32, count, to32, &tuning, stream)
            }
            (DotVariant::Atomic, _) => gpumexk_dot_atomic_f64(x64, y64, count, to64, &tuning, stream),
            (DotVariant::Shared, Dtype::F32) => {
                gpumexk_dot_shared_f32(x32, y32, count, to32, &tuning, stream)
            }
            (DotVariant::Shared, _) => gpumexk_dot_shared_f64(x64, y64, count, to64, &tuning, stream),
            (_, Dtype::F32) => gpumexk_dot_two_pass_f32(x32, y32, count, sums32, to32, &tuning, stream),
            (_, _) => gpumexk_dot_two_pass_f64(x64, y64, count, sums64, to64, &tuning, stream),
        }
    })?;
    result.finish()
}

//! A vector plus a multiple of another one, on the device.

use std::ptr::null;

use super::Device;
use super::Float;
use super::runtime::kernels::{Scalar, gpumexk_axpy_f32, gpumexk_axpy_f64};
use super::runtime::tuning::Kernel;
use crate::array::{View, ViewMut};
use crate::error::Result;
use crate::memory::Place;
use crate::model::dtype::Dtype;

/// y ← alpha·x + beta·y; None is 1.
pub fn axpy<T: Float>(
    device: &Device,
    alpha: Option<View<T>>,
    beta: Option<View<T>>,
    x: View<T>,
    mut y: ViewMut<T>,
) -> Result<()> {
    let (count, tuning, views) = (y.len(), device.tuning(Kernel::Axpy), [x, y.as_view()]);
    let (alpha, beta) = (scalar_of(device, alpha)?, scalar_of(device, beta)?);
    let x = device.read(&x)?;
    let is_y_read = !beta.at.is_null() || beta.value != 0.0;
    let mut y = if is_y_read { device.update(y)? } else { device.write(y)? };
    device.prefetch_managed(&views)?;
    let (from, to) = (x.as_ptr(), y.as_mut_ptr());
    // SAFETY: both hold count elements of T, which is f32 or f64; the numbers are such ones, or on the device.
    device.launch(|stream| unsafe {
        match T::DTYPE {
            Dtype::F32 => gpumexk_axpy_f32(&alpha, &beta, from.cast(), to.cast(), count, &tuning, stream),
            _ => gpumexk_axpy_f64(&alpha, &beta, from.cast(), to.cast(), count, &tuning, stream),
        }
    })?;
    y.finish()
}

/// A number as kernels take it: memory of the host is read now, that of the device by the kernel. None is 1.
pub(super) fn scalar_of<T: Float>(device: &Device, number: Option<View<T>>) -> Result<Scalar> {
    let Some(view) = number else { return Ok(Scalar { at: null(), value: 1.0 }) };
    match view.place() {
        Place::Host | Place::Pinned => Ok(Scalar { at: null(), value: view.on_host()?[0].into() }),
        Place::Device(_) | Place::Managed => {
            Ok(Scalar { at: device.read(&view)?.as_ptr().cast(), value: 0.0 }) // itself: the device reaches it
        }
    }
}

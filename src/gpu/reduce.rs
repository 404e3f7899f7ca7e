//! Reduction of an array on the device.

use super::Device;
use super::runtime::kernels::{REDUCE_PARTIALS, gpumexk_reduce, gpumexk_reduce_partials};
use super::runtime::memory::Buffer;
use super::runtime::tuning::Kernel;
use crate::array::{DynView, DynViewMut};
use crate::error::Result;
use crate::memory::Place;
use crate::model::operator::Operator;

/// The most partial results of an array.
pub const PARTIALS: usize = REDUCE_PARTIALS;

/// result (1) ← the reduction of data.
pub fn reduce(device: &Device, op: Operator, data: DynView, result: DynViewMut) -> Result<()> {
    let (count, dtype, op) = (data.len(), data.dtype(), op as i32);
    let tuning = device.tuning(Kernel::Reduce);
    let data = device.read(&data.bytes())?;
    let partials = Buffer::<u8>::new(device, PARTIALS * dtype.size())?;
    let (from, partials) = (data.as_ptr().cast(), partials.as_ptr().cast());
    let run = |to: *mut u8| {
        let (to, dtype) = (to.cast(), dtype as i32);
        // SAFETY: data holds count elements of the dtype, the result one; the scratch is as documented.
        device
            .launch(|stream| unsafe { gpumexk_reduce(from, count, dtype, op, partials, to, &tuning, stream) })
    };
    let mut result = result.into_bytes();
    match result.place() {
        Place::Host if !device.reaches(Place::Host, result.name(), result.as_mut_ptr())? => {
            device.receive(result.on_host()?, run)
        }
        _ => {
            let mut result = device.write(result)?;
            run(result.as_mut_ptr())?;
            result.finish()
        }
    }
}

/// The first of `partials` (PARTIALS), in memory of the device ← results from which the operator makes the reduction of data; gives how many.
pub fn reduce_partials(device: &Device, op: Operator, data: DynView, partials: DynViewMut) -> Result<usize> {
    let (count, dtype, op) = (data.len(), data.dtype(), op as i32);
    assert!(partials.len() == PARTIALS && partials.dtype() == dtype, "room for all of them");
    let tuning = device.tuning(Kernel::Reduce);
    let data = device.read(&data.bytes())?;
    let mut partials = device.write(partials.into_bytes())?;
    let (from, to, dtype, mut found) = (data.as_ptr().cast(), partials.as_mut_ptr().cast(), dtype as i32, 0);
    // SAFETY: data holds count elements of the dtype, partials as many as there may be.
    device.launch(|stream| unsafe {
        gpumexk_reduce_partials(from, count, dtype, op, to, &mut found, &tuning, stream)
    })?;
    partials.finish()?;
    Ok(found)
}

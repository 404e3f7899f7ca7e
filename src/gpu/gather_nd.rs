//! Elements of an N-D array at positions of each dimension, on the device.

use super::Device;
use super::indexing::{Indices, Vectors, widened};
use super::runtime::kernels::gpumexk_gather_nd;
use super::runtime::tuning::Kernel;
use crate::array::{DynView, DynViewMut};
use crate::error::Result;
use crate::model::indexing::Walk;

/// result ← the elements of source where the walk finds them. Neither is empty.
pub fn gather_nd(
    device: &Device,
    walk: &Walk,
    indices: &[Indices],
    source: DynView,
    result: DynViewMut,
) -> Result<()> {
    let (width, tuning) = (source.dtype().size(), device.tuning(Kernel::GatherNd));
    let vectors = Vectors::new(device, walk, indices, false)?;
    let source = device.read(&source.bytes())?;
    let mut result = device.write(result.into_bytes())?;
    let (from, to) = (source.as_ptr(), result.as_mut_ptr());
    let (walk, width) = widened(walk, width, [from as usize, to as usize]);
    let (args, from) = (vectors.args(&walk, width), from.wrapping_add(walk.base * width));
    // SAFETY: the walk stays in both arrays, which Walk::indexing has checked; index vectors of its counts.
    device.launch(|stream| unsafe {
        gpumexk_gather_nd(&args.walk(), from.cast(), to.cast(), &tuning, stream)
    })?;
    result.finish()
}

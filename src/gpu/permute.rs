//! Dimensions in another order, on the device.

use super::Device;
use super::indexing::{Vectors, widened};
use super::runtime::kernels::gpumexk_permute;
use super::runtime::tuning::Kernel;
use crate::array::{DynView, DynViewMut};
use crate::error::Result;
use crate::model::indexing::Walk;

/// result ← source in the order of the walk. They are not empty.
pub fn permute(device: &Device, walk: &Walk, source: DynView, result: DynViewMut) -> Result<()> {
    let (width, tuning) = (source.dtype().size(), device.tuning(Kernel::Permute));
    let vectors = Vectors::new(device, walk, &[], false)?;
    let source = device.read(&source.bytes())?;
    let mut result = device.write(result.into_bytes())?;
    let (from, to) = (source.as_ptr(), result.as_mut_ptr());
    let (walk, width) = widened(walk, width, [from as usize, to as usize]);
    let args = vectors.args(&walk, width);
    // SAFETY: source and result have the elements of the walk.
    device
        .launch(|stream| unsafe { gpumexk_permute(&args.walk(), from.cast(), to.cast(), &tuning, stream) })?;
    result.finish()
}

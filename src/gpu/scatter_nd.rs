//! Elements to positions of each dimension of an N-D array, on the device.

use std::ptr::null;

use super::Device;
use super::indexing::{Indices, Vectors, widened};
use super::runtime::kernels::gpumexk_scatter_nd;
use super::runtime::tuning::Kernel;
use crate::array::{DynView, DynViewMut};
use crate::error::Result;
use crate::model::indexing::Walk;

/// What is scattered: an element for each of the walk, or the bits of one for all.
pub enum Values<'a> {
    Array(DynView<'a>),
    Bits(u64),
}

/// Elements of target where the walk finds them ← values. keeps_last: of equal places the last one wins. Neither is empty.
pub fn scatter_nd(
    device: &Device,
    walk: &Walk,
    indices: &[Indices],
    keeps_last: bool,
    values: Values,
    target: DynViewMut,
) -> Result<()> {
    let (width, tuning) = (target.dtype().size(), device.tuning(Kernel::ScatterNd));
    let vectors = Vectors::new(device, walk, indices, keeps_last)?;
    let (pattern, values) = match values {
        Values::Array(values) => (0, Some(device.read(&values.bytes())?)),
        Values::Bits(bits) => (bits, None),
    };
    let mut target = device.update(target.into_bytes())?;
    let (from, to) = (values.as_ref().map_or(null(), |values| values.as_ptr()), target.as_mut_ptr());
    let (walk, width) = widened(walk, width, [from as usize, to as usize]);
    let (args, to) = (vectors.args(&walk, width), to.wrapping_add(walk.base * width));
    // SAFETY: the walk stays in both arrays, which Walk::indexing has checked; index vectors of its counts.
    device.launch(|stream| unsafe {
        gpumexk_scatter_nd(&args.walk(), from.cast(), pattern, to.cast(), &tuning, stream)
    })?;
    target.finish()
}

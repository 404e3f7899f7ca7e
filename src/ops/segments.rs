//! What operations on segments check alike.
#![forbid(unsafe_code)]

use super::fill::bits_of;
use crate::array::{DynView, DynViewMut, Input};
use crate::cpu;
use crate::error::Result;
use crate::model::dtype::Dtype;
use crate::model::index::Index;

/// segments + 1 offsets, none for no segments.
pub fn offsets<'a>(offsets: &Input<'a>, index: Dtype, segments: usize) -> Result<DynView<'a>> {
    offsets.view_of(index, &[if segments == 0 { 0 } else { segments.saturating_add(1) }])
}

/// The bits of the identity that a caller gives, one element of the dtype in memory of the host.
pub fn identity(identity: Option<Input>, dtype: Dtype) -> Result<Option<u64>> {
    let bits = |identity: Input| bits_of("options.identity", identity.view_of(dtype, &[1])?);
    identity.map(bits).transpose()
}

/// The results of empty segments on the host.
pub fn fill_empty_on_host(offsets: DynView, result: &mut DynViewMut, identity: Option<u64>) -> Result<()> {
    let Some(bits) = identity else { return Ok(()) };
    dispatch_sizes!(result.dtype(), offsets.dtype(), fill_empty(offsets, result, bits))
}

fn fill_empty<T: Index, I: Index>(offsets: DynView, result: &mut DynViewMut, bits: u64) -> Result<()> {
    cpu::segments::fill_empty(offsets.on_host::<I>()?, result.on_host::<T>()?, T::from_usize(bits as usize));
    Ok(())
}

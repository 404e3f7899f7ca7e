//! What operations on segments check alike.
#![forbid(unsafe_code)]

use crate::array::{DynView, Input};
use crate::error::Result;
use crate::model::dtype::Dtype;

/// segments + 1 offsets, none for no segments.
pub fn offsets<'a>(offsets: &Input<'a>, index: Dtype, segments: usize) -> Result<DynView<'a>> {
    offsets.view_of(index, &[if segments == 0 { 0 } else { segments.saturating_add(1) }])
}

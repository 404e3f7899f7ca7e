//! What operations on segments check alike.
#![forbid(unsafe_code)]

use crate::array::{Input, View};
use crate::error::Result;
use crate::primitives::Index;

/// segments + 1 offsets, none for no segments.
pub fn offsets<'a, I: Index>(offsets: &Input<'a>, segments: usize) -> Result<View<'a, I>> {
    offsets.view::<I>(&[if segments == 0 { 0 } else { segments.saturating_add(1) }])
}

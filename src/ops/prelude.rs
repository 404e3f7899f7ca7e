//! What nearly every operation names.
#![forbid(unsafe_code)]

pub(super) use crate::array::{DynView, DynViewMut, Element, Input, Output, View, all_apart};
pub(super) use crate::context::{Context, Engine};
pub(super) use crate::cpu::{self, Execution};
pub(super) use crate::error::Result;
pub(super) use crate::gpu;
pub(super) use crate::model::dtype::{Bits, Dtype};
pub(super) use crate::model::index::Index;
pub(super) use crate::model::variant::Variant;

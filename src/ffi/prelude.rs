//! What nearly every entry point names.

pub(super) use std::ffi::c_void;

pub(super) use super::guard;
pub(super) use super::options::{self, zero_default};
pub(super) use crate::array::{Input, Output};
pub(super) use crate::context::Context;
pub(super) use crate::handle;
pub(super) use crate::model::dtype::Dtype;
pub(super) use crate::model::numbered::NumberedEnum;
pub(super) use crate::model::variant::Variant;

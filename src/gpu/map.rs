//! Element-wise expressions on the device.

use super::Device;
use crate::array::{DynView, DynViewMut};
use crate::error::{Error, Result};
use crate::model::expression::Layout;
use crate::model::expression::program::Program;

/// result ← the program of the inputs; arrays lie as the layout says.
pub fn map(
    _device: &Device,
    _program: &Program,
    _layout: &Layout,
    _inputs: &[DynView],
    _result: DynViewMut,
) -> Result<()> {
    Err(Error::unsupported("gpumex_map on CUDA"))
}

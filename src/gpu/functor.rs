//! Reductions and scans by an expression on the device.

use super::Device;
use super::reduce_by_key::Arrays;
use crate::array::{DynView, DynViewMut};
use crate::error::{Error, Result};
use crate::model::expression::program::Program;

fn missing<T>() -> Result<T> {
    Err(Error::unsupported("options.expression on a device".to_string()))
}

pub fn reduce(_device: &Device, _program: &Program, _data: DynView, _result: DynViewMut) -> Result<()> {
    missing()
}

pub fn scan(
    _device: &Device,
    _program: &Program,
    _is_inclusive: bool,
    _data: Option<DynView>,
    _result: DynViewMut,
    _total: Option<DynViewMut>,
) -> Result<()> {
    missing()
}

pub fn segmented_reduce(
    _device: &Device,
    _program: &Program,
    _data: DynView,
    _offsets: DynView,
    _sources: Option<DynView>,
    _identity: u64,
    _result: DynViewMut,
) -> Result<()> {
    missing()
}

pub fn reduce_by_key(_device: &Device, _program: &Program, _arrays: Arrays) -> Result<Option<u64>> {
    missing()
}

//! Prefixes along a dimension on the device.

use std::ffi::c_void;
use std::ptr::null_mut;

use super::Device;
use super::reduce_dim::dim_args;
use super::runtime::device::check_launch;
use super::runtime::kernels::{
    DimArgs, gpumexk_scan_dim_extremum, gpumexk_scan_dim_rare, gpumexk_scan_dim_sum,
};
use super::runtime::memory::Buffer;
use crate::array::{DynView, DynViewMut};
use crate::error::Result;
use crate::model::dtype::Dtype;
use crate::model::operator::Operator;
use crate::model::reduction::{DimReduction, DimShape, ReduceTask, ScanTask};

/// What launchers of scans take: arrays with their dtypes.
pub fn scan_args(task: &ScanTask, data: (*const c_void, Dtype), result: (*mut c_void, Dtype)) -> DimArgs {
    let &ScanTask { op, shape, omits, saturates, is_inclusive, is_reversed } = task;
    let parts = ReduceTask { op, shape, omits, saturates };
    DimArgs {
        inclusive: is_inclusive.into(),
        reversed: is_reversed.into(),
        ..dim_args(&parts, data, result, (null_mut(), 0))
    }
}

/// result ← the prefixes of data, or where it is None of itself. No extent is 0.
pub fn scan_dim(
    device: &Device,
    task: &ScanTask,
    dtype: Dtype,
    data: Option<DynView>,
    result: DynViewMut,
) -> Result<()> {
    let result_dtype = result.dtype();
    if let Some(op) = as_scan(task, dtype, result_dtype) {
        return super::scan::scan(device, op, task.is_inclusive, data, result, None);
    }
    let (data, mut result) = match data {
        None => (None, device.update(result.into_bytes())?),
        data => (device.read_optional(data)?, device.write(result.into_bytes())?),
    };
    let to = result.as_mut_ptr();
    let from = data.as_ref().map_or(to.cast_const(), |data| data.as_ptr()).cast();
    let args = scan_args(task, (from, dtype), (to.cast(), result_dtype));
    let launch = match task.op {
        DimReduction::Min | DimReduction::Max => gpumexk_scan_dim_extremum,
        DimReduction::Sum if !task.saturates => gpumexk_scan_dim_sum,
        _ => gpumexk_scan_dim_rare,
    };
    let mut bytes = 0;
    // SAFETY: writes one size.
    check_launch(unsafe { launch(&args, null_mut(), &mut bytes, null_mut()) })?;
    let scratch = Buffer::<u8>::new(device, bytes)?;
    let scratch = scratch.as_ptr().cast();
    // SAFETY: inner·count·outer elements and results of their dtypes; the scratch has the bytes that were asked for.
    device.launch(|stream| unsafe { launch(&args, scratch, null_mut(), stream) })?;
    result.finish()
}

/// The operator of a scan of the whole array that does the same.
fn as_scan(task: &ScanTask, dtype: Dtype, result: Dtype) -> Option<Operator> {
    let DimShape { inner, outer, .. } = task.shape;
    let is_whole = inner == 1 && outer == 1 && !task.is_reversed && !task.saturates;
    let is_float = dtype.is_float();
    match task.op {
        _ if !is_whole || result != dtype || dtype.size() < 4 => None,
        DimReduction::Sum if !(is_float && task.omits) => Some(Operator::Sum),
        DimReduction::Product if !(is_float && task.omits) => Some(Operator::Product),
        DimReduction::Min if task.omits || !is_float => Some(Operator::Min),
        DimReduction::Max if task.omits || !is_float => Some(Operator::Max),
        _ => None,
    }
}

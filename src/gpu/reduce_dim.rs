//! Reduction along a dimension on the device.

use std::ffi::c_void;
use std::ptr::null_mut;

use super::Device;
use super::runtime::device::check_launch;
use super::runtime::kernels::{
    DimArgs, gpumexk_reduce_dim_count, gpumexk_reduce_dim_extremum, gpumexk_reduce_dim_rare,
    gpumexk_reduce_dim_sum,
};
use super::runtime::memory::{Buffer, finish, target};
use crate::array::{DynView, DynViewMut};
use crate::error::Result;
use crate::model::dtype::Dtype;
use crate::model::reduction::{DimReduction, ReduceTask};

/// What launchers of reductions take: arrays with their dtypes, and positions with the bytes of one.
pub fn dim_args(
    task: &ReduceTask,
    (data, dtype): (*const c_void, Dtype),
    (result, result_dtype): (*mut c_void, Dtype),
    (positions, position_bytes): (*mut c_void, usize),
) -> DimArgs {
    DimArgs {
        data,
        inner: task.shape.inner,
        count: task.shape.count,
        outer: task.shape.outer,
        dtype: dtype as i32,
        op: task.op as i32,
        result_dtype: result_dtype as i32,
        result_bytes: result_dtype.size() as i32,
        omits: task.omits.into(),
        saturates: task.saturates.into(),
        position_bytes: position_bytes as i32,
        inclusive: 0,
        reversed: 0,
        reserved: 0,
        result,
        positions,
    }
}

/// result ← the reductions of data; positions ← where they are. No extent is 0.
pub fn reduce_dim(
    device: &Device,
    task: &ReduceTask,
    data: DynView,
    result: DynViewMut,
    positions: Option<DynViewMut>,
) -> Result<()> {
    let (dtype, result_dtype) = (data.dtype(), result.dtype());
    let position_bytes = positions.as_ref().map_or(0, |positions| positions.dtype().size());
    let data = device.read(&data.bytes())?;
    let mut result = device.write(result.into_bytes())?;
    let mut positions = device.write_optional(positions)?;
    let (from, to) = (data.as_ptr().cast(), result.as_mut_ptr().cast());
    let args = dim_args(task, (from, dtype), (to, result_dtype), (target(&mut positions), position_bytes));
    let counts_numbers = task.op == DimReduction::Mean && task.omits && dtype.is_float();
    let launch = match task.op {
        DimReduction::Min | DimReduction::Max => gpumexk_reduce_dim_extremum,
        DimReduction::Any | DimReduction::All | DimReduction::Count => gpumexk_reduce_dim_count,
        DimReduction::Sum | DimReduction::Mean if !task.saturates && !counts_numbers => {
            gpumexk_reduce_dim_sum
        }
        _ => gpumexk_reduce_dim_rare,
    };
    let mut bytes = 0;
    // SAFETY: writes one size.
    check_launch(unsafe { launch(&args, null_mut(), &mut bytes, null_mut()) })?;
    let scratch = Buffer::<u8>::new(device, bytes)?;
    let scratch = scratch.as_ptr().cast();
    // SAFETY: inner·count·outer elements of the dtype, inner·outer results and positions; the scratch has the bytes that were asked for.
    device.launch(|stream| unsafe { launch(&args, scratch, null_mut(), stream) })?;
    result.finish()?;
    finish(positions)
}

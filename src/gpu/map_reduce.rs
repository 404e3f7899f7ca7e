//! Reductions of an expression on the device.

use std::ptr::{null, null_mut};

use super::Device;
use super::map::{args_of, array, arrays_of, sources_of, steps_of};
use super::reduce_dim::dim_args;
use super::runtime::device::check_launch;
use super::runtime::kernels::gpumexk_map_reduce;
use super::runtime::memory::{Buffer, finish, target};
use crate::array::{DynView, DynViewMut};
use crate::error::Result;
use crate::model::expression::Layout;
use crate::model::expression::program::Program;
use crate::model::reduction::ReduceTask;

/// result ← the reductions of the program's elements; positions ← where they are. The strides of the layout's result are 0 along what is
/// reduced. No extent is 0.
pub fn map_reduce(
    device: &Device,
    program: &Program,
    layout: &Layout,
    inputs: &[DynView],
    task: &ReduceTask,
    result: DynViewMut,
    positions: Option<DynViewMut>,
) -> Result<()> {
    let (dtype, result_dtype, steps) = (program.dtype as i32, result.dtype(), steps_of(program));
    let position_bytes = positions.as_ref().map_or(0, |positions| positions.dtype().size());
    let sources = sources_of(device, program, inputs)?;
    let mut result = device.write(result.into_bytes())?;
    let mut positions = device.write_optional(positions)?;
    let (to, positions_to) = (result.as_mut_ptr().cast(), target(&mut positions));
    let dim = dim_args(task, (null(), program.dtype), (to, result_dtype), (positions_to, position_bytes));
    let arrays = arrays_of(program, layout, inputs, &sources);
    let elements = array(null(), dtype, &layout.result);
    let map = args_of(program, layout, &steps, &arrays, &elements);
    let mut bytes = 0;
    // SAFETY: writes one size.
    check_launch(unsafe { gpumexk_map_reduce(&map, &dim, null_mut(), &mut bytes, null_mut()) })?;
    let scratch = Buffer::<u8>::new(device, bytes)?;
    let scratch = scratch.as_ptr().cast();
    // SAFETY: the inputs reach as far as extents and strides say, which the caller has checked; inner·outer results and positions; the
    // scratch has the bytes that were asked for; steps, literals and descriptions live until the launch, which reads them.
    device.launch(|stream| unsafe { gpumexk_map_reduce(&map, &dim, scratch, null_mut(), stream) })?;
    result.finish()?;
    finish(positions)
}

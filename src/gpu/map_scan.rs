//! Prefixes of an expression on the device.

use std::ptr::{null, null_mut};

use super::Device;
use super::map::{args_of, array, arrays_of, sources_of, steps_of};
use super::runtime::device::check_launch;
use super::runtime::kernels::gpumexk_map_scan;
use super::runtime::memory::Buffer;
use super::scan_dim::scan_args;
use crate::array::{DynView, DynViewMut};
use crate::error::Result;
use crate::model::expression::Layout;
use crate::model::expression::program::Program;
use crate::model::reduction::ScanTask;

/// result ← the prefixes of the program's elements. The strides of the layout's result are 0 along what is scanned. No extent is 0.
pub fn map_scan(
    device: &Device,
    program: &Program,
    layout: &Layout,
    inputs: &[DynView],
    task: &ScanTask,
    result: DynViewMut,
) -> Result<()> {
    let (result_dtype, steps) = (result.dtype(), steps_of(program));
    let sources = sources_of(device, program, inputs)?;
    let mut result = device.write(result.into_bytes())?;
    let to = result.as_mut_ptr().cast();
    let dim = scan_args(task, (null(), program.dtype), (to, result_dtype));
    let arrays = arrays_of(program, layout, inputs, &sources);
    let elements = array(null(), program.dtype as i32, &layout.result);
    let map = args_of(program, layout, &steps, &arrays, &elements);
    let mut bytes = 0;
    // SAFETY: writes one size.
    check_launch(unsafe { gpumexk_map_scan(&map, &dim, null_mut(), &mut bytes, null_mut()) })?;
    let scratch = Buffer::<u8>::new(device, bytes)?;
    let scratch = scratch.as_ptr().cast();
    // SAFETY: the inputs reach as far as extents and strides say, which the caller has checked; inner·count·outer results; the scratch has
    // the bytes that were asked for; steps, literals and descriptions live until the launch, which reads them.
    device.launch(|stream| unsafe { gpumexk_map_scan(&map, &dim, scratch, null_mut(), stream) })?;
    result.finish()
}

//! Element-wise expressions on the device.

use std::ffi::c_int;
use std::ptr::null;

use super::Device;
use super::runtime::kernels::{MAP_RANK, MapArgs, MapArray, MapStep, gpumexk_map};
use super::runtime::memory::DeviceInput;
use super::runtime::tuning::Kernel;
use crate::array::{DynView, DynViewMut};
use crate::error::Result;
use crate::model::dtype::Dtype;
use crate::model::expression::Layout;
use crate::model::expression::program::{Program, Step};

/// result ← the program of the inputs; arrays lie as the layout says.
pub fn map(
    device: &Device,
    program: &Program,
    layout: &Layout,
    inputs: &[DynView],
    result: DynViewMut,
) -> Result<()> {
    let (steps, dtype) = (steps_of(program), result.dtype());
    let sources = sources_of(device, program, inputs)?;
    let has_gaps = result.len() != layout.count(); // which keep what they have
    let result = result.into_bytes();
    let mut result = if has_gaps { device.update(result)? } else { device.write(result)? };
    let number = dtype.part().unwrap_or(dtype) as c_int;
    let arrays = arrays_of(program, layout, inputs, &sources);
    let target = array(result.as_mut_ptr().cast_const(), number, &layout.result);
    let (args, tuning) = (args_of(program, layout, &steps, &arrays, &target), device.tuning(Kernel::Map));
    // SAFETY: the arrays reach as far as extents and strides say, which the caller has checked; steps, literals and descriptions live
    // until the launch, which reads them.
    device.launch(|stream| unsafe { gpumexk_map(&args, &tuning, stream) })?;
    result.finish()
}

/// The arrays of a program: each input, and behind them the imaginary parts of complex ones.
fn reads_of(program: &Program, inputs: usize) -> Vec<(usize, bool)> {
    let planes = program.planes.iter().map(|&input| (input, true));
    (0..inputs).map(|input| (input, false)).chain(planes).collect()
}

/// The inputs on the device, as far as the program reads them.
pub(super) fn sources_of<'d>(
    device: &'d Device,
    program: &Program,
    inputs: &[DynView],
) -> Result<Vec<Option<DeviceInput<'d, u8>>>> {
    let reads = reads_of(program, inputs.len());
    let is_read =
        |input: usize| (0..reads.len()).any(|array| reads[array].0 == input && program.reads(array));
    let source = |index: usize| is_read(index).then(|| device.read(&inputs[index].bytes())).transpose();
    (0..inputs.len()).map(source).collect()
}

pub(super) fn arrays_of(
    program: &Program,
    layout: &Layout,
    inputs: &[DynView],
    sources: &[Option<DeviceInput<u8>>],
) -> Vec<MapArray> {
    let number = program.dtype.part().unwrap_or(program.dtype) as c_int;
    let reads = reads_of(program, inputs.len());
    let array_of = |&(input, is_imaginary): &(usize, bool)| match &sources[input] {
        Some(source) => {
            array(source.as_ptr(), number_of(inputs[input].dtype(), is_imaginary), &layout.inputs[input])
        }
        None => array(null(), number, &[]), // not read by the program
    };
    reads.iter().map(array_of).collect()
}

pub(super) fn steps_of(program: &Program) -> Vec<MapStep> {
    let step_of = |&Step { op, ty, operand, reverse, index, other }: &Step| MapStep {
        op: op as u8,
        ty: ty as u8,
        operand: operand as u8,
        reverse,
        index,
        other,
    };
    program.steps.iter().map(step_of).collect()
}

/// The number by which kernels know the elements of an input: its dtype, or a part of it.
fn number_of(dtype: Dtype, is_imaginary: bool) -> c_int {
    let part = c_int::from(is_imaginary);
    match dtype {
        Dtype::C64 => 14 + part,
        Dtype::C128 => 16 + part,
        dtype => dtype as c_int,
    }
}

pub(super) fn array(data: *const u8, dtype: c_int, strides: &[usize]) -> MapArray {
    let mut padded = [0; MAP_RANK];
    for (to, &stride) in padded.iter_mut().zip(strides) {
        *to = stride as i64; // of an extent that it is multiplied by within an array
    }
    MapArray { data: data.cast(), dtype, strides: padded }
}

pub(super) fn args_of(
    program: &Program,
    layout: &Layout,
    steps: &[MapStep],
    inputs: &[MapArray],
    result: &MapArray,
) -> MapArgs {
    let mut extents = [1; MAP_RANK];
    extents[..layout.shape.len()].copy_from_slice(&layout.shape);
    MapArgs {
        steps: steps.as_ptr(),
        step_count: steps.len(),
        literals: program.literals.as_ptr(),
        literal_count: program.literals.len(),
        inputs: inputs.as_ptr(),
        input_count: inputs.len(),
        slots: program.slots as c_int,
        wide: program.is_wide.into(),
        elementary: program.is_elementary.into(),
        rank: layout.shape.len().max(1) as c_int, // of no dimension: one element
        extents,
        result,
        real_slot: program.real_slot.map_or(-1, c_int::from),
        reserved: 0,
    }
}

//! Expressions of neighbours on the device.

use std::ffi::c_int;
use std::ptr::null;

use super::Device;
use super::map::steps_of;
use super::runtime::kernels::{
    MapStep, StencilArgs, StencilArray, StencilTap, gpumexk_stencil, gpumexk_stencil_bytes,
};
use super::runtime::tuning::Kernel;
use crate::array::{DynView, DynViewMut};
use crate::error::Result;
use crate::model::dtype::Dtype;
use crate::model::expression::literal_of;
use crate::model::expression::program::{Program, Tap};
use crate::model::stencil::Plane;

/// result ← the program of the neighbours; arrays (rows, cols), dense.
pub fn stencil(
    device: &Device,
    program: &Program,
    plane: &Plane,
    inputs: &[DynView],
    result: DynViewMut,
) -> Result<()> {
    let dtype = result.dtype();
    let is_read = |input: usize| {
        program.taps.iter().enumerate().any(|(tap, at)| at.input == input && program.reads(tap))
    };
    let sources: Vec<_> = (0..inputs.len())
        .map(|index| is_read(index).then(|| device.read(&inputs[index].bytes())).transpose())
        .collect::<Result<_>>()?;
    let mut result = device.write(result.into_bytes())?;
    let arrays: Vec<StencilArray> = inputs
        .iter()
        .zip(&sources)
        .map(|(input, source)| match source {
            Some(source) => array(source.as_ptr(), input.dtype(), plane),
            None => array(null(), dtype, plane), // not read by the program
        })
        .collect();
    let to = result.as_mut_ptr();
    let has_run = match &program.in_bytes {
        Some(bytes) => run_in_bytes(device, bytes, plane, &arrays, (to, dtype))?,
        None => false,
    };
    if !has_run {
        let call = Call::new(program);
        let (args, tuning) =
            (call.args(program, plane, &arrays, (to, dtype)), device.tuning(Kernel::Stencil));
        // SAFETY: the arrays have rows·cols elements, which the caller has checked; steps, literals, taps and descriptions live until
        // the launch, which reads them.
        device.launch(|stream| unsafe { gpumexk_stencil(&args, &tuning, stream) })?;
    }
    result.finish()
}

/// Whether the tiles of the program in bytes fit into shared memory; then it is enqueued.
fn run_in_bytes(
    device: &Device,
    program: &Program,
    plane: &Plane,
    arrays: &[StencilArray],
    result: (*mut u8, Dtype),
) -> Result<bool> {
    let (call, mut enqueued) = (Call::new(program), 0);
    let (args, tuning) = (call.args(program, plane, arrays, result), device.tuning(Kernel::StencilBytes));
    // SAFETY: as in `stencil`; a number to write to.
    device.launch(|stream| unsafe { gpumexk_stencil_bytes(&args, &tuning, &mut enqueued, stream) })?;
    Ok(enqueued != 0)
}

fn array(data: *const u8, dtype: Dtype, plane: &Plane) -> StencilArray {
    let outside = literal_of(dtype, plane.outside(dtype));
    StencilArray { data: data.cast(), outside, dtype: dtype as c_int, reserved: 0 }
}

/// What the arguments of a launch refer to.
struct Call {
    steps: Vec<MapStep>,
    taps: Vec<StencilTap>,
}

impl Call {
    fn new(program: &Program) -> Call {
        let tap = |&Tap { input, rows, cols }: &Tap| StencilTap {
            input: input as c_int,
            rows: rows.into(),
            cols: cols.into(),
        };
        Call { steps: steps_of(program), taps: program.taps.iter().map(tap).collect() }
    }

    fn args(
        &self,
        program: &Program,
        plane: &Plane,
        inputs: &[StencilArray],
        (result, dtype): (*mut u8, Dtype),
    ) -> StencilArgs {
        StencilArgs {
            steps: self.steps.as_ptr(),
            step_count: self.steps.len(),
            literals: program.literals.as_ptr(),
            literal_count: program.literals.len(),
            taps: self.taps.as_ptr(),
            tap_count: self.taps.len(),
            inputs: inputs.as_ptr(),
            input_count: inputs.len(),
            slots: program.slots as c_int,
            wide: program.is_wide.into(),
            elementary: program.is_elementary.into(),
            boundary: plane.boundary as c_int,
            rows: plane.rows,
            cols: plane.cols,
            result: result.cast(),
            dtype: dtype as c_int,
            reserved: 0,
        }
    }
}

//! Expressions of the neighbours of an element.
//!
//! Source: MathWorks, "Stencil Operations on a GPU", of which this is the general form.
#![forbid(unsafe_code)]

use super::cost;
use super::map::elements_of;
use super::prelude::*;
use crate::array::Memory;
use crate::cpu::map::Elements;
use crate::model::expression::program::{Program, Tap};
use crate::model::expression::{Source, literal_of};
use crate::model::stencil::Plane;
pub use crate::model::stencil::{Boundary, StencilOrder};

/// Options of [`stencil`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: Variant,
    /// Of the result.
    pub dtype: Dtype,
    pub boundary: Boundary,
    /// What lies outside, with [`Boundary::Constant`].
    pub constant: f64,
    pub order: StencilOrder,
}

/// result\[y, x\] ← the expression of the elements around (y, x), a(dy, dx) being a\[y + dy, x + dx\].  inputs, result (rows, cols), each
/// of a dtype, dense, anywhere, each input apart from result.
///
/// What lies outside an array is the options'. Accuracy as of [`map`](super::map::map); a program whose values are integers from 0 to 255 is
/// computed in bytes, with the same result. Cost: reads each input and writes result once, but for the edges of tiles. Errors:
/// INVALID_ARGUMENT (text, names, dtypes, size, overlap), UNSUPPORTED (a program of more than 160 steps, 64 literals or 8 slots; a
/// backend), OUT_OF_MEMORY, CUDA.
pub fn stencil(
    ctx: &mut Context,
    options: &Options,
    source: &Source,
    inputs: &[&Input],
    [rows, cols]: [usize; 2],
    result: Output,
) -> Result<()> {
    ctx.begin();
    let dtype = options.dtype.required("dtype")?;
    let program = ctx.programs().get(source, dtype)?;
    let views = inputs.iter().zip(&source.dtypes);
    let views: Vec<DynView> =
        views.map(|(input, &dtype)| input.view_of(dtype, &[rows, cols])).collect::<Result<_>>()?;
    let mut result = result.view_of(dtype, &[rows, cols])?;
    let memories: Vec<&dyn Memory> = views.iter().map(|view| view as _).collect();
    let arrays = all_apart(&[&result], &memories)?;
    let (boundary, constant) = (options.boundary, options.constant);
    // A single column lies in memory as a single row.
    let is_swapped = (options.order == StencilOrder::Column)
        != (if options.order == StencilOrder::Row { cols } else { rows } == 1);
    let [rows, cols] = if is_swapped { [cols, rows] } else { [rows, cols] };
    let plane = Plane { rows, cols, boundary, constant };
    let program = if is_swapped { transposed(&program).into() } else { program };
    let units = arrays.bytes.saturating_mul(program.steps_of_work());
    let work = cost::STENCIL.of_units(options.variant, arrays, units);
    ctx.run_auto(work, |engine| match engine.select(options.variant)? {
        _ if result.is_empty() => Ok(()),
        Engine::Cpu(workers) => {
            let outside: Vec<u64> =
                source.dtypes.iter().map(|&dtype| literal_of(dtype, plane.outside(dtype))).collect();
            let inputs: Vec<Elements> = views.iter().map(elements_of).collect::<Result<_>>()?;
            let how = (workers, options.variant);
            cpu::stencil::stencil(how, &program, &plane, &inputs, &outside, &mut result)
        }
        Engine::Cuda(device) => gpu::stencil::stencil(device, &program, &plane, &views, result),
    })
}

/// The program of the transposed arrays.
fn transposed(program: &Program) -> Program {
    let mut program = program.clone();
    let swap = |tap: &mut Tap| (tap.rows, tap.cols) = (tap.cols, tap.rows);
    program.taps.iter_mut().for_each(swap);
    if let Some(bytes) = &mut program.in_bytes {
        bytes.taps.iter_mut().for_each(swap);
    }
    program
}

//! Element-wise expressions.
//!
//! Source: the C++ expression templates of T. Veldhuizen, "Expression Templates", C++ Report 1995, compute alike at compile time.
#![forbid(unsafe_code)]

use std::sync::Arc;

use super::prelude::*;
use crate::array::{Element, Memory};
use crate::cpu::map::{Elements, Target};
use crate::memory::Place;
use crate::model::dtype::Bits;
use crate::model::expression::program::Program;
use crate::model::expression::{Layout, Source, literal_of};

/// Options of [`map`].
#[derive(Clone, Debug)]
pub struct Options {
    pub variant: Variant,
    /// Of the result.
    pub dtype: Dtype,
    pub layout: Layout,
}

/// result\[i\] ← the expression of the elements i of the inputs, as its source and the layout say.  inputs and result anywhere, each
/// input apart from result, or, where both are dense and of one dtype, result itself; a host input of one element may be beside arrays on a device.
///
/// Sums, differences, products, quotients, √, conversions and comparisons have the same bits on every backend; elementary functions are
/// within a few ulp. Cost: reads each input and writes result once. Errors: INVALID_ARGUMENT (text, names, dtypes, shape, strides,
/// size, overlap), UNSUPPORTED (a program of more than 160 steps, 64 literals or 8 slots; a backend), OUT_OF_MEMORY, CUDA.
pub fn map(
    ctx: &mut Context,
    options: &Options,
    source: Source,
    inputs: &[&Input],
    result: Output,
) -> Result<()> {
    ctx.begin();
    let (dtype, layout) = (options.dtype.required("dtype")?, &options.layout);
    let program = ctx.programs().get(&source, dtype)?;
    let span = |strides| layout.span(strides).unwrap_or(usize::MAX);
    let views = inputs.iter().zip(&source.dtypes).zip(&layout.inputs);
    let views = views.map(|((input, &dtype), strides)| input.view_of(dtype, &[span(strides)]));
    let views: Vec<DynView> = views.collect::<Result<_>>()?;
    let mut result = result.view_of(dtype, &[span(&layout.result)])?;
    let in_place = |index: usize| {
        let is_dense = layout.is_dense(&layout.inputs[index]) && layout.is_dense(&layout.result);
        is_dense && views[index].dtype() == dtype && views[index].is_at(&result)
    };
    let in_place: Vec<bool> = (0..views.len()).map(in_place).collect();
    let others = views.iter().zip(&in_place).filter(|(_, is_result)| !**is_result);
    let memories: Vec<&dyn Memory> = others.map(|(view, _)| view as _).collect();
    all_apart(&[&result], &memories)?;
    ctx.run(|engine| match engine.select(options.variant)? {
        _ if result.is_empty() => Ok(()),
        Engine::Cpu(workers) => {
            let elements = |(view, is_result): (&_, &bool)| match is_result {
                true => Ok(Elements::OfResult),
                false => elements_of(view),
            };
            let inputs: Vec<Elements> = views.iter().zip(&in_place).map(elements).collect::<Result<_>>()?;
            cpu::map::map((workers, options.variant), &program, layout, &inputs, &mut result)
        }
        Engine::Cuda(device) => {
            let program = with_host_literals(&program, layout, &views)?;
            gpu::map::map(device, &program, layout, &views, result)
        }
    })
}

/// Inputs of one element in memory of the host as literals, as far as there is room: nothing is copied for them.
fn with_host_literals(program: &Arc<Program>, layout: &Layout, inputs: &[DynView]) -> Result<Arc<Program>> {
    let mut program = program.clone();
    for (index, input) in inputs.iter().enumerate() {
        let is_single = layout.is_single(&layout.inputs[index]) && input.place() == Place::Host;
        if is_single && program.reads(index) {
            let word = loaded(input)?;
            program = program.with_literal(index, word).map_or(program, Arc::new);
        }
    }
    Ok(program)
}

/// The first element, as a literal of the type in which it is computed.
fn loaded(input: &DynView) -> Result<u64> {
    let bits = super::fill::bits_of("an input", input.part(0, 1))?;
    Ok(literal_of(input.dtype(), bits))
}

/// An input as a slice.
pub(super) fn elements_of<'a>(array: &DynView<'a>) -> Result<Elements<'a>> {
    Ok(match array.dtype() {
        Dtype::Bool => Elements::Bool(array.on_host()?),
        Dtype::I8 => Elements::I8(array.on_host()?),
        Dtype::I16 => Elements::I16(array.on_host()?),
        Dtype::I32 => Elements::I32(array.on_host()?),
        Dtype::I64 => Elements::I64(array.on_host()?),
        Dtype::U8 => Elements::U8(array.on_host()?),
        Dtype::U16 => Elements::U16(array.on_host()?),
        Dtype::U32 => Elements::U32(array.on_host()?),
        Dtype::U64 => Elements::U64(array.on_host()?),
        Dtype::F16 => Elements::F16(array.on_host()?),
        Dtype::Bf16 => Elements::Bf16(array.on_host()?),
        Dtype::F32 => Elements::F32(array.on_host()?),
        Dtype::F64 | Dtype::None => Elements::F64(array.on_host()?),
    })
}

impl Target for DynViewMut<'_> {
    fn dtype(&self) -> Dtype {
        DynViewMut::dtype(self)
    }

    fn elements<T: Element>(&mut self) -> Result<&mut [T]> {
        self.on_host()
    }

    fn shared<B: Bits>(&mut self) -> Result<&[B::Atomic]> {
        self.on_host_shared::<B>()
    }
}

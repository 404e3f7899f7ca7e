//! Element-wise expressions.
//!
//! Source: the C++ expression templates of T. Veldhuizen, "Expression Templates", C++ Report 1995, compute alike at compile time.
#![forbid(unsafe_code)]

use std::sync::Arc;

use super::cost;
use super::prelude::*;
use crate::array::{Element, Memory};
use crate::cpu::map::{Elements, Target};
use crate::memory::Place;
use crate::model::dtype::Bits;
use crate::model::expression::program::Program;
use crate::model::expression::{Layout, Rules, Source, literal_of};

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
    let views = views_of(&source, layout, inputs)?;
    let result = result.view_of(dtype, &[span_of(layout, &layout.result)])?;
    let in_place = |index: usize| {
        let is_dense = layout.is_dense(&layout.inputs[index]) && layout.is_dense(&layout.result);
        is_dense && views[index].dtype() == dtype && views[index].is_at(&result)
    };
    let in_place: Vec<bool> = (0..views.len()).map(in_place).collect();
    let others = views.iter().zip(&in_place).filter(|(_, is_result)| !**is_result);
    let memories: Vec<&dyn Memory> = others.map(|(view, _)| view as _).collect();
    let arrays = all_apart(&[&result], &memories)?;
    let units = arrays.bytes.saturating_mul(program.steps_of_work());
    let work = cost::MAP.of_units(options.variant, arrays, units);
    ctx.run_auto(work, |engine| run_map(engine, options.variant, &program, layout, &views, &in_place, result))
}

/// The inputs, each as far as its strides reach.
pub(super) fn views_of<'a>(
    source: &Source,
    layout: &Layout,
    inputs: &[&Input<'a>],
) -> Result<Vec<DynView<'a>>> {
    let views = inputs.iter().zip(&source.dtypes).zip(&layout.inputs);
    views.map(|((input, &dtype), strides)| input.view_of(dtype, &[span_of(layout, strides)])).collect()
}

fn span_of(layout: &Layout, strides: &[usize]) -> usize {
    layout.span(strides).unwrap_or(usize::MAX)
}

/// The program of a call whose arrays were checked; some inputs are the result itself.
fn run_map(
    engine: &Engine,
    variant: Variant,
    program: &Arc<Program>,
    layout: &Layout,
    views: &[DynView],
    in_place: &[bool],
    result: DynViewMut,
) -> Result<()> {
    match engine.select(variant)? {
        _ if result.is_empty() => Ok(()),
        Engine::Cpu(workers) => {
            let (views, in_place, layout) = planes(program, views, in_place, layout);
            let elements = |(view, is_result): (&_, &bool)| match is_result {
                true => Ok(Elements::OfResult),
                false => elements_of(view),
            };
            let inputs: Vec<Elements> = views.iter().zip(&in_place).map(elements).collect::<Result<_>>()?;
            cpu::map::map((workers, variant), program, &layout, &inputs, &mut result.parts())
        }
        Engine::Cuda(device) => {
            let program = with_host_literals(program, layout, views)?;
            gpu::map::map(device, &program, layout, views, result)
        }
    }
}

/// to ← the expression of a, b and so on, by C's rules, of arrays that were checked.
pub(super) fn evaluate(
    engine: &Engine,
    variant: Variant,
    text: &str,
    layout: &Layout,
    inputs: &[DynView],
    to: DynViewMut,
) -> Result<()> {
    let (text, dtypes) = (text.to_string(), inputs.iter().map(DynView::dtype).collect());
    let source = Source { text, names: None, dtypes, rules: Rules::C, has_neighbours: false };
    let program = Arc::new(source.compile(to.dtype())?);
    let spans = layout.inputs.iter().map(|strides| layout.span(strides).unwrap_or(0));
    let inputs: Vec<DynView> = inputs.iter().zip(spans).map(|(input, span)| input.part(0, span)).collect();
    run_map(engine, variant, &program, layout, &inputs, &vec![false; inputs.len()], to)
}

/// The real arrays that a program reads: complex inputs are their real parts, and behind the inputs their imaginary parts follow.
pub(super) fn planes<'a>(
    program: &Program,
    views: &[DynView<'a>],
    in_place: &[bool],
    layout: &Layout,
) -> (Vec<DynView<'a>>, Vec<bool>, Layout) {
    let (mut planes, mut in_place, mut layout) =
        (views.iter().map(DynView::parts).collect::<Vec<_>>(), in_place.to_vec(), layout.clone());
    for &input in &program.planes {
        layout.inputs[input].iter_mut().for_each(|stride| *stride = stride.saturating_mul(2));
    }
    for &input in &program.planes {
        let real = planes[input];
        planes.push(real.part(1, real.len().saturating_sub(1)));
        in_place.push(in_place[input]);
        layout.inputs.push(layout.inputs[input].clone());
    }
    (planes, in_place, layout)
}

/// Inputs of one element in memory of the host as literals, as far as there is room: nothing is copied for them.
pub(super) fn with_host_literals(
    program: &Arc<Program>,
    layout: &Layout,
    inputs: &[DynView],
) -> Result<Arc<Program>> {
    let mut program = program.clone();
    for (index, input) in inputs.iter().enumerate() {
        if !layout.is_single(&layout.inputs[index]) || input.place() != Place::Host {
            continue;
        }
        let imaginary = program.planes.iter().position(|&plane| plane == index);
        let arrays = [Some((0, index)), imaginary.map(|plane| (1, inputs.len() + plane))];
        for (part, array) in arrays.into_iter().flatten() {
            if program.reads(array) {
                let word = loaded(&input.parts().part(part, 1))?;
                program = program.with_literal(array, word).map_or(program, Arc::new);
            }
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
        Dtype::F64 | Dtype::None | Dtype::C64 | Dtype::C128 => Elements::F64(array.on_host()?), // complex ones are seen as their parts
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

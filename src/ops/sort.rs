//! Stable sort of keys, with values beside them or with their positions.
//!
//! Source of the radix sort: A. Adinets, D. Merrill, "Onesweep: a faster least significant digit radix sort for GPUs", 2022.
#![forbid(unsafe_code)]

use super::cost;
use super::dtypes::key_dtypes;
use super::functor;
use super::payload::{payload_dtype, values_of, values_on_host};
use super::widen::{WideInput, WideOutput};
use crate::array::{DynView, DynViewMut, Input, Output, all_apart, optional_mut_on_host};
use crate::context::{Context, Engine};
use crate::cpu;
use crate::cpu::functor::form::{Form, dispatch_form};
use crate::error::Result;
use crate::gpu;
use crate::model::dtype::Dtype;
use crate::model::expression::program::Program;
use crate::model::index::Index;
use crate::model::order::{Key, KeyOrder, SortOrder};
use crate::model::payload::Payload;
pub use crate::model::variant::SortVariant;

/// Options of [`sort`]; the default is f32 keys alone, ascending.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    pub variant: SortVariant,
    pub dtype: Dtype,
    pub order: SortOrder,
    pub payload: Payload,
    /// Of values, with `Payload::Values`.
    pub value_dtype: Dtype,
    /// Of positions, with `Payload::Indices`.
    pub index_dtype: Dtype,
    /// Of keys a and b, whether a precedes b, in the place of the order.
    pub expression: Option<&'a str>,
}

/// sorted ← the keys in order; equal keys keep theirs. keys, sorted (count) of options.dtype.
///
/// `Payload::Values`: sorted_values\[i\] is the value of the key that is sorted\[i\]; values, sorted_values (count).
/// `Payload::Indices`: sorted_values\[i\] is its position in keys; values is not looked at, and sorted may be null.
/// Inputs stay as they are, outputs overlap nothing. Bits of keys and values are moved as they are; [`SortOrder`] has NaN and -0.
/// An expression that is no strict weak order gives some permutation, the same with every backend, but with SEQUENTIAL.
///
/// Cost: 1 + 2p times the keys, 2p times the values, p = 4 (keys of 4 bytes) or 8, less those that all keys have in common;
/// once more the memory of the arrays. Errors: INVALID_ARGUMENT (size, overlap, index_dtype), UNSUPPORTED (dtype),
/// OUT_OF_MEMORY, CUDA.
pub fn sort(
    ctx: &mut Context,
    options: &Options,
    keys: Input,
    values: Input,
    count: usize,
    sorted: Output,
    sorted_values: Output,
) -> Result<()> {
    ctx.begin();
    let &Options { variant, dtype, order, payload, .. } = options;
    let ((dtype, wide), dims) = (key_dtypes("dtype", dtype)?, [count]);
    let comparison = functor::comparison(ctx, options.expression, order, dtype)?;
    let moved = payload_dtype(payload, options.value_dtype, options.index_dtype, ("count", count))?;
    let keys = keys.view_of(dtype, &dims)?;
    let values = values_of(payload, moved, &values, count)?;
    let sorted = match payload == Payload::Indices && sorted.is_null() {
        true => None,
        false => Some(sorted.view_of(dtype, &dims)?),
    };
    let sorted_values = moved.map(|dtype| sorted_values.view_of(dtype, &dims)).transpose()?;
    let arrays = all_apart(&[&sorted, &sorted_values], &[&keys, &values])?;
    let work = cost::SORT.compared(options.variant, arrays, comparison.as_ref());
    ctx.run_auto(work, |engine| {
        let keys = WideInput::new(engine, keys, wide)?;
        let mut sorted = sorted.map(|sorted| WideOutput::new(engine, sorted, wide)).transpose()?;
        let views = (keys.view()?, sorted.as_mut().map(WideOutput::view).transpose()?);
        match &comparison {
            None => run(engine, variant, order, views, (values, sorted_values))?,
            Some(program) => sort_by(engine, variant, (dtype, program), views, (values, sorted_values))?,
        }
        sorted.map_or(Ok(()), |sorted| sorted.finish(engine))
    })
}

/// keys of a dtype that both backends compute in.
fn run(
    engine: &Engine,
    variant: SortVariant,
    order: SortOrder,
    (keys, mut sorted): (DynView, Option<DynViewMut>),
    (values, mut sorted_values): (Option<DynView>, Option<DynViewMut>),
) -> Result<()> {
    match engine.select(variant)? {
        Engine::Cpu(workers) => {
            let dtype = keys.dtype();
            let how = (workers, variant, KeyOrder::new(order, dtype));
            match (&mut sorted, &mut sorted_values) {
                (sorted, Some(sorted_values)) => dispatch_number_and_size!(
                    dtype,
                    sorted_values.dtype(),
                    sort_with_values(how, keys, values, sorted, sorted_values)
                ),
                (Some(sorted), None) => dispatch_number!(dtype, sort_keys(how, keys, sorted)),
                (None, None) => Ok(()),
            }
        }
        Engine::Cuda(device) => gpu::sort::sort(device, order, keys, values, sorted, sorted_values),
    }
}

/// The same by an expression of keys of a dtype.
fn sort_by(
    engine: &Engine,
    variant: SortVariant,
    (dtype, program): (Dtype, &Program),
    (keys, mut sorted): (DynView, Option<DynViewMut>),
    (values, mut sorted_values): (Option<DynView>, Option<DynViewMut>),
) -> Result<()> {
    match engine.select(variant)? {
        Engine::Cuda(device) => gpu::functor::sort(device, program, keys, values, sorted, sorted_values),
        Engine::Cpu(workers) => {
            let (how, arrays) = ((workers, variant), (values, &mut sorted, &mut sorted_values));
            match u32::try_from(keys.len()) {
                Ok(_) => dispatch_form!(dtype, sort_in_4_bytes(how, program, keys, arrays)),
                Err(_) => dispatch_form!(dtype, sort_in_8_bytes(how, program, keys, arrays)),
            }
        }
    }
}

/// Values, and the outputs.
type Moved<'m, 'a> = (Option<DynView<'a>>, &'m mut Option<DynViewMut<'a>>, &'m mut Option<DynViewMut<'a>>);
type Execution<'a> = (&'a cpu::Workers, SortVariant);

fn sort_in_4_bytes<F: Form>(how: Execution, program: &Program, keys: DynView, moved: Moved) -> Result<()> {
    sort_on_cpu::<F, u32>(how, program, keys, moved)
}

fn sort_in_8_bytes<F: Form>(how: Execution, program: &Program, keys: DynView, moved: Moved) -> Result<()> {
    sort_on_cpu::<F, u64>(how, program, keys, moved)
}

fn sort_on_cpu<F: Form, P: Index>(
    how: Execution,
    program: &Program,
    keys: DynView,
    (values, sorted, sorted_values): Moved,
) -> Result<()> {
    let keys = keys.on_host::<F::Stored>()?;
    let mut own: Vec<F::Stored>;
    let mut positions = crate::vector::zeros::<P>(keys.len())?;
    let sorted = match optional_mut_on_host(sorted)? {
        Some(sorted) => sorted,
        None => {
            own = crate::vector::zeros(keys.len())?;
            &mut own[..]
        }
    };
    sorted.copy_from_slice(keys);
    cpu::functor::sort::sort::<F, P>(how, program, sorted, &mut positions)?;
    match sorted_values {
        None => Ok(()),
        Some(to) => dispatch_size!(to.dtype(), place::<P>(&positions, &values, to)),
    }
}

/// to\[i\] ← the value of the key that was there, or without values where it was.
fn place<P: Index, V: Index>(positions: &[P], values: &Option<DynView>, to: &mut DynViewMut) -> Result<()> {
    let (values, to) = (values_on_host::<V>(values)?, to.on_host::<V>()?);
    for (to, position) in to.iter_mut().zip(positions) {
        *to = values.get(position.to_usize());
    }
    Ok(())
}

type How<'a> = (&'a cpu::Workers, SortVariant, KeyOrder);

fn sort_keys<K: Key>((workers, variant, order): How, keys: DynView, sorted: &mut DynViewMut) -> Result<()> {
    let (keys, sorted) = (keys.on_host::<K>()?, sorted.on_host()?);
    match variant {
        SortVariant::Sequential => cpu::sort::sequential(workers, order, keys, sorted),
        _ => cpu::sort::sort(workers, order, keys, sorted),
    }
}

fn sort_with_values<K: Key, V: Index>(
    (workers, variant, order): How,
    keys: DynView,
    values: Option<DynView>,
    sorted: &mut Option<DynViewMut>,
    sorted_values: &mut DynViewMut,
) -> Result<()> {
    let (keys, values) = (keys.on_host::<K>()?, values_on_host::<V>(&values)?);
    let (sorted, to) = (optional_mut_on_host(sorted)?, sorted_values.on_host()?);
    match variant {
        SortVariant::Sequential => {
            cpu::sort::sequential_with_values(workers, order, keys, values, sorted, to)
        }
        _ => cpu::sort::sort_with_values(workers, order, keys, values, sorted, to),
    }
}

//! Two arrays in order become one.
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
use crate::error::{Error, Result};
use crate::gpu;
use crate::gpu::merge::Runs;
use crate::model::dtype::Dtype;
use crate::model::expression::program::Program;
use crate::model::index::Index;
use crate::model::order::{Key, KeyOrder, SortOrder};
use crate::model::payload::{Payload, Values};
use crate::model::sorted_search::Bound;
use crate::model::variant::Variant;

/// Options of [`merge`]; the default is f32, ascending, keys alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    pub variant: Variant,
    pub dtype: Dtype,
    pub order: SortOrder,
    pub payload: Payload,
    pub value_dtype: Dtype,
    pub index_dtype: Dtype,
    /// Of keys a and b, whether a precedes b, in the place of the order.
    pub expression: Option<&'a str>,
}

/// One of the two arrays: keys in order, and what stands beside them.
pub struct Run<'a> {
    pub keys: Input<'a>,
    pub values: Input<'a>,
    pub count: usize,
}

/// keys ← the keys of a and b, each in order, in one order; of equal keys those of a first. values ← the values of a and b in that
/// order, or the positions of the keys in a followed by b. keys and values lie apart from all others.
///
/// What is not in order gives some of the keys in some order. Cost: reads and writes each element once; nothing is allocated.
/// Errors: INVALID_ARGUMENT (size, overlap, positions that U32 does not reach), UNSUPPORTED (dtype), OUT_OF_MEMORY, CUDA.
/// Source: S. Odeh, O. Green, Z. Mwassi, O. Shmueli, Y. Birk, "Merge Path - Parallel Merging Made Simple", 2012.
pub fn merge(
    ctx: &mut Context,
    options: &Options,
    a: Run,
    b: Run,
    keys: Output,
    values: Output,
) -> Result<()> {
    ctx.begin();
    let &Options { variant, dtype, order, payload, .. } = options;
    let (dtype, wide) = key_dtypes("dtype", dtype)?;
    let comparison = functor::comparison(ctx, options.expression, order, dtype)?;
    let total = a.count.checked_add(b.count);
    let total = total.ok_or_else(|| {
        Error::invalid(format!(
            "a and b have {} + {} elements, more than there are addresses",
            a.count, b.count
        ))
    })?;
    let [a_keys, b_keys] = [a.keys.view_of(dtype, &[a.count])?, b.keys.view_of(dtype, &[b.count])?];
    let keys = keys.view_of(dtype, &[total])?;
    let moved =
        payload_dtype(payload, options.value_dtype, options.index_dtype, ("a_count + b_count", total))?;
    let [a_values, b_values] =
        [values_of(payload, moved, &a.values, a.count)?, values_of(payload, moved, &b.values, b.count)?];
    let values = moved.map(|dtype| values.view_of(dtype, &[total])).transpose()?;
    let arrays = all_apart(&[&keys, &values], &[&a_keys, &b_keys, &a_values, &b_values])?;

    let work = cost::MERGE.compared(options.variant, arrays, comparison.as_ref());
    ctx.run_auto(work, |engine| {
        let wide_keys = [WideInput::new(engine, a_keys, wide)?, WideInput::new(engine, b_keys, wide)?];
        let mut merged = WideOutput::new(engine, keys, wide)?;
        let [a_keys, b_keys] = [wide_keys[0].view()?, wide_keys[1].view()?];
        let mut runs = Runs { a_keys, a_values, b_keys, b_values, keys: merged.view()?, values };
        match (engine.select(variant)?, &comparison) {
            (Engine::Cpu(workers), Some(program)) => {
                dispatch_form!(dtype, merge_by_on_cpu((workers, variant), program, &mut runs))
            }
            (Engine::Cuda(device), Some(program)) => gpu::functor::merge(device, program, runs),
            (Engine::Cpu(workers), None) => {
                let how = (workers, variant == Variant::Sequential, KeyOrder::new(order, wide));
                match &runs.values {
                    None => dispatch_number!(wide, merge_keys(how, &mut runs)),
                    Some(values) => {
                        dispatch_number_and_size!(wide, values.dtype(), merge_with_values(how, &mut runs))
                    }
                }
            }
            (Engine::Cuda(device), None) => gpu::merge::merge(device, order, runs),
        }?;
        merged.finish(engine)
    })
}

type How<'a> = (&'a cpu::Workers, bool, KeyOrder);

/// The same by an expression: each key goes behind its own and behind the others that do not come after it.
fn merge_by_on_cpu<F: Form>(how: cpu::Execution, program: &Program, runs: &mut Runs) -> Result<()> {
    let (a, b) = (runs.a_keys.on_host::<F::Stored>()?, runs.b_keys.on_host()?);
    let keys = runs.keys.on_host()?;
    keys[..a.len()].copy_from_slice(a); // where the inputs are not sorted, not all are written
    keys[a.len()..].copy_from_slice(b);
    let sides = [(Bound::Lower, a, b, &runs.a_values, 0), (Bound::Upper, b, a, &runs.b_values, a.len())];
    if let Some(values) = &mut runs.values {
        let (bytes, given) = (values.dtype(), [&runs.a_values, &runs.b_values]);
        dispatch_size!(bytes, copy_values(given, [a.len(), b.len()], values))?;
    }
    for (bound, from, others, from_values, first) in sides {
        let (indices, _) = cpu::functor::search::search::<F>(how, program, (bound, from, others), false)?;
        for ((i, index), &key) in indices.iter().enumerate().zip(from) {
            keys[i + index] = key;
        }
        if let Some(values) = &mut runs.values {
            dispatch_size!(values.dtype(), put_values((from_values, first), &indices, values))?;
        }
    }
    Ok(())
}

/// The values of a, then those of b, or positions.
fn copy_values<V: Index>(
    given: [&Option<DynView>; 2],
    lens: [usize; 2],
    values: &mut DynViewMut,
) -> Result<()> {
    let (mut rest, mut first) = (values.on_host::<V>()?, 0);
    for (given, len) in given.into_iter().zip(lens) {
        let from = moved::<V>(given, first)?;
        let (to, behind) = std::mem::take(&mut rest).split_at_mut(len);
        to.iter_mut().enumerate().for_each(|(i, to)| *to = from.get(i));
        (rest, first) = (behind, first + len);
    }
    Ok(())
}

fn put_values<V: Index>(
    (given, first): (&Option<DynView>, usize),
    indices: &[usize],
    values: &mut DynViewMut,
) -> Result<()> {
    let (from, values) = (moved::<V>(given, first)?, values.on_host::<V>()?);
    indices.iter().enumerate().for_each(|(i, index)| values[i + index] = from.get(i));
    Ok(())
}

/// Values, or positions from a first one on.
fn moved<'v, V: Index>(values: &'v Option<DynView>, first: usize) -> Result<Values<'v, V>> {
    match values {
        Some(values) => Ok(Values::Given(values.on_host()?)),
        None => Ok(Values::Positions(first)),
    }
}

fn merge_keys<K: Key>((workers, is_sequential, order): How, runs: &mut Runs) -> Result<()> {
    let (a, b, keys) = (runs.a_keys.on_host::<K>()?, runs.b_keys.on_host()?, runs.keys.on_host()?);
    let nothing = || Values::<()>::Positions(0);
    let mut values = vec![(); keys.len()];
    cpu::merge::merge(workers, is_sequential, order, (a, nothing()), (b, nothing()), keys, &mut values)
}

fn merge_with_values<K: Key, V: Index>((workers, is_sequential, order): How, runs: &mut Runs) -> Result<()> {
    let (a, b, keys) = (runs.a_keys.on_host::<K>()?, runs.b_keys.on_host()?, runs.keys.on_host()?);
    let a_values = values_on_host::<V>(&runs.a_values)?;
    let b_values = match &runs.b_values {
        Some(values) => Values::Given(values.on_host()?),
        None => Values::Positions(a.len()),
    };
    let values = optional_mut_on_host(&mut runs.values)?.unwrap_or_default();
    cpu::merge::merge(workers, is_sequential, order, (a, a_values), (b, b_values), keys, values)
}

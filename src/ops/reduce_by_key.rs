//! One key and one reduction for each run of equal neighbouring keys.
//!
//! Source: S. Baxter, "ModernGPU", Reduce by key, NVIDIA 2013 (ReduceByKey).
#![forbid(unsafe_code)]

use super::capacity::check_capacity;
use super::cost;
use super::dtypes::{index_dtype_for, key_dtypes, supported};
use super::functor::Joining;
use super::widen::{WideInput, WideOutput, finish_first};
use crate::array::{DynView, DynViewMut, Input, Output, all_apart, optional_mut_on_host, optional_on_host};
use crate::context::{Context, Engine};
use crate::cpu;
use crate::cpu::functor::form::{Form, dispatch_form};
use crate::error::Result;
use crate::gpu;
use crate::model::dtype::Dtype;
use crate::model::expression::program::Program;
use crate::model::index::Index;
use crate::model::operator::{Operand, Operator, Reduction};
use crate::model::order::Key;
use crate::model::variant::Variant;

/// Options of [`reduce_by_key`]; the default sums f32 by f32 keys.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    pub variant: Variant,
    pub dtype: Dtype,
    pub op: Operator,
    pub key_dtype: Dtype,
    pub index_dtype: Dtype,
    /// Of a and b, of the dtype, in the place of an operator; ignored without results.
    pub expression: Option<&'a str>,
}

/// The arrays of a call: keys and data of `count` elements, outputs of `capacity`, offsets of one more, one number of runs. None: not
/// wanted.
pub struct Arrays<'a> {
    pub keys: Input<'a>,
    pub data: Input<'a>,
    pub count: usize,
    pub unique_keys: Option<Output<'a>>,
    pub results: Option<Output<'a>>,
    pub offsets: Option<Output<'a>>,
    pub capacity: usize,
    pub needed: Output<'a>,
}

/// unique_keys\[r\] ← the first key of run r, results\[r\] ← ⊕ of its data, offsets\[r\] ← where it begins, offsets\[needed\] ←
/// count, needed ← the number of runs; keys are equal by rank. Offsets are the segments of [`super::segmented_reduce`].
/// Outputs lie apart from all others. Runs from capacity on are counted alone.
///
/// Where the host sees `needed`, 0 < capacity < needed is INVALID_ARGUMENT, after the first runs were written. The same arrays
/// give the same bits. Cost: reads keys and data once (keys twice on the CPU). Errors: also INVALID_ARGUMENT (size, overlap),
/// UNSUPPORTED (dtypes, bits of floats), OUT_OF_MEMORY, CUDA.
pub fn reduce_by_key(ctx: &mut Context, options: &Options, arrays: Arrays) -> Result<()> {
    ctx.begin();
    let &Options { variant, key_dtype, .. } = options;
    let (key_dtype, wide) = key_dtypes("key_dtype", key_dtype)?;
    let dtype = match arrays.results.is_some() {
        true => supported("dtype", options.dtype)?,
        false => Dtype::U32, // no data are read
    };
    let expression = options.expression.filter(|_| arrays.results.is_some());
    let joining = Joining::new(ctx, expression, options.op, (dtype, dtype))?;
    let Arrays { keys, data, count, unique_keys, results, offsets, capacity, needed } = arrays;
    let keys = keys.view_of(key_dtype, &[count])?;
    let data = results.as_ref().map(|_| data.view_of(dtype, &[count])).transpose()?;
    let unique_keys = unique_keys.map(|keys| keys.view_of(key_dtype, &[capacity])).transpose()?;
    let mut results = results.map(|results| results.view_of(dtype, &[capacity])).transpose()?;
    let mut offsets = match offsets {
        Some(offsets) => {
            let index = index_dtype_for(options.index_dtype, "count", count)?;
            let len = if capacity == 0 { 0 } else { capacity.saturating_add(1) };
            Some(offsets.view_of(index, &[len])?).filter(|offsets| !offsets.is_empty())
        }
        None => None,
    };
    let mut needed = needed.view::<u64>(&[1])?;
    let arrays = all_apart(&[&unique_keys, &results, &offsets, &needed], &[&keys, &data])?;
    let work = cost::REDUCE_BY_KEY.joined(&cost::REDUCE_BY_KEY, options.variant, arrays, &joining);
    let runs = ctx.run_auto(work, |engine| {
        let keys = WideInput::new(engine, keys, wide)?;
        let keys = keys.view()?;
        let mut wide_keys = unique_keys.map(|keys| WideOutput::new(engine, keys, wide)).transpose()?;
        let mut unique_keys = wide_keys.as_mut().map(WideOutput::view).transpose()?;
        let limit = needed.as_view();
        let runs = match engine.select(variant)? {
            Engine::Cpu(workers) => {
                let op = match joining {
                    Joining::Operator(op) => op,
                    Joining::Program(_) => Operator::Sum, // for the keys alone
                };
                let how = (workers, variant, Reduction::new(op, dtype));
                let (unique_keys, mut none) = (&mut unique_keys, None);
                let joined = if let Joining::Operator(_) = joining { &mut results } else { &mut none };
                let runs =
                    dispatch_numbers!(wide, dtype, reduce_on_cpu(how, keys, data, unique_keys, joined))?;
                if let (Joining::Program(program), Some(data), Some(results)) = (&joining, data, &mut results)
                {
                    let found = usize::try_from(runs).unwrap_or(usize::MAX).min(results.len());
                    let mut starts = crate::vector::zeros(found + 1)?;
                    dispatch_number!(wide, starts_on_cpu(workers, keys, &mut starts))?;
                    let how = (workers, variant);
                    dispatch_form!(dtype, join_on_cpu(how, program, data, &starts, results))?;
                }
                if let Some(offsets) = &mut offsets {
                    dispatch_number_and_size!(wide, offsets.dtype(), offsets_on_cpu(workers, keys, offsets))?;
                }
                needed.on_host()?[0] = runs;
                Some(runs)
            }
            Engine::Cuda(device) => {
                let unique_keys = unique_keys.filter(|keys| !keys.is_empty());
                let results = results.filter(|results| !results.is_empty());
                let data = data.filter(|_| results.is_some());
                let arrays = gpu::reduce_by_key::Arrays {
                    keys,
                    data,
                    unique_keys,
                    results,
                    offsets,
                    capacity,
                    needed,
                };
                match joining {
                    Joining::Operator(op) => gpu::reduce_by_key::reduce_by_key(device, op, dtype, arrays)?,
                    Joining::Program(program) => gpu::functor::reduce_by_key(device, &program, arrays)?,
                }
            }
        };
        finish_first(engine, wide_keys, runs, limit)?;
        Ok(runs)
    })?;
    check_capacity(capacity, runs)
}

type How<'a> = (&'a cpu::Workers, Variant, Reduction);

fn reduce_on_cpu<K: Key, T: Operand>(
    (workers, variant, op): How,
    keys: DynView,
    data: Option<DynView>,
    unique_keys: &mut Option<DynViewMut>,
    results: &mut Option<DynViewMut>,
) -> Result<u64> {
    let runs = cpu::reduce_by_key::Runs::<K, T> {
        op,
        keys: keys.on_host()?,
        data: optional_on_host(&data)?.unwrap_or_default(),
        unique_keys: optional_mut_on_host(unique_keys)?,
        results: optional_mut_on_host(results)?,
    };
    match variant {
        Variant::Auto => cpu::reduce_by_key::reduce_by_key(workers, runs),
        Variant::Sequential => cpu::reduce_by_key::sequential(workers, runs),
    }
}

fn starts_on_cpu<K: Key>(workers: &cpu::Workers, keys: DynView, starts: &mut [u64]) -> Result<()> {
    cpu::reduce_by_key::offsets::<K, u64>(workers, keys.on_host()?, starts)
}

/// results ← the elements of each run joined; none is empty.
fn join_on_cpu<F: Form>(
    how: cpu::Execution,
    program: &Program,
    data: DynView,
    starts: &[u64],
    results: &mut DynViewMut,
) -> Result<()> {
    let (data, identity) = (data.on_host::<F::Stored>()?, F::from_bits(0));
    let segments = cpu::functor::segments::Segments { data, offsets: starts, sources: None, identity };
    let results = &mut results.on_host()?[..starts.len() - 1];
    cpu::functor::segments::segmented_reduce::<F, u64>(how, program, &segments, results)
}

fn offsets_on_cpu<K: Key, I: Index>(
    workers: &cpu::Workers,
    keys: DynView,
    offsets: &mut DynViewMut,
) -> Result<()> {
    cpu::reduce_by_key::offsets::<K, I>(workers, keys.on_host()?, offsets.on_host()?)
}

//! Where each element of one sorted array lies in another, and the other way round.
//!
//! Source: S. Baxter, "ModernGPU", Vectorized Sorted Search, NVIDIA 2013.
#![forbid(unsafe_code)]

use super::cost;
use super::dtypes::{index_dtype_for, key_dtypes};
use super::functor;
use super::widen::WideInput;
use crate::array::{DynView, DynViewMut, Input, Memory, Output, all_apart, optional_mut_on_host};
use crate::context::{Context, Engine};
use crate::cpu;
use crate::cpu::functor::form::{Form, dispatch_form};
use crate::error::Result;
use crate::gpu;
use crate::gpu::sorted_search::Outputs as Found;
use crate::model::dtype::Dtype;
use crate::model::expression::program::Program;
use crate::model::index::Index;
use crate::model::order::{Key, KeyOrder, SortOrder};
use crate::model::sorted_search::Bound;
use crate::model::variant::Variant;

/// Options of [`sorted_search`]; the default is lower bounds of ascending f32 in 64 bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    pub variant: Variant,
    pub dtype: Dtype,
    pub order: SortOrder,
    pub bound: Bound,
    pub index_dtype: Dtype,
    /// Of keys a and b, whether a precedes b, in the place of the order.
    pub expression: Option<&'a str>,
}

/// What to find; None is left out.
pub struct Outputs<'a> {
    pub a_indices: Option<Output<'a>>,
    pub b_indices: Option<Output<'a>>,
    pub a_flags: Option<Output<'a>>,
    pub b_flags: Option<Output<'a>>,
    pub matches: Option<Output<'a>>,
}

/// a_indices\[i\] ← lower (upper) bound of a\[i\] in b; b_indices\[j\] ← upper (lower) bound of b\[j\] in a; a_flags\[i\],
/// b_flags\[j\] ← whether the other array has an equal key, as 0 or 1; matches\[0\], matches\[1\] ← how many of a, and of b, have.
/// a (a_count), b (b_count) sorted; matches (2); all apart.
///
/// Cost: reads a and b once and writes what is asked for. Errors:
/// INVALID_ARGUMENT (size, overlap, more elements than the indices count), UNSUPPORTED (dtype), OUT_OF_MEMORY, CUDA.
pub fn sorted_search(
    ctx: &mut Context,
    options: &Options,
    a: (Input, usize),
    b: (Input, usize),
    outputs: Outputs,
) -> Result<()> {
    ctx.begin();
    let &Options { variant, order, bound, .. } = options;
    let (dtype, wide) = key_dtypes("dtype", options.dtype)?;
    let comparison = functor::comparison(ctx, options.expression, order, dtype)?;
    let ((a, a_count), (b, b_count)) = (a, b);
    let index = match outputs.a_indices.is_some() || outputs.b_indices.is_some() {
        true => {
            index_dtype_for(options.index_dtype, "a_count", a_count)?;
            index_dtype_for(options.index_dtype, "b_count", b_count)?
        }
        false => Dtype::U64,
    };
    let (a, b) = (a.view_of(dtype, &[a_count])?, b.view_of(dtype, &[b_count])?);
    let mut found = Found {
        a_indices: outputs.a_indices.map(|output| output.view_of(index, &[a_count])).transpose()?,
        b_indices: outputs.b_indices.map(|output| output.view_of(index, &[b_count])).transpose()?,
        a_flags: outputs.a_flags.map(|output| output.view_of(Dtype::U8, &[a_count])).transpose()?,
        b_flags: outputs.b_flags.map(|output| output.view_of(Dtype::U8, &[b_count])).transpose()?,
        matches: outputs.matches.map(|output| output.view_of(Dtype::U64, &[2])).transpose()?,
    };
    let outputs: [&dyn Memory; 5] =
        [&found.a_indices, &found.b_indices, &found.a_flags, &found.b_flags, &found.matches];
    let arrays = all_apart(&outputs, &[&a, &b])?;
    if outputs.iter().all(|output| output.extent().is_empty()) {
        return Ok(());
    }

    let work = cost::SORTED_SEARCH.compared(options.variant, arrays, comparison.as_ref());
    ctx.run_auto(work, |engine| {
        let keys = [WideInput::new(engine, a, wide)?, WideInput::new(engine, b, wide)?];
        let (a, b) = (keys[0].view()?, keys[1].view()?);
        match (engine.select(variant)?, &comparison) {
            (Engine::Cpu(workers), Some(program)) => {
                let how = (workers, variant);
                dispatch_form!(dtype, search_by_on_cpu(how, program, bound, [a, b], &mut found))
            }
            (Engine::Cuda(device), Some(program)) => {
                gpu::functor::sorted_search(device, program, bound, [a, b], found)
            }
            (Engine::Cpu(workers), None) => {
                let how = (workers, variant, (KeyOrder::new(order, wide), bound));
                dispatch_number_and_size!(wide, index, search_on_cpu(how, a, b, &mut found))
            }
            (Engine::Cuda(device), None) => {
                gpu::sorted_search::sorted_search(device, order, bound, a, b, found)
            }
        }
    })
}

/// The same by an expression.
fn search_by_on_cpu<F: Form>(
    how: cpu::Execution,
    program: &Program,
    bound: Bound,
    [a, b]: [DynView; 2],
    found: &mut Found,
) -> Result<()> {
    let [a, b] = [a.on_host::<F::Stored>()?, b.on_host()?];
    let mut matches = optional_mut_on_host::<u64>(&mut found.matches)?;
    let other = if bound == Bound::Lower { Bound::Upper } else { Bound::Lower };
    let of_a = (bound, a, b, &mut found.a_indices, &mut found.a_flags);
    let of_b = (other, b, a, &mut found.b_indices, &mut found.b_flags);
    for (side, (bound, keys, others, indices, flags)) in [of_a, of_b].into_iter().enumerate() {
        let flags = optional_mut_on_host::<u8>(flags)?;
        let wants_flags = flags.is_some() || matches.is_some();
        if !wants_flags && indices.is_none() {
            continue;
        }
        let (bounds, equal) =
            cpu::functor::search::search::<F>(how, program, (bound, keys, others), wants_flags)?;
        if let Some(indices) = indices {
            dispatch_size!(indices.dtype(), put_indices(&bounds, indices))?;
        }
        if let Some(matches) = &mut matches {
            matches[side] = equal.iter().map(|&flag| u64::from(flag)).sum();
        }
        if let Some(flags) = flags {
            flags.copy_from_slice(&equal);
        }
    }
    Ok(())
}

fn put_indices<I: Index>(from: &[usize], to: &mut DynViewMut) -> Result<()> {
    to.on_host::<I>()?.iter_mut().zip(from).for_each(|(to, &from)| *to = I::from_usize(from));
    Ok(())
}

fn search_on_cpu<K: Key, I: Index>(
    (workers, variant, rules): (&cpu::Workers, Variant, (KeyOrder, Bound)),
    a: DynView,
    b: DynView,
    found: &mut Found,
) -> Result<()> {
    let (a, b) = (a.on_host::<K>()?, b.on_host()?);
    let outputs = cpu::sorted_search::Outputs::<I> {
        a_indices: optional_mut_on_host(&mut found.a_indices)?,
        b_indices: optional_mut_on_host(&mut found.b_indices)?,
        a_flags: optional_mut_on_host(&mut found.a_flags)?,
        b_flags: optional_mut_on_host(&mut found.b_flags)?,
        matches: optional_mut_on_host(&mut found.matches)?,
    };
    match variant {
        Variant::Sequential => cpu::sorted_search::sequential(workers, rules, a, b, outputs),
        Variant::Auto => cpu::sorted_search::sorted_search(workers, rules, a, b, outputs),
    }
}

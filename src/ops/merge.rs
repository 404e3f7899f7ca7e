//! Two arrays in order become one.
#![forbid(unsafe_code)]

use super::primitives::{index_bytes, value_bytes};
use crate::array::{Input, Output, View, ViewMut, all_apart};
use crate::choice::Choice;
use crate::context::{Context, Engine};
use crate::dtype::Dtype;
use crate::error::{Error, Result};
use crate::primitives::{Index, IndexDtype, Key, Order, Payload};
use crate::{cpu, gpu};

/// How `gpumex_merge` computes; the results are the same.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MergeVariant {
    /// The best one.
    #[default]
    Auto = 0,
    /// The plain loop, on one core; CPU backend only.
    Sequential = 1,
}

impl Choice for MergeVariant {
    const NAME: &'static str = "gpumex_merge_variant";
    const ALL: &'static [Self] = &[Self::Auto, Self::Sequential];
}

/// Options of [`merge`]; the default is f32, ascending, keys alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: MergeVariant,
    pub dtype: Dtype,
    pub order: Order,
    pub payload: Payload,
    pub value_dtype: Dtype,
    pub index_dtype: IndexDtype,
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
    by_number!(options.dtype, of_keys(ctx, options, a, b, keys, values))
}

fn of_keys<K: Key>(
    ctx: &mut Context,
    options: &Options,
    a: Run,
    b: Run,
    keys: Output,
    values: Output,
) -> Result<()> {
    let total = a.count.checked_add(b.count);
    let total = total.ok_or_else(|| {
        Error::invalid(format!(
            "a and b have {} + {} elements, more than there are addresses",
            a.count, b.count
        ))
    })?;
    let views = Keys {
        a: a.keys.view::<K>(&[a.count])?,
        b: b.keys.view::<K>(&[b.count])?,
        keys: keys.view::<K>(&[total])?,
    };
    all_apart(&[&views.keys], &[&views.a, &views.b])?;
    match options.payload {
        Payload::None => run::<K, u32>(ctx, options, views, None),
        Payload::Values => match value_bytes(options.value_dtype)? {
            4 => with_values::<K, u32>(ctx, options, views, a, b, values),
            _ => with_values::<K, u64>(ctx, options, views, a, b, values),
        },
        Payload::Indices => match index_bytes(options.index_dtype, "a_count + b_count", total)? {
            4 => with_positions::<K, u32>(ctx, options, views, values),
            _ => with_positions::<K, u64>(ctx, options, views, values),
        },
    }
}

struct Keys<'a, K> {
    a: View<'a, K>,
    b: View<'a, K>,
    keys: ViewMut<'a, K>,
}

/// What moves with the keys: from a and b, or the positions, to one array.
type Moved<'a, V> = Option<(Option<(View<'a, V>, View<'a, V>)>, ViewMut<'a, V>)>;

fn with_values<K: Key, V: Index>(
    ctx: &mut Context,
    options: &Options,
    views: Keys<K>,
    a: Run,
    b: Run,
    values: Output,
) -> Result<()> {
    let (from_a, from_b) = (a.values.view::<V>(&[a.count])?, b.values.view::<V>(&[b.count])?);
    let values = values.view::<V>(&[views.keys.len()])?;
    all_apart(&[&views.keys, &values], &[&views.a, &views.b, &from_a, &from_b])?;
    run(ctx, options, views, Some((Some((from_a, from_b)), values)))
}

fn with_positions<K: Key, V: Index>(
    ctx: &mut Context,
    options: &Options,
    views: Keys<K>,
    values: Output,
) -> Result<()> {
    let values = values.view::<V>(&[views.keys.len()])?;
    all_apart(&[&views.keys, &values], &[&views.a, &views.b])?;
    run(ctx, options, views, Some((None, values)))
}

fn run<K: Key, V: Index>(
    ctx: &mut Context,
    options: &Options,
    views: Keys<K>,
    moved: Moved<V>,
) -> Result<()> {
    let (order, Keys { a, b, mut keys }) = (options.order, views);
    ctx.run(|engine| match (engine, options.variant) {
        (Engine::Cpu(workers), variant) => {
            let (a, b, keys) = (a.on_host()?, b.on_host()?, keys.on_host()?);
            let is_sequential = variant == MergeVariant::Sequential;
            match moved {
                None => {
                    let (a, b, nothing) = ((a, |_| ()), (b, |_| ()), &mut vec![(); keys.len()]);
                    cpu::merge::merge(workers, is_sequential, order, a, b, keys, nothing)
                }
                Some((None, mut positions)) => {
                    let (a, b) = ((a, V::from_usize), (b, |j| V::from_usize(a.len() + j)));
                    cpu::merge::merge(workers, is_sequential, order, a, b, keys, positions.on_host()?)
                }
                Some((Some((a_values, b_values)), mut values)) => {
                    let (a_values, b_values) = (a_values.on_host()?, b_values.on_host()?);
                    let (a, b) = ((a, |i| a_values[i]), (b, |j| b_values[j]));
                    cpu::merge::merge(workers, is_sequential, order, a, b, keys, values.on_host()?)
                }
            }
        }
        (Engine::Cuda(_), MergeVariant::Sequential) => super::sequential_is_for_the_cpu(),
        (Engine::Cuda(device), _) => {
            gpu::merge::merge(device, order, gpu::merge::Merge { a, b, keys, moved })
        }
    })
}

//! A stable merge sort that costs little where keys are nearly in order.
#![forbid(unsafe_code)]

use super::primitives::{index_bytes, value_bytes};
use crate::array::{Input, Output, View, ViewMut, all_apart};
use crate::choice::Choice;
use crate::context::{Context, Engine};
use crate::dtype::Dtype;
use crate::error::Result;
use crate::primitives::{Index, IndexDtype, Key, Order, Payload};
use crate::{cpu, gpu};

/// How `gpumex_locality_sort` computes; the results are the same.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LocalitySortVariant {
    /// The best one.
    #[default]
    Auto = 0,
    /// The plain loop, on one core; CPU backend only.
    Sequential = 1,
}

impl Choice for LocalitySortVariant {
    const NAME: &'static str = "gpumex_locality_sort_variant";
    const ALL: &'static [Self] = &[Self::Auto, Self::Sequential];
}

/// Options of [`locality_sort`]; the default is f32, ascending, keys alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: LocalitySortVariant,
    pub dtype: Dtype,
    pub order: Order,
    pub payload: Payload,
    pub value_dtype: Dtype,
    pub index_dtype: IndexDtype,
}

/// sorted ← the keys in order, equal ones as they stood. sorted_values ← the values in that order, or the positions of the keys.
/// Both lie apart from all others.
///
/// Cost: log2(count / tile) passes over keys in random order, two or three where they lie close to their places; scratch of the size
/// of keys and values. Errors: INVALID_ARGUMENT (size, overlap, positions that U32 does not reach), UNSUPPORTED (dtype),
/// OUT_OF_MEMORY, CUDA. Source: S. Baxter, "ModernGPU", Locality Sort, NVIDIA 2013.
pub fn locality_sort(
    ctx: &mut Context,
    options: &Options,
    keys: Input,
    values: Input,
    count: usize,
    sorted: Output,
    sorted_values: Output,
) -> Result<()> {
    ctx.begin();
    by_number!(options.dtype, of_keys(ctx, options, keys, values, count, sorted, sorted_values))
}

fn of_keys<K: Key>(
    ctx: &mut Context,
    options: &Options,
    keys: Input,
    values: Input,
    count: usize,
    sorted: Output,
    sorted_values: Output,
) -> Result<()> {
    let (keys, sorted) = (keys.view::<K>(&[count])?, sorted.view::<K>(&[count])?);
    sorted.apart(&keys)?;
    match options.payload {
        Payload::None => run::<K, u32>(ctx, options, keys, sorted, None),
        Payload::Values => match value_bytes(options.value_dtype)? {
            4 => with_moved::<K, u32>(ctx, options, keys, sorted, Some(values), sorted_values),
            _ => with_moved::<K, u64>(ctx, options, keys, sorted, Some(values), sorted_values),
        },
        Payload::Indices => match index_bytes(options.index_dtype, "count", count)? {
            4 => with_moved::<K, u32>(ctx, options, keys, sorted, None, sorted_values),
            _ => with_moved::<K, u64>(ctx, options, keys, sorted, None, sorted_values),
        },
    }
}

fn with_moved<K: Key, V: Index>(
    ctx: &mut Context,
    options: &Options,
    keys: View<K>,
    sorted: ViewMut<K>,
    values: Option<Input>,
    sorted_values: Output,
) -> Result<()> {
    let values = values.map(|values| values.view::<V>(&[keys.len()])).transpose()?;
    let sorted_values = sorted_values.view::<V>(&[keys.len()])?;
    all_apart(&[&sorted, &sorted_values], &[&keys, &values])?;
    run(ctx, options, keys, sorted, Some((values, sorted_values)))
}

/// What moves with the keys: values or, without them, positions, and where to.
type Moved<'a, V> = Option<(Option<View<'a, V>>, ViewMut<'a, V>)>;

fn run<K: Key, V: Index>(
    ctx: &mut Context,
    options: &Options,
    keys: View<K>,
    mut sorted: ViewMut<K>,
    moved: Moved<V>,
) -> Result<()> {
    let order = options.order;
    ctx.run(|engine| match (engine, options.variant) {
        (Engine::Cpu(workers), variant) => {
            let (keys, sorted) = (keys.on_host()?, sorted.on_host()?);
            let sort = match variant {
                LocalitySortVariant::Sequential => cpu::locality_sort::How::Sequential,
                LocalitySortVariant::Auto => cpu::locality_sort::How::Parallel,
            };
            match moved {
                None => cpu::locality_sort::keys(workers, sort, order, keys, sorted),
                Some((None, mut to)) => cpu::locality_sort::pairs(
                    workers,
                    sort,
                    order,
                    keys,
                    V::from_usize,
                    sorted,
                    to.on_host()?,
                ),
                Some((Some(values), mut to)) => {
                    let values = values.on_host()?;
                    cpu::locality_sort::pairs(
                        workers,
                        sort,
                        order,
                        keys,
                        |i| values[i],
                        sorted,
                        to.on_host()?,
                    )
                }
            }
        }
        (Engine::Cuda(_), LocalitySortVariant::Sequential) => super::sequential_is_for_the_cpu(),
        (Engine::Cuda(device), _) => gpu::locality_sort::locality_sort(device, order, keys, sorted, moved),
    })
}

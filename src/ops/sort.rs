//! Stable sort of keys, with values beside them or with their positions.
//!
//! Source of the radix sort: A. Adinets, D. Merrill, "Onesweep: a faster least significant digit radix sort for GPUs", 2022.
#![forbid(unsafe_code)]

use super::primitives::{index_bytes, value_bytes};
use crate::array::{Element, Input, Output, all_apart};
use crate::choice::Choice;
use crate::context::{Context, Engine};
use crate::dtype::Dtype;
use crate::error::Result;
use crate::primitives::{Index, IndexDtype, Key, Order, Payload};
use crate::{cpu, gpu};

/// How `gpumex_sort` sorts; the results are the same.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SortVariant {
    /// The best one.
    #[default]
    Auto = 0,
    /// The stable sort of the standard library, on one core; CPU backend only.
    Sequential = 1,
    /// Radix sort, eight bits a pass from the least significant on.
    Radix = 2,
}

impl Choice for SortVariant {
    const NAME: &'static str = "gpumex_sort_variant";
    const ALL: &'static [Self] = &[Self::Auto, Self::Sequential, Self::Radix];
}

/// Options of [`sort`]; the default is f32 keys alone, ascending.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: SortVariant,
    pub dtype: Dtype,
    pub order: Order,
    pub payload: Payload,
    /// Of values, with `Payload::Values`.
    pub value_dtype: Dtype,
    /// Of positions, with `Payload::Indices`.
    pub index_dtype: IndexDtype,
}

/// sorted ← the keys in order; equal keys keep theirs. keys, sorted (count) of options.dtype.
///
/// `Payload::Values`: sorted_values\[i\] is the value of the key that is sorted\[i\]; values, sorted_values (count).
/// `Payload::Indices`: sorted_values\[i\] is its position in keys; values is not looked at, and sorted may be null.
/// Inputs stay as they are, outputs overlap nothing. Bits of keys and values are moved as they are; [`Order`] has NaN and -0.
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
    let arrays = Arrays { keys, values, count, sorted, sorted_values };
    by_number!(options.dtype, by_payload(ctx, options, arrays))
}

struct Arrays<'a> {
    keys: Input<'a>,
    values: Input<'a>,
    count: usize,
    sorted: Output<'a>,
    sorted_values: Output<'a>,
}

fn by_payload<K: Key>(ctx: &mut Context, options: &Options, arrays: Arrays) -> Result<()> {
    match options.payload {
        Payload::None => keys_alone::<K>(ctx, options, arrays),
        Payload::Values => match value_bytes(options.value_dtype)? {
            4 => with_values::<K, u32>(ctx, options, arrays),
            _ => with_values::<K, u64>(ctx, options, arrays),
        },
        Payload::Indices => match index_bytes(options.index_dtype, "count", arrays.count)? {
            4 => with_positions::<K, u32>(ctx, options, arrays),
            _ => with_positions::<K, u64>(ctx, options, arrays),
        },
    }
}

fn keys_alone<K: Key>(ctx: &mut Context, options: &Options, arrays: Arrays) -> Result<()> {
    let (dims, order) = ([arrays.count], options.order);
    let (keys, mut sorted) = (arrays.keys.view::<K>(&dims)?, arrays.sorted.view::<K>(&dims)?);
    sorted.apart(&keys)?;
    ctx.run(|engine| match (engine, options.variant) {
        (Engine::Cpu(workers), variant) => {
            let (keys, sorted) = (keys.on_host()?, sorted.on_host()?);
            match variant {
                SortVariant::Sequential => cpu::sort::sequential(workers, order, keys, sorted),
                _ => cpu::sort::sort(workers, order, keys, sorted),
            }
        }
        (Engine::Cuda(_), SortVariant::Sequential) => super::sequential_is_for_the_cpu(),
        (Engine::Cuda(device), _) => gpu::sort::sort(device, order, keys, sorted),
    })
}

fn with_values<K: Key, V: Element>(ctx: &mut Context, options: &Options, arrays: Arrays) -> Result<()> {
    let (dims, order) = ([arrays.count], options.order);
    let (keys, values) = (arrays.keys.view::<K>(&dims)?, arrays.values.view::<V>(&dims)?);
    let (mut sorted, mut sorted_values) =
        (arrays.sorted.view::<K>(&dims)?, arrays.sorted_values.view::<V>(&dims)?);
    all_apart(&[&sorted, &sorted_values], &[&keys, &values])?;
    ctx.run(|engine| match (engine, options.variant) {
        (Engine::Cpu(workers), variant) => {
            let (keys, values) = (keys.on_host()?, values.on_host()?);
            let (sorted, sorted_values) = (sorted.on_host()?, sorted_values.on_host()?);
            match variant {
                SortVariant::Sequential => {
                    cpu::sort::sequential_with_values(workers, order, keys, values, sorted, sorted_values)
                }
                _ => cpu::sort::sort_with_values(workers, order, keys, values, sorted, sorted_values),
            }
        }
        (Engine::Cuda(_), SortVariant::Sequential) => super::sequential_is_for_the_cpu(),
        (Engine::Cuda(device), _) => {
            gpu::sort::sort_with_values(device, order, keys, values, sorted, sorted_values)
        }
    })
}

fn with_positions<K: Key, I: Index>(ctx: &mut Context, options: &Options, arrays: Arrays) -> Result<()> {
    let (dims, order) = ([arrays.count], options.order);
    let keys = arrays.keys.view::<K>(&dims)?;
    let mut sorted = match arrays.sorted.is_null() {
        true => None,
        false => Some(arrays.sorted.view::<K>(&dims)?),
    };
    let mut positions = arrays.sorted_values.view::<I>(&dims)?;
    all_apart(&[&sorted, &positions], &[&keys])?;
    ctx.run(|engine| match (engine, options.variant) {
        (Engine::Cpu(workers), variant) => {
            let (keys, positions) = (keys.on_host()?, positions.on_host()?);
            let sorted = sorted.as_mut().map(|sorted| sorted.on_host()).transpose()?;
            match variant {
                SortVariant::Sequential => {
                    cpu::sort::sequential_with_positions(workers, order, keys, sorted, positions)
                }
                _ => cpu::sort::sort_with_positions(workers, order, keys, sorted, positions),
            }
        }
        (Engine::Cuda(_), SortVariant::Sequential) => super::sequential_is_for_the_cpu(),
        (Engine::Cuda(device), _) => gpu::sort::sort_with_positions(device, order, keys, sorted, positions),
    })
}

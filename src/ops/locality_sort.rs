//! A stable merge sort that costs little where keys are nearly in order.
#![forbid(unsafe_code)]

use super::cost;
use super::dtypes::key_dtypes;
use super::payload::{payload_dtype, values_of, values_on_host};
use super::widen::{WideInput, WideOutput};
use crate::array::{DynView, DynViewMut, Input, Output, all_apart};
use crate::context::{Context, Engine};
use crate::cpu;
use crate::error::Result;
use crate::gpu;
use crate::model::dtype::Dtype;
use crate::model::index::Index;
use crate::model::order::{Key, KeyOrder, SortOrder};
use crate::model::payload::Payload;
use crate::model::variant::Variant;

/// Options of [`locality_sort`]; the default is f32, ascending, keys alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: Variant,
    pub dtype: Dtype,
    pub order: SortOrder,
    pub payload: Payload,
    pub value_dtype: Dtype,
    pub index_dtype: Dtype,
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
    let &Options { variant, dtype, order, payload, .. } = options;
    let ((dtype, wide), dims) = (key_dtypes("dtype", dtype)?, [count]);
    let (keys, sorted) = (keys.view_of(dtype, &dims)?, sorted.view_of(dtype, &dims)?);
    let moved = payload_dtype(payload, options.value_dtype, options.index_dtype, ("count", count))?;
    let values = values_of(payload, moved, &values, count)?;
    let mut sorted_values = moved.map(|dtype| sorted_values.view_of(dtype, &dims)).transpose()?;
    let arrays = all_apart(&[&sorted, &sorted_values], &[&keys, &values])?;
    ctx.run_auto(cost::LOCALITY_SORT.of(options.variant, arrays), |engine| {
        let (keys, mut wide_sorted) =
            (WideInput::new(engine, keys, wide)?, WideOutput::new(engine, sorted, wide)?);
        let (keys, mut sorted) = (keys.view()?, wide_sorted.view()?);
        match engine.select(variant)? {
            Engine::Cpu(workers) => {
                let how = (workers, variant, KeyOrder::new(order, wide));
                match &mut sorted_values {
                    None => dispatch_number!(wide, sort_keys(how, keys, &mut sorted)),
                    Some(to) => dispatch_number_and_size!(
                        wide,
                        to.dtype(),
                        sort_with_values(how, keys, values, &mut sorted, to)
                    ),
                }
            }
            Engine::Cuda(device) => {
                gpu::locality_sort::sort(device, order, keys, values, None, sorted, sorted_values)
            }
        }?;
        wide_sorted.finish(engine)
    })
}

type How<'a> = (&'a cpu::Workers, Variant, KeyOrder);

fn sort_keys<K: Key>((workers, variant, order): How, keys: DynView, sorted: &mut DynViewMut) -> Result<()> {
    cpu::locality_sort::keys::<K>(workers, variant, order, keys.on_host()?, sorted.on_host()?)
}

fn sort_with_values<K: Key, V: Index>(
    (workers, variant, order): How,
    keys: DynView,
    values: Option<DynView>,
    sorted: &mut DynViewMut,
    sorted_values: &mut DynViewMut,
) -> Result<()> {
    let (keys, values) = (keys.on_host::<K>()?, values_on_host::<V>(&values)?);
    cpu::locality_sort::pairs(
        workers,
        variant,
        order,
        keys,
        values,
        sorted.on_host()?,
        sorted_values.on_host()?,
    )
}

//! Segments of an array, each sorted by itself.
#![forbid(unsafe_code)]

use super::cost;
use super::dtypes::{index_dtype_for, key_dtypes};
use super::payload::{payload_dtype, values_of, values_on_host};
use super::widen::{WideInput, WideOutput};
use crate::array::{DynView, DynViewMut, Input, Output, all_apart};
use crate::context::{Context, Engine};
use crate::cpu;
use crate::error::{Error, Result};
use crate::gpu;
use crate::model::dtype::Dtype;
use crate::model::index::Index;
use crate::model::numbered::numbered_enum;
use crate::model::order::{Key, KeyOrder, SortOrder};
use crate::model::payload::Payload;
use crate::model::variant::Variant;

/// How segment boundaries are given.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Segments {
    /// The positions at which segments begin, ascending.
    #[default]
    Offsets = 0,
    /// One bit for each element, 32 in a word of uint32_t, the lowest first: set where a segment
    /// begins.
    Flags = 1,
}

numbered_enum!(Segments = "gpumex_segments": Offsets, Flags);

/// Options of [`segmented_sort`]; the default is f32, ascending, keys alone, positions of u64.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: Variant,
    pub dtype: Dtype,
    pub order: SortOrder,
    pub payload: Payload,
    pub value_dtype: Dtype,
    pub index_dtype: Dtype,
    pub segments_by: Segments,
}

/// sorted ← for each segment of keys its keys in order, equal ones as they stood. sorted_values ← the values in that order, or the
/// positions of the keys. Both lie apart from all others. segments: an array and its length, positions at which segments begin, or
/// bits; the first element begins one in any case.
///
/// Positions that do not ascend or are too large give an order within some segments. Cost: as `locality_sort` for the longest
/// segment, whatever their number. Errors: INVALID_ARGUMENT (size, overlap, positions that U32 does not reach), UNSUPPORTED (dtype),
/// OUT_OF_MEMORY, CUDA. Source: S. Baxter, "ModernGPU", Segmented Sort, NVIDIA 2013.
#[allow(clippy::too_many_arguments)] // those of the C function
pub fn segmented_sort(
    ctx: &mut Context,
    options: &Options,
    keys: Input,
    values: Input,
    count: usize,
    segments: (Input, usize),
    sorted: Output,
    sorted_values: Output,
) -> Result<()> {
    ctx.begin();
    let &Options { variant, dtype, order, payload, .. } = options;
    let segments = heads(options, segments, count)?;
    let ((dtype, wide), dims) = (key_dtypes("dtype", dtype)?, [count]);
    let (keys, sorted) = (keys.view_of(dtype, &dims)?, sorted.view_of(dtype, &dims)?);
    let moved = payload_dtype(payload, options.value_dtype, options.index_dtype, ("count", count))?;
    let values = values_of(payload, moved, &values, count)?;
    let mut sorted_values = moved.map(|dtype| sorted_values.view_of(dtype, &dims)).transpose()?;
    let arrays = all_apart(&[&sorted, &sorted_values], &[&keys, &segments, &values])?;
    let are_flags = options.segments_by == Segments::Flags;
    ctx.run_auto(cost::SEGMENTED_SORT.of(options.variant, arrays), |engine| {
        let (keys, mut wide_sorted) =
            (WideInput::new(engine, keys, wide)?, WideOutput::new(engine, sorted, wide)?);
        let (keys, mut sorted) = (keys.view()?, wide_sorted.view()?);
        match engine.select(variant)? {
            Engine::Cpu(workers) => {
                let borders = match segments.dtype() {
                    _ if are_flags => cpu::segmented_sort::Borders::Flags(segments.on_host()?),
                    Dtype::U32 => cpu::segmented_sort::Borders::U32(segments.on_host()?),
                    _ => cpu::segmented_sort::Borders::U64(segments.on_host()?),
                };
                let order = KeyOrder::new(order, wide);
                let how = (workers, cpu::segmented_sort::Segments { variant, order, borders });
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
                let segments = Some((segments, are_flags));
                gpu::locality_sort::sort(device, order, keys, values, segments, sorted, sorted_values)
            }
        }?;
        wide_sorted.finish(engine)
    })
}

/// Where segments begin: positions, or words of bits.
fn heads<'a>(options: &Options, (segments, len): (Input<'a>, usize), count: usize) -> Result<DynView<'a>> {
    match options.segments_by {
        Segments::Offsets => {
            let index = index_dtype_for(options.index_dtype, "count", count)?;
            segments.view_of(index, &[len])
        }
        Segments::Flags if len != 0 && len != count.div_ceil(32) => Err(Error::invalid(format!(
            "segment_count is {len}; the bits of {count} elements are {} words",
            count.div_ceil(32)
        ))),
        Segments::Flags => segments.view_of(Dtype::U32, &[len]),
    }
}

type How<'a> = (&'a cpu::Workers, cpu::segmented_sort::Segments<'a>);

fn sort_keys<K: Key>((workers, segments): How, keys: DynView, sorted: &mut DynViewMut) -> Result<()> {
    cpu::segmented_sort::keys::<K>(workers, segments, keys.on_host()?, sorted.on_host()?)
}

fn sort_with_values<K: Key, V: Index>(
    (workers, segments): How,
    keys: DynView,
    values: Option<DynView>,
    sorted: &mut DynViewMut,
    sorted_values: &mut DynViewMut,
) -> Result<()> {
    let (keys, values) = (keys.on_host::<K>()?, values_on_host::<V>(&values)?);
    cpu::segmented_sort::pairs(workers, segments, keys, values, sorted.on_host()?, sorted_values.on_host()?)
}

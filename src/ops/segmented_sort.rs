//! Segments of an array, each sorted by itself.
#![forbid(unsafe_code)]

use super::primitives::{index_bytes, value_bytes};
use crate::array::{Extent, Input, Memory, Output, View, ViewMut, all_apart};
use crate::choice::Choice;
use crate::context::{Context, Engine};
use crate::dtype::Dtype;
use crate::error::{Error, Result};
use crate::primitives::{Index, IndexDtype, Key, Order, Payload};
use crate::{cpu, gpu};

/// How `gpumex_segmented_sort` computes; the results are the same.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SegmentedSortVariant {
    /// The best one.
    #[default]
    Auto = 0,
    /// The plain loop, on one core; CPU backend only.
    Sequential = 1,
}

impl Choice for SegmentedSortVariant {
    const NAME: &'static str = "gpumex_segmented_sort_variant";
    const ALL: &'static [Self] = &[Self::Auto, Self::Sequential];
}

/// How segments are told.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Segments {
    /// The positions at which they begin, ascending.
    #[default]
    Offsets = 0,
    /// A bit for each element, 32 in a word of type uint32_t, the lowest one first: set where a segment begins.
    Flags = 1,
}

impl Choice for Segments {
    const NAME: &'static str = "gpumex_segments";
    const ALL: &'static [Self] = &[Self::Offsets, Self::Flags];
}

/// Options of [`segmented_sort`]; the default is f32, ascending, keys alone, positions of u64.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: SegmentedSortVariant,
    pub dtype: Dtype,
    pub order: Order,
    pub payload: Payload,
    pub value_dtype: Dtype,
    pub index_dtype: IndexDtype,
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
    let segments = heads(options, segments, count)?;
    let arrays = Arrays { keys, values, count, segments, sorted, sorted_values };
    by_number!(options.dtype, of_keys(ctx, options, arrays))
}

struct Arrays<'a> {
    keys: Input<'a>,
    values: Input<'a>,
    count: usize,
    segments: Heads<'a>,
    sorted: Output<'a>,
    sorted_values: Output<'a>,
}

/// Where segments begin.
pub enum Heads<'a> {
    U64(View<'a, u64>),
    U32(View<'a, u32>),
    Flags(View<'a, u32>),
}

fn heads<'a>(options: &Options, (segments, len): (Input<'a>, usize), count: usize) -> Result<Heads<'a>> {
    match options.segments_by {
        Segments::Offsets => match index_bytes(options.index_dtype, "count", count)? {
            4 => Ok(Heads::U32(segments.view(&[len])?)),
            _ => Ok(Heads::U64(segments.view(&[len])?)),
        },
        Segments::Flags if len != 0 && len != count.div_ceil(32) => Err(Error::invalid(format!(
            "segment_count is {len}; the bits of {count} elements are {} words",
            count.div_ceil(32)
        ))),
        Segments::Flags => Ok(Heads::Flags(segments.view(&[len])?)),
    }
}

impl Memory for Heads<'_> {
    fn extent(&self) -> Extent {
        match self {
            Heads::U64(heads) => heads.extent(),
            Heads::U32(heads) | Heads::Flags(heads) => heads.extent(),
        }
    }
}

fn of_keys<K: Key>(ctx: &mut Context, options: &Options, arrays: Arrays) -> Result<()> {
    let Arrays { keys, values, count, segments, sorted, sorted_values } = arrays;
    let (keys, sorted) = (keys.view::<K>(&[count])?, sorted.view::<K>(&[count])?);
    all_apart(&[&sorted], &[&keys, &segments])?;
    let views = Views { keys, segments, sorted };
    match options.payload {
        Payload::None => run::<K, u32>(ctx, options, views, None),
        Payload::Values => match value_bytes(options.value_dtype)? {
            4 => with_moved::<K, u32>(ctx, options, views, Some(values), sorted_values),
            _ => with_moved::<K, u64>(ctx, options, views, Some(values), sorted_values),
        },
        Payload::Indices => match index_bytes(options.index_dtype, "count", count)? {
            4 => with_moved::<K, u32>(ctx, options, views, None, sorted_values),
            _ => with_moved::<K, u64>(ctx, options, views, None, sorted_values),
        },
    }
}

struct Views<'a, K> {
    keys: View<'a, K>,
    segments: Heads<'a>,
    sorted: ViewMut<'a, K>,
}

fn with_moved<K: Key, V: Index>(
    ctx: &mut Context,
    options: &Options,
    views: Views<K>,
    values: Option<Input>,
    sorted_values: Output,
) -> Result<()> {
    let count = views.keys.len();
    let values = values.map(|values| values.view::<V>(&[count])).transpose()?;
    let sorted_values = sorted_values.view::<V>(&[count])?;
    all_apart(&[&views.sorted, &sorted_values], &[&views.keys, &views.segments, &values])?;
    run(ctx, options, views, Some((values, sorted_values)))
}

/// What moves with the keys: values or, without them, positions, and where to.
type Moved<'a, V> = Option<(Option<View<'a, V>>, ViewMut<'a, V>)>;

fn run<K: Key, V: Index>(
    ctx: &mut Context,
    options: &Options,
    views: Views<K>,
    moved: Moved<V>,
) -> Result<()> {
    let (order, Views { keys, segments, mut sorted }) = (options.order, views);
    ctx.run(|engine| match (engine, options.variant) {
        (Engine::Cpu(workers), variant) => {
            let (keys, sorted) = (keys.on_host()?, sorted.on_host()?);
            let how = match variant {
                SegmentedSortVariant::Sequential => cpu::locality_sort::How::Sequential,
                SegmentedSortVariant::Auto => cpu::locality_sort::How::Parallel,
            };
            let borders = match &segments {
                Heads::U64(heads) => cpu::segmented_sort::Borders::U64(heads.on_host()?),
                Heads::U32(heads) => cpu::segmented_sort::Borders::U32(heads.on_host()?),
                Heads::Flags(words) => cpu::segmented_sort::Borders::Flags(words.on_host()?),
            };
            let segments = cpu::segmented_sort::Segments { how, order, borders };
            match moved {
                None => cpu::segmented_sort::keys(workers, segments, keys, sorted),
                Some((None, mut to)) => {
                    let to = to.on_host()?;
                    cpu::segmented_sort::pairs(workers, segments, keys, V::from_usize, sorted, to)
                }
                Some((Some(values), mut to)) => {
                    let (values, to) = (values.on_host()?, to.on_host()?);
                    cpu::segmented_sort::pairs(workers, segments, keys, |i| values[i], sorted, to)
                }
            }
        }
        (Engine::Cuda(_), SegmentedSortVariant::Sequential) => super::sequential_is_for_the_cpu(),
        (Engine::Cuda(device), _) => match segments {
            Heads::U64(heads) => {
                gpu::segmented_sort::segmented_sort(device, order, keys, (heads, false), sorted, moved)
            }
            Heads::U32(heads) => {
                gpu::segmented_sort::segmented_sort(device, order, keys, (heads, false), sorted, moved)
            }
            Heads::Flags(words) => {
                gpu::segmented_sort::segmented_sort(device, order, keys, (words, true), sorted, moved)
            }
        },
    })
}

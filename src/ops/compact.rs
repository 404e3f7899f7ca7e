//! The elements of an array whose flags are set.
//!
//! Source: M. Billeter, O. Olsson, U. Assarsson, "Efficient Stream Compaction on Wide SIMD Many-Core Architectures", HPG 2009.
#![forbid(unsafe_code)]

use super::capacity::check_capacity;
use super::cost;
use super::dtypes::{index_dtype_for, key_dtypes};
use super::widen::{WideInput, WideOutput, finish_first};
use crate::array::{
    DynView, DynViewMut, Element, Input, Output, all_apart, optional_mut_on_host, optional_on_host,
};
use crate::context::{Context, Engine};
use crate::cpu;
use crate::error::Result;
use crate::gpu;
use crate::model::dtype::Dtype;
use crate::model::index::Index;
use crate::model::variant::Variant;

/// Options of [`compact`]; the default is f32 and positions of 64 bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: Variant,
    pub dtype: Dtype,
    pub index_dtype: Dtype,
}

/// What [`compact`] writes: up to `capacity` elements and positions, and how many there are.
pub struct Wanted<'a> {
    pub kept: Option<Output<'a>>,
    pub positions: Option<Output<'a>>,
    pub capacity: usize,
    pub needed: Output<'a>,
}

/// kept ← (data\[i\] : flags\[i\] ≠ 0), positions ← (i : flags\[i\] ≠ 0), needed\[0\] ← their number.  data (count) of 4 or 8
/// bytes an element, read where kept is wanted; flags (count); kept, positions (capacity); all anywhere, the outputs apart
/// from all others. The first min(needed, capacity) are written.
///
/// Cost: reads flags and data once, writes what is kept. Errors: INVALID_ARGUMENT (size, overlap; 0 < capacity < needed where
/// the host sees needed), UNSUPPORTED (dtype), OUT_OF_MEMORY, CUDA.
pub fn compact(
    ctx: &mut Context,
    options: &Options,
    data: Input,
    flags: Input,
    count: usize,
    wanted: Wanted,
) -> Result<()> {
    ctx.begin();
    let Wanted { kept, positions, capacity, needed } = wanted;
    let (dtype, wide) = match kept.is_some() {
        true => key_dtypes("dtype", options.dtype)?,
        false => (Dtype::U32, Dtype::U32),
    };
    let index = match positions.is_some() {
        true => index_dtype_for(options.index_dtype, "count", count)?,
        false => Dtype::U64,
    };
    let capacity = if kept.is_none() && positions.is_none() { 0 } else { capacity };
    let data = kept.is_some().then(|| data.view_of(dtype, &[count])).transpose()?;
    let flags = flags.view::<u8>(&[count])?;
    let kept = kept.map(|kept| kept.view_of(dtype, &[capacity])).transpose()?;
    let mut positions = positions.map(|positions| positions.view_of(index, &[capacity])).transpose()?;
    let mut needed = needed.view::<u64>(&[1])?;
    let arrays = all_apart(&[&kept, &positions, &needed], &[&flags, &data])?;
    let is_sequential = options.variant == Variant::Sequential;
    ctx.run_auto(cost::COMPACT.of(options.variant, arrays), |engine| {
        let data = data.map(|data| WideInput::new(engine, data, wide)).transpose()?;
        let data = data.as_ref().map(WideInput::view).transpose()?;
        let mut wide_kept = kept.map(|kept| WideOutput::new(engine, kept, wide)).transpose()?;
        let mut kept = wide_kept.as_mut().map(WideOutput::view).transpose()?;
        let limit = needed.as_view();
        let found = match engine.select(options.variant)? {
            Engine::Cpu(workers) => {
                let (how, flags) = ((workers, is_sequential), flags.on_host()?);
                let (kept, positions) = (&mut kept, &mut positions);
                let found = dispatch_sizes!(wide, index, compact_on_cpu(how, data, flags, kept, positions))?;
                needed.on_host()?[0] = found;
                Some(found)
            }
            Engine::Cuda(device) => {
                let widths = [wide.size(), index.size()];
                gpu::compact::compact(device, widths, data, flags, kept, positions, capacity, needed)?
            }
        };
        finish_first(engine, wide_kept, found, limit)?;
        check_capacity(capacity, found)
    })
}

fn compact_on_cpu<T: Element, I: Index>(
    (workers, is_sequential): (&cpu::Workers, bool),
    data: Option<DynView>,
    flags: &[u8],
    kept: &mut Option<DynViewMut>,
    positions: &mut Option<DynViewMut>,
) -> Result<u64> {
    let data = optional_on_host::<T>(&data)?;
    let (kept, positions) = (optional_mut_on_host(kept)?, optional_mut_on_host::<I>(positions)?);
    let targets = cpu::compact::Targets { kept, positions };
    match is_sequential {
        true => Ok(cpu::compact::sequential(workers, data, flags, targets)),
        false => cpu::compact::compact(workers, data, flags, targets),
    }
}

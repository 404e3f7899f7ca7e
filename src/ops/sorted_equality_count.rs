//! How many elements of one sorted array equal each element of another.
//!
//! Source: S. Baxter, "ModernGPU", Vectorized Sorted Search, NVIDIA 2013.
#![forbid(unsafe_code)]

use super::cost;
use super::dtypes::{index_dtype, index_dtype_for, key_dtypes};
use super::widen::WideInput;
use crate::array::{DynView, DynViewMut, Input, Output, all_apart, optional_mut_on_host};
use crate::context::{Context, Engine};
use crate::cpu;
use crate::error::Result;
use crate::gpu;
use crate::model::dtype::Dtype;
use crate::model::index::Index;
use crate::model::order::{Key, KeyOrder, SortOrder};
use crate::model::variant::Variant;

/// Options of [`sorted_equality_count`]; the default is ascending f32 and counts of 64 bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: Variant,
    pub dtype: Dtype,
    pub order: SortOrder,
    pub index_dtype: Dtype,
}

/// counts\[i\] ← how many of b equal a\[i\]; lower\[i\] ← lower bound of a\[i\] in b. a (a_count), b (b_count) sorted; counts, lower
/// (a_count); lower may be left out; all apart.
///
/// Cost: reads a and b once and writes what is asked for. Errors: INVALID_ARGUMENT (size, overlap, more elements than the counts
/// hold), UNSUPPORTED (dtype), OUT_OF_MEMORY, CUDA.
pub fn sorted_equality_count(
    ctx: &mut Context,
    options: &Options,
    a: (Input, usize),
    b: (Input, usize),
    counts: Output,
    lower: Option<Output>,
) -> Result<()> {
    ctx.begin();
    let ((dtype, wide), index) = (key_dtypes("dtype", options.dtype)?, index_dtype(options.index_dtype)?);
    let ((a, a_count), (b, b_count)) = (a, b);
    index_dtype_for(options.index_dtype, "b_count", b_count)?;
    let (a, b) = (a.view_of(dtype, &[a_count])?, b.view_of(dtype, &[b_count])?);
    let mut counts = counts.view_of(index, &[a_count])?;
    let mut lower = lower.map(|lower| lower.view_of(index, &[a_count])).transpose()?;
    let arrays = all_apart(&[&counts, &lower], &[&a, &b])?;
    if a.is_empty() {
        return Ok(());
    }
    let order = options.order;
    ctx.run_auto(cost::SORTED_EQUALITY_COUNT.of(options.variant, arrays), |engine| {
        let keys = [WideInput::new(engine, a, wide)?, WideInput::new(engine, b, wide)?];
        let (a, b) = (keys[0].view()?, keys[1].view()?);
        match engine.select(options.variant)? {
            Engine::Cpu(workers) => {
                let how = (workers, options.variant, KeyOrder::new(order, wide));
                dispatch_number_and_size!(wide, index, count_on_cpu(how, a, b, &mut counts, &mut lower))
            }
            Engine::Cuda(device) => {
                gpu::sorted_equality_count::sorted_equality_count(device, order, a, b, counts, lower)
            }
        }
    })
}

fn count_on_cpu<K: Key, I: Index>(
    (workers, variant, order): (&cpu::Workers, Variant, KeyOrder),
    a: DynView,
    b: DynView,
    counts: &mut DynViewMut,
    lower: &mut Option<DynViewMut>,
) -> Result<()> {
    let (a, b) = (a.on_host::<K>()?, b.on_host()?);
    let (counts, lower) = (counts.on_host::<I>()?, optional_mut_on_host(lower)?);
    match variant {
        Variant::Sequential => cpu::sorted_equality_count::sequential(workers, order, a, b, counts, lower),
        Variant::Auto => {
            cpu::sorted_equality_count::sorted_equality_count(workers, order, a, b, counts, lower)
        }
    }
}

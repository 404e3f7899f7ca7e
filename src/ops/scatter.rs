//! Elements to given positions.
#![forbid(unsafe_code)]

use super::check_indices::in_range;
use super::cost;
use super::dtypes::index_dtype;
use super::gather::{Options, of_complex};
use super::prelude::*;
use super::scatter_nd;

/// target\[indices\[i\]\] ← source\[i\] where the index is below target_count; of equal indices one wins.  source and indices (count),
/// target (target_count), anywhere, apart; elements of 1, 2, 4 and 8 bytes. What no index names stays.
///
/// Cost: reads source and indices once. Errors: INVALID_ARGUMENT (size, overlap, dtype; with `check` an index out of range),
/// OUT_OF_MEMORY, CUDA.
pub fn scatter(
    ctx: &mut Context,
    options: &Options,
    source: Input,
    (indices, count): (Input, usize),
    (target, target_count): (Output, usize),
) -> Result<()> {
    ctx.begin();
    let (dtype, index) = (options.dtype.required("dtype")?, index_dtype(options.index_dtype)?);
    if dtype.is_complex() {
        let options = of_complex(options, target_count, count);
        return scatter_nd::scatter_nd(ctx, &options, &[Some(indices)], source, target);
    }
    let (source, indices) = (source.view_of(dtype, &[count])?, indices.view_of(index, &[count])?);
    let mut target = target.view_of(dtype, &[target_count])?;
    let arrays = all_apart(&[&target], &[&source, &indices])?;
    ctx.run_auto(cost::SCATTER.of(options.variant, arrays), |engine| {
        if options.check {
            in_range(engine, indices, "target_count", target_count)?;
        }
        match engine.select(options.variant)? {
            Engine::Cpu(workers) => {
                let how = (workers, options.variant);
                dispatch_bits_and_size!(dtype, index, on_cpu(how, [source, indices], &mut target))
            }
            Engine::Cuda(device) => gpu::scatter::scatter(device, source, indices, target),
        }
    })
}

fn on_cpu<T: Bits, I: Index>(how: Execution, from: [DynView; 2], to: &mut DynViewMut) -> Result<()> {
    let (source, indices) = (from[0].on_host::<T>()?, from[1].on_host::<I>()?);
    match how.1 {
        Variant::Sequential => cpu::scatter::sequential(how.0, source, indices, to.on_host()?),
        Variant::Auto => cpu::scatter::scatter(how.0, source, indices, to.on_host_shared::<T>()?),
    }
}
